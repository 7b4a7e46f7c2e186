import type { ResultSource } from '../source/result-source.ts';
import { createPace } from './pace.ts';
import { listTaskColumns, runWith, type Task, type TaskResults, type WorkerAnswer } from './run-task.ts';

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

async function computeInWorker(
  source: ResultSource,
  task: Task,
  signal: AbortSignal,
): Promise<TaskResults[Task['kind']]> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./compute-worker.ts', import.meta.url), { type: 'module' });
  const answered = Promise.withResolvers<WorkerAnswer>();
  const fail = () => answered.reject(new Error('The browser ended the computation.'));
  const leave = () => answered.reject(signal.reason);
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => answered.resolve(data));
  worker.addEventListener('error', fail);
  worker.addEventListener('messageerror', fail);
  signal.addEventListener('abort', leave, { once: true });
  try {
    worker.postMessage({ task, columns: source.copyColumns(listTaskColumns(task)) });
    const answer = await answered.promise;
    if ('problem' in answer) throw new Error(answer.problem);
    return answer.result;
  } finally {
    signal.removeEventListener('abort', leave);
    worker.terminate();
  }
}
