import { queryOptions } from '@tanstack/react-query';
import type { ScimRequestListResponse } from '../../../src/server/manage/provider-log.ts';
import { readKey, readText } from '../address.ts';
import { request } from '../request.ts';

/** A request of an identity provider. */
export type LoggedRequest = ScimRequestListResponse['data'][number];

/** The path of the list, which is the first part of its keys. */
export const SCIM_REQUESTS = 'manage/scim/requests';

/** The outcomes of requests, in words. */
export const OUTCOME_NAMES: Readonly<Record<LoggedRequest['outcome'], string>> = {
  done: 'Done',
  failed: 'Failed',
  refused: 'Refused: no valid API key',
};

/** What the page of provisioning shows, in the address. */
export interface ProvisioningSearch {
  readonly q?: string | undefined;
  readonly outcome?: LoggedRequest['outcome'] | undefined;
  /** The id of the request that the panel shows. */
  readonly request?: string | undefined;
  /** Whether the dialog that creates an API key is open. */
  readonly create?: 1 | undefined;
}

/** Reads the search parameters of an address; ignores invalid ones. */
export function readProvisioningSearch(search: Record<string, unknown>): ProvisioningSearch {
  return {
    q: readText(search.q),
    outcome: readKey(OUTCOME_NAMES, search.outcome),
    request: readText(search.request),
    create: String(search.create) === '1' ? 1 : undefined,
  };
}

/** Loads a page of the requests, the newest first. */
export function loadScimRequests(query: string, signal: AbortSignal): Promise<ScimRequestListResponse> {
  return request<ScimRequestListResponse>(`${SCIM_REQUESTS}?${query}`, { signal });
}

/** The request with an id; null if the log does not have it any more. */
export function scimRequestQuery(id: string) {
  return queryOptions({
    queryKey: [SCIM_REQUESTS, 'one', id],
    // Ids are compared as texts: the first request before this one is the request itself.
    queryFn: ({ signal }) =>
      loadScimRequests(String(new URLSearchParams({ after: `${id}~`, limit: '1' })), signal),
    select: ({ data }) => data.find((entry) => entry.id === id) ?? null,
  });
}

/** The last request with a valid API key; null before the first one. */
export const lastScimRequestQuery = queryOptions({
  queryKey: [SCIM_REQUESTS, 'last'],
  queryFn: async ({ signal }) => {
    const outcomes = ['done', 'failed'];
    const pages = outcomes.map((outcome) => loadScimRequests(`outcome=${outcome}&limit=1`, signal));
    const last = (await Promise.all(pages)).flatMap(({ data }) => data);
    return last.toSorted((one, other) => (one.id < other.id ? 1 : -1))[0] ?? null;
  },
});

/** The path and query of a request in a readable form. */
export function printTarget({ method, path }: LoggedRequest): string {
  try {
    return `${method} ${decodeURIComponent(path)}`;
  } catch {
    return `${method} ${path}`;
  }
}

/** A stored body on several lines; a cut one as it is. */
export function printBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
