import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createRightOfWay } from '../../../src/execution/in-thread/fair-scheduler.ts';
import { makeProcessHost } from '../process-hosts.ts';

/** Longer than an execution counts as new. */
const GROWN_MS = 30;
const SLICE_MS = 4;

/** Holds the thread as the encoding of a chunk does. */
function hold(): void {
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end);
}

/** Executions that are no longer new. */
async function enterOld(count: number) {
  const rightOfWay = createRightOfWay();
  const ways = Array.from({ length: count }, () => rightOfWay.enter());
  await sleep(GROWN_MS);
  return { rightOfWay, ways };
}

describe('the right of way in a thread', () => {
  it('lets one go on that is alone, however old', async () => {
    const { ways } = await enterOld(1);
    expect([ways[0]!.giveWay(), ways[0]!.giveWay()]).toEqual([undefined, undefined]);
  });

  it('lets new ones go on', () => {
    const rightOfWay = createRightOfWay();
    const ways = [rightOfWay.enter(), rightOfWay.enter()];
    expect(ways.flatMap((way) => [way.giveWay(), way.giveWay()])).toEqual(Array(4).fill(undefined));
  });

  it('lets one old one go on in each turn of the loop, in the order of their asking', async () => {
    const { ways } = await enterOld(4);
    const passed: number[] = [];
    const turns = ways.map(async (way, i) => {
      await way.giveWay();
      passed.push(i);
    });
    for (let turn = 1; turn <= 4; turn++) {
      await nextTurn();
      expect(passed).toEqual([0, 1, 2, 3].slice(0, turn + 1));
    }
    await Promise.all(turns);
  });

  it('lets every one come to its turn, again and again', async () => {
    const { ways } = await enterOld(3);
    const counts = await Promise.all(
      ways.map(async (way) => {
        for (let i = 0; i < 50; i++) await way.giveWay();
        way.leave();
        return 50;
      }),
    );
    expect(counts).toEqual([50, 50, 50]);
  });

  it('pauses after each piece of an old one while there are new ones', async () => {
    const { rightOfWay, ways } = await enterOld(2);
    expect(ways[0]!.giveWay()).toBeUndefined();
    hold();
    rightOfWay.enter();
    const start = performance.now();
    await ways[1]!.giveWay();
    expect(performance.now() - start).toBeGreaterThan(SLICE_MS);
  });

  it('counts those that left no more', async () => {
    const { rightOfWay, ways } = await enterOld(2);
    const left = rightOfWay.enter();
    left.leave();
    ways[1]!.leave();
    expect([ways[0]!.giveWay(), ways[0]!.giveWay()]).toEqual([undefined, undefined]);
  });
});

describe('the engine process', () => {
  it('ends long answers though short ones never cease', async () => {
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
