import { setTimeout as sleep, setImmediate as takeTurn } from 'node:timers/promises';
import type { Interruptible } from './interruptible.ts';

/** How long one piece of such work may block the thread while other work waits, in milliseconds. */
const PIECE_MS = 2;
/** Upper limit of the measured piece, in milliseconds, from which the length of a pause is calculated. */
const MAX_HELD_MS = 5;
/** How long a request counts as new after its arrival, in milliseconds. */
const NEW_MS = 20;
/** While a request is new, each pause is this many times as long as the piece before it. */
const TIMES_FREE = 2;

/** The time until which the last request counts as new. */
let newUntil = 0;

/** Long work of this thread. It runs one after another, because each can need much memory. */
let queue: Promise<unknown> = Promise.resolve();

/** Records a new request, so that long work pauses and leaves the thread free. */
export function noteNewRequest(): void {
  newUntil = performance.now() + NEW_MS;
}

/**
 * Finishes work piece by piece, so that other work can run between the pieces; short work is not interrupted. Rejects
 * with the error of the work, or with the reason of `signal` if that is aborted first.
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

/** Waits for work; rejects when `signal` is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp));
}
