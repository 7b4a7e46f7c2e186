/** Maximum pause after a piece of work, in milliseconds. */
const MAX_PAUSE_MS = 10;

/** Callers that wait for a turn, oldest first. */
const waiting: (() => void)[] = [];
let isTaken = false;

/**
 * Resolves when the caller may continue long work that runs in pieces. All such work of this thread takes turns, and
 * each turn is followed by a pause of the same length. A short request needs several iterations of the event loop, and
 * should not wait for a piece of long work in each of them.
 */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isTaken) return;
    isTaken = true;
    setImmediate(next);
  });
}

function next(): void {
  const resolve = waiting.shift();
  if (resolve === undefined) {
    isTaken = false;
    return;
  }
  const start = performance.now();
  resolve();
  setImmediate(() => setTimeout(next, Math.min(performance.now() - start, MAX_PAUSE_MS)));
}
