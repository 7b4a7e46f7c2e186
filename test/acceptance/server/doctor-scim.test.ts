import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPort } from '../../support/find-port.ts';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';
import { createToken, runQuern, serve, shareServer } from '../../support/server.ts';

/** A failed check, and the values that it received. */
const problem = (name: string, seen: unknown) => ({ name, ok: false, seen });
const fine = (name: string, seen: unknown) => ({ name, ok: true, seen });

const shared = shareServer();

/** Runs `quern doctor --scim` in an empty folder, with a token in the environment or without one. */
async function check(url: string, token: string | null, ...options: string[]) {
  const { exitCode, stdout, stderr } = await quern(['doctor', '--scim', url, ...options], {
    cwd: makeFolder(),
    env: { QUERN_SCIM_TOKEN: token ?? '' },
  });
  return { exitCode, stdout: String(stdout), stderr: String(stderr) };
}

async function find(url: string, token: string, ...options: string[]) {
  const { exitCode, stdout, stderr } = await check(url, token, '--json', ...options);
  expect(stderr).toBe('');
  return { exitCode, checks: JSON.parse(stdout).checks };
}

/** A separate server for the test. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The users, and their groups. */
async function listAccounts(cwd: string): Promise<string> {
  return (await runQuern(cwd, 'user ls')) + (await runQuern(cwd, 'group ls'));
}

