import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFairScheduler } from '../../../src/execution/in-thread/fair-scheduler.ts';
import { makeProcessHost } from '../hosts.ts';

/** After this time an execution is no longer new. */
const GROWN_MS = 30;
const SLICE_MS = 4;

/** Stops the clock. Only `hold` moves it, as an encoder that blocks the thread for a chunk. */
function stopClock() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  return {
    hold: (ms: number) => {
      now += ms;
    },
  };
}

/** Executions that are no longer new. */
function enterOld(count: number) {
  const { hold } = stopClock();
  const scheduler = createFairScheduler();
  const turns = Array.from({ length: count }, () => scheduler.enter());
  hold(GROWN_MS);
  return { scheduler, turns, hold };
}

describe('the fair scheduler of a thread', () => {
  it('does not pause an old execution that is alone', () => {
    const { turns } = enterOld(1);
    expect([turns[0]!.yieldTurn(), turns[0]!.yieldTurn()]).toEqual([undefined, undefined]);
  });

  it('does not pause new executions', () => {
    stopClock();
    const scheduler = createFairScheduler();
    const turns = [scheduler.enter(), scheduler.enter()];
    expect(turns.flatMap((turn) => [turn.yieldTurn(), turn.yieldTurn()])).toEqual(Array(4).fill(undefined));
  });

  it('lets one old execution continue in each turn of the event loop, in the order of their requests', async () => {
    const { turns } = enterOld(4);
    const passed: number[] = [];
    const yields = turns.map(async (turn, i) => {
      await turn.yieldTurn();
      passed.push(i);
    });
    for (let turn = 1; turn <= 4; turn++) {
      await vi.advanceTimersToNextTimerAsync();
      expect(passed).toEqual([0, 1, 2, 3].slice(0, turn + 1));
    }
    await Promise.all(yields);
  });

  it('gives each execution its turn repeatedly', async () => {
    const { turns } = enterOld(3);
    const counts = Promise.all(
      turns.map(async (turn) => {
        for (let i = 0; i < 50; i++) await turn.yieldTurn();
        turn.leave();
        return 50;
      }),
    );
    await vi.runAllTimersAsync();
    expect(await counts).toEqual([50, 50, 50]);
  });

  it('pauses after each piece of an old execution while there are new ones', async () => {
    const { scheduler, turns, hold } = enterOld(2);
    expect(turns[0]!.yieldTurn()).toBeUndefined();
    hold(SLICE_MS);
    scheduler.enter();
    const onTurn = vi.fn();
    const next = turns[1]!.yieldTurn()!.then(onTurn);
    await vi.advanceTimersByTimeAsync(SLICE_MS);
    expect(onTurn).not.toHaveBeenCalled();
    await vi.runAllTimersAsync();
    await next;
  });

  it('does not count executions that have left', () => {
    const { scheduler, turns } = enterOld(2);
    const left = scheduler.enter();
    left.leave();
    turns[1]!.leave();
    expect([turns[0]!.yieldTurn(), turns[0]!.yieldTurn()]).toEqual([undefined, undefined]);
  });
});

describe('the engine process', () => {
  it('finishes long answers also when short ones keep coming', async () => {
    const { run } = makeProcessHost();
    const long = Array.from({ length: 3 }, () => run('select range as i from range(100000)'));
    const ended = Promise.all(long);
    let hasEnded = false;
    const short: string[] = [];
    const note = () => {
      hasEnded = true;
    };
    ended.then(note, note);
    while (!hasEnded) short.push((await run('select 42 as i')).output);
    const whole = `i\n${Array.from({ length: 100_000 }, (_, i) => `${i}\n`).join('')}`;
    expect((await ended).map(({ output }) => output === whole)).toEqual([true, true, true]);
    expect(new Set(short)).toEqual(new Set(['i\n42\n']));
  });
});
