import { NAMES } from '../../workspace/api/schema-queries.ts';
import type { WorkspaceApi } from '../../workspace/api/workspace-api.ts';
import { queryRows } from '../options/query-value.ts';

/** Lists the names of tables and columns on a connection; none if the database does not list them. */
export async function listNames(
  workspace: WorkspaceApi,
  connection: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const rows = await queryRows(workspace, { connection, query: NAMES }, signal);
  return [...new Set(rows.flat())].toSorted();
}
