import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readResident, readWork } from '../../support/processes.ts';
import { makeFolder } from '../../support/quern.ts';
import { waitUntil, waitUntilBusy } from '../../support/waiting.ts';
import { ENDLESS, errorOf, makeProcessHost, waitUntilHostBusy } from '../hosts.ts';

const STUBBORN: readonly (readonly [name: string, text: string])[] = [
  ['a list of a thousand million', 'SELECT len(range(1000000000))'],
  ['a string of three thousand million characters', "SELECT length(repeat('x', 3000000000))"],
  ['a cross join of large ranges', ENDLESS],
  ['twenty thousand queries in one', Array.from({ length: 20_000 }, () => 'SELECT 1').join(' UNION ALL ')],
];

/** Inserts rows that a process acknowledges before a checkpoint: they are only in the write-ahead log. */
const INSERT = 'insert into t select range from range(1000)';

/** Waits until a process has used `ms` more of processor time, or work in it has ended. */
async function untilWorked(pid: number, ms: number, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  work.then(() => {
    isOver = true;
  });
  const before = readWork(pid);
  await waitUntil(() => isOver || (readWork(pid) - before) * 10 >= ms);
}

/** Starts a statement that uses much memory and ignores interrupts, and lets its deadline and its grace pass. */
async function untilEnded<T>(pid: number, start: () => Promise<T>): Promise<T> {
  const before = readResident(pid);
  stopTimers();
  const running = start();
  await waitUntil(() => readResident(pid) > before + 200 * 1024 ** 2);
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  return running;
}

