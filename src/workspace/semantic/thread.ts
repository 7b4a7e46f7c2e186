import { Worker } from 'node:worker_threads';

/** Why a call came to nothing: it took too long, its thread ended, too many waited, or nothing is called any more. */
export class ThreadError extends Error {
  readonly code: 'late' | 'lost' | 'busy' | 'closed';

  constructor(code: ThreadError['code'], cause?: unknown) {
    super(`a call of a thread is ${code}`, { cause });
    this.name = 'ThreadError';
    this.code = code;
  }
}

/** A program that runs beside the main thread and answers calls, one after the other. It begins with the first call. */
export interface Thread<Call, Answer> {
  /** Rejects with a ThreadError. */
  call(message: Call): Promise<Answer>;
  /** Ends it; what waits is rejected. */
  close(): Promise<void>;
}

/** How a thread is run. */
export interface ThreadOptions {
  readonly program: URL;
  /** How long a call may take, in milliseconds, without the time that it waits; then the thread begins anew. */
  readonly timeoutMs: number;
  /** How much memory its values may take, in megabytes; with more it begins anew. */
  readonly memoryMb: number;
}

/** Most calls that wait. */
const MOST_WAITING = 1_000;

interface Job<Call, Answer> {
  readonly message: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: ThreadError) => void;
}

/** A thread, which nothing has called yet. */
export function createThread<Call, Answer>(options: ThreadOptions): Thread<Call, Answer> {
  const waiting: Job<Call, Answer>[] = [];
  let worker: Worker | null = null;
  let current: Job<Call, Answer> | null = null;
  let late: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): Worker {
    const { program, memoryMb } = options;
    const started = new Worker(program, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    started.on('message', (answer: Answer) => {
      const done = current;
      if (worker !== started || done === null) return;
      goOn();
      done.resolve(answer);
    });
    started.on('error', (error) => worker === started && fail(new ThreadError('lost', error)));
    started.on('exit', () => worker === started && fail(new ThreadError('lost')));
    return started;
  }

  function goOn(): void {
    clearTimeout(late);
    current = waiting.shift() ?? null;
    if (current === null) return;
    worker ??= start();
    late = setTimeout(() => fail(new ThreadError('late')), options.timeoutMs);
    worker.postMessage(current.message);
  }

  /** What the thread is at comes to nothing; what waits goes on in another one. */
  function fail(error: ThreadError): void {
    const failed = current;
    void worker?.terminate();
    worker = null;
    goOn();
    failed?.reject(error);
  }

  return {
    call: (message) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new ThreadError('closed'));
        if (waiting.length >= MOST_WAITING) return reject(new ThreadError('busy'));
        waiting.push({ message, resolve, reject });
        if (current === null) goOn();
      }),
    async close() {
      isClosed = true;
      clearTimeout(late);
      const left = [...(current === null ? [] : [current]), ...waiting.splice(0)];
      const ended = worker;
      [worker, current] = [null, null];
      for (const { reject } of left) reject(new ThreadError('closed'));
      await ended?.terminate();
    },
  };
}
