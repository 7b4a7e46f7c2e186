import { expect, it } from 'vitest';
import { createSessionLimits } from '../../src/execution/session-limits.ts';

const never = new AbortController().signal;

it('lets no more in than there may be, in the order of their asking', async () => {
  const limits = createSessionLimits();
  const order: string[] = [];
  const enter = async (name: string) => {
    const release = await limits.enter('pg', 2, never);
    order.push(name);
    return release;
  };
  const [first, second] = [await enter('first'), await enter('second')];
  const [third, fourth] = [enter('third'), enter('fourth')];
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(['first', 'second']);
  expect(limits.tryEnter('pg', 2)).toBe(null);
  expect(limits.tryEnter('other', 2)).not.toBe(null);
  second();
  first();
  first();
  await Promise.all([third, fourth]);
  expect(order).toEqual(['first', 'second', 'third', 'fourth']);
  expect(limits.tryEnter('pg', 2)).toBe(null);
  (await third)();
  expect(limits.tryEnter('pg', 2)).not.toBe(null);
});

it('lets whoever waits go when it is told to', async () => {
  const limits = createSessionLimits();
  const first = await limits.enter('pg', 1, never);
  const stop = new AbortController();
  const waiting = limits.enter('pg', 1, stop.signal);
  const next = limits.enter('pg', 1, never);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  await expect(limits.enter('pg', 1, AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  first();
  (await next)();
  expect(limits.tryEnter('pg', 1)).not.toBe(null);
});

it('has no limit where none is set', async () => {
  const limits = createSessionLimits();
  for (let i = 0; i < 100; i += 1) await limits.enter('duckdb', null, never);
  expect(limits.tryEnter('duckdb', null)).not.toBe(null);
});
