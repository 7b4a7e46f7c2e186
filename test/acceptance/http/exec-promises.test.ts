import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createClient, expectRefusal } from '../../support/http.ts';
import { findEngine, hasProc, readBusiest, readResident, readWork } from '../../support/processes.ts';
import { createToken, runQuern, type Shared } from '../../support/server.ts';
import { eventually, readWhile, waitUntilStalled } from '../../support/waiting.ts';
import {
  BUSY,
  ENDLESS,
  listExecutions,
  rowsOf,
  runSql,
  startQuery,
  startWith,
  untilListed,
} from './executing.ts';
import { covers } from './rows.ts';

const GIB = 1024 ** 3;
const DEADLINE_MS = 2_000;

/** They ignore an interrupt, or need memory beyond every limit of the database. */
const STUBBORN: readonly (readonly [name: string, sql: string, statuses: readonly number[]])[] = [
  ['a list of a thousand million', 'SELECT len(range(1000000000))', [422]],
  ['a string of three thousand million characters', "SELECT len(repeat('x', 3000000000))", [422, 503, 504]],
  [
    'fifty thousand queries in one',
    Array.from({ length: 50_000 }, () => 'SELECT 1').join(' UNION ALL '),
    [200, 422, 503, 504],
  ],
  ['a cross join', BUSY, [504]],
];

/** Observes a server while `work` runs. */
async function watch<T>({ server, admin }: Shared, work: Promise<T>) {
  const seen = { memory: 0, busiest: 0, reads: [] as number[] };
  const result = await readWhile(work, async () => {
    const engine = findEngine(server.pid);
    if (engine !== undefined) {
      seen.memory = Math.max(seen.memory, readResident(engine));
      seen.busiest = Math.max(seen.busiest, readBusiest(engine) * 10);
    }
    seen.reads.push((await admin.read('@Shared')).status);
  });
  return { result, ...seen };
}

async function insert({ admin }: Shared): Promise<void> {
  rowsOf(await runSql(admin, 'CREATE TABLE IF NOT EXISTS t (x INT); INSERT INTO t FROM range(1000)'));
}

/** Waits until an engine runs: its start counts towards the time limit of an execution, which is short here. */
async function untilEngineRuns({ admin }: Shared): Promise<void> {
  await eventually(async () => rowsOf(await runSql(admin, 'SELECT 1')));
}

async function countRows({ admin }: Shared): Promise<unknown> {
  return rowsOf(await runSql(admin, 'SELECT count(*) FROM t'));
}

describe.skipIf(!hasProc)('a stubborn statement', () => {
  it.each(STUBBORN)(`${covers('stubborn statement')} (%s)`, async (_, sql, statuses) => {
    const shared = await startWith(`exec_timeout = ${DEADLINE_MS / 1_000}`, 'exec_memory = "500MB"');
    await untilEngineRuns(shared);
    await insert(shared);
    const { result, memory, busiest, reads } = await watch(shared, runSql(shared.admin, sql));
    // On a busy machine more time passes, but a statement cannot use more processor time.
    expect(busiest).toBeLessThan(DEADLINE_MS + 5_000);
    // The ceiling is one and a half times the limit plus 1 GiB; it is checked four times a second.
    expect(memory).toBeLessThan(2.5 * GIB);
    expect(reads.length).toBeGreaterThan(0);
    expect(new Set(reads)).toEqual(new Set([200]));
    expect(statuses).toContain(result.status);
    expect(await listExecutions(shared.admin)).toEqual([]);
    await untilEngineRuns(shared);
    expect(await countRows(shared)).toEqual([[1_000]]);
  });
});

describe.skipIf(!hasProc)('an engine that is killed', () => {
  it(covers('lost engine', 'exec: status 503'), async () => {
    const shared = await startWith('exec_running = 20', 'exec_per_user = 40');
    const { server, admin } = shared;
    // After each crash an execution of the administrator ends, so that only Bob remains a suspect after the second.
    await runQuern(server.cwd, 'user create bob --role ADMIN');
    const bob = createClient(server.url, await createToken(server.cwd, 'bob'));
    for (let round = 1; round <= 3; round += 1) {
      await insert(shared);
      const engine = findEngine(server.pid)!;
      const busy = Array.from({ length: 6 }, (_, i) => runSql(i === 0 ? bob : admin, BUSY));
      const streams = await Promise.all(
        ['text/csv', 'application/json', 'application/vnd.apache.arrow.stream'].map(
          async (accept) =>
            (await once(startQuery(shared, ENDLESS, accept), 'response'))[0] as IncomingMessage,
        ),
      );
      const bodies = streams.map((incoming) => drain(incoming));
      await untilListed(admin, 9);
      process.kill(engine, 'SIGKILL');
      for (const answer of await Promise.all(busy)) {
        expectRefusal(answer, 503, 'the engine was restarted; run it again');
        expect(answer.headers['retry-after']).toBe('1');
      }
      expect(await Promise.all(bodies)).toEqual(bodies.map(() => 'aborted'));
      expect(await countRows(shared)).toEqual([[round * 1_000]]);
      expect(findEngine(server.pid)).not.toBe(engine);
    }
    expect(await listExecutions(admin)).toEqual([]);
    expect(server.log()).toContain('has ended by itself: SIGKILL');
    expect((await runSql(bob, 'SELECT 1')).status).toBe(429);
  });
});

