import { runTask, type WorkerAnswer, type WorkerTask } from './run-task.ts';

// The program of a worker that does one computation, next to the page: the page can be used meanwhile.

addEventListener('message', ({ data }: MessageEvent<WorkerTask>) => {
  void answer(data).then((result) => postMessage(result));
});

async function answer(task: WorkerTask): Promise<WorkerAnswer> {
  try {
    // Nothing else waits for this thread; the page ends it when the result is not wanted any more.
    return { result: await runTask(task, () => undefined) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
