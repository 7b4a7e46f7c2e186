import { expect, it } from 'vitest';
import { createCrashLimit } from '../../../src/execution/registry/crash-limit.ts';
import { createRegistry } from '../../../src/execution/registry/registry.ts';

const MINUTE = 60_000;

/** A limit whose clock the test sets. */
function createLimit() {
  const time = { now: 1 };
  const pauses: (readonly [owner: string, seconds: number])[] = [];
  const limit = createCrashLimit(
    (...pause) => pauses.push(pause),
    () => time.now,
  );
  const waitOf = (owner: string) => {
    try {
      limit.check(owner);
      return 0;
    } catch (error) {
      return (error as { retryAfter: number }).retryAfter;
    }
  };
  return { limit, time, pauses, waitOf };
}

it('delays one user for a minute after three crashes in ten minutes, and no other user', () => {
  const { limit, time, pauses, waitOf } = createLimit();
  for (const at of [0, 4, 9]) {
    expect(waitOf('eve')).toBe(0);
    time.now = at * MINUTE;
    limit.note('eve');
  }
  limit.note('bob');
  expect([waitOf('eve'), waitOf('bob'), pauses]).toEqual([60, 0, [['eve', 60]]]);
  time.now += MINUTE - 1;
  expect(waitOf('eve')).toBe(1);
  time.now += 1;
  expect(waitOf('eve')).toBe(0);
  // Two of the three are less than ten minutes old.
  limit.note('eve');
  expect([waitOf('eve'), pauses.length]).toEqual([60, 2]);
});

it('forgets crashes after ten minutes', () => {
  const { limit, time, pauses, waitOf } = createLimit();
  for (let i = 0; i < 6; i++) {
    time.now += 5 * MINUTE;
    limit.note('eve');
  }
  expect([waitOf('eve'), pauses]).toEqual([0, []]);
});

it('also refuses executions in the queue when their turn comes', async () => {
  const { limit } = createLimit();
  const registry = createRegistry({ running: 1, queued: 8, perOwner: 1 }, limit.check);
  const enter = (id: string, owner: string) => {
    const { signal } = new AbortController();
    const entry = {
      id,
      owner,
      token: null,
      session: null,
      connection: null,
      name: 'sql',
      requestedAt: 'then',
    };
    const cancellation = { signal, cancel: () => undefined };
    const outlet = { startedAt: null, bytes: 0, isQueuedByDatabase: false };
    return registry.enter(entry, { outlet, cancellation, onTurn: () => undefined });
  };
  const first = await enter('e1', 'eve');
  const [second, other] = [enter('e2', 'eve'), enter('b1', 'bob')];
  second.catch(() => undefined);
  for (let i = 0; i < 3; i++) limit.note('eve');
  first();
  await expect(second).rejects.toThrow(
    'your executions have ended the engine 3 times in ten minutes; try again in 60 s',
  );
  await expect(enter('e3', 'eve')).rejects.toThrow('try again in 60 s');
  (await other)();
  expect(registry.list()).toEqual([]);
});
