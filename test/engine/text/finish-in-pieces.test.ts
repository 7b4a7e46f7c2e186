import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { finishInPieces, noteNewRequest } from '../../../src/engine/text/finish-in-pieces.ts';
import type { Interruptible } from '../../../src/engine/text/interruptible.ts';
import { countTurns } from '../../support/turns.ts';

const never = new AbortController().signal;

/** The time in milliseconds, which only work and pauses change. */
let now = 0;
/** The lengths of the pauses, in milliseconds. */
const pauses: number[] = [];

beforeEach(() => {
  pauses.length = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0) => {
    now += ms;
    pauses.push(ms);
    return undefined as never;
  });
  // Named imports of a built-in module change with this call only.
  syncBuiltinESMExports();
  // No request of another test is new.
  now = 0;
  noteNewRequest();
  now = 1_000;
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
});

/** Blocks the thread for a number of milliseconds at each step, and records the steps. */
function* work(steps: number, ms: number, note: (step: number) => void = () => {}): Interruptible<string> {
  for (let step = 0; step < steps; step += 1) {
    now += ms;
    note(step);
    yield;
  }
  return 'done';
}

describe('work in pieces', () => {
  it('lets other work run between long pieces', async () => {
    expect(await countTurns(finishInPieces(work(5, 3), never))).toBeGreaterThanOrEqual(5);
  });

  it('leaves more time for other work while a request is new', async () => {
    await finishInPieces(work(5, 3), never);
    expect(pauses).toEqual([]);
    await finishInPieces(work(5, 3, noteNewRequest), never);
    expect(pauses).toEqual([0, 6, 6, 6, 6]);
  });

  it('resolves with what the work returns, short or long', async () => {
    expect(await finishInPieces(work(0, 0), never)).toBe('done');
    expect(await finishInPieces(work(3, 3), never)).toBe('done');
  });

  it('stops when its signal is aborted, and while it waits for other work', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const first = finishInPieces(
      work(50, 3, (step) => {
        seen.push(`first ${step}`);
        if (step === 2) stop.abort(new Error('stopped'));
      }),
      never,
    );
    const second = finishInPieces(
      work(50, 3, (step) => seen.push(`second ${step}`)),
      stop.signal,
    );
    await expect(second).rejects.toThrow('stopped');
    expect(await first).toBe('done');
    expect(seen.filter((step) => step.startsWith('second'))).toEqual(['second 0']);
  });

  it('continues with the next work after a failure', async () => {
    function* failing(): Interruptible<never> {
      yield* work(2, 3);
      throw new Error('failed');
    }
    const failed = finishInPieces(failing(), never);
    const next = finishInPieces(work(2, 3), never);
    await expect(failed).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
