import { runTask, type WorkerAnswer, type WorkerTask } from './run-task.ts';

// The program of a worker that does one computation, next to the page: the page can be used meanwhile.

addEventListener('message', ({ data }: MessageEvent<WorkerTask>) => {
  const work = async () => {
    postMessage('started' satisfies WorkerAnswer);
    postMessage(await answer(data));
  };
  if (data.lock === null) void work();
  // The page learns that the worker has ended when it gets the lock, which the worker never gives back.
  else void navigator.locks.request(data.lock, () => work().then(() => new Promise<never>(() => undefined)));
});

async function answer(task: WorkerTask): Promise<WorkerAnswer> {
  try {
    // Nothing else waits for this thread; the page ends it when the result is not wanted any more.
    return { result: await runTask(task, () => undefined) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