describe('quern doctor --scim', () => {
  it('finds no problem in a server, and needs no home', async () => {
    const token = await createToken(shared.server.cwd, 'admin', '--scope', 'scim');
    const { exitCode, stdout, stderr } = await check(shared.server.url, token);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(
        `^ok {6}address +${shared.server.url}/api/v1/scim/v2\nok {6}token +accepted\nok {6}schemas +\\d+ schemas\n` +
          'ok {6}users +(?:1 user|\\d{2,} users|[02-9] users)\nok {6}groups +(?:1 group|\\d{2,} groups|[02-9] groups)\nok {6}filter +.+\nok {6}locations +.+\n$',
      ),
    );
  });

  it('recommends the scope scim for a token with the scope all', async () => {
    const { exitCode, checks } = await find(shared.server.url, shared.token);
    expect(checks[1]).toEqual(fine('token', expect.stringContaining('quern token create --scope scim')));
    expect(exitCode).toBe(0);
  });

  it('prints records, and accepts the address of the interface itself', async () => {
    for (const end of ['', '/', '/api/v1/scim/v2', '/api/v1/scim/v2/?aadOptscim062020']) {
      const { exitCode, checks } = await find(`${shared.server.url}${end}`, `${shared.token}\n`);
      expect(checks[0]).toEqual(fine('address', `${shared.server.url}/api/v1/scim/v2`));
      expect(checks).toHaveLength(7);
      expect(exitCode).toBe(0);
    }
  });

  it('creates, changes and deletes with --write, and leaves nothing behind', async () => {
    const { cwd } = shared.server;
    const before = await listAccounts(cwd);
    const { exitCode, checks } = await find(shared.server.url, shared.token, '--write');
    expect(checks.at(-1)).toEqual(
      fine('provisioning', 'a user and a group were created, changed and deleted'),
    );
    expect(exitCode).toBe(0);
    expect(await listAccounts(cwd)).toBe(before);
    const audit = await runQuern(cwd, 'admin audit --action user.delete --limit 1');
    expect(audit).toContain('quern-doctor-');
  });

  it('leaves nothing behind when a step fails', async () => {
    const { cwd, url } = shared.server;
    const before = await listAccounts(cwd);
    const refusing = (method: string) =>
      listen(async (request, response) => {
        if (request.method === method) {
          response.writeHead(500).end();
          return;
        }
        const body = await buffer(request);
        const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
        const answer = await fetch(`${url}${request.url}`, {
          method: request.method!,
          headers: headers as Record<string, string>,
          ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
        });
        const type = answer.headers.get('content-type');
        response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    const { exitCode, checks } = await find(await refusing('PATCH'), shared.token, '--write');
    expect(checks.at(-1)).toEqual(
      problem('provisioning', 'a change of a user: expected status 200, got 500'),
    );
    expect(exitCode).toBe(1);
    expect(await listAccounts(cwd)).toBe(before);

    const stuck = await find(await refusing('DELETE'), shared.token, '--write');
    expect(stuck.checks.at(-1)).toEqual(
      problem(
        'provisioning',
        expect.stringMatching(/^the deletion of \/Groups\/\S+ .*; \/Users\/\S+ was not deleted$/),
      ),
    );
    expect(stuck.exitCode).toBe(1);
  });

  it('asks for a token', async () => {
    expect(await check(shared.server.url, null)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: "error: set the environment variable QUERN_SCIM_TOKEN to an administrator's token\n",
    });
    const { exitCode, stderr } = await check(shared.server.url, 'qrn_secret\u0007');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: QUERN_SCIM_TOKEN /);
    expect(stderr).not.toContain('qrn_secret');
  });

  it('reports an invalid token, and a token whose user has no permission', async () => {
    const { cwd, url } = shared.server;
    await runQuern(cwd, 'user create vera --role VIEWER');
    for (const [token, seen] of [
      ['qrn_wrong', expect.stringMatching(/^the token: expected status 200, got 401: /)],
      [await createToken(cwd, 'vera'), 'the token belongs to a user who is not an administrator'],
    ] as const) {
      const { exitCode, checks } = await find(url, token);
      expect(checks.slice(1)).toEqual([problem('token', seen)]);
      expect(exitCode).toBe(1);
    }
  });

  it('reports a read-only token for checks that write', async () => {
    const { cwd, url } = shared.server;
    const token = await createToken(cwd, 'admin', '--read-only');
    expect((await find(url, token)).exitCode).toBe(0);
    const { exitCode, checks } = await find(url, token, '--write');
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([
      problem('provisioning', 'the token is read-only'),
    ]);
    expect(exitCode).toBe(1);
  });

  it('reports an address without SCIM, and sends it no token', async () => {
    const seen: unknown[] = [];
    const url = await listen((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>');
    });
    const { exitCode, checks } = await find(url, shared.token);
    expect(checks).toEqual([
      problem('address', `${url}/api/v1/scim/v2 is not a SCIM interface: it responds with 200 text/html`),
    ]);
    expect(exitCode).toBe(1);
    expect(seen).toEqual([undefined]);
  });

  it('reports an unreachable server and an invalid address', async () => {
    const port = await findPort();
    for (const host of ['127.0.0.1', 'localhost']) {
      const { exitCode, checks } = await find(`http://${host}:${port}`, shared.token);
      expect(checks).toEqual([problem('address', expect.stringMatching(/^fetch failed: .*ECONNREFUSED/))]);
      expect(exitCode).toBe(1);
    }
    for (const url of ['quern.example.com', 'ftp://quern.example.com']) {
      const { exitCode, stderr } = await check(url, shared.token);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: `error: --scim ${url}: expected the address of a server, for example https://quern.example.com\n`,
      });
    }
  });

  it('reports a server with a wrong base URL', async () => {
    const server = await serve(await makeHome(), ['--base-url', 'https://quern.example.com']);
    onTestFinished(() => server.kill());
    const { exitCode, checks } = await find(server.url, await createToken(server.cwd));
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([
      problem(
        'locations',
        expect.stringMatching(
          `^the server reports users at https://quern\\.example\\.com/api/v1/scim/v2/Users/\\S+: serve with --base-url ${server.url}$`,
        ),
      ),
    ]);
    expect(exitCode).toBe(1);
  });

  it('allows --write only with --scim', async () => {
    const { exitCode, stderr } = await quern(['doctor', '--write'], { cwd: await makeHome() });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: 'error: --write requires --scim\n' });
  });
});
