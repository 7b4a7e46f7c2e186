import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Chunks after which a result is a long one: short answers have no attached memory. */
const LONG = 2;
/** Chunks of each long result between two collections of young garbage. */
const INTERVAL = Number(process.env.INTERVAL ?? 8);
/** Chunks that have become old before a collection of the whole heap, about 40 MB of them. */
const MAX_OLD = 128;

/** The results that are being read, and what has happened since the last collections. */
const state = { readers: 0, collections: 0, chunks: 0, old: 0 };

/**
 * Collects the garbage of long results while they are read. V8 knows little of the memory of the engine's chunks, to
 * which small objects refer: without this, those of a slow reader grow to hundreds of megabytes, and those of a fast one
 * leave the processor's caches, so that it takes a third longer. Frequent collections of young garbage free them, except
 * chunks that are in use at two of these, which become old.
 */
export class EarlyCollection {
  #chunks = 0;
  /** The number of collections before each of the last two chunks. */
  #before: readonly [number, number] = [0, 0];

  /** Notes that a chunk of the result is about to be read, and that the next one is about to be fetched. */
  noteChunk(): void {
    this.#chunks += 1;
    if (this.#chunks < LONG) return;
    if (this.#chunks === LONG) state.readers += 1;
    else if (state.collections - this.#before[0] >= 2) state.old += 1;
    this.#before = [this.#before[1], state.collections];
    state.chunks += 1;
    if (state.old >= MAX_OLD) collect('major');
    else if (state.chunks >= INTERVAL * state.readers) collect('minor');
  }

  /** Notes, once, that the result is not read any longer. */
  end(): void {
    if (this.#chunks >= LONG) state.readers -= 1;
  }
}

type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

let run: Collect | null = null;

function collect(type: 'minor' | 'major'): void {
  if (run === null) {
    // V8 gives the function to new contexts only.
    setFlagsFromString('--expose-gc');
    run = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
    setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  }
  run({ type });
  state.collections += 1;
  state.chunks = 0;
  if (type === 'major') state.old = 0;
}
