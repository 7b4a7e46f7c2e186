import { describe, expect, it } from 'vitest';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { waitUntil } from '../../../support/waiting.ts';
import { countRows, never, query, readError, readRows } from '../results.ts';
import { type Handle, type SeenRequest, startHttpProxy } from './http-proxy.ts';
import { openTrino } from './sessions.ts';

const SELECT = 'SELECT orderkey, comment FROM tpch.tiny.orders';
const ROWS = 15_000;
/** Rows of many pages. */
const LONG = 'SELECT * FROM tpch.sf1.lineitem';

function isPage({ method, path }: SeenRequest): boolean {
  return method === 'GET' && path.startsWith('/v1/statement/executing');
}

function isStatement({ method }: SeenRequest): boolean {
  return method === 'POST';
}

describe.skipIf(!hasCluster)('the protocol of Trino', () => {
  const cluster = useCluster();
  /** A session behind a proxy; `handle` sees only requests after its start. */
  const open = async (handle: Handle, options: Readonly<Record<string, string>> = {}) => {
    let isOpen = false;
    const { host, httpPort } = cluster();
    const proxy = await startHttpProxy(httpPort, (seen, answer) =>
      isOpen ? handle(seen, answer) : 'forward',
    );
    const connection = await openTrino({ host, port: String(proxy.port), user: 'test', ...options });
    isOpen = true;
    const from = proxy.seen.length;
    return {
      connection,
      proxy,
      count: (is: (seen: SeenRequest) => boolean) => proxy.seen.slice(from).filter(is).length,
    };
  };
  /** A session without a proxy. */
  const openPlain = () => {
    const { host, httpPort } = cluster();
    return openTrino({ host, port: String(httpPort), user: 'watcher' });
  };

  it.each([502, 503, 504, 429])('repeats a request for rows that is answered with %i', async (status) => {
    let turn = 0;
    const { connection } = await open((seen, answer) => {
      turn += 1;
      if (seen.method !== 'GET' || turn % 2 === 0) return 'forward';
      answer.writeHead(status, status === 429 ? { 'retry-after': '0' } : {}).end('busy');
      return 'answered';
    });
    expect(await countRows(connection, SELECT)).toBe(ROWS);
  });

  it.each([502, 503, 504])('sends a statement once, also if it is answered with %i', async (status) => {
    const { connection, count } = await open((_, answer) => {
      answer.writeHead(status).end('<html>busy</html>');
      return 'answered';
    });
    const error = await readError(connection.run(SELECT, never));
    expect(error).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`status ${status}`),
    });
    expect(error.message).not.toContain('html');
    expect(count(isStatement)).toBe(1);
  });

  it('sends a statement again that the server has refused for now', async () => {
    let refusals = 2;
    const { connection, count } = await open((seen, answer) => {
      if (!isStatement(seen) || refusals === 0) return 'forward';
      refusals -= 1;
      answer.writeHead(429, { 'retry-after': '1' }).end();
      return 'answered';
    });
    expect(await countRows(connection, SELECT)).toBe(ROWS);
    expect(count(isStatement)).toBe(3);
  });

  it('cancels a statement that the server has refused for now', async () => {
    const stop = new AbortController();
    const { connection, count } = await open((_, answer) => {
      answer.writeHead(429, { 'retry-after': '9999' }).end(() => stop.abort());
      return 'answered';
    });
    expect(await readError(connection.run(SELECT, stop.signal))).toMatchObject({ code: 'cancelled' });
    expect(count(isStatement)).toBe(1);
  });

  it('reads an answer again whose connection breaks in its middle', async () => {
    let broken = 0;
    const { connection } = await open((seen) => {
      if (!isPage(seen)) return 'forward';
      return (body, answer) => {
        broken += 1;
        if (broken % 3 !== 1) return body;
        answer.writeHead(200, { 'content-length': String(body.length) });
        answer.write(body.subarray(0, body.length >> 1), () => answer.destroy());
        return body;
      };
    });
    expect(await countRows(connection, SELECT)).toBe(ROWS);
    expect(broken).toBeGreaterThan(1);
  });

  it('asks for the next answer while the rows of one are read', async () => {
    const { connection, count } = await open(() => 'forward');
    const result = await connection.run(LONG, never);
    if (result.kind === 'done') throw new Error('no result set');
    /** The number of answers asked for at each chunk of an answer. */
    const answers: number[][] = [[]];
    for await (const { rows } of result.chunks) {
      answers.at(-1)!.push(count(isPage));
      if (rows < 2048) answers.push([]);
      if (answers.length > 40) break;
    }
    const long = answers.filter((own) => own.length > 3);
    expect(long.length).toBeGreaterThan(10);
    const isAhead = (own: readonly number[]) => own.at(-1)! > own[0]!;
    expect(long.filter(isAhead).length).toBeGreaterThan(long.length / 2);
  });

  it('does not follow the server to another address', async () => {
    const other = await startHttpProxy(0, () => 'answered');
    const { connection } = await open(() => (body) => {
      return Buffer.from(
        body.toString().replace(/(?<="nextUri":"http:\/\/127\.0\.0\.1:)\d+/, String(other.port)),
      );
    });
    const { code, message } = await readError(connection.run(SELECT, never));
    expect(code).toBe('unreachable');
    expect(message).toContain(`another address (http://127.0.0.1:${other.port}/v1/statement/`);
    expect(other.seen).toEqual([]);
  });

  it.each([
    [302, { location: 'https://sso.example.com/' }, 'it redirects to https://sso.example.com/'],
    [404, {}, 'is not a Trino server'],
  ])('reports an answer of status %i', async (status, headers, message) => {
    const { connection } = await open((_, answer) => {
      answer.writeHead(status, headers).end();
      return 'answered';
    });
    expect(await readError(connection.run(SELECT, never))).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(message),
    });
  });

  it.each(['<html></html>', '{"id": 1', '[[1]]', 'null', ''])(
    'reports an answer that is not one of Trino: %s',
    async (text) => {
      const { connection } = await open((_, answer) => {
        answer.writeHead(200).end(text);
        return 'answered';
      });
      const { code, message } = await readError(connection.run(SELECT, never));
      expect([code, message]).toEqual(['unreachable', expect.stringContaining('not one of Trino')]);
    },
  );

  it.each(['[1', '[1,2]]', '[}', '["a'])('reports damaged rows: %s', async (rows) => {
    const { connection } = await open((seen) => {
      if (!isPage(seen)) return 'forward';
      return (body) => Buffer.from(body.toString().replace(/"data":\[.*?\](?=,"stats")/, `"data":[${rows}]`));
    });
    const { code, message } = await readError(connection.run('SELECT 1, 2', never).then(readRows));
    expect(code).toMatch(/late|unreachable/);
    expect(message).toMatch(/damaged|not one of Trino/);
  });

  it('ends with an error when the server goes away', async () => {
    const { connection, proxy } = await open(() => 'forward');
    const result = await connection.run(LONG, never);
    proxy.stop();
    expect(await readError(readRows(result))).toMatchObject({ code: 'unreachable' });
  });

  it('tells the server that a slow reader still reads', async () => {
    const { connection, count } = await open(() => 'forward');
    const result = await connection.run(`${LONG} LIMIT 300000`, never);
    if (result.kind !== 'rows') throw new Error('no result set');
    let rows = 0;
    for await (const chunk of result.chunks) {
      // The server forgets a query after 15 seconds; signs of life are sent each 5 seconds.
      if (rows === 0) await waitUntil(() => count(({ method }) => method === 'HEAD') >= 4);
      rows += chunk.rows;
    }
    expect(rows).toBe(300_000);
  });

  it('ends with the message of a server that has forgotten the query', async () => {
    const { connection } = await open((seen, answer) => {
      if (seen.method !== 'HEAD') return 'forward';
      answer.end();
      return 'answered';
    });
    const text = `${LONG} /* ${Math.random()} */`;
    const result = await connection.run(text, never);
    const other = await openPlain();
    const find = `SELECT error_code FROM system.runtime.queries WHERE query = '${text}' AND state = 'FAILED'`;
    const [[name] = []] = await waitUntil(async () => {
      const rows = await query(other, find);
      return rows.length > 0 && rows;
    });
    // On a busy machine, a node may have lost the query before.
    expect(await readError(readRows(result))).toMatchObject({
      code: 'unreachable',
      cause: { errorName: name },
    });
  });
});

