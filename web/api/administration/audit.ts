import { queryOptions } from '@tanstack/react-query';
import type { AuditActionsResponse, AuditListResponse } from '../../../src/server/manage/audit.ts';
import { readText } from '../address.ts';
import { toOlderPage } from '../older-page.ts';
import { request } from '../request.ts';

/** An entry of the audit log. */
export type LoggedAction = AuditListResponse['data'][number];

/** The path of the list, which is the first part of its keys. */
export const AUDIT = 'manage/audit';

/** What the audit log shows, in the address. */
export interface AuditSearch {
  readonly q?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** Days, ISO 8601 in UTC; the list has the entries of both. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The id of the entry that the panel shows. */
  readonly entry?: string | undefined;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads the search parameters of an address; ignores invalid ones. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const readDay = (value: unknown) => (typeof value === 'string' && DAY.test(value) ? value : undefined);
  return {
    q: readText(search.q),
    actor: readText(search.actor),
    action: readText(search.action),
    since: readDay(search.since),
    until: readDay(search.until),
    entry: readText(search.entry),
  };
}

/** The parameters of the log for a search: `until` includes its day. */
export function toAuditParameters({
  entry: _entry,
  until,
  ...others
}: AuditSearch): Readonly<Record<string, string | undefined>> {
  if (until === undefined) return others;
  const next = new Date(`${until}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return { ...others, until: next.toISOString() };
}

/** Loads a page of the log, the newest entries first. */
export function loadAudit(query: string, signal: AbortSignal): Promise<AuditListResponse> {
  return request<AuditListResponse>(`${AUDIT}?${toOlderPage(query)}`, { signal });
}

/** The entry with an id; null if it does not exist. */
export function auditEntryQuery(id: string) {
  return queryOptions({
    queryKey: [AUDIT, 'one', id],
    // Ids are compared as texts: the first entry before this one is the entry itself.
    queryFn: ({ signal }) => loadAudit(String(new URLSearchParams({ after: `${id}~`, limit: '1' })), signal),
    select: ({ data }) => data.find((entry) => entry.id === id) ?? null,
  });
}

/** The names of all actions. */
export const auditActionsQuery = queryOptions({
  queryKey: [AUDIT, 'actions'],
  queryFn: ({ signal }) => request<AuditActionsResponse>(`${AUDIT}/actions`, { signal }),
  select: ({ data }) => data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The address of a file with all entries that a search selects. */
export function printExportAddress(search: AuditSearch, format: 'csv' | 'ndjson'): string {
  const given = Object.entries({ format, ...toAuditParameters(search) }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return `/console/api/${AUDIT}/export?${new URLSearchParams(given)}`;
}
