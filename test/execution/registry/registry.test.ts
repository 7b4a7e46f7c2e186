import { expect, it } from 'vitest';
import { Outlet } from '../../../src/execution/contract/outlet.ts';
import {
  createRegistry,
  type ExecutionRegistry,
  type RegistryLimits,
} from '../../../src/execution/registry/registry.ts';

const LIMITS: RegistryLimits = { running: 2, queued: 8, perOwner: 2 };

/** Enters executions, and records the order in which they start. */
function enterInto(registry: ExecutionRegistry) {
  const order: string[] = [];
  const stops = new Map<string, AbortController>();
  const enter = async (id: string, owner: string, token: string | null = null) => {
    const stop = new AbortController();
    stops.set(id, stop);
    const entry = { id, owner, token, session: null, connection: 'duckdb', name: 'sql', requestedAt: 'then' };
    const outlet = new Outlet(() => ({ write: () => {} }));
    const cancellation = { signal: stop.signal, cancel: () => stop.abort() };
    const leave = await registry.enter(entry, { outlet, cancellation, onTurn: () => outlet.start('now') });
    order.push(id);
    return { leave, count: (bytes: number) => outlet.count(bytes) };
  };
  return { order, stops, enter };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('starts executions up to the limit, and the others one after another', async () => {
  const registry = createRegistry(LIMITS);
  const { order, enter } = enterInto(registry);
  const [first, second] = [await enter('a1', 'ada'), await enter('b1', 'bob')];
  const third = enter('a2', 'ada');
  await nextTurn();
  expect(registry.list()).toMatchObject([
    { id: 'a1', state: 'running', requestedAt: 'then', startedAt: 'now' },
    { id: 'b1', state: 'running' },
    { id: 'a2', state: 'queued', startedAt: null },
  ]);
  first.leave();
  (await third).count(70);
  expect(order).toEqual(['a1', 'b1', 'a2']);
  expect(registry.list()).toMatchObject([{ id: 'b1' }, { id: 'a2', state: 'running', bytes: 70 }]);
  second.leave();
  (await third).leave();
  expect(registry.list()).toEqual([]);
});

it('lets one user run half of them, and keeps the last quarter for users without a running execution', async () => {
  const registry = createRegistry({ running: 8, queued: 40, perOwner: 100 });
  const { order, enter } = enterInto(registry);
  const own = Array.from({ length: 5 }, (_, at) => enter(`a${at}`, 'ada'));
  const others = Array.from({ length: 4 }, (_, at) => enter(`b${at}`, 'bob'));
  await nextTurn();
  expect(order).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1']);
  await enter('c1', 'cyd');
  await enter('d1', 'dan');
  const late = enter('e1', 'eve');
  await nextTurn();
  expect(registry.list().filter(({ state }) => state === 'queued')).toHaveLength(4);
  (await own[0]!).leave();
  await late;
  expect(order.slice(6)).toEqual(['c1', 'd1', 'e1']);
  for (const at of [1, 2, 3]) (await own[at]!).leave();
  await nextTurn();
  // Five are running, and the last of them is ada's; another one would be in the last quarter.
  expect(order.slice(9)).toEqual(['a4']);
  (await others[0]!).leave();
  await others[2];
});

it('prefers users with fewer running executions', async () => {
  const registry = createRegistry({ ...LIMITS, running: 4 });
  const { order, enter } = enterInto(registry);
  const [first] = [await enter('a1', 'ada'), await enter('a2', 'ada')];
  const other = await enter('x1', 'xia');
  const waiting = [enter('a3', 'ada'), enter('x2', 'xia')];
  other.leave();
  await nextTurn();
  expect(order).toEqual(['a1', 'a2', 'x1', 'x2']);
  first.leave();
  await Promise.all(waiting);
  expect(order).toEqual(['a1', 'a2', 'x1', 'x2', 'a3']);
});

it('refuses a user who has used a quarter of the queue, and accepts other users', async () => {
  const registry = createRegistry({ ...LIMITS, running: 4 });
  const { enter, stops } = enterInto(registry);
  const running = [await enter('a1', 'ada'), await enter('a2', 'ada')];
  const own = [enter('a3', 'ada'), enter('a4', 'ada')];
  const full = 'your share of the queue is full (executions waiting: 2)';
  await expect(enter('a5', 'ada')).rejects.toThrow(full);
  const others = enter('b1', 'bob');
  stops.get('a4')!.abort();
  await expect(own[1]).rejects.toThrow('aborted');
  expect(registry.list().map(({ id }) => id)).toEqual(['a1', 'a2', 'a3', 'b1']);
  const late = enter('a6', 'ada');
  await expect(enter('a7', 'ada')).rejects.toThrow(full);
  for (const place of running) place.leave();
  for (const entered of [others, own[0]!, late]) (await entered).leave();
  expect(registry.list()).toEqual([]);
});

it('refuses all users when the queue is full', async () => {
  const registry = createRegistry(LIMITS);
  const { enter } = enterInto(registry);
  const running = [await enter('x1', 'xia'), await enter('y1', 'yan')];
  const waiting = ['ada', 'bob', 'cyd', 'dan'].flatMap((owner) => [
    enter(`${owner}1`, owner),
    enter(`${owner}2`, owner),
  ]);
  await expect(enter('e1', 'eve')).rejects.toThrow('the queue is full (executions waiting: 8)');
  for (const place of running) place.leave();
  for (const entered of waiting) (await entered).leave();
  expect(registry.list()).toEqual([]);
});

it.each([
  { queued: 0, waiting: 0 },
  { queued: 1, waiting: 1 },
  { queued: 7, waiting: 1 },
  { queued: 8, waiting: 2 },
  { queued: 100, waiting: 25 },
])('lets one user wait $waiting times where $queued executions may wait', async ({ queued, waiting }) => {
  const registry = createRegistry({ running: 1, queued, perOwner: 1 });
  const { enter } = enterInto(registry);
  const first = await enter('first', 'ada');
  const own = Array.from({ length: waiting }, (_, at) => enter(`a${at}`, 'ada'));
  await expect(enter('beyond', 'ada')).rejects.toThrow('queue is full');
  first.leave();
  for (const entered of own) (await entered).leave();
});

it('queues the executions of a user who has reached the limit, while those of others run', async () => {
  const registry = createRegistry({ running: 4, queued: 40, perOwner: 2 });
  const { order, enter } = enterInto(registry);
  const [first] = [await enter('a1', 'ada'), await enter('a2', 'ada')];
  const waiting = [enter('a3', 'ada'), enter('a4', 'ada')];
  await nextTurn();
  await enter('b1', 'bob');
  expect(order).toEqual(['a1', 'a2', 'b1']);
  expect(registry.list().map(({ state }) => state)).toEqual([
    'running',
    'running',
    'queued',
    'queued',
    'running',
  ]);
  first.leave();
  await waiting[0];
  await nextTurn();
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('cancels running and queued executions', async () => {
  const registry = createRegistry({ ...LIMITS, running: 1 });
  const { enter, stops } = enterInto(registry);
  const first = await enter('a1', 'ada', 't1');
  const second = enter('a2', 'ada', 't2');
  const third = enter('b1', 'bob', 't3');
  expect(registry.cancel('nobody')).toBe(false);
  expect(registry.cancel('a2')).toBe(true);
  await expect(second).rejects.toThrow('aborted');
  expect(registry.cancelWhere(({ token, owner }) => token === 't1' || owner === 'nobody')).toBe(1);
  expect(stops.get('a1')!.signal.aborted).toBe(true);
  // It counts until it has ended.
  expect(registry.list().map(({ id }) => id)).toEqual(['a1', 'b1']);
  first.leave();
  (await third).leave();
});

it('does not start an execution that was cancelled before', async () => {
  const registry = createRegistry(LIMITS);
  const entry = {
    id: 'x',
    owner: 'u',
    token: null,
    session: null,
    connection: 'c',
    name: 'n',
    requestedAt: 'then',
  };
  const cancellation = { signal: AbortSignal.abort(), cancel: () => {} };
  const outlet = { startedAt: null, bytes: 0, isQueuedByDatabase: false, progress: null, targets: [] };
  const entered = registry.enter(entry, { outlet, cancellation, onTurn: () => {} });
  await expect(entered).rejects.toThrow('aborted');
  expect(registry.list()).toEqual([]);
});

it('continues running executions during a pause, and queues new ones up to the limit', async () => {
  const registry = createRegistry(LIMITS);
  const { order, stops, enter } = enterInto(registry);
  const first = await enter('a1', 'ada');
  const { idle, resume } = registry.pause();
  let isIdle = false;
  idle.then(() => {
    isIdle = true;
  });
  const [second, given] = [enter('b1', 'bob'), enter('b2', 'bob')];
  const third = enter('c1', 'eve');
  await expect(enter('b3', 'bob')).rejects.toThrow('your share of the queue is full (executions waiting: 2)');
  stops.get('b2')!.abort();
  await expect(given).rejects.toThrow();
  expect({ order, isIdle }).toEqual({ order: ['a1'], isIdle: false });
  first.leave();
  await idle;
  expect(order).toEqual(['a1']);
  resume();
  (await second).leave();
  (await third).leave();
  expect(order).toEqual(['a1', 'b1', 'c1']);
  const next = registry.pause();
  await next.idle;
  next.resume();
  (await enter('a2', 'ada')).leave();
});
