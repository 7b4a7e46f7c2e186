import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { BundleRunBody } from '../../../src/server/exec/bundle-body.ts';
import type { SymbolsResponse } from '../../../src/server/exec/bundle-schemas.ts';
import type { FunctionListResponse } from '../../../src/server/exec/functions.ts';
import type { TableListResponse } from '../../../src/server/exec/tables.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';
import type { PlacedText } from './check-script.ts';

/** Lists the names that a text can use, as if it were saved. */
export function listSymbols(
  client: QueryClient,
  { base, path, content }: PlacedText,
): Promise<SymbolsResponse> {
  return request<SymbolsResponse>('exec/bundle', {
    method: 'POST',
    body: { what: 'symbols', base, path, files: [{ path, content }] } satisfies BundleRunBody,
    csrfToken: getCsrfToken(client),
  });
}

/** The tables of a connection; with a text, those whose name contains it. */
export const tablesQuery = (connection: string, text = '') =>
  queryOptions({
    queryKey: ['tables', connection, text],
    queryFn: ({ signal }) =>
      request<TableListResponse>(
        `manage/connections/${encodeURIComponent(connection)}/tables?q=${encodeURIComponent(text)}`,
        { signal },
      ),
    staleTime: 60_000,
    retry: false,
  });

/** The number of texts for which the server searches. */
const MAX_SEARCHES = 5;

/** The tables of a connection; of too many, also those whose names contain one of these texts. */
export async function findTables(
  client: QueryClient,
  connection: string,
  texts: readonly string[],
): Promise<TableListResponse> {
  const listed = await client.fetchQuery(tablesQuery(connection));
  if (listed.omitted === 0) return listed;
  const searches = texts
    .slice(0, MAX_SEARCHES)
    .map((text) => client.fetchQuery(tablesQuery(connection, text)));
  const all = [listed, ...(await Promise.all(searches))].flatMap(({ data }) => data);
  const tables = new Map(all.map((table) => [JSON.stringify([table.schema, table.name]), table]));
  return { data: [...tables.values()], omitted: listed.omitted };
}

/** The functions of a connection, for completion; the server keeps them as long. */
export const functionsQuery = (connection: string) =>
  queryOptions({
    queryKey: ['functions', connection],
    queryFn: ({ signal }) =>
      request<FunctionListResponse>(`manage/connections/${encodeURIComponent(connection)}/functions`, {
        signal,
      }),
    staleTime: 600_000,
    retry: false,
  });

/** The name of the connection of the project to which a folder belongs; null without one. */
export const projectConnectionQuery = (folder: string) =>
  queryOptions({
    queryKey: ['project-connection', folder],
    queryFn: ({ client }) => listSymbols(client, { base: folder, path: 'connection', content: '' }),
    select: ({ connection }) => connection,
    staleTime: 60_000,
    retry: false,
  });
