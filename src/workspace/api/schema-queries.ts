const SYSTEM = "'information_schema', 'pg_catalog', 'mysql', 'performance_schema', 'sys'";

/** The tables and views of a database. */
export const TABLES = `SELECT table_schema AS "schema", table_name AS "table", table_type AS "type"
FROM information_schema.tables WHERE table_schema NOT IN (${SYSTEM}) ORDER BY 1, 2`;

/** The names of all tables and views, also of the system. */
export const ALL_TABLES = 'SELECT DISTINCT table_name FROM information_schema.tables';

/** A query for the columns of a table. */
export const printColumnsQuery = (
  table: string,
) => `SELECT column_name AS "column", data_type AS "type", is_nullable AS "nullable"
FROM information_schema.columns WHERE table_name = '${table.replaceAll("'", "''")}' ORDER BY ordinal_position`;

/** The names of all tables, each with one of its columns. */
export const TABLE_NAMES = `SELECT DISTINCT table_name, column_name
FROM information_schema.columns WHERE table_schema NOT IN (${SYSTEM})`;

/**
 * A query for the columns of all tables: one row for each column, with the number of all tables. A search lists only the
 * tables whose name contains the parameter `$q`, a string literal, ignoring case.
 */
export const printAllColumnsQuery = (limit: number, isSearch: boolean) => {
  const listed = (name: string) => (isSearch ? ` AND position(lower($q) IN lower(${name})) > 0` : '');
  return `SELECT t.table_schema AS s, t.table_name AS n,
  t.table_type AS k, c.column_name AS c, c.data_type AS t,
  (SELECT count(*) FROM information_schema.tables WHERE table_schema NOT IN (${SYSTEM})${listed('table_name')}) AS total
FROM information_schema.tables AS t
LEFT JOIN information_schema.columns AS c
  ON c.table_catalog = t.table_catalog AND c.table_schema = t.table_schema AND c.table_name = t.table_name
WHERE t.table_schema NOT IN (${SYSTEM})${listed('t.table_name')}
ORDER BY t.table_schema, t.table_name, c.ordinal_position
LIMIT ${limit}`;
};
