import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createNanoClock } from '../../../src/engine/run/outcome/clock.ts';
import { createInThreadHost } from '../../../src/execution/in-thread/in-thread.ts';
import { createDatabaseFileRelease } from '../../../src/workspace/home/release-database-files.ts';
import { ENDLESS, errorOf, makeProcessHost, never, runOn, toRequest } from '../../execution/hosts.ts';
import { eventually, waitUntil } from '../../support/waiting.ts';

/** A host with a file, and the releases of its files. */
async function make() {
  const made = makeProcessHost();
  const file = path.join(made.folder, 'a.duckdb');
  await made.run('create table t as select 0 as x', { file });
  const holdFiles = createDatabaseFileRelease(made.registry, made.host);
  const start = (waitMs: number) => {
    const [held, leaving] = [Promise.withResolvers<void>(), new AbortController()];
    const over = holdFiles(waitMs, held.resolve, leaving.signal);
    onTestFinished(() => leaving.abort());
    return { held: held.promise, over, leave: () => leaving.abort() };
  };
  /** The outcome of opening the file in a second host, which stands for another process. */
  const openElsewhere = async () => {
    const other = createInThreadHost(createNanoClock());
    const { outcome } = await runOn(other, toRequest('insert into t values (1)', made.folder, { file }));
    await other.close();
    return outcome.status === 'done' ? 'opened' : errorOf(outcome).code;
  };
  const count = async () => (await made.run('select count(*) as n from t', { file })).output;
  return { ...made, file, start, openElsewhere, count };
}

describe('a release of the database files', () => {
  it('lets another process open the files, and no statement is lost meanwhile', async () => {
    const { start, openElsewhere, run, count, file, registry, host } = await make();
    expect(await openElsewhere()).toBe('locked');
    const { held, over, leave } = start(10_000);
    await held;
    expect(host.pid).toBeNull();
    expect(await openElsewhere()).toBe('opened');
    const waiting = run('insert into t values (2)', { file });
    await waitUntil(() => registry.list().length > 0);
    await nextTurn();
    expect(registry.list()).toMatchObject([{ state: 'queued' }]);
    leave();
    expect(await over).toBe(0);
    expect((await waiting).outcome.status).toBe('done');
    expect(await count()).toBe('n\n3\n');
    expect(await openElsewhere()).toBe('locked');
  });

  it('waits for running executions', async () => {
    const { start, run, file, registry } = await make();
    const slow = 'select count(*) from range(20000) a, range(20000) b where a.range + b.range = 7';
    const long = run(`insert into t ${slow}`, { file });
    await eventually(() => expect(registry.list()).toHaveLength(1));
    const { held, over, leave } = start(60_000);
    const order: string[] = [];
    await Promise.all([long.then(() => order.push('ended')), held.then(() => order.push('held'))]);
    expect(order).toEqual(['ended', 'held']);
    expect((await long).outcome.status).toBe('done');
    leave();
    expect(await over).toBe(0);
  });

  it('waits at most for its timeout, and then changes nothing', async () => {
    const { start, run, count, file, registry } = await make();
    const stop = new AbortController();
    const endless = run(ENDLESS, { file, id: 'endless' }, stop.signal);
    await eventually(() => expect(registry.list()).toHaveLength(1));
    const { over, held } = start(300);
    const isHeld = vi.fn();
    held.then(isHeld);
    await nextTurn();
    const waiting = run('insert into t values (2)', { file, id: 'w' });
    expect(await over).toBe(1);
    expect((await waiting).outcome.status).toBe('done');
    expect(await count()).toBe('n\n2\n');
    expect(isHeld).not.toHaveBeenCalled();
    stop.abort();
    expect(errorOf((await endless).outcome).code).toBe('cancelled');
  });

  it('is cancelled when its caller leaves', async () => {
    const { start, run, count, file, registry } = await make();
    const stop = new AbortController();
    const endless = run(ENDLESS, { file, id: 'endless' }, stop.signal);
    await eventually(() => expect(registry.list()).toHaveLength(1));
    const { over, leave } = start(60_000);
    leave();
    await over;
    expect(await count()).toBe('n\n1\n');
    stop.abort();
    await endless;
  });

  it('waits for an earlier release', async () => {
    const { start, count } = await make();
    const first = start(10_000);
    await first.held;
    expect(await start(100).over).toBe(0);
    const third = start(60_000);
    first.leave();
    await third.held;
    third.leave();
    await third.over;
    expect(await count()).toBe('n\n1\n');
  });

  it('counts as waiting time for the timeout of an execution', async () => {
    const { start, run, file } = await make();
    const { held, leave } = start(10_000);
    await held;
    const { outcome } = await run('select 1', { file, limits: { timeoutMs: 100 } }, never);
    expect(errorOf(outcome).code).toBe('timeout');
    leave();
  });

  it('ends when its host is closed', async () => {
    const { start, host } = await make();
    const { held, over, leave } = start(10_000);
    await held;
    await host.close();
    leave();
    expect(await over).toBe(0);
  });
});
