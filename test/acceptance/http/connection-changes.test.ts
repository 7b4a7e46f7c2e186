import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Answer, createClient, expectRefusal } from '../../support/http.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { waitUntil } from '../../support/waiting.ts';
import { runSql } from './executing.ts';

const shared = shareServer();
const CONNECTIONS = '/manage/connections';
const SERVERS = [
  { kind: 'postgresql', server: inject('postgresql') },
  { kind: 'mysql', server: inject('mariadb') },
] as const;

interface Step {
  readonly step: string;
  readonly outcome: string;
  readonly message: string | null;
  readonly code: string | null;
}

const test = (body: object) => shared.admin.send('POST', `${CONNECTIONS}/test`, { body });

/** The steps of a test as `resolve passed`, and the failing step. */
function readSteps({ status, body, text }: Answer) {
  expect(status, text).toBe(200);
  const { steps, passed } = body as { steps: readonly Step[]; passed: boolean };
  const failed = steps.find(({ outcome }) => outcome === 'failed');
  expect(passed).toBe(failed === undefined);
  return { outcomes: steps.map(({ step, outcome }) => `${step} ${outcome}`), failed };
}

/** A server on loopback that treats each connection as `serve` says; returns its port. */
async function listen(serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    serve(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
}

describe.each(SERVERS)('a connection to $kind', ({ kind, server }) => {
  it.skipIf(server === null)('is tested, stored, its secret rotated, and used', async () => {
    const { password, ...options } = server!;
    const name = `rotated_${kind}`;
    const url = `${CONNECTIONS}/${name}`;
    const settings = { name, kind, options };
    const wrong = readSteps(await test({ ...settings, secrets: { password: 'wrong' } }));
    expect(wrong.outcomes).toEqual(['resolve passed', 'connect passed', 'sign_in failed', 'ask skipped']);
    expect(wrong.failed?.code).toBe('login');
    const tested = await test({ ...settings, secrets: { password } });
    expect(readSteps(tested).outcomes.every((outcome) => outcome.endsWith('passed'))).toBe(true);
    expect(tested.body).toMatchObject({ version: expect.stringMatching(/\d+\.\d+/) });
    expect((await shared.admin.send('GET', url)).status).toBe(404);
    const stored = await shared.admin.send('POST', CONNECTIONS, {
      body: { ...settings, secrets: { password: 'wrong' } },
    });
    expect(stored.status).toBe(201);
    const { etag } = (await shared.admin.send('GET', url)).headers;
    const patch = (body: object, tag = etag) =>
      shared.admin.send('PATCH', url, { body, headers: tag === undefined ? {} : { 'if-match': tag } });
    expect((await runSql(shared.admin, 'SELECT 1', { connection: { name } })).status).toBe(502);
    const rotated = await patch({ secrets: { password } });
    expect(rotated).toMatchObject({ status: 200, body: { revision: 2, secrets: ['password'] } });
    expect(rotated.text).not.toContain(password);
    expect(rotated.headers.etag).not.toBe(etag);
    expect((await runSql(shared.admin, 'SELECT 1', { connection: { name } })).status).toBe(200);
    expect((await patch({ description: 'x' })).status).toBe(412);
    const moved = await patch({ options: { host: 'elsewhere.example' } }, '*');
    expectRefusal(moved, 400, 'The secret password was stored for another host: send it again');
    // The stored secret is lent to its server alone.
    expect(readSteps(await test(settings)).failed).toBeUndefined();
    const port = await listen(() => expect.fail('a stored secret was sent elsewhere'));
    const lent = await test({ ...settings, options: { ...options, port } });
    expectRefusal(lent, 400, 'The secret password was stored for another port: send it again');
    // The server writes the log a moment later.
    const users = await waitUntil(async () => {
      const { body } = await shared.admin.send('GET', `${url}/users`);
      return (body as { last_error: string | null }).last_error !== null && body;
    });
    expect(users).toMatchObject({
      total: 1,
      data: [{ user: 'admin', level: 'MANAGE', reasons: [{ kind: 'super_user' }] }],
      last_used_at: expect.any(String),
      last_error: 'login',
      last_error_at: expect.any(String),
    });
    const listed = await shared.admin.send('GET', `${CONNECTIONS}?q=ROTATED_${kind}&use=last`);
    expect(listed.body).toMatchObject({ total: 1, data: [{ name, last_error: 'login' }] });
  });
});

describe('a test of a connection', () => {
  const settings = (port: string, more: object = {}) => ({
    name: 'new',
    kind: 'postgresql',
    options: { host: '127.0.0.1', port, user: 'q', connect_timeout: '2', ...more },
    secrets: { password: 'secret words' },
  });

  it('says where it fails', async () => {
    const refused = readSteps(await test(settings('1')));
    expect(refused.outcomes).toEqual(['resolve passed', 'connect failed', 'sign_in skipped', 'ask skipped']);
    expect(refused.failed).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('127.0.0.1:1'),
    });
    const unknown = readSteps(await test(settings('1', { host: 'nowhere.invalid' })));
    expect(unknown.outcomes[0]).toBe('resolve failed');
  });

  it('ends at a server that accepts and is silent', async () => {
    const port = await listen(() => {});
    const { outcomes, failed } = readSteps(await test(settings(port)));
    expect(outcomes).toEqual(['resolve passed', 'connect passed', 'sign_in failed', 'ask skipped']);
    expect(failed?.message).toBe(`127.0.0.1:${port} does not answer.`);
  });

  it.each(['postgresql', 'mysql', 'trino'])('ends at a server that answers %s with garbage', async (kind) => {
    const port = await listen((socket) => {
      socket.write('\u0000\u0007garbage\u00ff');
      socket.once('data', () => socket.end('HTTP/0.9 garbage\n\n'));
    });
    const { failed } = readSteps(await test({ ...settings(port), kind, secrets: {} }));
    expect(failed).toMatchObject({ step: 'sign_in', message: expect.stringMatching(/\S/) });
  });

  it('follows no redirect', async () => {
    const other = await listen(() => expect.fail('a redirect was followed'));
    const port = await listen((socket) => {
      socket.once('data', () =>
        socket.end(`HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:${other}/\r\ncontent-length: 0\r\n\r\n`),
      );
    });
    const { failed } = readSteps(await test({ ...settings(port), kind: 'trino', secrets: {} }));
    expect(failed).toMatchObject({ step: 'sign_in', message: expect.stringContaining('307') });
  });

  it('runs one at a time for each user', async () => {
    const port = await listen((socket) => {
      socket.once('data', async () => {
        const second = await test(settings('1'));
        expectRefusal(second, 429, expect.stringContaining('testing a connection already'));
        socket.end();
      });
    });
    expect(readSteps(await test(settings(port))).failed?.step).toBe('sign_in');
    expect(readSteps(await test(settings('1'))).failed?.step).toBe('connect');
  });

  it('creates no database file, and opens one that is stored', async () => {
    const file = path.join(shared.server.cwd, 'tested.duckdb');
    const shop = (name: string) => ({ name, kind: 'duckdb', options: { file } });
    const missing = await test(shop('tested'));
    expect(readSteps(missing).failed).toBeUndefined();
    expect(missing.body).toMatchObject({
      version: expect.stringMatching(/^v\d/),
      steps: [{ message: 'The file does not exist: the first run creates it.' }, {}, {}, {}],
    });
    expect(existsSync(file)).toBe(false);
    const nowhere = { ...shop('tested'), options: { file: '/nowhere/at/all.duckdb' } };
    expect(readSteps(await test(nowhere)).failed?.message).toBe('There is no folder /nowhere/at.');
    writeFileSync(file, 'these are notes, not a database');
    expect((await shared.admin.send('POST', CONNECTIONS, { body: shop('notes') })).status).toBe(201);
    expect(readSteps(await test(shop('notes'))).failed?.message).toContain('is not a DuckDB database');
  });

  it('needs settings as a creation, the scope `all`, and the right', async () => {
    expectRefusal(
      await test({ name: 'new', kind: 'oracle' }),
      400,
      expect.stringMatching(/^Unknown kind of connection: oracle/),
    );
    expectRefusal(await test({ kind: 'duckdb' }), 400, 'Connection name is required');
    const model = { name: 'new', kind: 'semantic', options: { model: '@Shared/m' } };
    expect((await test(model)).status).toBe(422);
    const { cwd, url } = shared.server;
    const reader = createClient(url, await createToken(cwd, 'admin', '--scope', 'write'));
    expect((await reader.send('POST', `${CONNECTIONS}/test`, { body: settings('1') })).status).toBe(403);
  });

  it('is written to the audit log, without secrets', async () => {
    await test(settings('1'));
    const { body, text } = await shared.admin.send('GET', '/manage/audit?action=connection.test&limit=1');
    expect(body).toMatchObject({ data: [{ object: 'new' }] });
    expect(text).not.toContain('secret words');
  });
});

