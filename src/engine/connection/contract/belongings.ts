import { DatabaseError } from './connection.ts';

/** Something of a table that is not one of its rows, columns or rights, such as `policy p`. */
export interface Belonging {
  readonly name: string;
  /** Whether it could change or hide rows, if all rows of the table were replaced. */
  readonly actsOnRows: boolean;
}

/** Why a table cannot be replaced. */
const REASONS = {
  acting: 'these could change or hide new rows',
  shape: 'its columns or its primary key change, and a new table would lose',
  engine: 'its storage engine has no transactions, and a new table would lose',
  view: 'a view would lose',
  columns: 'its columns change, and a new view would lose',
};

/** Converts rows with the name of a belonging, and `true` if it acts on rows. */
export function toBelongings(rows: readonly (readonly (string | null)[])[]): readonly Belonging[] {
  return rows.map(([name, acts]) => ({ name: name!, actsOnRows: acts === 'true' }));
}

/** Checks whether the rows of a table can be replaced. Throws a DatabaseError. */
export function checkRefill(table: string, belongings: readonly Belonging[]): void {
  checkLoss(
    table,
    belongings.filter(({ actsOnRows }) => actsOnRows),
    'acting',
  );
}

/** Checks that nothing is lost with a table, or a view whose columns change; its name is SQL. Throws a DatabaseError. */
export function checkLoss(
  name: string,
  belongings: readonly Belonging[],
  reason: keyof typeof REASONS,
): void {
  if (belongings.length === 0) return;
  const names = belongings.map(({ name }) => name).join(', ');
  const what = reason === 'columns' ? 'view' : 'table';
  const message = `the ${what} ${name} cannot be replaced, because ${REASONS[reason]}: ${names}. Drop what is named here first, or give the publication another name`;
  throw new DatabaseError('sql', message);
}