describe.skipIf(!hasCluster)('a cancellation on Trino', () => {
  const cluster = useCluster();
  const openPlain = (user: string) => {
    const { host, httpPort } = cluster();
    return openTrino({ host, port: String(httpPort), user });
  };

  /** Waits until the server lists a statement in a state. */
  async function waitForState(text: string, state: string): Promise<void> {
    const other = await openPlain('watcher');
    const find = `SELECT 1 FROM system.runtime.queries WHERE query = '${text}' AND state = '${state}'`;
    await waitUntil(async () => (await query(other, find)).length > 0);
  }

  it('of a statement that has just been sent reaches the server', async () => {
    const { host, httpPort } = cluster();
    const stop = new AbortController();
    let isOpen = false;
    const proxy = await startHttpProxy(httpPort, (seen) => {
      if (!isOpen || !isStatement(seen)) return 'forward';
      // The server has the statement, and the client does not know yet.
      return (body) => {
        stop.abort();
        return body;
      };
    });
    const connection = await openTrino({ host, port: String(proxy.port), user: 'test' });
    isOpen = true;
    const text = `SELECT count(*) FROM tpch.sf1000.lineitem /* ${Math.random()} */`;
    expect(await readError(connection.run(text, stop.signal))).toMatchObject({ code: 'cancelled' });
    await waitForState(text, 'FAILED');
  });

  it('of unread rows ends the query on the server', async () => {
    const connection = await openPlain('test');
    const stop = new AbortController();
    const text = `SELECT * FROM tpch.sf1.lineitem /* ${Math.random()} */`;
    const result = await connection.run(text, stop.signal);
    stop.abort();
    await waitForState(text, 'FAILED');
    expect(await readError(readRows(result))).toMatchObject({ code: 'cancelled' });
  });

  it('by the end of the session ends the query on the server', async () => {
    const connection = await openPlain('test');
    const text = `SELECT * FROM tpch.sf1.lineitem /* ${Math.random()} */`;
    const result = await connection.run(text, never);
    await connection.close();
    await waitForState(text, 'FAILED');
    await expect(readRows(result)).rejects.toThrow('has been left');
  });
});
