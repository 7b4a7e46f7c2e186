import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { printMessage } from '../../../src/execution/frames/socket-frames.ts';
import { listenForCommands } from '../../../src/server/local/listen.ts';
import { createOperations } from '../../../src/server/local/operations.ts';
import { homeAt } from '../../../src/workspace/home/home.ts';
import { readVersion } from '../../../src/workspace/home/package-root.ts';
import { openWorkspace } from '../../../src/workspace/instance/open-workspace.ts';
import type { ExecutionOptions } from '../../../src/workspace/runs/executions.ts';
import { askServer } from '../../../src/workspace/services/call-server.ts';
import { eventually } from '../../support/waiting.ts';
import { createExecWorld, type ExecWorld } from '../exec/world.ts';
import type { ServerSettings } from '../world.ts';
import { listen } from './calling.ts';

const NAMES = ['run', 'list', 'cancel', 'hold', 'sign-in-file'];
const ENDLESS = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';

interface LocalWorld extends ExecWorld {
  readonly socket: string;
}

/** A server that commands can reach as well. */
async function createLocalWorld(
  options: Partial<ExecutionOptions> = {},
  settings: ServerSettings = {},
): Promise<LocalWorld> {
  const world = await createExecWorld(options, undefined, settings);
  const { home, instance } = world;
  const operations = createOperations(home, instance, () => null);
  const { findPrincipal } = instance;
  const local = listenForCommands({
    home,
    operations,
    findPrincipal,
    version: readVersion(),
    warn: () => {},
  });
  onTestFinished(() => local.close());
  return { ...world, socket: homeAt(home).socket };
}

/** Sends a request to the socket of a home. */
async function sendTo(
  socketPath: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Buffer,
) {
  const request = openRequest({ socketPath, method, path: target, headers, agent: false });
  request.end(body);
  const [answer]: IncomingMessage[] = await once(request, 'response');
  return { status: answer!.statusCode, headers: answer!.headers, text: await text(answer!) };
}

async function disable(ask: ExecWorld['ask'], name: string): Promise<void> {
  expect((await ask('PUT', `/api/v1/manage/users/${name}`, { body: { active: false } })).status).toBe(200);
}

/** Runs SQL as a command does that acts for a user. */
async function runAs(home: string, as: string | undefined, sql: string) {
  const workspace = openWorkspace({ home, as });
  const parts: Uint8Array[] = [];
  try {
    const target = { kind: 'sql', source: { name: 'sql', text: sql } } as const;
    const outcome = await workspace.run(
      { target, params: {}, overrides: {}, format: 'csv' },
      { write: (bytes) => void parts.push(Buffer.from(bytes)) },
      new AbortController().signal,
    );
    return { outcome, text: Buffer.concat(parts).toString() };
  } finally {
    await workspace.close();
  }
}

