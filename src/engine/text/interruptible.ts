import { setTimeout as sleep, setImmediate as takeTurn } from 'node:timers/promises';

/** Work on a text that may be long; it can be interrupted at each `yield`. */
export type Interruptible<T> = Generator<undefined, T, undefined>;

/** How long a piece of such work may hold the thread while others wait, in milliseconds. */
const PIECE_MS = 2;
/** The longest piece that a pause is made for. */
const MAX_HELD_MS = 5;
/** After how many tokens of a text work is interruptible. */
const TOKENS = 1024;

/** How long somebody who has come counts as new, in milliseconds. */
const NEW_MS = 20;
/** While somebody is new, the thread is left free for so many times as long as a piece has held it. */
const TIMES_FREE = 2;

/** Until when somebody is new who has come while others were here. */
let newUntil = 0;

/** Long work that is under way in this thread, one after another: each may need much memory. */
let queue: Promise<unknown> = Promise.resolve();

/** Whether work that has passed `count` tokens is to be interruptible here. */
export function isPause(count: number): boolean {
  return count % TOKENS === 0;
}

/** Says that somebody has come for whom long work of others is to leave the thread free. */
export function noteNewcomer(): void {
  newUntil = performance.now() + NEW_MS;
}

/** Finishes work without a pause. */
export function finish<T>(work: Interruptible<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}

/**
 * Finishes work piece by piece, so that others have their turns between the pieces; short work takes none. Rejects as
 * the work throws, and with the reason of `signal` when that is aborted first.
 */
export async function finishInPieces<T>(work: Interruptible<T>, signal: AbortSignal): Promise<T> {
  let piece = doPiece(work);
  if (piece.done === true) return piece.value;
  const before = queue;
  const over = Promise.withResolvers<void>();
  queue = before.then(() => over.promise);
  try {
    await untilAborted(before, signal);
    let held = 0;
    while (piece.done !== true) {
      await (performance.now() < newUntil ? sleep(held * TIMES_FREE) : takeTurn());
      signal.throwIfAborted();
      const start = performance.now();
      piece = doPiece(work);
      held = Math.min(performance.now() - start, MAX_HELD_MS);
    }
    return piece.value;
  } finally {
    over.resolve();
  }
}

function doPiece<T>(work: Interruptible<T>): IteratorResult<undefined, T> {
  const end = performance.now() + PIECE_MS;
  for (;;) {
    const next = work.next();
    if (next.done === true || performance.now() >= end) return next;
  }
}

/** Waits no longer than `signal` lets it. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp));
}
