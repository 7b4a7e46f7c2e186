import { createHash } from 'node:crypto';
import { SQL_DIALECT } from '../../../text/sql-dialect.ts';
import type { TableChanges } from '../../contract/column-changes.ts';
import type { Merge, PublishedName } from '../../contract/connection.ts';
import { type NewStates, printTime } from '../../contract/history.ts';
import type { TypeRules } from '../../contract/lossless.ts';
import { createNamePrinter, type PublishingNames } from '../../server/publishing-platform.ts';

export const { quoteName, quoteText } = SQL_DIALECT.trino;

const printer = {
  ...createNamePrinter(quoteName),
  print: ({ database, schema, name }: PublishedName) => [database, schema, name].map(quoteName).join('.'),
};
export const { print, printNames } = printer;
export const TYPE_RULES: TypeRules = {
  untyped: 'unknown',
  text: 'varchar',
  stateType: 'timestamp(6)',
  timeDigits: 3,
  refusesRows: false,
};

const inCatalog = ({ database }: PublishedName, view: string) =>
  `${quoteName(database)}.information_schema.${view}`;

/** All names are compared in lower case, with quotes and without. */
export const NAMES: PublishingNames = {
  quoteName,
  printer,
  printValue: (column) => `COALESCE(CAST(${quoteName(column)} AS varchar), 'NULL')`,
  schemaWord: 'schema',
  noDatabase: 'The session has no current catalog: set the option `catalog` of the connection.',
  fold: (name) => name.toLowerCase(),
  matchColumns: (names) => names.map((name) => name.toLowerCase()),
  printFindSchema: (target) =>
    `SELECT schema_name FROM ${inCatalog(target, 'schemata')} WHERE schema_name = ${quoteText(target.schema)}`,
  printFind: (target) => `SELECT IF(table_type = 'VIEW', 'view', 'table'), table_schema, table_name
    FROM ${inCatalog(target, 'tables')}
    WHERE table_schema = ${quoteText(target.schema)} AND table_name = ${quoteText(target.name)}`,
};

/** Tells the hidden objects of a target from those of others. */
export function hashTarget(target: PublishedName): string {
  return createHash('sha256').update(print(target)).digest('hex').slice(0, 12);
}

/** The qualified name of the schema of a target. */
export function printSchema({ database, schema }: PublishedName): string {
  return `${quoteName(database)}.${quoteName(schema)}`;
}

/** A merge that changes nothing. */
export function printIdleMerge(target: PublishedName): string {
  return `MERGE INTO ${print(target)} AS target USING (SELECT 1 AS quern_id) AS source ON source.quern_id = 2
    WHEN MATCHED THEN DELETE`;
}

/** A merge that replaces all rows; its source has a row that matches each old one. `columns` are SQL. */
export function printReplaceRows(
  source: PublishedName,
  target: PublishedName,
  columns: readonly { readonly name: string; readonly type: string }[],
): string {
  const nothing = columns.map(({ type }) => `CAST(NULL AS ${type})`).join(', ');
  return `MERGE INTO ${print(target)} AS target
    USING (SELECT *, false AS quern_old FROM ${print(source)} UNION ALL SELECT ${nothing}, true) AS source
    ON source.quern_old WHEN MATCHED THEN DELETE
    WHEN NOT MATCHED AND NOT source.quern_old THEN INSERT (${columns.map(({ name }) => name).join(', ')})
    VALUES (${columns.map(({ name }) => `source.${name}`).join(', ')})`;
}

/** The statements that change the columns of a table. */
export function printAlter(
  target: PublishedName,
  { added, widened, dropped }: TableChanges,
): readonly string[] {
  return [
    ...added.map(({ name, type }) => `ADD COLUMN ${quoteName(name)} ${type}`),
    ...widened.map(({ name, type }) => `ALTER COLUMN ${quoteName(name)} SET DATA TYPE ${type}`),
    ...dropped.map(({ name }) => `DROP COLUMN ${quoteName(name)}`),
  ].map((change) => `ALTER TABLE ${print(target)} ${change}`);
}

