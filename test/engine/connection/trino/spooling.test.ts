import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { HttpClient } from '../../../../src/engine/connection/trino/http.ts';
import type { Segment } from '../../../../src/engine/connection/trino/page.ts';
import { TrinoServer } from '../../../../src/engine/connection/trino/server.ts';
import { SegmentLoad } from '../../../../src/engine/connection/trino/spooling.ts';
import { hasCluster, THREE_NODES, useCluster } from '../../../support/trino/use-cluster.ts';
import { countRows, never, query, readError, readRows } from '../results.ts';
import { type SeenRequest, startHttpProxy } from './http-proxy.ts';
import { openTrino } from './sessions.ts';

/** Rows that need several parts, each with a number that shows its place. */
const SELECT = 'SELECT orderkey, comment FROM tpch."sf0.1".orders ORDER BY orderkey LIMIT 100000';
const ROWS = 100_000;

function isPage({ method, path }: SeenRequest): boolean {
  return method === 'GET' && path.startsWith('/v1/statement/executing');
}

/** All rows of a part, and their pieces. */
async function load(content: Buffer, metadata: Segment['metadata']) {
  const client = new HttpClient({}, 1000);
  const server = new TrinoServer(new URL('http://127.0.0.1:1'), client, client, 1000);
  const data = content.toString('base64');
  const segment = new SegmentLoad(server, 'json+zstd', { type: 'inline', data, metadata }, never);
  const pieces: Buffer[] = [];
  let text = '';
  for (let isPartial = true; isPartial; ) {
    const rows = await segment.next();
    text += rows.bytes.toString('latin1', rows.start, rows.end);
    pieces.push(rows.bytes);
    rows.free?.();
    isPartial = rows.isPartial ?? false;
  }
  return { text, pieces };
}

describe('a compressed part', () => {
  const rows = (count: number) => '[1,"x"],'.repeat(count).slice(0, -1);

  it.each([
    ['its size', 20_000, 160_001, 1],
    ['a wrong size', 20_000, '7', 2],
    ['a size that is not a number', 20_000, 'many', 1],
    ['several pieces', 1_000_000, 8_000_001, 8],
    ['full pieces only', 131_072, 2_000_000, 1],
    ['a bracket in the last piece', 131_072 - 1, 1_048_568, 1],
  ])('with %s is decoded piece by piece, and its memory freed', async (_, count, uncompressedSize, least) => {
    const { text, pieces } = await load(zstdCompressSync(`[${rows(count)}]`), { uncompressedSize });
    expect(text).toBe(rows(count));
    expect(pieces.length).toBeGreaterThanOrEqual(least);
    expect(pieces.map(({ length }) => length)).toEqual(pieces.map(() => 0));
  });

  it.each([
    ['damaged bytes', Buffer.from('no zstd')],
    ['no bytes', Buffer.alloc(0)],
    ['nothing in it', zstdCompressSync('')],
    ['a missing end', zstdCompressSync(`[${rows(500_000)}]`).subarray(0, -9)],
    ['no bracket at its end', zstdCompressSync(`[${rows(500_000)},`)],
  ])('with %s is refused', async (_, content) => {
    expect(await readError(load(content, { uncompressedSize: 4_000_001 }))).toMatchObject({
      code: 'late',
      message: 'The rows that the server sent are damaged.',
    });
  });
});

