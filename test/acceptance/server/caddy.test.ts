import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasCaddy, readCaddyfile, runCaddy, startCaddy } from '../../support/proxies/caddy.ts';
import { makeFolder } from '../../support/quern.ts';
import { makeAdminHome, shareServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';
import { ENDLESS, listExecutions } from '../http/executing.ts';

const MB = 1024 * 1024;

describe.skipIf(!hasCaddy)('behind Caddy as documented', () => {
  const shared = shareServer('--trust-proxy', '127.0.0.1', '--base-url', 'https://quern.example.org');
  let caddy: Awaited<ReturnType<typeof startCaddy>>;

  beforeAll(async () => {
    caddy = await startCaddy(shared.server.cwd, new URL(shared.server.url).host);
  });

  afterAll(() => caddy?.stop());

  /** Sends a request through Caddy; returns the answer when its head has arrived. */
  async function send(method: string, target: string, body?: unknown, headers = {}) {
    const outgoing = request(`${caddy.url}/api/v1${target}`, {
      agent: false,
      method,
      localAddress: '127.0.0.2',
      headers: {
        authorization: `Bearer ${shared.token}`,
        'content-type': 'application/json',
        ...headers,
      },
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { outgoing, incoming };
  }

  const untilRunning = (count: number) =>
    eventually(async () => expect(await listExecutions(shared.admin)).toHaveLength(count));

  it('forwards the first rows of a running query, and ends the query when the client disconnects', async () => {
    const body = { sql: ENDLESS, connection: { name: 'duckdb' } };
    const { incoming, outgoing } = await send('POST', '/exec/sql', body, { accept: 'text/csv' });
    const [first] = (await once(incoming, 'data')) as [Buffer];
    expect(first.toString('latin1')).toMatch(/^x\n0\n1\n/);
    await untilRunning(1);
    outgoing.destroy();
    await untilRunning(0);
  });

  it('lets the server refuse a body that is too large', async () => {
    const body = { parent_path: '@Shared', name: 'large', content: 'x'.repeat(16 * MB) };
    const { incoming } = await send('POST', '/catalog/assets', body);
    expect([incoming.statusCode, JSON.parse(await text(incoming)).detail]).toEqual([
      400,
      expect.stringContaining('15 MB'),
    ]);
  });

  it("uses the client's address as Caddy reports it, and not as a client reports it", async () => {
    const forged = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': 'evil.example' };
    const { incoming } = await send('GET', '/catalog/list', undefined, forged);
    incoming.resume();
    const id = String(incoming.headers['x-request-id']);
    await expect.poll(() => shared.server.log()).toContain(id);
    const line = shared.server
      .log()
      .split('\n')
      .find((each) => each.includes(id))!;
    expect(JSON.parse(line)).toMatchObject({ address: '127.0.0.2', status: 200 });
  });
});

describe.skipIf(!hasCaddy)('the documented Caddyfile', () => {
  it('is valid, and Caddy refuses a wrong one', () => {
    const folder = makeFolder();
    const validated = runCaddy(folder, ['validate', '--adapter', 'caddyfile'], readCaddyfile());
    expect([validated.status, validated.stdout]).toEqual([0, 'Valid configuration\n']);
    const misspelled = readCaddyfile().replace('flush_interval', 'flush_intervall');
    expect(runCaddy(folder, ['validate', '--adapter', 'caddyfile'], misspelled).status).toBe(1);
  });

  it('answers in JSON while the server is down', async () => {
    const { cwd } = await makeAdminHome();
    const caddy = await startCaddy(cwd, '127.0.0.1:9');
    try {
      const answer = await fetch(`${caddy.url}/api/v1/catalog/list`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'application/json']);
      expect(await answer.json()).toEqual({
        message: 'The proxy has no answer from the server',
        detail: 'The proxy has no answer from the server',
        code: 'proxy',
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    } finally {
      await caddy.stop();
    }
  });
});
