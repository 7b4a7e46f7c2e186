import { Worker } from 'node:worker_threads';

/** Why a call failed: it took too long, its thread ended, or the thread is closed. */
export class ThreadError extends Error {
  readonly code: 'late' | 'lost' | 'closed';

  constructor(code: ThreadError['code'], cause?: unknown) {
    super(`a call of a thread is ${code}`, { cause });
    this.name = 'ThreadError';
    this.code = code;
  }
}

/** A program that runs in a worker thread and answers one call at a time. It starts with the first call. */
export interface Thread<Call, Answer> {
  /** Waits for the caller's turn: callers take turns, each with the call that has waited longest. Rejects with a ThreadError. */
  call(message: Call, caller: string): Promise<Answer>;
  /** Ends the thread and rejects the calls that wait. */
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

interface Job<Call, Answer> {
  readonly message: Call;
  readonly caller: string;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: ThreadError) => void;
}

/** A thread, which nothing has called yet. */
export function createThread<Call, Answer>(options: ThreadOptions): Thread<Call, Answer> {
  const waiting = createTurns<Job<Call, Answer>>();
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
    current = waiting.takeNext();
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
    call: (message, caller) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new ThreadError('closed'));
        waiting.add({ message, caller, resolve, reject });
        if (current === null) goOn();
      }),
    async close() {
      isClosed = true;
      clearTimeout(late);
      const left = [...(current === null ? [] : [current]), ...waiting.takeAll()];
      const ended = worker;
      [worker, current] = [null, null];
      for (const { reject } of left) reject(new ThreadError('closed'));
      await ended?.terminate();
    },
  };
}

/** What waits, by caller; the caller whose turn is next comes first. */
function createTurns<Job extends { readonly caller: string }>() {
  const byCaller = new Map<string, Job[]>();
  return {
    add(job: Job): void {
      const jobs = byCaller.get(job.caller);
      if (jobs === undefined) byCaller.set(job.caller, [job]);
      else jobs.push(job);
    },
    takeNext(): Job | null {
      const [first] = byCaller;
      if (first === undefined) return null;
      const [caller, jobs] = first;
      const job = jobs.shift()!;
      byCaller.delete(caller);
      if (jobs.length > 0) byCaller.set(caller, jobs);
      return job;
    },
    takeAll(): Job[] {
      const jobs = [...byCaller.values()].flat();
      byCaller.clear();
      return jobs;
    },
  };
}
