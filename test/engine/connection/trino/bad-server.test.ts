import { describe, expect, it } from 'vitest';
import { trinoDriver } from '../../../../src/engine/connection/trino/driver.ts';
import { createToken } from '../../../support/trino/tokens.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { waitUntil } from '../../../support/waiting.ts';
import { countRows, never, query, readError, readRows } from '../results.ts';
import { createConnect } from '../server-errors.ts';
import { startHttpProxy } from './http-proxy.ts';

/** The setting `query.client.timeout` of the cluster. */
const PATIENCE_SECONDS = 15;
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
    const abandoned = await startAndLeave(cluster().httpPort, sql);
    if (result.kind !== 'rows') throw new Error('no result set');
    let [rows, start] = [0, 0];
    for await (const chunk of result.chunks) {
      rows += chunk.rows;
      if (start > 0) continue;
      start = performance.now();
      // Another client that waits as long without a request loses its query.
      await waitUntil(() => performance.now() - start > PATIENCE_SECONDS * 1500);
      expect(await abandoned()).toMatch(/abandoned|not found/i);
    }
    expect(rows).toBe(300_000);
  });

  it('finishes a query whose token expires, and refuses the next one', async () => {
    const { httpsPort, authority, user } = cluster();
    const expires = Math.ceil(Date.now() / 1000) + 3;
    const tls = { port: String(httpsPort), user, sslmode: 'verify-full', sslrootcert: authority };
    const session = await connect({ ...tls, jwt: createToken(cluster(), expires) });
    const result = await session.run('SELECT * FROM tpch.sf1.orders LIMIT 300000', never);
    await waitUntil(() => Date.now() > expires * 1000 + 1000);
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

/** Starts a query as a client that then sends no request; the returned function sends its next one. */
async function startAndLeave(port: number, sql: string): Promise<() => Promise<string>> {
  const headers = { 'X-Trino-User': 'leaver' };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/statement`, { method: 'POST', body: sql, headers });
  const { nextUri } = (await answer.json()) as { nextUri: string };
  return async () => (await fetch(nextUri, { headers })).text();
}
