import { SQL_DIALECT } from '../../src/engine/text/sql-dialect.ts';
import type { TableInfo } from './completion/context.ts';
import type { EditorDialect } from './sql-keywords.ts';

/** Schemas whose tables need no qualification. */
const DEFAULT_SCHEMAS: ReadonlySet<string> = new Set(['', 'main', 'public']);
/** The rows that a preview shows. */
const PREVIEW_ROWS = 100;

/** Prints a name as the database has stored it: PostgreSQL reads one with capital letters only in quotes. */
export function printStoredName(name: string, dialect: EditorDialect): string {
  const { printName, quoteName } = SQL_DIALECT[dialect];
  return dialect === 'postgresql' && name !== name.toLowerCase() ? quoteName(name) : printName(name);
}

/** Prints the name of a table, with its schema if the database needs it. */
export function printTableName(
  { schema, name }: Pick<TableInfo, 'schema' | 'name'>,
  dialect: EditorDialect,
): string {
  const table = printStoredName(name, dialect);
  return DEFAULT_SCHEMAS.has(schema) ? table : `${printStoredName(schema, dialect)}.${table}`;
}

/** A statement that reads all columns of a table, each on a line. */
export function printSelect(table: TableInfo, dialect: EditorDialect): string {
  const columns = table.columns.map(({ name }) => `\n    ${printStoredName(name, dialect)}`);
  return `SELECT${columns.length === 0 ? ' *' : columns.join(',')}\nFROM ${printTableName(table, dialect)};`;
}

/** A statement that reads the first rows of a table. */
export function printPreview(table: TableInfo, dialect: EditorDialect): string {
  return `SELECT * FROM ${printTableName(table, dialect)} LIMIT ${PREVIEW_ROWS}`;
}