/** Stops the timers of the host, so that deadlines pass only when the test moves the clock. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe.skipIf(process.platform !== 'linux')('errors and limits of the engine process', () => {
  it.each(STUBBORN)('%s ends in time, and acknowledged rows stay', async (_, text) => {
    const { run, host, folder, registry } = makeProcessHost();
    const file = path.join(folder, 'data.duckdb');
    await run('create table t (x int)', { file });
    expect((await run(INSERT, { file })).outcome.status).toBe('done');
    const pid = host.pid!;
    stopTimers();
    const running = run(text, { file, limits: { timeoutMs: 1_000 } });
    await untilWorked(pid, 100, running);
    vi.advanceTimersByTime(1_000);
    // A statement that stops when it is interrupted has time to stop.
    await untilWorked(pid, 2_000, running);
    vi.advanceTimersByTime(5_000);
    const { outcome } = await running;
    vi.useRealTimers();
    if (outcome.status === 'failed') expect(outcome.error.code).toMatch(/timeout|sql/);
    expect(registry.list()).toEqual([]);
    expect((await run('select count(*) as n from t', { file })).output).toBe('n\n1000\n');
  });

  it('a statement whose parser ignores a stop ends at its time limit', async () => {
    const { run, host, log } = makeProcessHost();
    await run('select 1');
    const { pid } = host;
    // DuckDB takes more than a minute to parse it.
    const text = `select 1 where ${'1 or '.repeat(200_000)}1`;
    const { outcome } = await run(text, { limits: { timeoutMs: 1_000 } });
    expect(errorOf(outcome).code).toBe('timeout');
    expect(log).toEqual([
      `the engine process ${pid} is ended: a statement continued after a stop was requested`,
    ]);
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
  });

  it('a stuck execution ends the other executions, which report the restart', async () => {
    const { run, host, registry } = makeProcessHost();
    await run('select 1');
    const pid = host.pid;
    const others = [run(ENDLESS), run(ENDLESS, { limits: { timeoutMs: 60_000 } })];
    const late = await untilEnded(pid!, () => run(STUBBORN[0]![1], { limits: { timeoutMs: 500 } }));
    expect(errorOf(late.outcome)).toMatchObject({ code: 'timeout', stuck: false });
    for (const other of others) {
      const { code, message } = errorOf((await other).outcome);
      expect({ code, message }).toEqual({ code: 'lost', message: 'the engine was restarted; run it again' });
    }
    expect(registry.list()).toEqual([]);
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
    expect(host.pid).not.toBe(pid);
  });

  it('memory that grows over the ceiling ends the process', async () => {
    const { run, host, registry, log } = makeProcessHost({ memoryCeiling: 700 * 1024 ** 2 });
    await run('select 1');
    const pid = host.pid;
    const other = run(ENDLESS);
    const text = "select len(list(s)) from (select repeat('x', 1000) || range as s from range(30000000))";
    for (const lost of [await run(text), await other]) {
      expect(errorOf(lost.outcome)).toMatchObject({
        code: 'lost',
        message: 'the engine reached its memory limit and was restarted; run it again',
      });
    }
    expect(registry.list()).toEqual([]);
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
    expect(host.pid).not.toBe(pid);
    expect(log).toEqual([`the engine process ${pid} is ended: it reached its memory limit`]);
  });

  it.each(STUBBORN.slice(0, 2))(
    '%s above the memory limit fails, and other executions continue',
    async (_, text) => {
      const { run, start, host, log } = makeProcessHost({ memoryCeiling: 700 * 1024 ** 2 });
      await run('select 1');
      const { pid } = host;
      const stop = new AbortController();
      const other = start(ENDLESS, {}, undefined, stop.signal);
      expect(errorOf((await run(text)).outcome)).toMatchObject({
        code: 'sql',
        message: expect.stringContaining('Out of Memory Error: Failed to allocate'),
      });
      stop.abort();
      expect(errorOf(await other).code).toBe('cancelled');
      expect(host.pid).toBe(pid);
      expect(log).toEqual([]);
    },
  );

  it('a kill during ten executions leaves no execution open', async () => {
    const { start, run, host, registry, folder } = makeProcessHost();
    const file = path.join(folder, 'data.duckdb');
    await run('create table t (x int)', { file });
    for (let round = 0; round < 4; round += 1) {
      const slow = { write: () => nextTurn() };
      const open = Array.from({ length: 10 }, (_, i) =>
        start(i % 2 === 0 ? 'from range(100000000000)' : ENDLESS, { file }, i % 4 === 0 ? slow : undefined),
      );
      const acknowledged = await run(INSERT, { file });
      expect(acknowledged.outcome.status).toBe('done');
      await waitUntilBusy(host.pid!, round * 40);
      process.kill(host.pid!, 'SIGKILL');
      const codes = (await Promise.all(open)).map((outcome) => errorOf(outcome).code);
      expect(new Set(codes)).toEqual(new Set(['lost']));
      const { output } = await run('select count(*) as n from t', { file });
      expect(output).toBe(`n\n${(round + 1) * 1000}\n`);
    }
    expect(registry.list()).toEqual([]);
  });

  it.each(['SIGSEGV', 'SIGABRT'] as const)('the host continues after %s', async (signal) => {
    const { run, host, log } = makeProcessHost();
    await run('select 1');
    const open = run(ENDLESS);
    await waitUntilHostBusy(host);
    process.kill(host.pid!, signal);
    expect(errorOf((await open).outcome).code).toBe('lost');
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
    expect(log.at(-1)).toContain(`has ended by itself: ${signal}`);
  });

  it('the host continues after a process hangs and is ended soon after the execution is cancelled', async () => {
    const { run, host, log } = makeProcessHost();
    const stop = new AbortController();
    await run('select 1');
    const open = run(ENDLESS, {}, stop.signal);
    await waitUntilHostBusy(host);
    process.kill(host.pid!, 'SIGSTOP');
    stop.abort();
    expect(errorOf((await open).outcome).code).toBe('cancelled');
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
    expect(log.at(-1)).toContain('is ended: a statement continued after a stop was requested');
  });

  it('an execution on a process that hangs ends at its time limit', async () => {
    const { run, host, log } = makeProcessHost();
    await run('select 1');
    process.kill(host.pid!, 'SIGSTOP');
    expect(errorOf((await run('select 1', { limits: { timeoutMs: 500 } })).outcome).code).toBe('timeout');
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
    expect(log.at(-1)).toContain('is ended: a statement continued after a stop was requested');
  });

  it('a process that crashes repeatedly is started again after pauses', async () => {
    const { run, host, start } = makeProcessHost();
    const seen = new Set<number>();
    for (let i = 0; i < 4; i += 1) {
      expect((await run('select 2 as x')).output).toBe('x\n2\n');
      seen.add(host.pid!);
      const open = start(ENDLESS);
      await waitUntilHostBusy(host);
      process.kill(host.pid!, 'SIGKILL');
      expect(errorOf(await open).code).toBe('lost');
    }
    expect(seen.size).toBe(4);
    // The execution waits for the next start until its deadline.
    expect(errorOf((await run('select 1', { limits: { timeoutMs: 5 } })).outcome).code).toBe('timeout');
    expect((await run('select 3 as x')).output).toBe('x\n3\n');
  });

  it('a crash counts for the user whose statement was stuck, or else for all with a statement', async () => {
    const crashes: string[] = [];
    const { start, run, host, registry } = makeProcessHost({ onCrash: (owners) => crashes.push(...owners) });
    const crashUnder = async (...owners: string[]) => {
      await run('select 1');
      const open = owners.map((owner) => start(ENDLESS, { owner }));
      await waitUntil(() => registry.list().length === owners.length);
      if (owners.length > 0) await waitUntilHostBusy(host);
      process.kill(host.pid!, 'SIGKILL');
      await Promise.all(open);
      await expect.poll(() => host.pid).toBeNull();
      return crashes.splice(0);
    };
    expect(await crashUnder('eve')).toEqual(['eve']);
    expect(await crashUnder('eve', 'eve')).toEqual(['eve']);
    expect(await crashUnder('eve', 'bob', 'eve')).toEqual(['eve', 'bob']);
    expect(await crashUnder()).toEqual([]);
    await run('select 1');
    const other = start(ENDLESS, { owner: 'bob' });
    const stuck = { owner: 'eve', limits: { timeoutMs: 500 } };
    await untilEnded(host.pid!, () => run(STUBBORN[0]![1], stuck));
    expect([errorOf(await other).code, crashes.splice(0)]).toEqual(['lost', ['eve']]);
    await run('select 1');
    const released = start(ENDLESS, { owner: 'eve' });
    await waitUntilHostBusy(host);
    await host.release();
    await released;
    expect(crashes).toEqual([]);
  });

  it('the state of the host reports the start of another process', async () => {
    const { run, host } = makeProcessHost();
    expect(host.readState()).toBe('ready');
    const first = run('select 1');
    expect(host.readState()).toBe('ready');
    await first;
    process.kill(host.pid!, 'SIGKILL');
    await expect.poll(() => host.pid).toBeNull();
    expect(host.readState()).toBe('ready');
    const next = run('select 2 as x');
    await expect.poll(() => host.readState(), { interval: 1 }).toBe('restarting');
    expect((await next).output).toBe('x\n2\n');
    expect(host.readState()).toBe('ready');
  });

  it('the engine process ignores signals to the whole process group', async () => {
    const { run, host } = makeProcessHost();
    await run('select 1');
    const pid = host.pid!;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    expect((await run('select 2 as x')).output).toBe('x\n2\n');
    expect(host.pid).toBe(pid);
  });

  it('the engine process ends with its parent and releases the database', async () => {
    const folder = makeFolder();
    const file = path.join(folder, 'data.duckdb');
    const parent = spawn(
      process.execPath,
      [fileURLToPath(new URL('./process-parent.ts', import.meta.url)), folder, file],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
    const pid = Number((await lines.next()).value);
    expect(statSync(file).size).toBeGreaterThan(0);
    expect(() => readFileSync(`/proc/${pid}/status`)).not.toThrow();
    parent.kill('SIGKILL');
    await expect.poll(() => isGone(pid)).toBe(true);
    const { run } = makeProcessHost();
    expect((await run('select count(*) as n from t', { file })).output).toBe('n\n1000\n');
  });
});

/** Whether a process has ended; it can remain as a zombie until its new parent reads its status. */
function isGone(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}
