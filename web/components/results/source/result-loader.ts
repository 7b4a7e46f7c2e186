import { ApiError, reachable } from '../../../api/request.ts';
import { readResultBytes } from '../../../api/runs/result-bytes.ts';
import { createStore, type Store } from '../../../api/store.ts';
import { ArrowDecoder, type SourceLimits } from './arrow-source.ts';
import type { ResultSource } from './result-source.ts';

/** The rows and bytes that one result may have in the browser. */
const LIMITS: SourceLimits = { maxRows: 1_000_000, maxBytes: 256 * 1024 * 1024 };

/** What the browser has of a result. */
export interface LoadedResult {
  /** Null before the columns have arrived. */
  readonly source: ResultSource | null;
  /** Whether loading stopped at a limit. */
  readonly isFull: boolean;
  readonly error: Error | null;
  /** Continues after an error. */
  readonly retry: () => void;
}

type Loaded = Omit<LoadedResult, 'retry'>;

/** Loads the rows of a result while they arrive. */
interface ResultLoader extends Store<Loaded> {
  /** Loads on until the end, a limit, an error, or the end of the signal; continues where it stopped. */
  load(signal: AbortSignal): Promise<void>;
}

/** Creates the loader of one result of a run. */
export function createResultLoader(run: string, index: number): ResultLoader {
  const store = createStore<Loaded>({ source: null, isFull: false, error: null });
  let decoder = new ArrowDecoder(LIMITS);
  let from = 0;
  let isEnded = false;
  const loadNext = async (signal: AbortSignal): Promise<void> => {
    const { bytes, next, isComplete } = await readResultBytes(run, index, from, signal);
    try {
      decoder.push(bytes);
    } catch (error) {
      // The bytes may have been damaged on their way: another attempt begins from the start.
      decoder = new ArrowDecoder(LIMITS);
      from = 0;
      throw error;
    }
    from = next;
    isEnded = isComplete;
    store.set({ source: decoder.source, isFull: decoder.isFull && !isComplete, error: null });
  };
  return {
    ...store,
    async load(signal) {
      store.set({ ...store.get(), error: null });
      try {
        while (!(isEnded || decoder.isFull)) {
          await repeatUntilReached(() => loadNext(signal), signal);
        }
      } catch (error) {
        if (signal.aborted) return;
        store.set({ ...store.get(), error: error instanceof Error ? error : new Error(String(error)) });
      }
    },
  };
}

/** Repeats a request that failed because the server could not be reached, as soon as it can be reached. */
async function repeatUntilReached(ask: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 0)) throw error;
      await untilReachable(signal);
    }
  }
}

function untilReachable(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (reachable.get()) {
      resolve();
      return;
    }
    const end = reachable.subscribe(() => {
      if (!reachable.get()) return;
      end();
      resolve();
    });
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
  });
}
