import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

/** V8's own function; null before its first use. */
let collect: Collect | null = null;

/** Collects this thread's garbage now: that of young objects, or all. Memory attached to it is free at the end. */
export function collectGarbage(type: 'minor' | 'major'): void {
  collect ??= findFunction();
  // Otherwise the attached memory is freed at some time after it.
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  collect({ type });
  setFlagsFromString('--concurrent-array-buffer-sweeping');
}

/** V8 gives the function to new contexts only. */
function findFunction(): Collect {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
