import { expect, it } from 'vitest';
import { createSessionLimits } from '../../../src/execution/in-thread/sessions.ts';

const never = new AbortController().signal;

const PG = { connection: 'pg', owner: 'ada', max: 2 };
const ONE = { ...PG, max: 1 };
const UNLIMITED = { ...PG, connection: 'duckdb', max: null };

it('limits the open sessions, and opens waiting ones in the order of the requests', async () => {
  const limits = createSessionLimits();
  const order: string[] = [];
  const enter = async (name: string) => {
    const release = await limits.enter(PG, never);
    order.push(name);
    return release;
  };
  const [first, second] = [await enter('first'), await enter('second')];
  const [third, fourth] = [enter('third'), enter('fourth')];
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['first', 'second']);
  expect(limits.tryEnter(PG)).toBe(null);
  expect(limits.tryEnter({ ...PG, connection: 'other' })).not.toBe(null);
  second();
  first();
  first();
  await Promise.all([third, fourth]);
  expect(order).toEqual(['first', 'second', 'third', 'fourth']);
  expect(limits.tryEnter(PG)).toBe(null);
  (await third)();
  expect(limits.tryEnter(PG)).not.toBe(null);
});

it('prefers the user with the fewest open sessions', async () => {
  const limits = createSessionLimits();
  const order: string[] = [];
  const enter = async (owner: string) => {
    const release = await limits.enter({ ...PG, owner }, never);
    order.push(owner);
    return release;
  };
  const [first, second] = [await enter('ada'), await enter('ada')];
  const waiting = [enter('ada'), enter('ada'), enter('bob'), enter('bob')];
  first();
  await waiting[2];
  // Each user has one open session: the request that has waited longest comes next.
  second();
  await waiting[0];
  expect(order).toEqual(['ada', 'ada', 'bob', 'ada']);
  for (const entered of [0, 2, 1, 3]) (await waiting[entered]!)();
  expect(order).toEqual(['ada', 'ada', 'bob', 'ada', 'ada', 'bob']);
});

it('removes a waiting request that is cancelled', async () => {
  const limits = createSessionLimits();
  const first = await limits.enter(ONE, never);
  const stop = new AbortController();
  const waiting = limits.enter(ONE, stop.signal);
  const next = limits.enter(ONE, never);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  await expect(limits.enter(ONE, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  first();
  (await next)();
  expect(limits.tryEnter(ONE)).not.toBe(null);
});

it('applies no limit where none is set', async () => {
  const limits = createSessionLimits();
  for (let i = 0; i < 100; i += 1) await limits.enter(UNLIMITED, never);
  expect(limits.tryEnter(UNLIMITED)).not.toBe(null);
});
