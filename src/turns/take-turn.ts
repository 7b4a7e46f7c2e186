/** The longest pause after a piece of work, in milliseconds. */
const MAX_PAUSE_MS = 10;

/** Those whose turn comes, the first one first. */
const waiting: (() => void)[] = [];
let isTaken = false;

/**
 * Resolves when it is the caller's turn to go on with long work in pieces. All such work of this thread takes one turn
 * after another, each followed by a pause as long as it took: whoever asks for something short needs several turns of the
 * event loop, and is not to wait for a piece of everybody's work in each of them.
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
