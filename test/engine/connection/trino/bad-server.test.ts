import { describe, expect, it } from 'vitest';
import { trinoDriver } from '../../../../src/engine/connection/trino/driver.ts';
import { sendHttps } from '../../../support/sso/https.ts';
import type { ClusterOptions } from '../../../support/trino/cluster.ts';
import { createToken } from '../../../support/trino/tokens.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { eventually } from '../../../support/waiting.ts';
import { countRows, never, query, readError, readRows } from '../results.ts';
import { createConnect } from '../server-errors.ts';
import { startHttpProxy } from './http-proxy.ts';

/** How often the state of something is read that changes after seconds. */
const POLL_MS = 200;
const ROWS = 'SELECT orderkey, comment FROM tpch.tiny.orders';
const ROW_COUNT = 15_000;

describe.skipIf(!hasCluster)('a Trino server', () => {
  const cluster = useCluster();
  const connect = createConnect(trinoDriver, 'trino', { host: '127.0.0.1', user: 'reader' });
  const toHttp = () => ({ port: String(cluster().httpPort) });

  it.each([502, 503, 504])('that answers any page with %d once is asked again', async (status) => {
    let [pages, at] = [0, Number.POSITIVE_INFINITY];
    const proxy = await startHttpProxy(cluster().httpPort, ({ method }, answer) => {
      if (method !== 'GET') return 'forward';
      pages += 1;
      if (pages !== at) return 'forward';
      answer.writeHead(status).end();
      return 'answered';
    });
    const session = await connect({ port: String(proxy.port) });
    pages = 0;
    expect(await countRows(session, ROWS)).toBe(ROW_COUNT);
    const all = pages;
    expect(all).toBeGreaterThan(2);
    for (at = 1; at <= all; at += 1) {
      pages = 0;
      expect(await countRows(session, ROWS)).toBe(ROW_COUNT);
    }
  });

  it('keeps a query for a reader that is slower than its patience', async () => {
    const session = await connect(toHttp());
    const sql = 'SELECT * FROM tpch.sf1.orders LIMIT 300000';
    const result = await session.run(sql, never);
    if (result.kind !== 'rows') throw new Error('no result set');
    let rows = 0;
    for await (const chunk of result.chunks) {
      // Two other clients that send no request lose their queries, one after the other.
      if (rows === 0) for (let client = 0; client < 2; client += 1) await loseQuery(cluster().httpPort, sql);
      rows += chunk.rows;
    }
    expect(rows).toBe(300_000);
  });

  it('finishes a query whose token expires, and refuses the next one', async () => {
    const { httpsPort, authority, user } = cluster();
    const tls = { port: String(httpsPort), user, sslmode: 'verify-full', sslrootcert: authority };
    const sql = 'SELECT * FROM tpch.sf1.orders LIMIT 300000';
    const start = async (jwt: string) => {
      const session = await connect({ ...tls, jwt });
      return { jwt, session, result: await session.run(sql, never) };
    };
    const { jwt, session, result } = await beforeExpiry(cluster(), start);
    const headers = { authorization: `Bearer ${jwt}` };
    const url = `https://127.0.0.1:${httpsPort}/v1/query`;
    const ask = async () => (await sendHttps(url, authority, { headers })).status;
    await eventually(async () => expect(await ask()).toBe(401), POLL_MS);
    expect((await readRows(result)).rows).toHaveLength(300_000);
    const error = await readError(query(session, 'SELECT 1'));
    expect(error).toMatchObject({ code: 'login', message: expect.stringMatching(/expired/i) });
  });

  it('refuses to write into a catalog that cannot be written', async () => {
    const session = await connect(toHttp());
    const error = await readError(query(session, 'CREATE TABLE tpch.tiny.mine AS SELECT 1 AS x'));
    expect(error).toMatchObject({ code: 'sql', message: expect.stringContaining('does not support') });
  });
});

interface Page {
  readonly id: string;
  readonly nextUri: string;
  readonly stats: { readonly state: string };
}

/** Starts a query as a client that sends no request once it runs, and waits until the server ends the query. */
async function loseQuery(port: number, sql: string): Promise<void> {
  const headers = { 'X-Trino-User': 'leaver' };
  const url = `http://127.0.0.1:${port}/v1`;
  const ask = async (uri: string, more = {}) =>
    (await fetch(uri, { headers, ...more })).json() as Promise<Page>;
  let page = await ask(`${url}/statement`, { method: 'POST', body: sql });
  while (page.stats.state !== 'RUNNING') page = await ask(page.nextUri);
  // Reading the state of a query does not keep it. The server forgets queries soon after their end.
  const readState = async () => (await fetch(`${url}/query/${page.id}`, { headers })).text();
  await eventually(async () => expect(await readState()).toMatch(/"state":"FAILED"|Error 410/), POLL_MS);
  expect(await (await fetch(page.nextUri, { headers })).text()).toMatch(/abandoned|not found/i);
}

/** Starts something with a token that expires soon; again with a longer life, when it has expired before. */
async function beforeExpiry<T>(cluster: ClusterOptions, start: (token: string) => Promise<T>): Promise<T> {
  for (let seconds = 3; ; seconds *= 2) {
    try {
      return await start(createToken(cluster, Math.ceil(Date.now() / 1000) + seconds));
    } catch (error) {
      if ((error as { code?: string }).code !== 'login' || seconds > 20) throw error;
    }
  }
}