/** A row if a column of a key has no value. */
export function printNullKey(source: PublishedName, key: readonly string[]): string {
  const isNull = key.map((column) => `${quoteName(column)} IS NULL`).join(' OR ');
  return `SELECT 'NULL' FROM ${print(source)} WHERE ${isNull} LIMIT 1`;
}

/** The primary key of a new row that another row of a table has; rows with the same `key` are replaced. */
export function printTakenKey(
  source: PublishedName,
  target: PublishedName,
  primary: readonly string[],
  key: readonly string[],
): string {
  const values = primary.map((column) => `COALESCE(CAST(source.${quoteName(column)} AS varchar), 'NULL')`);
  const equal = primary.map((column) => `target.${quoteName(column)} = source.${quoteName(column)}`);
  const differs = key.map(printDiffers).join(' OR ');
  return `SELECT CONCAT_WS(', ', ${values.join(', ')}) FROM ${print(source)} AS source
    JOIN ${print(target)} AS target ON ${equal.join(' AND ')}${key.length === 0 ? '' : ` WHERE ${differs}`} LIMIT 1`;
}

/** The columns of a table with their types. */
export function printColumns(target: PublishedName): string {
  return `SELECT column_name, data_type FROM ${inCatalog(target, 'columns')}
    WHERE table_schema = ${quoteText(target.schema)} AND table_name = ${quoteText(target.name)} ORDER BY ordinal_position`;
}

/** New rows that become part of a table; `hasNull`: keys have NULLs, which cannot be compared by hash. */
export interface MergedRows extends Merge {
  readonly source: PublishedName;
  readonly target: PublishedName;
  readonly columns: readonly string[];
  readonly hasNull: boolean;
}

/** One statement that updates and inserts. */
export function printMerge(rows: MergedRows): string {
  const { source, target, key, columns, changes } = rows;
  const others = columns.filter((column) => !key.includes(column));
  const update = others.map((column) => `${quoteName(column)} = source.${quoteName(column)}`).join(', ');
  const condition = changes === null ? '' : ` AND (${changes.map(printDiffers).join(' OR ')})`;
  const matched = others.length === 0 ? '' : `WHEN MATCHED${condition} THEN UPDATE SET ${update}`;
  const values = columns.map((column) => `source.${quoteName(column)}`).join(', ');
  return `MERGE INTO ${print(target)} AS target USING ${print(source)} AS source ON ${printMatch(rows)} ${matched}
    WHEN NOT MATCHED THEN INSERT (${printNames(columns)}) VALUES (${values})`;
}

/** A query for all rows of the target after a merge; `types` are the columns of the target with their types. */
export function printMerged(
  rows: MergedRows,
  types: readonly { readonly name: string; readonly type: string }[],
): string {
  const { source, target, columns, changes } = rows;
  const isKept = [
    'source.quern_new IS NULL',
    ...(changes === null ? [] : [`NOT (${changes.map(printDiffers).join(' OR ')})`]),
  ];
  const columnNames = new Set(columns);
  const changedColumns = types.map(({ name }) => {
    const [targetColumn, sourceColumn] = [`target.${quoteName(name)}`, `source.${quoteName(name)}`];
    if (!columnNames.has(name)) return targetColumn;
    // Without a cast, which could round or cut a value: the type becomes one that both have in common.
    return `CASE WHEN ${isKept.join(' OR ')} THEN ${targetColumn} ELSE ${sourceColumn} END AS ${quoteName(name)}`;
  });
  const addedColumns = types.map(({ name, type }) => {
    return columnNames.has(name)
      ? `source.${quoteName(name)}`
      : `CAST(NULL AS ${type}) AS ${quoteName(name)}`;
  });
  const match = printMatch(rows);
  return `SELECT ${changedColumns.join(', ')} FROM ${print(target)} AS target
      LEFT JOIN (SELECT *, true AS quern_new FROM ${print(source)}) AS source ON ${match}
    UNION ALL SELECT ${addedColumns.join(', ')} FROM ${print(source)} AS source
      LEFT JOIN (SELECT *, true AS quern_old FROM ${print(target)}) AS target ON ${match} WHERE target.quern_old IS NULL`;
}

