import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { getPriority } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNanoClock } from '../../../src/engine/run/outcome/clock.ts';
import { Outlet } from '../../../src/execution/contract/outlet.ts';
import { createInThreadHost } from '../../../src/execution/in-thread/in-thread.ts';
import { countOpenFiles, readResident } from '../../support/processes.ts';
import { waitUntil, waitUntilBusy, waitUntilStalled } from '../../support/waiting.ts';
import { ENDLESS, errorOf, makeProcessHost, never, runOn, toRequest, waitUntilHostBusy } from '../hosts.ts';

const ROWS = `select range as n, range / 3 as d, 'text ' || range as t, [range, null] as l,
  case when range % 3 = 0 then null else date '2024-01-01' + range::int end as day from range(60000)`;

/** Statistics differ from run to run. */
const withoutStats = (output: Buffer) => output.toString('latin1').replace(/"stats":.*/s, '');

/**
 * A sink that takes parts until it has a number of bytes, and continues when the number is raised: `most` is the greatest
 * number of simultaneous writes.
 */
function createSteppedSink() {
  let open = 0;
  let limit = 0;
  let raised = Promise.withResolvers<void>();
  const sink = {
    most: 0,
    bytes: 0,
    async write(part: Uint8Array) {
      open += 1;
      sink.most = Math.max(sink.most, open);
      while (sink.bytes >= limit) await raised.promise;
      sink.bytes += part.length;
      open -= 1;
    },
  };
  const takeUntil = (bytes: number) => {
    limit = bytes;
    raised.resolve();
    raised = Promise.withResolvers<void>();
  };
  return { sink, takeUntil };
}

