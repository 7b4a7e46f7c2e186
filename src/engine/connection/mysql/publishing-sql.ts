import { createHash } from 'node:crypto';
import { SQL_DIALECT } from '../../text/sql-dialect.ts';
import type { TableChanges, TypedColumn } from '../contract/column-changes.ts';
import { DatabaseError, type Merge, type PublishedName } from '../contract/connection.ts';
import { type NewStates, printTime } from '../contract/history.ts';
import { createNamePrinter, type PublishingNames, type StagedRows } from '../server/publishing-platform.ts';

export const { quoteName } = SQL_DIALECT.mysql;
const { quoteText } = SQL_DIALECT.mysql;

/** Number of characters of a long text that an index contains. */
const PREFIX = 60;
/** Maximum bytes of a text column that is indexed completely. */
const SHORT = 240;
/** The types that bare NULLs and empty strings would get. */
const EMPTY = /^(?:var)?(?:char|binary)\(0\)$/;
export const TEXT = 'TEXT CHARACTER SET utf8mb4';
/** A timestamp is an instant, unlike a datetime. */
export const TYPE_RULES = {
  untyped: 'binary(0)',
  text: TEXT,
  stateType: 'datetime(6)',
  timeDigits: 0,
  synonyms: { timestamp: 'timestamp with time zone', datetime: 'timestamp' },
};
/** Marks the new rows of a merge. */
const NEW = '`quern_new`';

const printer = createNamePrinter(quoteName);
export const { print, printNames } = printer;

/** The statement for the session's database, and for whether the server folds names. */
export const CURRENT = `SELECT 'def', IF(@@lower_case_table_names = 0, DATABASE(), LOWER(DATABASE())),
  IF(@@lower_case_table_names = 0, '', 'yes')`;

/** Servers have a single catalog, and compare the names in their lists ignoring case. */
export const NAMES: PublishingNames = {
  printer,
  quoteName,
  printValue: (column) => `IFNULL(CONVERT(${quoteName(column)}, CHAR), 'NULL')`,
  printBytes: (column) => `BINARY ${quoteName(column)}`,
  schemaWord: 'database',
  noDatabase: null,
  fold: (name, folding) => (folding === '' ? name : name.toLowerCase()),
  matchColumns: (names) => names,
  printFindSchema: ({ schema }) =>
    `SELECT schema_name FROM information_schema.schemata WHERE schema_name = ${quoteText(schema)}`,
  printFind: ({
    schema,
    name,
  }) => `SELECT IF(table_type LIKE '%VIEW', 'view', 'table'), table_schema, table_name
    FROM information_schema.tables
    WHERE table_schema = ${quoteText(schema)} AND table_name = ${quoteText(name)} AND table_type <> 'TEMPORARY'`,
};

/** The names of intermediate objects for a target; objects left by a killed process have the same names. */
export function nameAside(target: PublishedName): {
  readonly fresh: PublishedName;
  readonly oldObject: PublishedName;
} {
  const hash = createHash('sha256').update(print(target).toLowerCase()).digest('hex').slice(0, 16);
  return {
    fresh: { ...target, name: `quern_${hash}_new` },
    oldObject: { ...target, name: `quern_${hash}_old` },
  };
}

/** The name of the server lock for a target. */
export function printLock(target: PublishedName): string {
  return quoteText(nameAside(target).fresh.name);
}

/** Whether a row of a list is about a table; the list may also have tables whose names differ in case. */
export function printIsOf(
  { schema, name }: PublishedName,
  columns: readonly [schema: string, name: string] = ['table_schema', 'table_name'],
): string {
  return [schema, name]
    .map((value, i) => `${columns[i]} = ${quoteText(value)} AND BINARY ${columns[i]} = ${quoteText(value)}`)
    .join(' AND ');
}

/** The columns of a table that are too long for an index. */
export function printLongColumns(table: PublishedName): string {
  return `SELECT column_name FROM information_schema.columns
    WHERE ${printIsOf(table)} AND character_octet_length > ${SHORT}`;
}

/** The columns of a table, each with its type, for text its character set and collation, and its part in the primary key. */
export function printColumns(table: PublishedName): string {
  return `SELECT column_name, column_type, character_set_name, collation_name, IF(column_key = 'PRI', 'key', '')
    FROM information_schema.columns WHERE ${printIsOf(table)} ORDER BY ordinal_position`;
}

/** The columns of a table with their types, with what the server fills them, and whether it refuses values that are too long. */
export function printStoredColumns(table: PublishedName): string {
  return `SELECT column_name, column_type, extra, IF(@@sql_mode LIKE '%STRICT_%', 'strict', '')
    FROM information_schema.columns WHERE ${printIsOf(table)} ORDER BY ordinal_position`;
}

/** The options of a view: before the word VIEW, and after its query. */
export function printViewOptions(view: PublishedName): string {
  return `SELECT CONCAT('SQL SECURITY ', security_type),
      IF(check_option = 'NONE', '', CONCAT('WITH ', check_option, ' CHECK OPTION'))
    FROM information_schema.views WHERE ${printIsOf(view)}`;
}

/** Completes a table made from a query: later rows may contain NULL or longer text where the first rows did not. */
export function printLoosen(
  table: PublishedName,
  columns: readonly (readonly (string | null)[])[],
  primary: readonly string[],
): string {
  const keys = new Set(primary.map((name) => name.toLowerCase()));
  const changes = columns
    .filter(([name]) => !keys.has(name!.toLowerCase()))
    .map(([name, type, charset, collation]) => {
      const fullType = charset === null ? type : `${type} CHARACTER SET ${charset} COLLATE ${collation}`;
      return `MODIFY ${quoteName(name!)} ${EMPTY.test(type!) ? TEXT : fullType} NULL`;
    });
  const key = primary.length === 0 ? [] : [`ADD PRIMARY KEY (${printNames(primary)})`];
  return `ALTER TABLE ${print(table)} ${[...changes, ...key].join(', ')}`;
}

