import { SQL_DIALECT } from '../../text/sql-dialect.ts';
import { type ServerKind, toServerType } from './server-types.ts';

/** A table of a database. */
export interface ServerTable {
  /** Undefined: the current one of the session. */
  readonly schema: string | undefined;
  readonly name: string;
}

/** A table to write, and the hidden table that its rows are first inserted into. */
export interface StagedTable {
  readonly target: ServerTable;
  readonly hidden: ServerTable;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly mode: 'create' | 'replace' | 'append';
  /** Whether the target exists. */
  readonly exists: boolean;
  /** Columns that the target gets. */
  readonly added: readonly { readonly name: string; readonly type: string }[];
}

/** The table of a name, in the case in which a database stores it. */
export function toServerTable(kind: ServerKind, table: string): ServerTable {
  const folded = kind === 'mysql' ? table : table.toLowerCase();
  const [name = '', schema] = folded.split('.', 2).reverse();
  return { schema, name };
}

function quote(kind: ServerKind, name: string): string {
  return SQL_DIALECT[kind].quoteName(name);
}

function printTable(kind: ServerKind, { schema, name }: ServerTable): string {
  return schema === undefined ? quote(kind, name) : `${quote(kind, schema)}.${quote(kind, name)}`;
}

/** A query for the columns of an existing table: whether it is a table, name, full name of the type; no row without one. */
export function printFindServerTable(kind: ServerKind, { schema, name }: ServerTable): string {
  const { quoteText: print } = SQL_DIALECT[kind];
  if (kind === 'postgresql') {
    return (
      `SELECT CASE WHEN c.relkind IN ('r', 'p') THEN 1 ELSE 0 END, a.attname, format_type(a.atttypid, a.atttypmod) ` +
      `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace ` +
      `JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ` +
      `WHERE n.nspname = ${schema === undefined ? 'current_schema()' : print(schema)} AND c.relname = ${print(name)} ` +
      `AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY a.attnum`
    );
  }
  const current = kind === 'mysql' ? 'database()' : 'current_schema';
  const type = kind === 'mysql' ? 'c.column_type' : 'c.data_type';
  return (
    `SELECT CASE WHEN t.table_type = 'BASE TABLE' THEN 1 ELSE 0 END, c.column_name, ${type} ` +
    `FROM information_schema.columns c JOIN information_schema.tables t ` +
    `ON t.table_schema = c.table_schema AND t.table_name = c.table_name ` +
    `WHERE c.table_schema = ${schema === undefined ? current : print(schema)} AND c.table_name = ${print(name)} ` +
    `ORDER BY c.ordinal_position`
  );
}

/** A query for the number of schemas of a name. */
export function printCountSchemas(kind: ServerKind, schema: string): string {
  return `SELECT count(*) FROM information_schema.schemata WHERE schema_name = ${SQL_DIALECT[kind].quoteText(schema)}`;
}

export function printCreateSchema(kind: ServerKind, schema: string): string {
  return `CREATE SCHEMA IF NOT EXISTS ${quote(kind, schema)}`;
}

/** The statements that drop an empty schema; none where the database would drop its tables with it. */
export function printDropSchema(kind: ServerKind, schema: string): readonly string[] {
  return kind === 'mysql' ? [] : [`DROP SCHEMA ${quote(kind, schema)}`];
}

/** Creates an empty hidden table: with the types of the target for rows to append. */
export function printCreateHidden(kind: ServerKind, staged: StagedTable): string {
  const { hidden, target, columns, mode, added } = staged;
  const table = printTable(kind, hidden);
  const fresh = new Set(added.map(({ name }) => name));
  const names = columns.filter(({ name }) => !fresh.has(name)).map(({ name }) => quote(kind, name));
  if (mode === 'append' && names.length > 0) {
    const create = `CREATE TABLE ${table} AS SELECT ${names.join(', ')} FROM ${printTable(kind, target)} WHERE 1 = 0`;
    return [create, ...printAdds(kind, hidden, added)].join(';\n');
  }
  const list = columns.map(({ name, type }) => `${quote(kind, name)} ${toServerType(kind, type)}`);
  const text = kind === 'mysql' ? ' CHARACTER SET utf8mb4' : '';
  return `CREATE TABLE ${table} (${list.join(', ')})${text}`;
}

function printAdds(kind: ServerKind, table: ServerTable, added: StagedTable['added']): readonly string[] {
  return added.map(
    ({ name, type }) =>
      `ALTER TABLE ${printTable(kind, table)} ADD COLUMN ${quote(kind, name)} ${toServerType(kind, type)}`,
  );
}

