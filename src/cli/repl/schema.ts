import type { WorkspaceApi } from '../../workspace/api/workspace-api.ts';
import { queryRows } from '../options/query-value.ts';

const SYSTEM = "'information_schema', 'pg_catalog', 'mysql', 'performance_schema', 'sys'";

/** The tables and views of a database. */
export const TABLES = `SELECT table_schema AS "schema", table_name AS "table", table_type AS "type"
FROM information_schema.tables WHERE table_schema NOT IN (${SYSTEM}) ORDER BY 1, 2`;

/** A query for the columns of a table. */
export const printColumnsQuery = (
  table: string,
) => `SELECT column_name AS "column", data_type AS "type", is_nullable AS "nullable"
FROM information_schema.columns WHERE table_name = '${table.replaceAll("'", "''")}' ORDER BY ordinal_position`;

const NAMES = `SELECT DISTINCT table_name, column_name
FROM information_schema.columns WHERE table_schema NOT IN (${SYSTEM})`;

/** Lists the names of tables and columns on a connection; none if the database does not list them. */
export async function listNames(
  workspace: WorkspaceApi,
  connection: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const rows = await queryRows(workspace, { connection, query: NAMES }, signal);
  return [...new Set(rows.flat())].toSorted();
}
