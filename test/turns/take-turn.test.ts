import { expect, it, onTestFinished, vi } from 'vitest';
import { takeTurn } from '../../src/turns/take-turn.ts';

/** Counts turns of the event loop until it is stopped. */
function countLoops() {
  let loops = 0;
  let isOver = false;
  const take = () => {
    loops += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  return {
    read: () => loops,
    stop: () => {
      isOver = true;
    },
  };
}

it('gives turns in the order of the calls, one in each turn of the event loop', async () => {
  const loops = countLoops();
  const seen: { name: string; loop: number }[] = [];
  const work = async (name: string) => {
    for (let piece = 0; piece < 3; piece += 1) {
      await takeTurn();
      seen.push({ name, loop: loops.read() });
    }
  };
  await Promise.all([work('a'), work('b'), work('c')]);
  loops.stop();
  expect(seen.map(({ name }) => name).join('')).toBe('abcabcabc');
  for (const [at, { loop }] of seen.entries()) {
    if (at > 0) expect(loop).toBeGreaterThan(seen[at - 1]!.loop);
  }
});

it('gives turns again after a pause', async () => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const take = async () => {
    const turn = takeTurn();
    await vi.runAllTimersAsync();
    return turn;
  };
  await take();
  await vi.runAllTimersAsync();
  expect(vi.getTimerCount()).toBe(0);
  expect(await take()).toBeUndefined();
});
