import { DatabaseError } from './connection.ts';
import { isLossless, readShorterLength, type TypeRules } from './lossless.ts';

/** A column with its type, as the database prints it. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
  /** Whether the database itself gives the column a value; new rows may lack it. */
  readonly isFilled?: boolean;
}

/** New rows for a table, and how their database compares names and types. */
export interface ColumnsToFit {
  /** The name of the table. */
  readonly table: string;
  readonly stored: readonly TypedColumn[];
  readonly added: readonly TypedColumn[];
  readonly rules: TypeRules;
  /** Makes names of the same column equal. */
  fold(name: string): string;
}

/**
 * The names of the columns of new rows in the table that stores them, in the order of the rows. Throws a DatabaseError
 * if the columns differ, or if the table would change a value instead of storing it.
 */
export function fitColumns({ table, stored, added, rules, fold }: ColumnsToFit): readonly string[] {
  const storedBy = new Map(stored.map((column) => [fold(column.name), column]));
  const addedNames = new Set(added.map(({ name }) => fold(name)));
  const problems = [
    ...added.flatMap((column) => describeMisfit(column, storedBy.get(fold(column.name)), rules)),
    ...stored
      .filter(({ name, isFilled }) => isFilled !== true && !addedNames.has(fold(name)))
      .map((column) => describeMissing(column, ['table', 'query'])),
  ];
  if (problems.length === 0) return added.map(({ name }) => storedBy.get(fold(name))?.name ?? name);
  const advice = 'change the query, or build the table again with `fullRefresh=true`';
  throw new DatabaseError(
    'sql',
    `the new rows do not fit the columns of the table \`${table}\`: ${problems.join('; ')}: ${advice}`,
  );
}

/** Columns of new rows whose texts can be longer than those of the table, with the maximum length there. */
export function listLongTexts({
  stored,
  added,
  rules,
  fold,
}: Omit<ColumnsToFit, 'table'>): ReadonlyMap<string, number> {
  const types = new Map(stored.map(({ name, type }) => [fold(name), type]));
  const lengths = added.map(({ name, type }) => {
    const storedType = types.get(fold(name));
    const length = storedType === undefined ? null : readShorterLength(type, storedType, rules);
    return [name, length] as const;
  });
  return new Map(lengths.flatMap(([name, length]) => (length === null ? [] : [[name, length]])));
}

function describeMisfit(
  column: TypedColumn,
  stored: TypedColumn | undefined,
  rules: TypeRules,
): readonly string[] {
  const { name, type } = column;
  if (stored === undefined) return [describeMissing(column, ['query', 'table'])];
  if (isLossless(type, stored.type, rules)) return [];
  return [`\`${name}\` is ${type} in the query and ${stored.type} in the table, which may change values`];
}

function describeMissing(
  { name, type }: TypedColumn,
  [side, otherSide]: readonly [side: string, otherSide: string],
): string {
  return `the column \`${name}\` (${type}) of the ${side} is not in the ${otherSide}`;
}
