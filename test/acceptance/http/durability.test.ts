import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, type Client, createClient, type Item } from '../../support/http.ts';
import { makeFolder } from '../../support/quern.ts';
import { makeAdminHome, runQuern, serve, startServer, type TestServer } from '../../support/server.ts';
import { waitUntil } from '../../support/waiting.ts';

/** The most acknowledged changes before a kill. */
const MAX_CHANGES = 100;

const hasStrace = spawnSync('strace', ['--version']).status === 0 && process.platform === 'linux';

/** The error of a connection whose server has ended. */
const GONE = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

const databaseOf = (cwd: string) => path.join(cwd, '.quern/catalog.db');
const folderOf = (writer: number) => `@Shared/writer ${writer}`;
const nameOf = (number: number) => String(number).padStart(6, '0');

/** The answers to a writer: the number of creations, one after another, and the content of the counter. */
interface Acknowledged {
  created: number;
  counter: string;
  /** Every revision that it received. */
  readonly revisions: number[];
}

const revisionOf = ({ headers }: Answer) => Number(headers.etag!.slice(1, -1));

/** Creates and changes items until the server ends, and then returns. */
async function write(client: Client, writer: number, acknowledged: Acknowledged): Promise<void> {
  const counter = `${folderOf(writer)}/counter`;
  try {
    for (;;) {
      const body = {
        parent_path: folderOf(writer),
        name: nameOf(acknowledged.created),
        content: 'x'.repeat(randomInt(8_000)),
      };
      const created = await client.create('assets', body);
      // The last server may have written changes without an answer.
      if (created.status !== 201) expect(created.body).toMatchObject({ detail: 'Name already exists.' });
      else acknowledged.revisions.push(revisionOf(created));
      acknowledged.created += 1;
      const { headers } = await client.read(counter);
      const updated = await client.update('assets', counter, headers.etag, {
        content: nameOf(acknowledged.created),
      });
      expect(updated.status).toBe(200);
      acknowledged.counter = nameOf(acknowledged.created);
      acknowledged.revisions.push(revisionOf(updated));
    }
  } catch (error) {
    if (!GONE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

async function listNames(client: Client, writer: number): Promise<string[]> {
  const { body } = await client.list(folderOf(writer));
  return (body as { data: Item[] }).data.map(({ name }) => name).filter((name) => name !== 'counter');
}

/** Writes with several clients, and kills the server after a random number of acknowledged changes. */
async function writeAndKill(
  server: TestServer,
  token: string,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const client = createClient(server.url, token);
  const countRevisions = () => acknowledged.reduce((sum, { revisions }) => sum + revisions.length, 0);
  const before = countRevisions();
  const writing = acknowledged.map((each, writer) => write(client, writer, each));
  const enough = before + 1 + randomInt(MAX_CHANGES);
  await waitUntil(() => countRevisions() >= enough);
  await server.kill();
  await Promise.all(writing);
}

/** All acknowledged changes exist, and at most one unacknowledged change of each client. */
async function checkKept(
  server: TestServer,
  token: string,
  acknowledged: readonly Acknowledged[],
): Promise<void> {
  const client = createClient(server.url, token);
  for (const [writer, { created, counter }] of acknowledged.entries()) {
    const names = await listNames(client, writer);
    expect([created, created + 1]).toContain(names.length);
    expect(names).toEqual(names.map((_, index) => nameOf(index)));
    const read = await client.read(`${folderOf(writer)}/counter`);
    // Each kill can leave one more change without an answer.
    const content = (read.body as Item).data!.content!;
    expect([content >= counter, content <= nameOf(created)]).toEqual([true, true]);
  }
}

function checkIntegrity(cwd: string): void {
  const database = new Sqlite(databaseOf(cwd));
  expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
}

async function prepare(
  writers: number,
): Promise<{ cwd: string; token: string; acknowledged: Acknowledged[] }> {
  const { cwd, token } = await makeAdminHome();
  for (let writer = 0; writer < writers; writer++) {
    await runQuern(cwd, ['catalog', 'mkdir', folderOf(writer)]);
    await runQuern(cwd, ['catalog', 'put', '-', `${folderOf(writer)}/counter`], nameOf(0));
  }
  const nothing = () => ({ created: 0, counter: nameOf(0), revisions: [] });
  return { cwd, token, acknowledged: Array.from({ length: writers }, nothing) };
}

describe('a server that is killed while it writes', () => {
  it('keeps every acknowledged change, and never reuses a revision', async () => {
    const { cwd, token, acknowledged } = await prepare(4);
    for (let round = 0; round < 8; round++) {
      const server = await serve(cwd);
      await checkKept(server, token, acknowledged);
      await writeAndKill(server, token, acknowledged);
      checkIntegrity(cwd);
    }
    const server = await serve(cwd);
    await checkKept(server, token, acknowledged);
    await server.kill();
    expect(Math.min(...acknowledged.map(({ created }) => created))).toBeGreaterThan(0);
    const revisions = acknowledged.flatMap((each) => each.revisions);
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  it('recovers a consistent prefix of the changes after any loss in the log', async () => {
    const { cwd, token, acknowledged } = await prepare(1);
    await writeAndKill(await serve(cwd), token, acknowledged);
    const size = statSync(`${databaseOf(cwd)}-wal`).size;
    expect(size).toBeGreaterThan(0);
    const places = [0, 1, 32, size - 1, ...Array.from({ length: 8 }, () => randomInt(size))];
    for (const [index, at] of places.entries()) {
      const copy = makeFolder();
      cpSync(cwd, copy, { recursive: true, filter: (file) => !/(?:-shm|serve\.sock)$/.test(file) });
      spoil(`${databaseOf(copy)}-wal`, at, index % 2 === 0);
      const listed = await runQuern(copy, ['catalog', 'ls', folderOf(0)]);
      const names = listed.split('\n').filter((name) => /^\d+$/.test(name));
      expect(names).toEqual(names.map((_, number) => nameOf(number)));
      expect(names.length).toBeLessThanOrEqual(acknowledged[0]!.created + 1);
      checkIntegrity(copy);
    }
  });
});

/** Truncates a file, or changes one of its bytes. */
function spoil(file: string, at: number, isCut: boolean): void {
  if (isCut) {
    truncateSync(file, at);
    return;
  }
  const bytes = readFileSync(file);
  bytes[at]! ^= 0xff;
  writeFileSync(file, bytes);
}

/** Records the system calls of a server's main thread until it is stopped; returns them in order. */
async function trace({ pid }: TestServer): Promise<() => Promise<string[]>> {
  const file = path.join(makeFolder(), 'trace');
  const calls = 'trace=read,readv,recvmsg,recvfrom,write,writev,sendmsg,sendto,fsync,fdatasync';
  const child = spawn('strace', ['-y', '-s', '80', '-e', calls, '-o', file, '-p', String(pid)]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  for await (const text of child.stderr.setEncoding('utf8')) {
    output += text;
    if (output.includes('attached')) break;
  }
  expect(output).toContain('attached');
  return async () => {
    child.kill('SIGINT');
    await once(child, 'exit');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  };
}

describe('an answer', () => {
  it.skipIf(!hasStrace)('about a change is sent after the disk has the change (needs strace)', async () => {
    const { server, admin } = await startServer();
    await admin.make('folders', '@Shared/traced');
    const path = await admin.make('assets', '@Shared/traced/changing');
    const stop = await trace(server);
    const requests = [
      ['POST', () => admin.create('assets', { parent_path: '@Shared/traced', name: 'new', content: 'x' })],
      ['PUT', () => admin.update('assets', path, '*', { content: 'y' })],
      ['DELETE', () => admin.remove('assets', path, '*')],
    ] as const;
    for (const [, ask] of requests) expect((await ask()).status).toBeLessThan(300);
    const calls = await stop();
    let from = 0;
    for (const [method] of requests) {
      const find = (pattern: RegExp) => calls.findIndex((call, index) => index >= from && pattern.test(call));
      const asked = find(new RegExp(`^(read|recv)\\w*\\(.*"${method} /api/v1/catalog/`));
      expect(asked, method).toBeGreaterThanOrEqual(0);
      from = asked;
      const synced = find(/^(fdatasync|fsync)\(\d+<[^>]*catalog\.db-wal>\) += 0/);
      const answered = find(/^(write|send)\w*\(.*"HTTP\/1\.1 20[014] /);
      expect(synced, method).toBeGreaterThan(asked);
      expect(answered, method).toBeGreaterThan(synced);
      from = answered;
    }
  });
});
