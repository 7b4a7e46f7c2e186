import { fork, type Serializable } from 'node:child_process';
import path from 'node:path';
import { type Transferable, Worker } from 'node:worker_threads';
import { present } from '../../invariants/must.ts';
import { codeOf } from '../../invariants/narrow.ts';

/** A failed call: it took too long, its thread ended, the thread is closed, or the caller withdrew the call. */
export class ThreadError extends Error {
  readonly code: 'late' | 'lost' | 'closed' | 'cancelled';

  constructor(code: ThreadError['code'], cause?: unknown) {
    super(`thread call failed: ${code}`, { cause });
    this.name = 'ThreadError';
    this.code = code;
  }

  /** Whether the thread ended because it exceeded its memory limit. */
  get isOutOfMemory(): boolean {
    return codeOf(this.cause) === 'ERR_WORKER_OUT_OF_MEMORY';
  }
}

/** Options of a call. */
interface CallOptions {
  /** Values that are transferred to the thread, not copied. */
  readonly transfer?: readonly Transferable[];
  /** Withdraws the call. The thread finishes a call that has started; its answer is dropped. */
  readonly signal?: AbortSignal;
}

/** A program outside the main thread that answers one call at a time. It starts with the first call. */
export interface Thread<Call, Answer> {
  /** Queues a call. Callers take turns, each with its oldest call. Rejects with a ThreadError. */
  call(message: Call, caller: string, options?: CallOptions): Promise<Answer>;
  /** The number of calls, including the current one. */
  readonly load: number;
  /** Ends the thread and rejects waiting calls. */
  close(): Promise<void>;
}

/** Options of a thread. */
export interface ThreadOptions {
  readonly program: URL;
  /**
   * Where the program runs. A worker thread that exceeds its memory limit can end the whole process: one large
   * allocation is enough. Input that can make it exceed the limit needs a process, which copies what is transferred.
   */
  readonly runsIn: 'thread' | 'process';
  /** The time limit of a call in milliseconds, without its wait; above it, the thread is restarted. */
  readonly timeoutMs: number;
  /** Additional time for a call that starts the thread, in milliseconds; default: 0. */
  readonly startMs?: number;
  /** The memory limit of its values, in megabytes; above it, the thread is restarted. */
  readonly memoryMb: number;
  /** Idle time in milliseconds after which the thread ends and releases its memory; default: never. */
  readonly idleMs?: number;
}

interface Job<Call, Answer> {
  readonly message: Call;
  readonly caller: string;
  readonly transfer: readonly Transferable[];
  readonly answer: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: ThreadError) => void;
}

/** Creates a thread that starts with its first call. */
export function createThread<Call extends Serializable, Answer>(
  options: ThreadOptions,
): Thread<Call, Answer> {
  const { timeoutMs, startMs = 0, idleMs } = options;
  const waiting = createTurns<Job<Call, Answer>>();
  let worker: Carrier<Call> | null = null;
  let current: Job<Call, Answer> | null = null;
  /** Ends a call that takes too long, or an idle thread. */
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): Carrier<Call> {
    const startCarrier = options.runsIn === 'thread' ? startWorker<Call, Answer> : startProcess<Call, Answer>;
    const started: Carrier<Call> = startCarrier(options, {
      onAnswer(answer) {
        const done = current;
        if (worker !== started || done === null) return;
        goOn();
        done.resolve(answer);
      },
      onEnd: (cause) => worker === started && fail(new ThreadError('lost', cause)),
    });
    return started;
  }

  function goOn(): void {
    clearTimeout(timer);
    current = waiting.takeNext();
    if (current === null) {
      if (idleMs !== undefined) timer = setTimeout(end, idleMs).unref();
      return;
    }
    const allowedMs = worker === null ? startMs + timeoutMs : timeoutMs;
    worker ??= start();
    timer = setTimeout(() => fail(new ThreadError('late')), allowedMs);
    worker.send(current.message, current.transfer);
  }

  function end(): Promise<unknown> | undefined {
    const ended = worker;
    worker = null;
    return ended?.end();
  }

  /** Rejects the current call and ends the thread; waiting calls run in a new thread. */
  function fail(error: ThreadError): void {
    const failed = current;
    void end();
    goOn();
    failed?.reject(error);
  }

  return {
    get load() {
      return waiting.count() + (current === null ? 0 : 1);
    },
    call(message, caller, { transfer = [], signal } = {}) {
      const job = createJob<Call, Answer>(message, caller, transfer);
      if (isClosed) job.reject(new ThreadError('closed'));
      else {
        waiting.add(job);
        withdrawOn(signal, waiting, job);
        if (current === null) goOn();
      }
      return job.answer;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const job of [current, ...waiting.takeAll()]) job?.reject(new ThreadError('closed'));
      current = null;
      await end();
    },
  };
}

