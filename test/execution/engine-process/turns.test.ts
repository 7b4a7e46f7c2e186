import { expect, it } from 'vitest';
import { createNanoClock, formatNanos } from '../../../src/engine/run/outcome/clock.ts';
import { createRegistry, type RegistryLimits } from '../../../src/execution/registry/registry.ts';
import { type Changes, ENDLESS, errorOf, makeProcessHost, NO_LIMITS, runOn, toRequest } from '../hosts.ts';

function makeHost(limits: RegistryLimits = { running: 1, queued: 1, perOwner: 2 }) {
  const registry = createRegistry(limits);
  const clock = createNanoClock();
  const { host, folder } = makeProcessHost({ registry, clock });
  const run = (text: string, changes: Changes = {}, signal?: AbortSignal) =>
    runOn(host, toRequest(text, folder, changes), signal);
  return { registry, clock, run };
}

it('waits for a turn until the deadline of the whole execution', async () => {
  const { run, registry, clock } = makeHost();
  const first = run(ENDLESS, { id: 'first', token: 't1', name: '@Shared/endless' });
  const second = run('select 1', { id: 'second', limits: { timeoutMs: 200 } });
  expect(registry.list()).toMatchObject([
    { id: 'first', token: 't1', name: '@Shared/endless', state: 'running' },
    { id: 'second', token: null, name: 'test.sql', state: 'queued', startedAt: null },
  ]);
  expect(errorOf((await second).outcome)).toMatchObject({ code: 'timeout', stuck: false });
  expect(registry.list()).toMatchObject([{ id: 'first' }]);
  const third = run('select 1 as x', { id: 'third' });
  const before = formatNanos(clock());
  expect(registry.cancel('first')).toBe(true);
  expect(errorOf((await first).outcome).code).toBe('cancelled');
  const { outcome, output } = await third;
  expect(output.toString()).toBe('x\n1\n');
  // Its duration is without the time in the queue.
  expect(outcome.stats.started_at >= before).toBe(true);
  expect(registry.list()).toEqual([]);
});

it('leaves the queue when its client disconnects', async () => {
  const { run, registry } = makeHost();
  const first = run(ENDLESS);
  const client = new AbortController();
  const second = run('select 1', {}, client.signal);
  client.abort();
  expect(errorOf((await second).outcome).code).toBe('cancelled');
  expect(registry.list()).toHaveLength(1);
  registry.cancelWhere(() => true);
  await first;
});

it('reports at once that the queue is full', async () => {
  const { run, registry } = makeHost({ running: 1, queued: 2, perOwner: 1 });
  const running = [run(ENDLESS, { owner: 'ada' }), run(ENDLESS, { owner: 'ada' })];
  expect(errorOf((await run('select 1', { owner: 'ada' })).outcome)).toMatchObject({
    code: 'busy',
    message: 'your share of the queue is full (executions waiting: 1); wait until one has run, or cancel one',
  });
  const waiting = run('select 1', { owner: 'cyd' });
  expect(errorOf((await run('select 1', { owner: 'bob' })).outcome)).toMatchObject({
    code: 'busy',
    message: 'the queue is full (executions waiting: 2); try again in a few seconds',
  });
  expect(registry.cancelWhere(({ owner }) => owner === 'ada')).toBe(2);
  await Promise.all([...running, waiting]);
  expect(registry.list()).toEqual([]);
});

it('lists the running executions, and cancels those with a given property', async () => {
  const { run, registry } = makeHost(NO_LIMITS);
  const ada = run(ENDLESS, { owner: 'ada' });
  const bob = run(ENDLESS, { owner: 'bob' });
  await expect.poll(() => registry.list().length).toBe(2);
  expect(registry.list()[0]).toMatchObject({ owner: 'ada', connection: 'duckdb', name: 'test.sql' });
  expect(registry.cancelWhere(({ owner }) => owner === 'ada')).toBe(1);
  expect(errorOf((await ada).outcome).code).toBe('cancelled');
  expect(registry.list().map(({ owner }) => owner)).toEqual(['bob']);
  expect(registry.cancelWhere(() => true)).toBe(1);
  expect(errorOf((await bob).outcome).code).toBe('cancelled');
});