describe('the users of a connection', () => {
  it('are those with a level, by name, each with the reasons', async () => {
    const { cwd } = shared.server;
    for (const line of [
      'user create ann',
      'user create ben',
      'user create cy --role viewer',
      'user create dan',
      'group create analysts',
      'group add-member analysts ben cy',
      'connection create stock --kind duckdb --set file=stock.duckdb',
      'grant add user:ann manage connection:stock',
      'grant add group:analysts use connection:stock',
    ]) {
      await runQuern(cwd, line);
    }
    const list = async (query: string) => {
      const { body, text } = await shared.admin.send('GET', `${CONNECTIONS}/stock/users?${query}`);
      const { data, total } = body as { data: readonly { user: string; level: string }[]; total: number };
      expect(data, text).toBeInstanceOf(Array);
      return [data.map(({ user, level }) => `${user} ${level}`), total];
    };
    expect(await list('')).toEqual([['admin MANAGE', 'ann MANAGE', 'ben USE', 'cy READ'], 4]);
    expect(await list('limit=2&after=admin')).toEqual([['ann MANAGE', 'ben USE'], 4]);
    expect(await list('q=B')).toEqual([['ben USE'], 1]);
    expect((await shared.admin.send('GET', `${CONNECTIONS}/stock/users?limit=0`)).status).toBe(400);
  });
});