/** One statement that closes and opens states, as `printStates` describes it; the source has a row for each change. */
export function printHistory(states: NewStates): string {
  const { source, target, columns, key } = states;
  const now = printTime(states.time);
  const same = printSameState(states);
  const current = `(SELECT * FROM ${target} WHERE valid_to IS NULL)`;
  const list = (table: string) => columns.map((column) => `${table}.${quoteName(column)}`).join(', ');
  return `MERGE INTO ${target} AS target USING (
      SELECT ${list('target')}, true AS quern_over FROM ${current} AS target
        LEFT JOIN (SELECT *, true AS quern_new FROM ${source}) AS source ON ${same} WHERE source.quern_new IS NULL
      UNION ALL SELECT ${list('source')}, false FROM ${source} AS source
        LEFT JOIN (SELECT *, true AS quern_old FROM ${current}) AS target ON ${same} WHERE target.quern_old IS NULL
    ) AS source ON source.quern_over AND target.valid_to IS NULL AND ${printMatch({ key, hasNull: false })}
    WHEN MATCHED AND target.valid_from = ${now} THEN DELETE
    WHEN MATCHED THEN UPDATE SET valid_to = ${now}
    WHEN NOT MATCHED AND NOT source.quern_over THEN INSERT (${printNames(columns)}, valid_from, valid_to)
    VALUES (${list('source')}, ${now}, NULL)`;
}

/** A query for all states of the target after `printHistory`; `types` are the columns of the target with their types. */
export function printAllStates(
  states: NewStates,
  types: readonly { readonly name: string; readonly type: string }[],
): string {
  const { source, target, columns } = states;
  const now = printTime(states.time);
  const same = printSameState(states);
  const isOver = 'target.valid_to IS NULL AND source.quern_new IS NULL';
  const former = types.map(({ name }) =>
    name === 'valid_to'
      ? `CASE WHEN ${isOver} THEN ${now} ELSE target.valid_to END AS valid_to`
      : `target.${quoteName(name)}`,
  );
  const newNames = new Set(columns);
  const opened = types.map(({ name, type }) => {
    if (name === 'valid_from') return now;
    return newNames.has(name) ? `source.${quoteName(name)}` : `CAST(NULL AS ${type})`;
  });
  return `SELECT ${former.join(', ')} FROM ${target} AS target
      LEFT JOIN (SELECT *, true AS quern_new FROM ${source}) AS source ON target.valid_to IS NULL AND ${same}
      WHERE NOT (${isOver} AND target.valid_from = ${now})
    UNION ALL SELECT ${opened.join(', ')} FROM ${source} AS source
      LEFT JOIN (SELECT *, true AS quern_old FROM ${target} WHERE valid_to IS NULL) AS target ON ${same}
      WHERE target.quern_old IS NULL`;
}

/** How a state that is current is compared with new rows; both have a value in each column of the key. */
function printSameState({ key, compared }: NewStates): string {
  return [
    printMatch({ key, hasNull: false }),
    ...compared.map((column) => `NOT (${printDiffers(column)})`),
  ].join(' AND ');
}

function printMatch({ key, hasNull }: Pick<MergedRows, 'key' | 'hasNull'>): string {
  const matches = key.map((column) => {
    const [targetColumn, sourceColumn] = [`target.${quoteName(column)}`, `source.${quoteName(column)}`];
    return hasNull
      ? `(${targetColumn} = ${sourceColumn} OR (${targetColumn} IS NULL AND ${sourceColumn} IS NULL))`
      : `${targetColumn} = ${sourceColumn}`;
  });
  return matches.join(' AND ');
}

function printDiffers(column: string): string {
  return `target.${quoteName(column)} IS DISTINCT FROM source.${quoteName(column)}`;
}
