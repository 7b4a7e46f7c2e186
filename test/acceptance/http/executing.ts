import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import path from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { expect, onTestFinished } from 'vitest';
import type { Answer, Client, Sending } from '../../support/http.ts';
import { makeAdminHome, type Shared, serve, withAdmin } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';

/** The connection of every home. */
export const connection = { name: 'duckdb' };
/** Few rows and much work. */
export const BUSY =
  'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';
/** Rows without end. */
export const ENDLESS = 'SELECT range AS x FROM range(100000000000)';
export const ARROW = 'application/vnd.apache.arrow.stream';

/** `POST /exec/sql`, on `duckdb` unless `more` names another connection. */
export function runSql(client: Client, sql: string, more: object = {}, sending: Sending = {}) {
  return client.send('POST', '/exec/sql', { ...sending, body: { sql, connection, ...more } });
}

/** `POST /exec/script`, on `duckdb` unless `more` names another connection. */
export function runScript(client: Client, script: string, more: object = {}, sending: Sending = {}) {
  return client.send('POST', '/exec/script', { ...sending, body: { path: script, connection, ...more } });
}

/** `POST /exec/block`, on `duckdb` unless `more` names another connection. */
export function runBlock(client: Client, name: string, block: string, more: object = {}) {
  const body = { package: name, block_name: block, connection, ...more };
  return client.send('POST', '/exec/block', { body });
}

/** The rows of a successful JSON answer. */
export function rowsOf({ status, body, text }: Answer): unknown {
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return (body as { result: { data: unknown } }).result.data;
}

/** An answer in Arrow, decoded by another library. */
export interface ArrowAnswer {
  readonly type: string | null;
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Runs SQL for an Arrow stream. */
export async function readArrow({ server, token }: Shared, sql: string): Promise<ArrowAnswer> {
  const answer = await fetch(`${server.url}/api/v1/exec/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: ARROW },
    body: JSON.stringify({ sql, connection }),
  });
  const table = tableFromIPC(new Uint8Array(await answer.arrayBuffer()));
  const names = table.schema.fields.map(({ name }) => name);
  const rows = Array.from({ length: table.numRows }, (_, row) =>
    names.map((_name, at) => table.getChildAt(at)!.get(row)),
  );
  return { type: answer.headers.get('content-type'), names, rows };
}

/** Stores a script in a new package, and returns its path. */
export async function storeScript(client: Client, content: string): Promise<string> {
  const folder = await client.make('folders', `@Shared/${randomUUID()}`);
  return client.make('assets', `${folder}/script`, { content });
}

/** Stores a project of these files. */
export async function storeProject(
  client: Client,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await client.make('folders', folder, { folder_type: 'PROJECT' });
  for (const [name, content] of Object.entries(files)) {
    await client.make('assets', `${folder}/${name}`, { content });
  }
}

/** An execution in the list. */
export interface Listed {
  readonly id: string;
  readonly user: string;
  readonly connection: string | null;
  readonly state: string;
  readonly bytes: number;
}

/** The running and waiting executions that the caller can see. */
export async function listExecutions(client: Client): Promise<readonly Listed[]> {
  const { body } = await client.send('GET', '/executions');
  return (body as { data: readonly Listed[] }).data.filter(({ state }) => /^(queued|running)$/.test(state));
}

/** Starts a server with these settings in `[server]`; it ends with the test. */
export async function startWith(...settings: readonly string[]): Promise<Shared> {
  const { cwd } = await makeAdminHome();
  writeFileSync(path.join(cwd, '.quern', 'config.toml'), ['[server]', ...settings, ''].join('\n'));
  const server = await serve(cwd);
  onTestFinished(() => server.kill());
  return withAdmin(server);
}

/** Requests the rows of SQL on a separate connection; the answer is not read. */
export function startQuery({ server, token }: Shared, sql: string, accept = 'text/csv'): ClientRequest {
  const outgoing = request(`${server.url}/api/v1/exec/sql`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
  });
  outgoing.on('error', () => undefined);
  outgoing.end(JSON.stringify({ sql, connection }));
  return outgoing;
}

/** Waits until the given number of executions run or wait. */
export function untilListed(client: Client, count: number): Promise<readonly Listed[]> {
  const look = async () => {
    const listed = await listExecutions(client);
    expect(listed).toHaveLength(count);
    return listed;
  };
  return eventually(look);
}
