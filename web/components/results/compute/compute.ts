import type { ResultSource } from '../source/result-source.ts';
import { createPace } from './pace.ts';
import {
  listTaskColumns,
  runWith,
  type Task,
  type TaskResults,
  type WorkerAnswer,
  type WorkerTask,
} from './run-task.ts';

/** Up to this number of rows, the page itself is faster than a worker, which must be started. */
const MAX_IN_PAGE = 10_000;

/**
 * Does a computation over the rows of a source: in a new worker, or at the page's pace for few rows. Rejects with
 * the reason of the signal when it is aborted, and if the worker ends early.
 */
export function compute<Kind extends Task['kind']>(
  source: ResultSource,
  task: Extract<Task, { readonly kind: Kind }>,
  signal: AbortSignal,
): Promise<TaskResults[Kind]> {
  const done =
    source.rowCount <= MAX_IN_PAGE
      ? runWith(source, task, createPace(signal))
      : computeInWorker(source, task, signal);
  return done as Promise<TaskResults[Kind]>;
}

/** The time within which a worker begins, in milliseconds: its program must be loaded, and the columns sent. */
const START_MS = 60_000;

async function computeInWorker(
  source: ResultSource,
  task: Task,
  signal: AbortSignal,
): Promise<TaskResults[Task['kind']]> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./compute-worker.ts', import.meta.url), { type: 'module' });
  const answered = Promise.withResolvers<Exclude<WorkerAnswer, 'started'>>();
  const ended = new AbortController();
  // Outside of HTTPS and of this machine, browsers have no locks.
  const lock = 'locks' in navigator ? `quern-compute-${crypto.randomUUID()}` : null;
  const fail = () => answered.reject(new WorkerEndedError());
  const late = setTimeout(fail, START_MS);
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
    if (data !== 'started') answered.resolve(data);
    else {
      clearTimeout(late);
      if (lock !== null) navigator.locks.request(lock, { signal: ended.signal }, fail).catch(() => undefined);
    }
  });
  worker.addEventListener('error', fail);
  worker.addEventListener('messageerror', fail);
  signal.addEventListener('abort', () => answered.reject(signal.reason), { signal: ended.signal });
  try {
    worker.postMessage({
      task,
      columns: source.copyColumns(listTaskColumns(task)),
      lock,
    } satisfies WorkerTask);
    const answer = await answered.promise;
    if ('problem' in answer) throw new Error(answer.problem);
    return answer.result;
  } finally {
    clearTimeout(late);
    ended.abort();
    worker.terminate();
  }
}

/** The browser ended a worker, mostly for lack of memory; the next computation has a new one. */
class WorkerEndedError extends Error {
  constructor() {
    super(
      'The browser ended the computation, perhaps for lack of memory. Close other tabs of the browser, or filter the rows, and try again.',
    );
  }
}
