import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSome } from '../../support/http.ts';
import { countOpenFiles, findEngine, hasProc, readResident } from '../../support/processes.ts';
import { waitUntilStalled } from '../../support/waiting.ts';
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

const MEGABYTE = 1024 * 1024;
/** The number of requests at once, and of moments at which their clients disconnect. */
const [BATCH, STEPS] = [40, 10];

describe.skipIf(!hasProc)('memory', () => {
  it.each(['text/csv', 'application/vnd.apache.arrow.stream'])(
    `${covers('slow reader')} (%s)`,
    async (accept) => {
      const shared = await startWith();
      const { server, admin } = shared;
      const wide = "SELECT range AS x, repeat('x', 200) || range AS s FROM range(100000000000)";
      const [incoming] = await once(startQuery(shared, wide, accept), 'response');
      await readSome(incoming, 64 * MEGABYTE);
      const both = [server.pid, findEngine(server.pid)!];
      const before = both.map(readResident);
      const sentBefore = (await listExecutions(admin))[0]!.bytes;
      for (let piece = 0; piece < 8; piece += 1) {
        await readSome(incoming, MEGABYTE);
        await waitUntilStalled(async () => (await listExecutions(admin))[0]!.bytes);
        const grown = both.map((pid, at) => readResident(pid) - before[at]!);
        expect(Math.max(...grown)).toBeLessThan(96 * MEGABYTE);
      }
      // The reader determines the speed.
      const sent = (await listExecutions(admin))[0]!.bytes - sentBefore;
      expect(sent).toBeLessThan(64 * MEGABYTE);
      incoming.destroy();
      await untilListed(admin, 0);
    },
  );
});

describe.skipIf(!hasProc)('a thousand requests whose clients disconnect', () => {
  it(covers('no leaks'), async () => {
    const shared = await startWith('exec_running = 20', 'exec_queued = 100', 'exec_per_user = 100');
    const { server, admin } = shared;
    const home = (name: string) => path.join(server.cwd, '.quern', name);
    rowsOf(await runSql(admin, 'CREATE TABLE t AS SELECT range AS x FROM range(3000000)'));
    const queries = [
      ENDLESS,
      BUSY,
      'SELECT 1; SELECT x, random() AS r FROM t ORDER BY r',
      'FROM t ORDER BY x',
    ];
    const start = (count: number) => {
      const outgoing = startQuery(shared, queries[count % queries.length]!);
      const closed = new Promise((resolve) => outgoing.once('close', resolve));
      return { outgoing, closed };
    };
    /** Starts requests, and disconnects one of each query after each answer of the server to another request. */
    const giveUp = async (batch: number) => {
      const requests = Array.from({ length: BATCH }, (_, at) => start(at));
      for (let step = 0; step < STEPS; step += 1) {
        for (const [at, { outgoing }] of requests.entries())
          if ((Math.floor(at / queries.length) * 7 + batch) % STEPS === step) outgoing.destroy();
        await admin.read('@Shared');
      }
      await Promise.all(requests.map(({ closed }) => closed));
    };
    const all = async (count: number) => {
      for (let batch = 0; batch < count / BATCH; batch += 1) await giveUp(batch);
      await untilListed(admin, 0);
      expect(rowsOf(await runSql(admin, 'SELECT count(*) FROM t'))).toEqual([[3_000_000]]);
    };
    await all(80);
    const engine = findEngine(server.pid)!;
    const count = () => [server.pid, engine].map(countOpenFiles);
    const before = count();
    await all(1_000);
    expect(findEngine(server.pid)).toBe(engine);
    // The test's connections to the server close gradually.
    const grown = count().map((files, at) => files - before[at]!);
    expect(Math.max(...grown)).toBeLessThanOrEqual(4);
    const [run] = readdirSync(home('tmp'));
    const listLeft = () =>
      readdirSync(path.join(home('tmp'), run!), { recursive: true })
        .map(String)
        .filter((name) => !/^engine-[\w-]+$/.test(name) && !/^[0-9a-f-]{36}$/.test(name));
    // The server can start a request whose client has disconnected; a spool has a name for a moment.
    await expect.poll(listLeft).toEqual([]);
    expect(readdirSync(home('staging'))).toEqual([]);
    expect(server.log()).not.toMatch(/"level":"(error|fatal)"/);
  });
});
