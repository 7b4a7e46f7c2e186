import type { ColumnChanges, SchemaChange, TypedColumn } from './column-changes.ts';
import { type AddedRows, DatabaseError, type HistoryRows, type Merge } from './connection.ts';
import { describeTaken, STATE_COLUMNS } from './history.ts';
import { isLossless, readShorterLength, type TypeRules } from './lossless.ts';

/** New rows for a table, and how their database compares names and types. */
export interface ColumnsToFit {
  readonly stored: readonly TypedColumn[];
  readonly added: readonly TypedColumn[];
  readonly rules: TypeRules;
  /** Makes names of the same column equal. */
  fold(name: string): string;
}

/** What each policy does with columns that are only in the query, and with those that are only in the table. */
const POLICIES: Readonly<
  Record<
    SchemaChange,
    {
      readonly surplus: 'refused' | 'added' | 'ignored';
      readonly lost: 'refused' | 'nulled' | 'dropped' | 'untouched';
      readonly widens: boolean;
    }
  >
> = {
  fail: { surplus: 'refused', lost: 'refused', widens: false },
  append: { surplus: 'added', lost: 'nulled', widens: false },
  sync: { surplus: 'added', lost: 'dropped', widens: true },
  ignore: { surplus: 'ignored', lost: 'untouched', widens: false },
};

/** The columns that new rows and their table need for a publication. */
interface NeededColumns {
  /** Columns that identify a row. */
  readonly keys: readonly string[];
  /** Columns whose values are compared; a table may get them with these rows. */
  readonly compared: readonly string[];
}

/**
 * Compares the columns of new rows with those of their table (docs/reference/publishing.md#other-columns);
 * `matchColumns` gives names of columns the form that the query has.
 */
export function compareColumns(
  columns: ColumnsToFit,
  rows: AddedRows | Merge | HistoryRows,
  matchColumns: (names: readonly string[], columns: readonly string[]) => readonly string[],
): ColumnChanges {
  const { added, rules, fold } = columns;
  const isHistory = 'time' in rows;
  const policy = POLICIES[rows.onSchemaChange ?? 'fail'];
  const stored = columns.stored.filter(({ name }) => !(isHistory && STATE_COLUMNS.includes(fold(name))));
  const differences = findDifferences({ ...columns, stored });
  const { pairs, surplus, lost } = differences;
  const whenSurplus = (outcome: typeof policy.surplus) => (policy.surplus === outcome ? surplus : []);
  const whenLost = (outcome: typeof policy.lost) => (policy.lost === outcome ? lost : []);
  const wider = policy.widens ? pairs.filter((pair) => isWider(pair, rules)) : [];
  const ignored = whenSurplus('ignored');
  const tableNames = new Map(pairs.map(({ column, stored: { name } }) => [column, name]));
  const written = added
    .filter((column) => !ignored.includes(column))
    .map((column) => ({ query: column.name, table: tableNames.get(column) ?? column.name }));
  const misfits = pairs.filter(
    (pair) => !wider.includes(pair) && !isLossless(pair.column.type, pair.stored.type, rules),
  );
  const refusedColumns = [
    ...whenSurplus('refused').map((column) => describeMissing(column, ['query', 'table'])),
    ...whenLost('refused').map((column) => describeMissing(column, ['table', 'query'])),
  ];
  const needed = listNeeded(rows, (names) =>
    matchColumns(
      names,
      added.map(({ name }) => name),
    ),
  );
  return {
    written,
    added: whenSurplus('added').map((column) => withType(column, rules)),
    widened: wider.map(({ column, stored: { name, type } }) => ({ ...column, name, from: type })),
    dropped: whenLost('dropped'),
    nulled: whenLost('nulled'),
    untouched: whenLost('untouched'),
    ignored,
    refused: [
      ...(isHistory ? describeNoHistory(columns) : []),
      ...misfits.map(describeMisfit),
      ...refusedColumns,
      ...(refusedColumns.length > 0 ? [] : describeNeeded(needed, columns, policy.surplus === 'added')),
      ...(written.length === 0 ? ['no column of the query is in the table'] : []),
    ],
    isPolicy: refusedColumns.length > 0,
  };
}

/** The columns of new rows and of their table: those that both have, and the others. */
function findDifferences({ stored, added, fold }: ColumnsToFit) {
  const storedBy = new Map(stored.map((column) => [fold(column.name), column]));
  const addedNames = new Set(added.map(({ name }) => fold(name)));
  return {
    pairs: added.flatMap((column): readonly Pair[] => {
      const storedColumn = storedBy.get(fold(column.name));
      return storedColumn === undefined ? [] : [{ column, stored: storedColumn }];
    }),
    surplus: added.filter(({ name }) => !storedBy.has(fold(name))),
    lost: stored.filter(({ name, isFilled }) => isFilled !== true && !addedNames.has(fold(name))),
  };
}