/** The statements that add columns to a target before rows are added, where they cannot be in a transaction with them. */
export function printAddColumns(kind: ServerKind, { target, added }: StagedTable): readonly string[] {
  return kind === 'postgresql' ? [] : printAdds(kind, target, added);
}

/** A query for the number of values in a column of the target. */
export function printCountValues(kind: ServerKind, { target }: StagedTable, column: string): string {
  return `SELECT count(${quote(kind, column)}) FROM ${printTable(kind, target)}`;
}

export function printDropColumn(kind: ServerKind, { target }: StagedTable, column: string): string {
  return `ALTER TABLE ${printTable(kind, target)} DROP COLUMN ${quote(kind, column)}`;
}

/** The statements that insert rows, which are lists of literals, into the hidden table. */
export function printInsertRows(
  kind: ServerKind,
  { hidden, columns }: StagedTable,
  rows: readonly string[],
): string {
  const names = columns.map(({ name }) => quote(kind, name)).join(', ');
  // Without strict mode, MySQL cuts values.
  const strict =
    kind === 'mysql' ? "SET SESSION sql_mode = CONCAT(@@SESSION.sql_mode, ',STRICT_ALL_TABLES');\n" : '';
  return `${strict}INSERT INTO ${printTable(kind, hidden)} (${names}) VALUES ${rows.join(',\n')}`;
}

/** The statement that takes rows, as lines of text, into the hidden table. */
export function printCopyRows({ hidden, columns }: StagedTable): string {
  const names = columns.map(({ name }) => quote('postgresql', name)).join(', ');
  return `COPY ${printTable('postgresql', hidden)} (${names}) FROM STDIN`;
}

export function printCountRows(kind: ServerKind, { hidden }: StagedTable): string {
  return `SELECT count(*) FROM ${printTable(kind, hidden)}`;
}

export function printDropHidden(kind: ServerKind, { hidden }: StagedTable): string {
  return `DROP TABLE IF EXISTS ${printTable(kind, hidden)}`;
}

/** The statements that make all hidden tables visible. */
export function printPublishTables(kind: ServerKind, tables: readonly StagedTable[]): string {
  if (kind === 'postgresql') {
    return ['BEGIN', ...tables.flatMap((table) => printSwap(kind, table)), 'COMMIT'].join(';\n');
  }
  const [first] = tables;
  if (first?.mode === 'append' || kind === 'trino') {
    return tables.flatMap((table) => printSwap(kind, table)).join(';\n');
  }
  const renames = tables.flatMap(({ target, hidden, exists }) => {
    const [name, fresh, old] = [target, hidden, oldOf(hidden)].map((table) => printTable(kind, table));
    return exists ? [`${name} TO ${old}`, `${fresh} TO ${name}`] : [`${fresh} TO ${name}`];
  });
  const drops = tables.flatMap(({ hidden, exists }) =>
    exists ? [`DROP TABLE ${printTable(kind, oldOf(hidden))}`] : [],
  );
  return [`RENAME TABLE ${renames.join(', ')}`, ...drops].join(';\n');
}

function oldOf({ schema, name }: ServerTable): ServerTable {
  return { schema, name: `${name}_old` };
}

function printSwap(
  kind: ServerKind,
  { target, hidden, columns, mode, exists, added }: StagedTable,
): readonly string[] {
  const [table, fresh] = [printTable(kind, target), printTable(kind, hidden)];
  if (mode === 'append') {
    const names = columns.map(({ name }) => quote(kind, name)).join(', ');
    const adds = kind === 'postgresql' ? printAdds(kind, target, added) : [];
    return [...adds, `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${fresh}`, `DROP TABLE ${fresh}`];
  }
  if (kind === 'postgresql') {
    const rename = `ALTER TABLE ${fresh} RENAME TO ${quote(kind, target.name)}`;
    return exists ? [`DROP TABLE ${table}`, rename] : [rename];
  }
  const old = printTable(kind, oldOf(hidden));
  const rename = `ALTER TABLE ${fresh} RENAME TO ${table}`;
  return exists ? [`ALTER TABLE ${table} RENAME TO ${old}`, rename, `DROP TABLE ${old}`] : [rename];
}

/** The hidden table for a target. */
export function nameHidden(target: ServerTable, id: string): ServerTable {
  return { schema: target.schema, name: `quern_load_${id}` };
}