describe('the socket of a home', () => {
  it('knows no other operation of the server, with and without a token', async () => {
    const { socket, token } = await createLocalWorld();
    for (const target of [
      '/',
      '/api/v1/catalog/list',
      '/api/v1/openapi.json',
      '/api/scim/v2/Users',
      '/api/auth/login/saml2',
      '/console',
      '/console/api/session',
      '/docs',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/local',
      '/local/',
      '/local/run/',
      '/local/toString',
      '/local/../api/v1/catalog/list',
    ]) {
      for (const headers of [{}, { authorization: `Bearer ${token}` }, { 'quern-version': readVersion() }]) {
        const answer = await sendTo(socket, 'GET', target, headers as Record<string, string>);
        expect({ target, status: answer.status }).toEqual({ target, status: 404 });
        expect((await sendTo(socket, 'POST', target, headers as Record<string, string>)).status).toBe(404);
      }
    }
    expect((await sendTo(socket, 'GET', '/local/list', { 'quern-version': readVersion() })).status).toBe(404);
  });

  it('refuses a request of another version, and of none', async () => {
    const { socket } = await createLocalWorld();
    for (const headers of [{}, { 'quern-version': '0.0.1' }]) {
      const body = printMessage({ input: null });
      const answer = await sendTo(socket, 'POST', '/local/list', headers as Record<string, string>, body);
      expect(answer).toMatchObject({ status: 409, headers: { 'quern-version': readVersion() } });
    }
  });

  it('refuses a user who is unknown or disabled when the call is made', async () => {
    const { home, socket, createUser, ask } = await createLocalWorld();
    await createUser('ada');
    const { id } = (await ask('GET', '/api/v1/manage/users/ada')).body as { readonly id: string };
    expect(await askServer(homeAt(home), 'list', { user: id, input: null })).toEqual([]);
    await disable(ask, 'ada');
    for (const [user, message] of [
      [id, 'the user ada is disabled'],
      ['nobody', 'there is no user nobody in this home'],
    ] as const) {
      for (const name of NAMES) {
        const call = askServer(homeAt(home), name as 'list', { user, input: null });
        await expect(call).rejects.toMatchObject({ status: 401, message });
      }
      const headers = { 'quern-version': readVersion() };
      const body = printMessage({ user, input: null });
      expect((await sendTo(socket, 'POST', '/local/list', headers, body)).status).toBe(401);
    }
  });

  it('acts for the owner of the home if the call names no user', async () => {
    const { home, createUser } = await createLocalWorld();
    await createUser('ada');
    const running = runAs(home, 'ada', ENDLESS);
    const [execution] = await eventually(async () => {
      const listed = await askServer(homeAt(home), 'list', { input: null });
      expect(listed).toMatchObject([{ user: 'ada', state: 'running' }]);
      return listed!;
    });
    expect(await askServer(homeAt(home), 'cancel', { input: execution!.id })).toBe(true);
    expect((await running).outcome).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
    await expect(askServer(homeAt(home), 'cancel', { input: execution!.id })).rejects.toMatchObject({
      status: 404,
      message: `Execution not found: ${execution!.id}`,
    });
  });

  it('cancels the execution of a user who is disabled while it runs', async () => {
    const { home, createUser, ask } = await createLocalWorld();
    await createUser('ada');
    const running = runAs(home, 'ada', ENDLESS);
    await eventually(async () =>
      expect(await askServer(homeAt(home), 'list', { input: null })).toHaveLength(1),
    );
    await disable(ask, 'ada');
    expect((await running).outcome).toMatchObject({ status: 'failed', error: { code: 'cancelled' } });
  });

  it('records the address `local` in the query log', async () => {
    const queryLog = { keepsTexts: false, days: 30, warn: () => {} };
    const { home, ask } = await createLocalWorld({ queryLog });
    expect(await runAs(home, undefined, 'SELECT 7 AS x')).toMatchObject({ text: 'x\n7\n' });
    await eventually(async () => {
      const { body } = await ask('GET', '/api/v1/manage/queries');
      expect(body).toMatchObject({
        data: [{ user: 'admin', token: null, address: 'local', request_id: null }],
      });
    });
  });
});

describe('the port of a server', () => {
  it('does not know the operations of the socket, with and without a token, and behind a proxy', async () => {
    for (const trustProxy of [[], ['127.0.0.1', '::1']]) {
      const { ask } = await createLocalWorld({}, { trustProxy });
      for (const name of NAMES) {
        for (const headers of [
          {},
          { 'x-forwarded-for': 'local' },
          { 'x-forwarded-for': '' },
          { forwarded: 'for=local', host: 'localhost' },
        ]) {
          const sent = { headers: { ...headers, 'quern-version': readVersion() }, body: { input: null } };
          for (const method of ['GET', 'POST']) {
            expect((await ask(method, `/local/${name}`, sent)).status).toBe(404);
            expect((await ask(method, `/local/${name}`, { ...sent, token: null })).status).toBe(404);
          }
        }
      }
    }
  });

  it('does not describe the operations of the socket', async () => {
    const { ask } = await createLocalWorld();
    const { status, text } = await ask('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(text).not.toContain('/local/');
  });
});

describe('a server of another version', () => {
  it('is refused before the call is sent', async () => {
    const calls: unknown[] = [];
    const { folder } = listen(async (input) => calls.push(input), undefined, '0.0.1');
    await expect(askServer(homeAt(folder), 'list', { input: null })).rejects.toMatchObject({
      status: 503,
      message: 'the server on this home runs another version of Quern; restart it',
    });
    expect(calls).toEqual([]);
  });
});
