import { describe, expect, it } from 'vitest';
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
  /** A crash of a process with executions of these users, a second after what happened before. */
  const crash = (...owners: string[]) => {
    time.now += 1_000;
    limit.note(owners);
  };
  const end = (owner: string) => {
    time.now += 1_000;
    limit.noteEnd(owner);
  };
  const suspects = (...owners: string[]) => owners.filter((owner) => limit.isSuspect(owner));
  return { limit, time, pauses, waitOf, crash, end, suspects };
}

describe('a user who was alone in the process', () => {
  it('is paused for a minute after three crashes in ten minutes, and no other user', () => {
    const { time, limit, pauses, waitOf } = createLimit();
    for (const at of [0, 4, 9]) {
      expect(waitOf('eve')).toBe(0);
      time.now = at * MINUTE;
      limit.note(['eve']);
    }
    limit.note(['bob']);
    expect([waitOf('eve'), waitOf('bob'), pauses]).toEqual([60, 0, [['eve', 60]]]);
    time.now += MINUTE - 1;
    expect(waitOf('eve')).toBe(1);
    time.now += 1;
    expect(waitOf('eve')).toBe(0);
  });

  it('is paused twice as long for each further crash, up to an hour', () => {
    const { time, crash, pauses } = createLimit();
    crash('eve');
    crash('eve');
    for (let count = 0; count < 8; count += 1) {
      crash('eve');
      time.now += pauses.at(-1)![1] * 1_000;
    }
    expect(pauses.map(([, seconds]) => seconds / 60)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('has the first pause again ten minutes after a pause', () => {
    const { time, crash, pauses } = createLimit();
    for (let count = 0; count < 3; count += 1) crash('eve');
    time.now += 11 * MINUTE;
    crash('eve');
    crash('eve');
    expect(pauses).toEqual([['eve', 60]]);
    crash('eve');
    expect(pauses).toEqual([
      ['eve', 60],
      ['eve', 60],
    ]);
  });

  it('is not paused for crashes that are longer ago', () => {
    const { limit, time, pauses, waitOf } = createLimit();
    for (let i = 0; i < 6; i++) {
      time.now += 5 * MINUTE;
      limit.note(['eve']);
    }
    expect([waitOf('eve'), pauses]).toEqual([0, []]);
  });
});

describe('users who were in the process together', () => {
  it('are suspects if they were so twice in ten minutes', () => {
    const { crash, suspects, time } = createLimit();
    crash('eve', 'bob', 'cy');
    expect(suspects('eve', 'bob', 'cy')).toEqual([]);
    crash('eve', 'bob', 'dan');
    expect(suspects('eve', 'bob', 'cy', 'dan')).toEqual(['eve', 'bob']);
    time.now += 10 * MINUTE;
    expect(suspects('eve', 'bob', 'cy', 'dan')).toEqual([]);
  });

  it('are cleared by an execution that ends', () => {
    const { crash, end, suspects } = createLimit();
    crash('eve', 'bob');
    end('bob');
    crash('eve', 'bob');
    expect(suspects('eve', 'bob')).toEqual(['eve', 'bob']);
    end('bob');
    expect(suspects('eve', 'bob')).toEqual(['eve']);
  });

  it('are paused if they were the only suspect in another crash, also with other users in it', () => {
    const { crash, end, pauses, suspects, waitOf } = createLimit();
    crash('eve', 'bob');
    crash('eve', 'bob');
    end('bob');
    crash('ann', 'bob', 'eve', 'cy');
    expect(pauses).toEqual([['eve', 60]]);
    expect([waitOf('ann'), waitOf('bob'), waitOf('cy')]).toEqual([0, 0, 0]);
    // Bob and the others were not the cause.
    expect(suspects('ann', 'bob', 'cy', 'eve')).toEqual(['eve']);
  });

  it('are not cleared for long by a harmless execution before each harmful one', () => {
    const { crash, end, pauses } = createLimit();
    let crashes = 0;
    while (pauses.length < 2 && crashes < 20) {
      end('eve');
      crash('eve', `other${crashes}`);
      crashes += 1;
    }
    expect(crashes).toBe(5);
    expect(pauses).toEqual([
      ['eve', 60],
      ['eve', 120],
    ]);
  });
});

const LIMITS = { running: 8, queued: 40, perOwner: 8 };

/** A registry with this limit, and what has entered it. */
function enterInto(limit: Parameters<typeof createRegistry>[1], limits = LIMITS) {
  const registry = createRegistry(limits, limit);
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
    const outlet = {
      startedAt: null as string | null,
      bytes: 0,
      isQueuedByDatabase: false,
      progress: null,
      targets: [],
    };
    const onTurn = () => {
      outlet.startedAt = 'now';
    };
    return registry.enter(entry, { outlet, cancellation: { signal, cancel: () => undefined }, onTurn });
  };
  const listRunning = () =>
    registry
      .list()
      .filter(({ state }) => state === 'running')
      .map(({ id }) => id);
  return { registry, enter, listRunning };
}

it('executions of suspects run one at a time, and those of all other users do not wait', async () => {
  const { limit, crash, end } = createLimit();
  crash('eve', 'bob');
  crash('eve', 'bob');
  const { enter, listRunning } = enterInto(limit);
  const first = await enter('e1', 'eve');
  const [second, third] = [enter('e2', 'eve'), enter('b1', 'bob')];
  for (const id of ['c1', 'c2']) await enter(id, 'cy');
  expect(listRunning()).toEqual(['e1', 'c1', 'c2']);
  end('eve');
  first();
  // The suspicion of Eve has ended, so that her next execution may run at the same time as the one of Bob.
  await Promise.all([second, third]);
  expect(listRunning()).toEqual(['e2', 'b1', 'c1', 'c2']);
});

it('executions of a suspect wait for the one of another', async () => {
  const { limit, crash } = createLimit();
  crash('eve', 'bob');
  crash('eve', 'bob');
  const { enter, listRunning } = enterInto(limit);
  const first = await enter('e1', 'eve');
  const [second, third] = [enter('b1', 'bob'), enter('b2', 'bob')];
  expect(listRunning()).toEqual(['e1']);
  first();
  const leave = await second;
  expect(listRunning()).toEqual(['b1']);
  leave();
  await third;
  expect(listRunning()).toEqual(['b2']);
});

it('a pause also refuses executions in the queue when their turn comes', async () => {
  const { limit, crash } = createLimit();
  const { registry, enter } = enterInto(limit, { running: 1, queued: 8, perOwner: 1 });
  const first = await enter('e1', 'eve');
  const [second, other] = [enter('e2', 'eve'), enter('b1', 'bob')];
  second.catch(() => undefined);
  for (let i = 0; i < 3; i++) crash('eve');
  first();
  await expect(second).rejects.toThrow('your executions have repeatedly ended the engine; try again in 60 s');
  await expect(enter('e3', 'eve')).rejects.toThrow('try again in 60 s');
  (await other)();
  expect(registry.list()).toEqual([]);
});