/** A temporary table for new rows, with the column types that the target has or will have, indexed by its key. */
export function printSource(
  source: PublishedName,
  target: PublishedName,
  { columns, key, changes: { added, widened } }: StagedRows,
  long: ReadonlySet<string>,
): string {
  const changed = [...added, ...widened];
  const longNames = new Set([...long, ...widened.filter(isLong).map(({ name }) => name.toLowerCase())]);
  const parts = key.map(
    (name) => `${quoteName(name)}${longNames.has(name.toLowerCase()) ? `(${PREFIX})` : ''}`,
  );
  const definitions = [
    `${NEW} TINYINT NOT NULL DEFAULT 1`,
    ...changed.map(printDefinition),
    ...(parts.length === 0 ? [] : [`KEY (${parts.join(', ')})`]),
  ];
  const changedNames = new Set(changed.map(({ name }) => name));
  const others = columns.filter((name) => !changedNames.has(name));
  const rows = others.length === 0 ? '' : ` AS SELECT ${printNames(others)} FROM ${print(target)} LIMIT 0`;
  return `CREATE TEMPORARY TABLE ${print(source)} (${definitions.join(', ')})${rows}`;
}

/** Whether a column has texts that are too long for an index. */
function isLong({ type, collation = null }: TypedColumn): boolean {
  return collation !== null && Number(/\((\d+)\)/.exec(type)?.[1] ?? Number.POSITIVE_INFINITY) > PREFIX;
}

/** A column with its type; a type without characters would be that of an empty text. */
function printDefinition({ name, type, collation = null }: TypedColumn): string {
  if (EMPTY.test(type)) return `${quoteName(name)} ${TEXT}`;
  return `${quoteName(name)} ${type}${collation === null ? '' : ` COLLATE ${collation}`}`;
}

/**
 * The statement that changes the columns of a table; `definitions` are its lines of SHOW CREATE TABLE. Throws a
 * DatabaseError.
 */
export function printAlter(
  target: PublishedName,
  { added, widened, dropped }: TableChanges,
  definitions: readonly string[],
): string {
  const changes = [
    ...added.map((column) => `ADD COLUMN ${printDefinition(column)}`),
    ...widened.map(({ name, from, type }) => {
      const start = `${quoteName(name)} ${from}`;
      const definition = definitions.find((line) => line.startsWith(start));
      // Its default, comment and other options stay.
      if (definition !== undefined)
        return `MODIFY ${quoteName(name)} ${type}${definition.slice(start.length)}`;
      throw new DatabaseError(
        'sql',
        `The definition of the column ${quoteName(name)} cannot be read: ${start}`,
      );
    }),
    ...dropped.map(({ name }) => `DROP COLUMN ${quoteName(name)}`),
  ];
  return `ALTER TABLE ${print(target)} ${changes.join(', ')}`;
}

/** Marks existing rows, updates those that differ, and inserts the others. */
export function printMerge(
  source: PublishedName,
  target: PublishedName,
  { key, changes }: Merge,
  columns: readonly string[],
): readonly string[] {
  // A collation finds different texts equal, such as those that differ in case or in blanks at the end.
  const match = key.map(printEqual).join(' AND ');
  const joined = `${print(target)} AS target JOIN ${print(source)} AS source ON ${match}`;
  const keys = new Set(key.map((name) => name.toLowerCase()));
  const others = columns.filter((name) => !keys.has(name.toLowerCase()));
  const update = others.map((name) => `target.${quoteName(name)} = source.${quoteName(name)}`);
  const differs =
    changes === null ? '' : ` WHERE ${changes.map((name) => `NOT (${printEqual(name)})`).join(' OR ')}`;
  return [
    `UPDATE ${joined} SET source.${NEW} = 0`,
    ...(others.length === 0 ? [] : [`UPDATE ${joined} SET ${update.join(', ')}${differs}`]),
    `INSERT INTO ${print(target)} (${printNames(columns)})
      SELECT ${printNames(columns)} FROM ${print(source)} WHERE ${NEW} = 1`,
  ];
}

/** Marks the states that stay, then closes the other current ones and opens new ones, as `printStates` does. */
export function printHistory({ source, target, columns, key, compared, time }: NewStates): readonly string[] {
  const now = printTime(time);
  const match = key.map(printEqual).join(' AND ');
  const same = [match, ...compared.map(printEqual)].join(' AND ');
  const states = `${target} AS target LEFT JOIN ${source} AS source ON ${match} AND source.${NEW} = 0`;
  const isOver = `target.valid_to IS NULL AND source.${NEW} IS NULL`;
  return [
    `UPDATE ${target} AS target JOIN ${source} AS source ON ${same} SET source.${NEW} = 0 WHERE target.valid_to IS NULL`,
    `DELETE target FROM ${states} WHERE ${isOver} AND target.valid_from = ${now}`,
    `UPDATE ${states} SET target.valid_to = ${now} WHERE ${isOver}`,
    `INSERT INTO ${target} (${printNames(columns)}, valid_from)
      SELECT ${printNames(columns)}, ${now} FROM ${source} WHERE ${NEW} = 1`,
  ];
}

/** Strings that compare as equal may still differ in their bytes; the first comparison can use an index. */
function printEqual(name: string): string {
  const [targetColumn, sourceColumn] = [`target.${quoteName(name)}`, `source.${quoteName(name)}`];
  return `${targetColumn} <=> ${sourceColumn} AND BINARY ${targetColumn} <=> BINARY ${sourceColumn}`;
}