describe.skipIf(!hasCluster)('the spooling protocol of Trino', () => {
  const cluster = useCluster(THREE_NODES);
  const open = (port: number, options: Readonly<Record<string, string>> = {}) =>
    openTrino({ host: cluster().host, port: String(port), user: 'test', spooling: 'true', ...options });

  /** A session whose answers with parts of a result are changed. */
  async function openChanged(change: (data: string) => string) {
    let isOpen = false;
    const proxy = await startHttpProxy(cluster().httpPort, (seen) => {
      if (!isOpen || !isPage(seen)) return 'forward';
      return (body) => Buffer.from(body.toString().replace(/"data":\{.*?\]\}(?=,"stats")/, change));
    });
    const connection = await open(proxy.port);
    isOpen = true;
    return connection;
  }

  it('returns the rows of the direct protocol, in order', async () => {
    const { httpPort } = cluster();
    const [spooled, direct] = [await open(httpPort), await open(httpPort, { spooling: 'false' })];
    const rows = await query(spooled, SELECT);
    expect(rows).toHaveLength(ROWS);
    expect(rows).toEqual(await query(direct, SELECT));
  });

  it('reads parts in the answers and parts in the storage, and acknowledges these', async () => {
    const types = new Set<string>();
    const proxy = await startHttpProxy(cluster().httpPort, (seen) => {
      if (!isPage(seen)) return 'forward';
      return (body) => {
        for (const [, type] of body.toString().matchAll(/"type":"(inline|spooled)"/g)) types.add(type!);
        return body;
      };
    });
    const connection = await open(proxy.port);
    expect(await countRows(connection, SELECT)).toBe(ROWS);
    expect([...types].sort()).toEqual(['inline', 'spooled']);
    const { headers } = proxy.seen.find(({ method }) => method === 'POST')!;
    expect(headers['x-trino-query-data-encoding']).toBe('json+zstd,json');
    expect(proxy.seen.some(({ path }) => path.startsWith('/v1/spooled/ack/'))).toBe(true);
  });

  it('sends no credentials to the storage', async () => {
    const storage = await startHttpProxy(0, (_, answer) => {
      answer.end('[[1,"x"]]');
      return 'answered';
    });
    const data = `"data":{"encoding":"json","segments":[{"type":"spooled","uri":"http://127.0.0.1:${storage.port}/part","headers":{"x-key":["k"]},"metadata":{}}]}`;
    const connection = await openChanged(() => data);
    expect(await query(connection, "SELECT 2, 'y'")).toEqual([[1, 'x']]);
    const { headers, path } = storage.seen[0]!;
    expect(path).toBe('/part');
    expect(headers['x-key']).toBe('k');
    const names = Object.keys(headers).filter((name) => /^(?:authorization|cookie|x-trino)/.test(name));
    expect(names).toEqual([]);
  });

  it('fetches few parts of an answer that names many', async () => {
    const storage = await startHttpProxy(0, ({ path }, answer) => {
      answer.end(`[[${path.slice(1)},"x"]]`);
      return 'answered';
    });
    const segments = Array.from(
      { length: 50 },
      (_, i) => `{"type":"spooled","uri":"http://127.0.0.1:${storage.port}/${i}","metadata":{}}`,
    );
    const data = `"data":{"encoding":"json","segments":[${segments}]}`;
    const [connection, other] = [await openChanged(() => data), await open(cluster().httpPort)];
    const result = await connection.run("SELECT 2, 'y'", never);
    // All requests that were sent before this one arrive meanwhile.
    await query(other, 'SELECT 1');
    expect(storage.seen.length).toBeLessThanOrEqual(5);
    expect((await readRows(result)).rows).toEqual(segments.map((_, i) => [i, 'x']));
    expect(storage.seen).toHaveLength(50);
  });

  it.each([
    ['another encoding', 'late|unreachable', (data: string) => data.replace('"json+zstd"', '"json+rot13"')],
    [
      'a missing part',
      'unreachable',
      (data: string) => data.replace(/(?<="uri":"http:\/\/[^/]*\/)[^"?]*/, 'none'),
    ],
    ['a storage that is a file', 'unreachable', (data: string) => data.replace(/(?<="uri":")http:/, 'file:')],
  ])('fails with %s', async (_, codes, change) => {
    const connection = await openChanged(change);
    const { code, message } = await readError(connection.run(SELECT, never).then(readRows));
    expect(codes.split('|')).toContain(code);
    expect(message).toMatch(/rot13|storage/);
  });

  it('cancels a query with parts that are not read', async () => {
    const connection = await open(cluster().httpPort);
    const stop = new AbortController();
    const result = await connection.run('SELECT * FROM tpch.sf1.lineitem', stop.signal);
    if (result.kind !== 'rows') throw new Error('no result set');
    const reading = (async () => {
      for await (const _ of result.chunks) stop.abort();
    })();
    expect(await readError(reading)).toMatchObject({ code: 'cancelled' });
    expect(await countRows(connection, 'SELECT 1')).toBe(1);
  });
});
