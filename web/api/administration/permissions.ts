import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  GrantChangesResponse,
  GrantLevelsResponse,
  NewGrantChangesBody,
} from '../../../src/server/manage/grant-changes.ts';
import type { ExplanationResponse } from '../../../src/server/manage/grants.ts';
import { reloadCatalog } from '../catalog/catalog.ts';
import { request } from '../request.ts';
import { getCsrfToken } from '../session.ts';

/** The level of a subject on a target. */
export type MatrixCell = GrantLevelsResponse['data'][number]['levels'][number];

/** A target with the levels of subjects, by subject. */
export type MatrixRow = GrantLevelsResponse['data'][number] & {
  readonly cells: Readonly<Record<string, MatrixCell>>;
};

interface MatrixPage {
  readonly folder: MatrixRow | null;
  readonly data: readonly MatrixRow[];
  readonly total: number;
}

/** A level of a subject on a target, or a restriction. */
export type MatrixChange = NewGrantChangesBody['changes'][number];

/** Who gains and loses what. */
export type GrantEffects = NonNullable<GrantChangesResponse['effects']>;

/** A level of the columns, NONE for no grant. */
export type MatrixLevel = NonNullable<MatrixChange['level']>;

/** The levels of targets, the lowest first. */
export const ITEM_LEVELS: readonly MatrixLevel[] = ['VIEW', 'EDIT', 'MANAGE'];
export const CONNECTION_LEVELS: readonly MatrixLevel[] = ['READ', 'USE', 'MANAGE'];

/** The number of subjects whose levels the server reads at once. */
export const MAX_COLUMNS = 50;

/** The first parts of the keys of the queries, which changes of the catalog load again. */
export const LEVELS = ['catalog', 'levels'] as const;

const PATH = 'manage/grants';

/** Loads a page of rows. */
export async function loadLevels(
  subjects: readonly string[],
  query: string,
  signal: AbortSignal,
): Promise<MatrixPage> {
  const columns = new URLSearchParams(subjects.map((subject) => ['subject', subject]));
  const { folder, data, total } = await request<GrantLevelsResponse>(`${PATH}/levels?${columns}&${query}`, {
    signal,
  });
  // The rows of a response stay while other columns are loading, so each cell knows its column.
  const toRow = (row: GrantLevelsResponse['data'][number]): MatrixRow => ({
    ...row,
    cells: Object.fromEntries(
      row.levels.flatMap((cell, n) => {
        const subject = subjects[n];
        return subject === undefined ? [] : [[subject, cell] as const];
      }),
    ),
  });
  return { folder: folder === null ? null : toRow(folder), data: data.map(toRow), total };
}

/** The levels on a folder itself; null for the connections. */
export function folderLevelsQuery(subjects: readonly string[], under: string) {
  return queryOptions({
    queryKey: [...LEVELS, 'folder', under, subjects],
    queryFn: ({ signal }) => loadLevels(subjects, String(new URLSearchParams({ under, limit: '1' })), signal),
    select: ({ folder }) => folder,
  });
}

/** Why a user can see a target, or cannot. */
export function explanationQuery(user: string, target: string) {
  return queryOptions({
    queryKey: ['catalog', 'explanation', user, target],
    queryFn: ({ signal }) =>
      request<ExplanationResponse>(`${PATH}/explain?${new URLSearchParams({ user, target })}`, { signal }),
    retry: false,
  });
}

/** What changes would do. The preview stays until it is asked for again, so that the person applies what they have seen. */
export function previewQuery(client: QueryClient, changes: readonly MatrixChange[]) {
  const body: NewGrantChangesBody = { changes: [...changes] };
  return queryOptions({
    queryKey: ['grant-preview', changes],
    queryFn: ({ signal }) =>
      request<GrantChangesResponse>(`${PATH}/changes?dry_run=true`, {
        method: 'POST',
        body,
        csrfToken: getCsrfToken(client),
        signal,
      }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    retry: false,
  });
}

/** Applies changes as their preview with this tag has shown them. */
export async function applyMatrixChanges(
  client: QueryClient,
  changes: readonly MatrixChange[],
  etag: string,
): Promise<GrantChangesResponse> {
  const body: NewGrantChangesBody = { changes: [...changes] };
  const result = await request<GrantChangesResponse>(`${PATH}/changes`, {
    method: 'POST',
    body,
    headers: { 'if-match': `"${etag}"` },
    csrfToken: getCsrfToken(client),
  });
  await reloadCatalog(client);
  return result;
}
