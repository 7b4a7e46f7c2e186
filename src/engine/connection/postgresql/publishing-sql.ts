import { isPlainName, quoteName, quoteText } from '../../text/sql-quote.ts';
import type { Merge, PublishedName } from '../contract/connection.ts';
import { createNamePrinter, type PublishingNames } from '../server/publishing-platform.ts';

/** Names that need no quotes are read without them, and so in lower case. */
function fold(name: string): string {
  return isPlainName(name) ? name.toLowerCase() : name;
}

/** The start of a name that fits into a number of bytes: the server drops the rest. */
function clip(name: string, maxBytes: number): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= maxBytes) return name;
  let end = maxBytes;
  // The other bytes of a character begin with the bits 10.
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** The statement for the session's database and schema, and the maximum bytes of a name. */
export const CURRENT = `SELECT current_database(), current_schema(), current_setting('max_identifier_length')`;

const printer = createNamePrinter(quoteName);
export const { print, printNames } = printer;

export const NAMES: PublishingNames = {
  printer,
  quoteName,
  printValue: (column) => `coalesce(${quoteName(column)}::text, 'NULL')`,
  schemaWord: 'schema',
  noDatabase: null,
  fold: (name, maxBytes) => clip(fold(name), Number(maxBytes)),
  matchColumns: (names, columns) => names.map((name) => (columns.includes(name) ? name : fold(name))),
  printFindSchema: ({ schema }) =>
    `SELECT ${quoteText(schema)}::text FROM pg_catalog.pg_namespace WHERE nspname = ${quoteText(schema)}`,
  printFind: (target) => `SELECT CASE WHEN relkind IN ('v', 'm') THEN 'view' ELSE 'table' END,
      ${quoteText(target.schema)}::text, ${quoteText(target.name)}::text
    FROM pg_catalog.pg_class WHERE oid = ${printId(target)} AND relkind IN ('r', 'p', 'f', 'v', 'm')`,
};

export function printId(target: PublishedName): string {
  return `pg_catalog.to_regclass(${quoteText(print(target))})`;
}

/** A row if a view reads a table. */
export function printIsRead(target: PublishedName): string {
  return `SELECT 'read' FROM pg_catalog.pg_depend AS own JOIN pg_catalog.pg_rewrite AS rule ON rule.oid = own.objid
    WHERE own.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND own.refobjid = ${printId(target)}
      AND rule.ev_class <> own.refobjid LIMIT 1`;
}

/** The columns of a table with their types, and its primary key, as one text. */
export function printColumns(target: PublishedName): string {
  return `SELECT (SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
      FROM pg_catalog.pg_attribute WHERE attrelid = ${printId(target)} AND attnum > 0 AND NOT attisdropped)
    || coalesce((SELECT pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint
      WHERE conrelid = ${printId(target)} AND contype = 'p'), '')`;
}

/** The statements that give the rights in one object for another. */
export function printGrants(from: PublishedName, to: PublishedName): string {
  return `SELECT format('GRANT %s ON %s TO %s%s', own.privilege_type, ${quoteText(print(to))},
      CASE own.grantee WHEN 0 THEN 'PUBLIC' ELSE own.grantee::pg_catalog.regrole::text END,
      CASE WHEN own.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
    FROM pg_catalog.pg_class, pg_catalog.aclexplode(relacl) AS own
    WHERE oid = ${printId(from)} AND own.grantee <> relowner`;
}

/** The options of a view, as its statement has them; no row without options. */
export function printViewOptions(view: PublishedName): string {
  return `SELECT array_to_string(reloptions, ', ') FROM pg_catalog.pg_class
    WHERE oid = ${printId(view)} AND relkind = 'v' AND reloptions IS NOT NULL`;
}

/** The statements that give a view and its columns their comments, each with the column, or NULL. */
export function printViewComments(view: PublishedName): string {
  const name = quoteText(print(view));
  return `SELECT CASE WHEN attname IS NULL THEN format('COMMENT ON VIEW %s IS %L', ${name}, description)
      ELSE format('COMMENT ON COLUMN %s.%I IS %L', ${name}, attname, description) END, attname::text
    FROM pg_catalog.pg_description
      LEFT JOIN pg_catalog.pg_attribute ON attrelid = objoid AND attnum = objsubid AND objsubid > 0
    WHERE objoid = ${printId(view)} AND classoid = 'pg_catalog.pg_class'::pg_catalog.regclass`;
}

/** The names of the columns of a view. */
export function printViewColumns(view: PublishedName): string {
  return `SELECT attname::text FROM pg_catalog.pg_attribute
    WHERE attrelid = ${printId(view)} AND attnum > 0 AND NOT attisdropped`;
}

/** The statements that take the rights that a new table has by default. */
export function printRevokes(table: PublishedName): string {
  return `SELECT DISTINCT format('REVOKE ALL ON %s FROM %s', ${quoteText(print(table))},
      CASE own.grantee WHEN 0 THEN 'PUBLIC' ELSE own.grantee::pg_catalog.regrole::text END)
    FROM pg_catalog.pg_class, pg_catalog.aclexplode(relacl) AS own
    WHERE oid = ${printId(table)} AND own.grantee <> relowner`;
}

/** The statement that gives a primary key the name that it would have had. */
export function printRenameKey({ schema, name, ...target }: PublishedName): string {
  const keyName = `${Buffer.from(name).subarray(0, 58).toString('utf8')}_pkey`;
  const table = { ...target, schema, name };
  return `SELECT format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', ${quoteText(print(table))}, conname, ${quoteText(keyName)})
    FROM pg_catalog.pg_constraint WHERE conrelid = ${printId(table)} AND contype = 'p'
      AND ${printId({ ...table, name: keyName })} IS NULL`;
}

export function printNullKey(source: PublishedName, key: readonly string[]): string {
  const isNull = key.map((column) => `${quoteName(column)} IS NULL`).join(' OR ');
  return `SELECT 'NULL' FROM ${print(source)} WHERE ${isNull} LIMIT 1`;
}

/** An update and an insert; keys with NULLs cannot be compared with an index. */
export function printMerge(
  source: PublishedName,
  target: PublishedName,
  { key, changes }: Merge,
  columns: readonly string[],
  hasNull: boolean,
): readonly string[] {
  const match = key
    .map((column) => {
      const [targetColumn, sourceColumn] = [`target.${quoteName(column)}`, `source.${quoteName(column)}`];
      return hasNull
        ? `(${targetColumn} = ${sourceColumn} OR (${targetColumn} IS NULL AND ${sourceColumn} IS NULL))`
        : `${targetColumn} = ${sourceColumn}`;
    })
    .join(' AND ');
  const others = columns.filter((column) => !key.includes(column));
  const update = others.map((column) => `${quoteName(column)} = source.${quoteName(column)}`).join(', ');
  const differs = changes
    ?.map((column) => `target.${quoteName(column)} IS DISTINCT FROM source.${quoteName(column)}`)
    .join(' OR ');
  const condition = differs === undefined ? '' : ` AND (${differs})`;
  const from = `${print(source)} AS source`;
  return [
    ...(others.length === 0
      ? []
      : [`UPDATE ${print(target)} AS target SET ${update} FROM ${from} WHERE ${match}${condition}`]),
    `INSERT INTO ${print(target)} (${printNames(columns)})
      SELECT ${columns.map((column) => `source.${quoteName(column)}`).join(', ')} FROM ${from}
      WHERE NOT EXISTS (SELECT FROM ${print(target)} AS target WHERE ${match})`,
  ];
}
