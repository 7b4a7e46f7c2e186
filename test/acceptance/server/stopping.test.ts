import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRaw } from '../../server/raw.ts';
import { createClient } from '../../support/http.ts';
import { makeAdminHome, serve, type TestServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';

const body = '{"parent_path":"@Shared","name":"late"}';

const portOf = ({ url }: TestServer) => Number(new URL(url).port);

/** A request that is sent except for the last byte of the body. */
async function beginRequest(server: TestServer, token: string) {
  const connection = await openRaw(portOf(server));
  connection.send(
    `POST /api/v1/catalog/folders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect(await connection.answers(1)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  connection.send(body.slice(0, -1));
  return { connection, finish: () => connection.send(body.slice(-1)) };
}

async function start(config = ''): Promise<{ server: TestServer; token: string }> {
  const { cwd, token } = await makeAdminHome();
  writeFileSync(path.join(cwd, '.quern', 'config.toml'), config);
  const server = await serve(cwd);
  onTestFinished(() => server.kill());
  return { server, token };
}

const untilLogged = (server: TestServer, message: string) =>
  eventually(() => expect(server.log()).toContain(`"msg":"${message}"`));

describe('a stopping server', () => {
  it('answers running requests, accepts no others, and exits with 0', async () => {
    const { server, token } = await start();
    const request = await beginRequest(server, token);
    const idle = await openRaw(portOf(server));
    idle.send('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    await idle.answers(1);
    const stopped = server.stop();
    await untilLogged(server, 'stopping');
    await idle.rest();
    await expect(openRaw(portOf(server))).rejects.toThrow('ECONNREFUSED');
    expect(existsSync(path.join(server.cwd, '.quern', 'server.json'))).toBe(false);
    request.finish();
    expect(await request.connection.rest()).toMatch(/HTTP\/1\.1 201 Created[\s\S]*"@Shared\/late"/);
    expect(await stopped).toBe(0);
    // Lines about answers are written some moments later than others.
    const log = server.log().replace(/^.*"\/health\/live".*$/m, '');
    const lines = [...log.matchAll(/"time":"([^"]+)".*"msg":"([^"]+)"/g)];
    const messages = lines
      .sort(([, one = ''], [, other = '']) => (one < other ? -1 : 1))
      .map(([, , msg]) => msg);
    expect(messages.slice(-3)).toEqual(['stopping', 'answered', 'stopped']);
    const next = await serve(server.cwd);
    onTestFinished(() => next.kill());
    expect((await createClient(next.url, token).read('@Shared/late')).status).toBe(200);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('does the same after %s', async (signal) => {
    const { server } = await start();
    process.kill(server.pid, signal);
    await untilLogged(server, 'stopped');
    await eventually(() => expect(() => process.kill(server.pid, 0)).toThrow('ESRCH'));
  });

  it('ends at once after a second signal', async () => {
    const { server, token } = await start();
    const request = await beginRequest(server, token);
    process.kill(server.pid, 'SIGTERM');
    await untilLogged(server, 'stopping');
    expect(await server.stop()).toBeNull();
    expect(await request.connection.rest()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(existsSync(path.join(server.cwd, '.quern', 'server.json'))).toBe(false);
    const next = await serve(server.cwd);
    expect(await next.stop()).toBe(0);
  });

  it('waits for requests up to the configured time, and then also exits with 0', async () => {
    const { server, token } = await start('[server]\nstop_grace = 1\n');
    const request = await beginRequest(server, token);
    expect(await server.stop()).toBe(0);
    expect(await request.connection.rest()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(server.log()).toContain('"msg":"stopped"');
  });
});