/** Reads a body and discards it; returns how it ended. */
async function drain(incoming: IncomingMessage): Promise<string> {
  try {
    for await (const _ of incoming);
    return 'whole';
  } catch (error) {
    return (error as Error).message;
  }
}

describe.skipIf(!hasProc)('a query', () => {
  /** No request works for any user now. */
  async function expectIdle({ server, admin }: Shared): Promise<void> {
    await untilListed(admin, 0);
    const engine = findEngine(server.pid)!;
    await waitUntilStalled(() => readWork(engine));
    expect(rowsOf(await runSql(admin, 'SELECT 1'))).toEqual([[1]]);
    expect(findEngine(server.pid)).toBe(engine);
  }

  it(covers('gone client'), async () => {
    const shared = await startWith('exec_per_user = 40');
    rowsOf(await runSql(shared.admin, 'SELECT 1'));
    for (const sql of [BUSY, ENDLESS, `CREATE TEMP TABLE x AS ${ENDLESS} ORDER BY random(); FROM x`]) {
      const outgoing = startQuery(shared, sql);
      if (sql === ENDLESS) await once(outgoing, 'response');
      await untilListed(shared.admin, 1);
      outgoing.destroy();
      await expectIdle(shared);
    }
  });

  it(covers('withdrawn rights'), async () => {
    const shared = await startWith('exec_per_user = 40');
    const { server, admin } = shared;
    const { cwd, url } = server;
    await runQuern(cwd, 'user create ada');
    const changes: readonly (() => Promise<unknown>)[] = [
      () => runQuern(cwd, 'user set ada --disabled'),
      () => admin.send('DELETE', '/manage/tokens/doomed?owner=ada'),
    ];
    for (const change of changes) {
      await runQuern(cwd, 'user set ada --enabled');
      const doomed = (await runQuern(cwd, 'token create --name doomed --user ada')).trim();
      const other = await createToken(cwd, 'ada');
      const running = runSql(createClient(url, doomed), BUSY);
      const stream = startQuery({ ...shared, token: doomed }, ENDLESS);
      const body = drain((await once(stream, 'response'))[0]);
      await untilListed(admin, 2);
      await change();
      expectRefusal(await running, 409, 'the execution was cancelled');
      expect(await body).toBe('aborted');
      await expectIdle(shared);
      if (change === changes[1])
        expect(rowsOf(await runSql(createClient(url, other), 'SELECT 1'))).toEqual([[1]]);
      else
        await runQuern(cwd, 'user set ada --enabled').then(() =>
          runQuern(cwd, 'token rm doomed --user ada --yes'),
        );
    }
  });
});

describe('fifty exports at once', () => {
  it(covers('many exports'), async () => {
    const shared = await startWith('exec_per_user = 60', 'exec_queued = 200');
    const exports = Array.from({ length: 50 }, async (_, at) => {
      const isCsv = at % 2 === 0;
      const accept = isCsv ? 'text/csv' : 'application/x-ndjson';
      const sql = `SELECT ${at} AS n, range AS x, repeat('x', 50) AS s FROM range(60000)`;
      const [incoming] = await once(startQuery(shared, sql, accept), 'response');
      expect(incoming.statusCode).toBe(200);
      const lines = (await text(incoming)).trimEnd().split('\n');
      expect(lines).toHaveLength(isCsv ? 60_001 : 60_000);
      const last = isCsv
        ? lines.at(-1)!.split(',').slice(0, 2)
        : Object.values(JSON.parse(lines.at(-1)!)).slice(0, 2);
      expect(last.map(Number)).toEqual([at, 59_999]);
    });
    await Promise.all(exports);
    expect(await listExecutions(shared.admin)).toEqual([]);
  });
});
