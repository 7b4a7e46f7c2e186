import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readSome } from '../../support/http.ts';
import { eventually, waitUntilStalled } from '../../support/waiting.ts';
import { openRaw } from '../raw.ts';
import { covers } from './rows.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const TYPES = ['application/json', 'text/csv', 'application/x-ndjson', 'application/vnd.apache.arrow.stream'];
const MEGABYTE = 1024 * 1024;
/** Rows for a while, and then an error. */
const LATE =
  "SELECT CASE WHEN range = 1000000 THEN error('too late') ELSE range END AS x FROM range(2000000)";
/** Rows without end. */
const ENDLESS = 'SELECT range AS x FROM range(100000000000)';
/** Few rows and much work. */
const BUSY = 'SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range * b.range % 7 = 3';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

function bodyOf(sql: string): string {
  return JSON.stringify({ sql, connection: { name: 'duckdb' } });
}

/** Sends a request, and does not read its answer. */
function start({ url, token }: ExecWorld, sql: string, headers = {}): ClientRequest {
  const outgoing = request(`${url}/api/v1/exec/sql`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
  outgoing.on('error', () => undefined);
  outgoing.end(bodyOf(sql));
  return outgoing;
}

async function open(world: ExecWorld, sql: string, headers = {}): Promise<IncomingMessage> {
  const [incoming] = await once(start(world, sql, headers), 'response');
  return incoming;
}

/** The child processes of this process. */
function listChildren(): readonly number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

function isEngine(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine-process');
}

/** The content of the chunks of an answer, which are complete. */
function readChunks(answer: string): string {
  let body = '';
  for (let at = answer.indexOf('\r\n\r\n') + 4; ; ) {
    const end = answer.indexOf('\r\n', at);
    const length = Number.parseInt(answer.slice(at, end), 16);
    if (length === 0) return body;
    body += answer.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
  }
}

/** The number of executions. */
async function countRunning({ ask }: ExecWorld): Promise<number> {
  const { body } = await ask('GET', '/api/v1/executions');
  return (body as { data: readonly unknown[] }).data.length;
}

async function untilIdle(world: ExecWorld): Promise<void> {
  await eventually(async () => expect(await countRunning(world)).toBe(0));
}

describe('an error after the first bytes', () => {
  it.each(TYPES)(`${covers('late error')} (%s)`, async (accept) => {
    const world = await createExecWorld();
    for (const encoding of ['identity', 'gzip', 'zstd']) {
      const incoming = await open(world, LATE, { accept, 'accept-encoding': encoding });
      expect(incoming.statusCode).toBe(200);
      let bytes = 0;
      const reading = async () => {
        for await (const chunk of incoming) bytes += chunk.length;
      };
      await expect(reading()).rejects.toThrow('aborted');
      expect(incoming.complete).toBe(false);
      expect(bytes).toBeGreaterThan(64 * 1024);
    }
    await untilIdle(world);
    expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
    const broken = world.log.filter(({ msg }) => msg === 'the response was cut off');
    expect(broken.map(({ refusal }) => refusal)).toEqual([422, 422, 422]);
  });

  it('leaves no last chunk and no closing bracket', async () => {
    const { port, token } = await createExecWorld();
    const connection = await openRaw(port);
    const body = bodyOf(LATE);
    connection.send(
      `POST /api/v1/exec/sql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const received = await connection.rest();
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(received).toMatch(/\r\ntransfer-encoding: chunked\r\n/i);
    expect(received.slice(-40)).not.toMatch(/\r\n0\r\n|\]\}|stats/);
  });

  it.skipIf(!hasCurl).each(TYPES)('makes curl fail: %s', async (accept) => {
    const { url, token } = await createExecWorld();
    for (const version of ['--http1.1', '--http1.0']) {
      const args = [
        '-s',
        version,
        '-o',
        '/dev/null',
        '-H',
        `Authorization: Bearer ${token}`,
        '-H',
        `Accept: ${accept}`,
      ];
      const curl = spawn('curl', [
        ...args,
        '-H',
        'Content-Type: application/json',
        '-d',
        bodyOf(LATE),
        `${url}/api/v1/exec/sql`,
      ]);
      const [code] = await once(curl, 'exit');
      expect([18, 56]).toContain(code);
    }
  });

  it('does not occur for a client of HTTP/1.0 without an error', async () => {
    const { port, token } = await createExecWorld();
    const connection = await openRaw(port);
    const body = bodyOf('SELECT * FROM range(100000)');
    connection.send(
      `POST /api/v1/exec/sql HTTP/1.0\r\nAuthorization: Bearer ${token}\r\n` +
        `Accept: text/csv\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const received = await connection.rest();
    expect(received.slice(-12)).toBe('99998\n99999\n');
  });
});

/** Waits until an unread answer stops growing; returns the number of sent bytes. */
function waitForHalt(world: ExecWorld): Promise<number> {
  return waitUntilStalled(async () => {
    const { body } = await world.ask('GET', '/api/v1/executions');
    return (body as { data: readonly { bytes: number }[] }).data[0]?.bytes ?? 0;
  });
}

describe.skipIf(process.platform !== 'linux')('an engine that is lost', () => {
  it('breaks the answer, also when the client does not read', async () => {
    const world = await createExecWorld();
    const incoming = await open(world, ENDLESS, { accept: 'text/csv' });
    await once(incoming, 'readable');
    await waitForHalt(world);
    for (const pid of listChildren()) if (isEngine(pid)) process.kill(pid, 'SIGKILL');
    await untilIdle(world);
    await expect(text(incoming)).rejects.toThrow('aborted');
    expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
    const broken = world.log.filter(({ msg }) => msg === 'the response was cut off');
    expect(broken.map(({ refusal }) => refusal)).toEqual([503]);
  });
});

describe('long answers on one connection', () => {
  it('arrive complete, one after another, and the next request is accepted', async () => {
    const world = await createExecWorld();
    const connection = await openRaw(world.port);
    const ask = (sql: string, more = '') => {
      const body = bodyOf(sql);
      connection.send(
        `POST /api/v1/exec/sql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.token}\r\nAccept: text/csv\r\n` +
          `${more}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    };
    // The second request is sent during the first answer.
    ask('SELECT * FROM range(300000)');
    ask('SELECT * FROM range(300000)');
    await eventually(async () => expect(await countRunning(world)).toBe(0));
    ask('SELECT 42 AS x', 'Connection: close\r\n');
    const answers = (await connection.rest()).split('HTTP/1.1 200 OK\r\n').slice(1);
    expect(answers).toHaveLength(3);
    const whole = `range\n${Array.from({ length: 300_000 }, (_, i) => `${i}\n`).join('')}`;
    for (const answer of answers.slice(0, 2)) expect(readChunks(answer) === whole).toBe(true);
    expect(answers[2]).toMatch(/\r\n\r\nx\n42\n$/);
    const answered = () =>
      world.log.filter(({ msg, path }) => msg === 'answered' && path === '/api/v1/exec/sql');
    await eventually(() => expect(answered()).toHaveLength(3));
  });
});

describe('a client that disconnects', () => {
  it(covers('gone client'), async () => {
    const world = await createExecWorld();
    for (const sql of [ENDLESS, BUSY]) {
      const outgoing = start(world, sql);
      if (sql === ENDLESS) await once(outgoing, 'response');
      await eventually(async () => expect(await countRunning(world)).toBe(1));
      outgoing.destroy();
      await untilIdle(world);
    }
    expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
    expect(world.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it('may be one of many, at any moment', async () => {
    const world = await createExecWorld();
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const outgoing = start(world, ENDLESS, { accept: TYPES[at % TYPES.length] });
        if (at % 2 === 0) await once(outgoing, 'response');
        // The server is in this process: each turn of the event loop is a step of its work.
        else for (let turn = 0; turn < at; turn += 1) await nextTurn();
        outgoing.destroy();
      }),
    );
    await untilIdle(world);
    expect(rowsOf(await world.sql('SELECT 1'))).toEqual([[1]]);
    expect(world.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

describe('a client that reads slowly', () => {
  it(covers('slow client'), async () => {
    const world = await createExecWorld();
    const incoming = await open(world, ENDLESS, { accept: 'text/csv' });
    await readSome(incoming, 8 * MEGABYTE);
    const before = await waitForHalt(world);
    const memory = process.memoryUsage().rss;
    expect(before).toBeLessThan(8 * MEGABYTE + 24 * MEGABYTE);
    for (let piece = 0; piece < 4; piece += 1) {
      await readSome(incoming, MEGABYTE);
      await waitForHalt(world);
    }
    expect(process.memoryUsage().rss - memory).toBeLessThan(128 * MEGABYTE);
    incoming.destroy();
    await untilIdle(world);
  });

  it('gets the complete answer in the end', async () => {
    const world = await createExecWorld();
    const incoming = await open(world, 'SELECT * FROM range(2000000)', { accept: 'text/csv' });
    await waitForHalt(world);
    const rows = await text(incoming);
    expect(rows.length).toBe(
      'range\n'.length + 10 * 2 + 90 * 3 + 900 * 4 + 9_000 * 5 + 90_000 * 6 + 900_000 * 7 + 1_000_000 * 8,
    );
  });
});

describe('many clients at once', () => {
  it('all get complete responses, and do not delay others', async () => {
    const world = await createExecWorld();
    const all = Array.from({ length: 50 }, async (_, at) => {
      const incoming = await open(world, `SELECT ${at} AS n, range AS x FROM range(50000)`, {
        accept: 'text/csv',
      });
      const lines = (await text(incoming)).split('\n');
      expect(lines).toHaveLength(50_002);
      expect(lines.at(-2)).toBe(`${at},49999`);
    });
    await Promise.all([...all, world.ask('GET', '/health/live')]);
    await untilIdle(world);
  });
});

describe('the first rows', () => {
  it('arrive before the last ones are computed', async () => {
    const world = await createExecWorld();
    for (const encoding of ['identity', 'gzip', 'zstd']) {
      const incoming = await open(world, ENDLESS, { 'accept-encoding': encoding });
      const [chunk] = await once(incoming, 'data');
      expect(chunk.length).toBeGreaterThan(100);
      incoming.destroy();
    }
    await untilIdle(world);
  });
});