/** A running program. */
interface Carrier<Call> {
  send(message: Call, transfer: readonly Transferable[]): void;
  end(): Promise<unknown>;
}

interface CarrierEvents<Answer> {
  readonly onAnswer: (answer: Answer) => void;
  readonly onEnd: (cause?: unknown) => void;
}

function startWorker<Call, Answer>(
  { program, memoryMb }: ThreadOptions,
  { onAnswer, onEnd }: CarrierEvents<Answer>,
): Carrier<Call> {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits });
  worker
    .on('message', onAnswer)
    .on('error', onEnd)
    .on('exit', () => onEnd());
  return {
    send: (message, transfer) => worker.postMessage(message, transfer),
    end: () => worker.terminate(),
  };
}

function startProcess<Call extends Serializable, Answer>(
  { program, memoryMb }: ThreadOptions,
  { onAnswer, onEnd }: CarrierEvents<Answer>,
): Carrier<Call> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const cache = process.env.NODE_COMPILE_CACHE;
  const child = fork(program, {
    env: cache === undefined ? {} : { NODE_COMPILE_CACHE: path.resolve(cache) },
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    // What V8 writes about a full memory is for its developers.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child
    .on('message', onAnswer)
    .on('error', onEnd)
    .on('exit', (code, signal) => {
      resolve();
      onEnd(new Error(`the process ended with ${signal ?? code}`));
    });
  return {
    // A message that cannot be sent is to a process that ends.
    send: (message) => void child.send(message, () => {}),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function createJob<Call, Answer>(
  message: Call,
  caller: string,
  transfer: readonly Transferable[],
): Job<Call, Answer> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  return { message, caller, transfer, answer, resolve, reject };
}

function withdrawOn<Call, Answer>(
  signal: AbortSignal | undefined,
  waiting: Turns<Job<Call, Answer>>,
  job: Job<Call, Answer>,
): void {
  const withdraw = () => {
    waiting.remove(job);
    job.reject(new ThreadError('cancelled'));
  };
  if (signal?.aborted) withdraw();
  else signal?.addEventListener('abort', withdraw, { once: true });
}

/** Waiting jobs by caller, in the order of turns. */
interface Turns<Job> {
  add(job: Job): void;
  /** Removes and returns the next job; null without waiting jobs. */
  takeNext(): Job | null;
  /** Removes a job if it still waits. */
  remove(job: Job): void;
  count(): number;
  takeAll(): Job[];
}

/** Creates turns without waiting jobs. */
function createTurns<Job extends { readonly caller: string }>(): Turns<Job> {
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
      const job = present(jobs.shift());
      byCaller.delete(caller);
      if (jobs.length > 0) byCaller.set(caller, jobs);
      return job;
    },
    remove(job: Job): void {
      const jobs = byCaller.get(job.caller) ?? [];
      const left = jobs.filter((other) => other !== job);
      if (left.length > 0) byCaller.set(job.caller, left);
      else byCaller.delete(job.caller);
    },
    count: () => byCaller.values().reduce((sum, { length }) => sum + length, 0),
    takeAll(): Job[] {
      const jobs = [...byCaller.values()].flat();
      byCaller.clear();
      return jobs;
    },
  };
}
