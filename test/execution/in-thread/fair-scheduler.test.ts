import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFairScheduler } from '../../../src/execution/in-thread/fair-scheduler.ts';
import { makeProcessHost } from '../hosts.ts';

/** After this time an execution is no longer new. */
const GROWN_MS = 30;
const SLICE_MS = 4;

/** Blocks the thread as the encoding of a chunk does. */
function hold(): void {
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end);
}

/** Executions that are no longer new. */
async function enterOld(count: number) {
  const scheduler = createFairScheduler();
  const turns = Array.from({ length: count }, () => scheduler.enter());
  await sleep(GROWN_MS);
  return { scheduler, turns };
}

describe('the fair scheduler of a thread', () => {
  it('does not pause an old execution that is alone', async () => {
    const { turns } = await enterOld(1);
    expect([turns[0]!.yieldTurn(), turns[0]!.yieldTurn()]).toEqual([undefined, undefined]);
  });

  it('does not pause new executions', () => {
    const scheduler = createFairScheduler();
    const turns = [scheduler.enter(), scheduler.enter()];
    expect(turns.flatMap((turn) => [turn.yieldTurn(), turn.yieldTurn()])).toEqual(Array(4).fill(undefined));
  });

  it('lets one old execution continue in each turn of the event loop, in the order of their requests', async () => {
    const { turns } = await enterOld(4);
    const passed: number[] = [];
    const yields = turns.map(async (turn, i) => {
      await turn.yieldTurn();
      passed.push(i);
    });
    for (let turn = 1; turn <= 4; turn++) {
      await nextTurn();
      expect(passed).toEqual([0, 1, 2, 3].slice(0, turn + 1));
    }
    await Promise.all(yields);
  });

  it('gives each execution its turn repeatedly', async () => {
    const { turns } = await enterOld(3);
    const counts = await Promise.all(
      turns.map(async (turn) => {
        for (let i = 0; i < 50; i++) await turn.yieldTurn();
        turn.leave();
        return 50;
      }),
    );
    expect(counts).toEqual([50, 50, 50]);
  });

  it('pauses after each piece of an old execution while there are new ones', async () => {
    const { scheduler, turns } = await enterOld(2);
    expect(turns[0]!.yieldTurn()).toBeUndefined();
    hold();
    scheduler.enter();
    const start = performance.now();
    await turns[1]!.yieldTurn();
    expect(performance.now() - start).toBeGreaterThan(SLICE_MS);
  });

  it('does not count executions that have left', async () => {
    const { scheduler, turns } = await enterOld(2);
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
