import type { ResolvedQuery } from '../../expression/expression.ts';
import type { ResultSelect, Statement } from '../../expression/statement.ts';

/**
 * The columns that identify a row of a result, by their index: no two rows have the same values, with NULL as a value.
 * Empty for at most one row; null if the rows may repeat or if a key is not a column.
 */
export function findResultKeys({ columns, body }: Statement): readonly number[] | null {
  switch (body.kind) {
    case 'entities':
      return findGroupKeys(body.query);
    case 'select':
      return findSelectKeys(body) ?? (body.distinct ? [...columns.keys()] : null);
    case 'set':
      return body.by.endsWith('ALL') ? null : [...columns.keys()];
    case 'values':
      return body.rows.length > 1 ? null : [];
  }
}

function findGroupKeys({ keys, items }: ResolvedQuery): readonly number[] | null {
  return findAll(
    keys.map(({ use }, at) =>
      items === null
        ? at
        : items.findIndex(({ value }) => value.kind === 'field' && value.field.key === use.key),
    ),
  );
}

function findSelectKeys({ grouping, from, values }: ResultSelect): readonly number[] | null {
  const findColumn = (name: string) =>
    values.findIndex((value) => value.kind === 'field' && value.field.column === name);
  if (grouping !== null) return findAll(grouping.keys.map(({ name }) => findColumn(name)));
  const [only, ...others] = from;
  if (only === undefined) return [];
  const { statement } = only.relation;
  const keys = others.length > 0 ? null : findResultKeys(statement);
  return keys && findAll(keys.map((key) => findColumn(statement.columns[key]?.name ?? '')));
}

function findAll(found: readonly number[]): readonly number[] | null {
  return found.includes(-1) ? null : found;
}