describe('the process host', () => {
  it.each(['json', 'ndjson', 'csv', 'markdown', 'arrow', 'parquet', 'table'] as const)(
    'answers in %s as the in-thread host does',
    async (format) => {
      const { host, folder } = makeProcessHost();
      const thread = createInThreadHost(createNanoClock());
      onTestFinished(() => thread.close());
      for (const text of [ROWS, 'select 42 as x', 'select 1 as x where false', 'create table t (x int)']) {
        for (const script of [text, `${text}; select 2`]) {
          const [own, expected] = [
            await runOn(host, toRequest(script, folder, { format })),
            await runOn(thread, toRequest(script, folder, { format })),
          ];
          expect(withoutStats(own.output)).toBe(withoutStats(expected.output));
          expect({ ...own.outcome, stats: null }).toEqual({ ...expected.outcome, stats: null });
        }
      }
      expect(readdirSync(folder)).toEqual(['run']);
    },
  );

  it('stops a run whose scripts are still being sent, and continues with others', async () => {
    const { host, folder } = makeProcessHost();
    await runOn(host, toRequest('select 1', folder));
    const files = [{ name: 'a.sql', text: `-- ${'x'.repeat(15_000_000)}\nselect 1 as x` }];
    const snapshot = {
      needs: [{ id: 'a' }] as const,
      packages: [{ id: 'a', name: 'a', files, unreadable: [], imports: {} }],
    };
    const large = toRequest('', folder, { work: { kind: 'script', snapshot, file: 'a.sql' } });
    const leaving = new AbortController();
    const stopped = runOn(host, large, leaving.signal);
    const short = runOn(host, toRequest('select 2 as x', folder));
    setImmediate(() => leaving.abort());
    expect(errorOf((await stopped).outcome).code).toBe('cancelled');
    expect(String((await short).output)).toContain('2');
    expect(String((await runOn(host, large)).output)).toContain('1');
  });

  it('reports the errors of the in-thread host, with the same positions in the text', async () => {
    const { host, folder } = makeProcessHost();
    const thread = createInThreadHost(createNanoClock());
    onTestFinished(() => thread.close());
    const late = "select case when range = 3000000 then error('too late') else range end from range(5000000)";
    const refused = ['selec 1', 'select 1;\n select nope', 'select $x', '', late, `select 1; ${late}`];
    for (const text of refused) {
      const own = await runOn(host, toRequest(text, folder));
      const expected = await runOn(thread, toRequest(text, folder));
      expect({ ...own.outcome, stats: null }).toEqual({ ...expected.outcome, stats: null });
    }
    const kept = { limits: { spoolBytes: 1000 } };
    const { outcome } = await runOn(host, toRequest('from range(100000); select 1', folder, kept));
    expect(errorOf(outcome).code).toBe('limit');
  });

  it('runs scripts, and sends their packages once', async () => {
    const { host, folder } = makeProcessHost();
    const file = (text: string) => ({ name: 'main.sql', text });
    for (const text of ['SELECT 1 AS a', 'SELECT 2 AS a', 'SELECT 1 AS a']) {
      const packages = [{ id: 'p', name: 'p', files: [file(text)], unreadable: [], imports: {} }];
      const work = {
        kind: 'script',
        snapshot: { needs: [{ id: 'p' }], packages },
        file: 'main.sql',
      } as const;
      const { output } = await runOn(host, toRequest('', folder, { work }));
      expect(output.toString()).toBe(`a\n${text[7]}\n`);
    }
    const block = '#+src sql B(n) #+begin SELECT {{ n }} AS a #+end';
    const snapshot = {
      needs: [{ id: 'p' }] as const,
      packages: [{ id: 'p', name: 'p', files: [file(block)], unreadable: [], imports: {} }],
    };
    const args = { n: 9007199254740993n };
    const work = { kind: 'block', snapshot, block: 'B', args } as const;
    expect((await runOn(host, toRequest('', folder, { work }))).output.toString()).toBe(`a\n${args.n}\n`);
  });

  it('keeps thirty answers separate', async () => {
    const { run } = makeProcessHost();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => run(`select ${i} as i, range from range(${i * 7000})`)),
    );
    answers.forEach(({ outcome, output }, i) => {
      expect(outcome).toMatchObject({ status: 'done', rows: i * 7000 });
      const lines = output.split('\n');
      expect(lines).toHaveLength(i * 7000 + 2);
      expect(lines.slice(1, -1).every((line, row) => line === `${i},${row}`)).toBe(true);
    });
  });

  it('reports an internal error as one, and continues', async () => {
    const { run } = makeProcessHost();
    await expect(run('select 1', { format: 'nonsense' as 'csv' })).rejects.toThrow('TypeError');
    expect((await run('select 1 as x')).output).toBe('x\n1\n');
  });

  it('reports the same start time everywhere', async () => {
    const { host, folder, registry } = makeProcessHost();
    let listed: string | null = null;
    const parts: Uint8Array[] = [];
    const sink = {
      write(bytes: Uint8Array) {
        listed ??= registry.list()[0]!.startedAt;
        parts.push(bytes);
      },
    };
    const outcome = await host.run(
      toRequest('select 1', folder, { format: 'json' }),
      new Outlet(() => sink),
      never,
    );
    const { stats } = JSON.parse(Buffer.concat(parts).toString());
    expect(stats.started_at).toBe(listed);
    expect(outcome.stats).toEqual(stats);
  });

  it('stops at the deadline, on cancellation, and before the start', async () => {
    const { run, host, registry } = makeProcessHost();
    expect(errorOf((await run(ENDLESS, { limits: { timeoutMs: 300 } })).outcome)).toMatchObject({
      code: 'timeout',
      stuck: false,
    });
    const controller = new AbortController();
    const cancelled = run(ENDLESS, {}, controller.signal);
    await waitUntilHostBusy(host);
    controller.abort();
    expect(errorOf((await cancelled).outcome).code).toBe('cancelled');
    expect(errorOf((await run('select 1', {}, AbortSignal.abort())).outcome).code).toBe('cancelled');
    expect(registry.list()).toEqual([]);
  });

  it('does not count the start of the process as execution time', async () => {
    const { run } = makeProcessHost();
    expect(errorOf((await run('select 1', { limits: { timeoutMs: 1 } })).outcome).code).toBe('timeout');
    expect((await run('select 1 as x')).output).toBe('x\n1\n');
  });

  it('stops the query when the sink fails, at the first write or later', async () => {
    const { start, registry, host } = makeProcessHost();
    for (const [text, bytes] of [
      ['select 1', 0],
      ['from range(100000000000)', 0],
      ['from range(100000000000)', 10_000_000],
    ] as const) {
      let left = bytes;
      const sink = {
        async write(part: Uint8Array) {
          left -= part.length;
          if (left < 0) throw new Error('the reader is gone');
        },
      };
      const { code, message } = errorOf(await start(text, {}, sink));
      expect({ code, message }).toEqual({ code: 'output', message: 'the reader is gone' });
    }
    expect(registry.list()).toEqual([]);
    expect(countOpenFiles(host.pid!)).toBeLessThan(60);
  });

  it('ends also when the sink never accepts the bytes', async () => {
    const { start, run } = makeProcessHost();
    const stuck = { write: () => new Promise<void>(() => {}) };
    for (const text of ['select 42', 'from range(100000000)']) {
      const outcome = await start(text, { limits: { timeoutMs: 700 } }, stuck);
      expect(errorOf(outcome)).toMatchObject({ code: 'timeout', stuck: false });
    }
    expect((await run('select 1 as x')).output).toBe('x\n1\n');
  });

  it('waits for a slow sink, with little memory on both sides', async () => {
    const { start, host, registry } = makeProcessHost();
    await start('select 1');
    const stop = new AbortController();
    const { sink, takeUntil } = createSteppedSink();
    const outcome = start("select repeat('x', 1000) from range(100000000)", {}, sink, stop.signal);
    const readMemory = () => readResident(host.pid!) + readResident(process.pid);
    const readListed = () => registry.list()[0]!.bytes;
    takeUntil(200_000);
    await waitUntilStalled(readListed);
    const before = readMemory();
    for (let bytes = 1_000_000; bytes <= 4_000_000; bytes += 1_000_000) {
      takeUntil(bytes);
      await waitUntil(() => sink.bytes >= bytes);
      await waitUntilStalled(readListed);
      expect(readMemory() - before).toBeLessThan(100_000_000);
    }
    const listed = readListed();
    expect(listed).toBeGreaterThanOrEqual(sink.bytes);
    expect(listed - sink.bytes).toBeLessThan(1_000_000);
    stop.abort();
    expect(errorOf(await outcome).code).toBe('cancelled');
    expect(sink.most).toBe(1);
  });

  it('keeps no memory of two hundred cancelled requests', async () => {
    const { start, run, host, registry, folder } = makeProcessHost();
    const file = path.join(folder, 'data.duckdb');
    await run('create table t as select 42 as x', { file });
    await Promise.all(Array.from({ length: 8 }, () => run('from t', { file })));
    const before = [countOpenFiles('self'), countOpenFiles(host.pid!)];
    const texts = ['from range(100000000000)', ENDLESS, 'select 1; select count(*) from range(100000000000)'];
    for (let round = 0; round < 25; round += 1) {
      const ended = Array.from({ length: 8 }, async (_, i) => {
        const stop = new AbortController();
        const outcome = start(texts[(round + i) % texts.length]!, { file }, { write: () => {} }, stop.signal);
        await waitUntilBusy(host.pid!, (round * 7 + i * 5) % 40);
        stop.abort();
        return errorOf(await outcome).code;
      });
      expect(new Set(await Promise.all(ended))).toEqual(new Set(['cancelled']));
    }
    expect(registry.list()).toEqual([]);
    await expect.poll(() => countOpenFiles('self')).toBeLessThanOrEqual(before[0]! + 2);
    await expect.poll(() => countOpenFiles(host.pid!)).toBeLessThanOrEqual(before[1]! + 2);
    expect((await run('from t', { file })).output).toBe('x\n42\n');
  });

  it('shares a private socket with its process, also in a folder with a long path', async () => {
    const { run, sockets, host } = makeProcessHost();
    expect((await run('from range(100000)')).output).toHaveLength(588_896);
    expect(readdirSync(sockets)).toHaveLength(1);
    expect(statSync(sockets).mode & 0o077).toBe(0);
    await host.close();
    expect(readdirSync(sockets)).toEqual([]);
    const deep = makeProcessHost({ folder: `${sockets}/${'a'.repeat(90)}` });
    expect((await deep.run('from range(100000)')).output).toHaveLength(588_896);
  });

  it('fails a long answer that cannot be fetched, and runs the next ones', async () => {
    const { run, sockets, registry } = makeProcessHost();
    await run('select 1');
    for (const name of readdirSync(sockets)) rmSync(path.join(sockets, name));
    expect(errorOf((await run('from range(100000)')).outcome).code).toBe('lost');
    expect(registry.list()).toEqual([]);
    expect((await run('select 42 as x')).output).toBe('x\n42\n');
  });

  it.skipIf(process.platform !== 'linux')('does not pass unneeded secrets to its process', async () => {
    process.env.QUERN_MASTER_KEY = 'a master key';
    process.env.QUERN_ADMIN_PASSWORD = 'a password';
    process.env.SOMETHING_ELSE = 'private';
    onTestFinished(() => {
      for (const name of ['QUERN_MASTER_KEY', 'QUERN_ADMIN_PASSWORD', 'SOMETHING_ELSE'])
        delete process.env[name];
    });
    const { run, host, folder } = makeProcessHost({ threads: 23 });
    await run('select 1');
    const environment = readFileSync(`/proc/${host.pid}/environ`, 'utf8');
    expect(environment).toContain('UV_THREADPOOL_SIZE=23\0');
    for (const secret of ['a master key', 'a password', 'private']) expect(environment).not.toContain(secret);
    const started = readFileSync(`/proc/${host.pid}/cmdline`, 'utf8').split('\0').slice(1, -1);
    const space = expect.stringMatching(/^--(min|max)-semi-space-size=16$/);
    expect(started).toEqual([space, space, expect.stringMatching(/engine-process\.ts$/)]);
    expect(started.join()).not.toContain(folder);
  });

  it('has a lower processor priority than the server', async () => {
    const { run, host } = makeProcessHost();
    await run('select 1');
    const threads = readdirSync(`/proc/${host.pid}/task`).map(Number);
    expect(threads.length).toBeGreaterThan(5);
    for (const thread of threads) expect(getPriority(thread)).toBeGreaterThan(getPriority());
  });

  it('ends its process and all executions when it is closed, and runs nothing after that', async () => {
    const { start, run, host, folder, registry } = makeProcessHost();
    const file = path.join(folder, 'data.duckdb');
    await run('create table t as select 42 as x', { file });
    const pid = host.pid!;
    const outcome = start(ENDLESS, { file }, { write: () => {} }, never);
    await waitUntilHostBusy(host);
    expect(registry.list()).toHaveLength(1);
    await host.close();
    expect(errorOf(await outcome).code).toMatch(/cancelled|lost/);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(host.pid).toBe(null);
    expect(readdirSync(folder).sort()).toEqual(['data.duckdb', 'run']);
    expect(errorOf((await run('select 1')).outcome).code).toBe('lost');
    await host.close();
  });

  it('starts no process when it is closed unused', async () => {
    const { host, sockets } = makeProcessHost();
    await host.close();
    expect(host.pid).toBe(null);
    expect(readdirSync(sockets)).toEqual([]);
  });
});
