import { tableFromIPC } from 'apache-arrow';
import { expect } from 'vitest';
import { type Execution, expectAccepted } from './later-world.ts';
import type { ExecWorld } from './world.ts';

/** A recorded result in the list. */
interface Listed {
  readonly index: number;
  readonly kind: string;
  readonly statement: {
    readonly text: string;
    readonly title: string | null;
    readonly file: string;
    readonly line: number;
    readonly column: number;
  };
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: number | null;
  readonly bytes: number;
  readonly is_complete: boolean;
  readonly is_truncated: boolean;
  readonly ended_at: string | null;
}

/** The list of recorded results. */
export interface Recording {
  readonly execution: Execution & { readonly results: string; readonly rows: number | null };
  readonly version: string;
  readonly data: readonly Listed[];
  readonly omitted: number;
  readonly targets: readonly unknown[];
  readonly schemas: readonly string[];
  readonly warnings: readonly unknown[];
  readonly tests: readonly unknown[] | null;
  readonly text?: unknown;
}

/** Asks for an asynchronous execution whose results are all recorded. */
export const RECORDED = { headers: { prefer: 'respond-async' }, query: '?results=all' };

/** Starts SQL whose results are recorded; returns its id. */
export async function startRecorded(world: ExecWorld, sql: string, token?: string): Promise<string> {
  const asking = token === undefined ? RECORDED : { ...RECORDED, token };
  return expectAccepted(await world.sql(sql, {}, asking)).id;
}

/** The list of results, perhaps after a change. */
export async function listRecorded(world: ExecWorld, id: string, query = ''): Promise<Recording> {
  const { status, text, body } = await world.ask('GET', `/api/v1/executions/${id}/results${query}`);
  expect(status, text).toBe(200);
  return body as Recording;
}

/** Follows the list until the execution has ended. */
export async function followRecorded(world: ExecWorld, id: string): Promise<Recording> {
  let found = await listRecorded(world, id);
  while (['queued', 'running'].includes(found.execution.state)) {
    found = await listRecorded(world, id, `?wait=30&after=${found.version}`);
  }
  return found;
}

/** Follows the list until it has this many statements. */
export async function waitForStatements(world: ExecWorld, id: string, count: number): Promise<Recording> {
  let found = await listRecorded(world, id);
  while (found.data.length < count) {
    found = await listRecorded(world, id, `?wait=30&after=${found.version}`);
  }
  return found;
}

/** One response with bytes of a result. */
export async function fetchBytes(
  { url, token: own }: Pick<ExecWorld, 'url' | 'token'>,
  id: string,
  index: number,
  query = '',
  token = own,
) {
  const response = await fetch(`${url}/api/v1/executions/${id}/results/${index}${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    bytes,
    next: Number(response.headers.get('x-result-next')),
    isComplete: response.headers.get('x-result-complete') === 'true',
  };
}

/** All bytes of a result, followed to its end. */
export async function followBytes(
  world: Pick<ExecWorld, 'url' | 'token'>,
  id: string,
  index: number,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let from = 0; ; ) {
    const { status, bytes, next, isComplete } = await fetchBytes(world, id, index, `?from=${from}&wait=30`);
    expect(status).toBe(200);
    expect(next).toBe(from + bytes.length);
    parts.push(bytes);
    if (isComplete) return Buffer.concat(parts);
    from = next;
  }
}

/** The rows of an Arrow stream. */
export function rowsOfArrow(bytes: Buffer): readonly unknown[][] {
  return [...tableFromIPC(bytes)].map((row) => [...row.toArray()]);
}