function listNeeded(
  rows: AddedRows | Merge | HistoryRows,
  match: (names: readonly string[]) => readonly string[],
): NeededColumns {
  const { primary = [] } = rows;
  if (!('key' in rows)) return { keys: match(primary), compared: [] };
  // The primary key of a history has the columns of its key, and one of its states.
  const keys = 'time' in rows ? rows.key : [...primary, ...rows.key];
  return { keys: match(keys), compared: match(rows.changes ?? []) };
}

/** Why a table cannot store the states of the rows of a query. */
function describeNoHistory({ stored, added, rules, fold }: ColumnsToFit): readonly string[] {
  const isState = (wanted: string) =>
    stored.some(({ name, type }) => fold(name) === wanted && isLossless(rules.stateType, type, rules));
  const isHistory = STATE_COLUMNS.every(isState);
  return [
    ...describeTaken(added.map(({ name }) => name)),
    ...(isHistory
      ? []
      : [
          `it is not a history, because it lacks \`valid_from\` or \`valid_to\` of the type ${rules.stateType}`,
        ]),
  ];
}

/** What new rows or their table lack of the columns that a publication needs. */
function describeNeeded(
  { keys, compared }: NeededColumns,
  { stored, added, fold }: ColumnsToFit,
  addsColumns: boolean,
): readonly string[] {
  const inTable = new Set(stored.map(({ name }) => fold(name)));
  const inQuery = new Set(
    [...added, ...stored.filter(({ isFilled }) => isFilled === true)].map(({ name }) => fold(name)),
  );
  const describe = (name: string, mayBeNew: boolean) => [
    ...(inQuery.has(fold(name)) ? [] : [`the column \`${name}\` of the publication is not in the query`]),
    ...(mayBeNew || inTable.has(fold(name))
      ? []
      : [`the column \`${name}\` of the publication is not in the table`]),
  ];
  return [
    ...new Set([
      ...keys.flatMap((name) => describe(name, false)),
      ...compared.flatMap((name) => describe(name, addsColumns)),
    ]),
  ];
}

/** Throws a DatabaseError if new rows cannot be stored in their table. */
export function checkChanges(
  table: string,
  { refused, isPolicy }: ColumnChanges,
  rows: AddedRows | Merge | HistoryRows,
): void {
  if (refused.length === 0) return;
  const rebuild =
    'time' in rows
      ? 'rename the table, so that the next run begins another history'
      : 'build the table again with `fullRefresh=true`';
  const policy = isPolicy ? ', set `:on_schema_change` in the publication,' : ',';
  const advice = `change the query${policy} or ${rebuild}`;
  throw new DatabaseError(
    'sql',
    `the new rows do not fit the columns of the table \`${table}\`: ${refused.join('; ')}: ${advice}`,
  );
}

/** Columns of new rows whose texts can be longer than those of the table, with the maximum length there. */
export function listLongTexts(
  { stored, added, rules, fold }: ColumnsToFit,
  { widened }: ColumnChanges,
): ReadonlyMap<string, number> {
  const types = new Map([...stored, ...widened].map(({ name, type }) => [fold(name), type]));
  const lengths = added.map(({ name, type }) => {
    const storedType = types.get(fold(name));
    const length = storedType === undefined ? null : readShorterLength(type, storedType, rules);
    return [name, length] as const;
  });
  return new Map(lengths.flatMap(([name, length]) => (length === null ? [] : [[name, length]])));
}

/** A column of new rows, and the column of the table that stores it. */
interface Pair {
  readonly column: TypedColumn;
  readonly stored: TypedColumn;
}

/** Whether the query has a type that stores all values of the table, and the table not all values of the query. */
function isWider({ column, stored }: Pair, rules: TypeRules): boolean {
  const types = { ...rules, refusesRows: false };
  return (
    column.type !== rules.untyped &&
    !isLossless(column.type, stored.type, types) &&
    isLossless(stored.type, column.type, types)
  );
}

/** A bare NULL becomes text, as in a new table. */
function withType(column: TypedColumn, { untyped, text }: TypeRules): TypedColumn {
  return column.type === untyped ? { ...column, type: text } : column;
}

function describeMisfit({ column: { name, type }, stored }: Pair): string {
  return `\`${name}\` is ${type} in the query and ${stored.type} in the table, which may change values`;
}

function describeMissing(
  { name, type }: TypedColumn,
  [side, otherSide]: readonly [side: string, otherSide: string],
): string {
  return `the column \`${name}\` (${type}) of the ${side} is not in the ${otherSide}`;
}
