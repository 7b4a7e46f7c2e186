/** Work on a string that can be long; it can be interrupted at each `yield`. */
export type Interruptible<T> = Generator<undefined, T, undefined>;

/** Work can be interrupted after each of this number of tokens. */
const TOKENS = 1024;

/** Whether work must be interruptible after `count` tokens. */
export function isPause(count: number): boolean {
  return count % TOKENS === 0;
}

/** Finishes work without a pause. */
export function finish<T>(work: Interruptible<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}
