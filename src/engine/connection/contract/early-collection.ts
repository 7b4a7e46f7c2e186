import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Chunks after which a result is a long one: short answers have no attached memory. */
const LONG = 2;
/** Chunks of each long result between two collections of young garbage. */
const INTERVAL = 8;
/** Chunks that have become old before a collection of the whole heap, about 20 MB of them. */
const MAX_OLD = 64;

/** The number of long results that are being read. */
let readers = 0;
/** The number of collections so far. */
let collections = 0;
/** Chunks since the last collection. */
let young = 0;
/** Chunks that have become old since the last collection of the whole heap. */
let old = 0;

/**
 * Collects the garbage of long results while they are read. V8 knows little of the memory of the engine's chunks, to
 * which small objects refer: without this, those of a slow reader grow to hundreds of megabytes, and those of a fast one
 * leave the processor's caches, so that it takes a third longer. Frequent collections of young garbage free them, except
 * chunks that are in use at two of these, which become old.
 */
export class EarlyCollection {
  #chunks = 0;
  /** The number of collections at each of the last two chunks. */
  #before: readonly [number, number] = [0, 0];

  /** Notes that a chunk of the result is about to be read, and that the next one is about to be fetched. */
  noteChunk(): void {
    this.#chunks += 1;
    if (this.#chunks < LONG) return;
    if (this.#chunks === LONG) readers += 1;
    else if (collections - this.#before[0] >= 2) old += 1;
    this.#before = [this.#before[1], collections];
    young += 1;
    if (old >= MAX_OLD) collect('major');
    else if (young >= INTERVAL * readers) collect('minor');
  }

  /** Notes, once, that the result is not read any longer. */
  end(): void {
    if (this.#chunks >= LONG) readers -= 1;
  }
}

function collect(type: 'minor' | 'major'): void {
  collectGarbage(type);
  collections += 1;
  young = 0;
  if (type === 'major') old = 0;
}

type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

/** V8's own function; null before its first use. */
let v8Collect: Collect | null = null;

/** Collects this thread's garbage now: that of young objects, or all. Memory attached to it is free at the end. */
export function collectGarbage(type: 'minor' | 'major'): void {
  v8Collect ??= findFunction();
  // Otherwise the attached memory is freed at some time after it.
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  v8Collect({ type });
  setFlagsFromString('--concurrent-array-buffer-sweeping');
}

/** V8 gives the function to new contexts only. */
function findFunction(): Collect {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
