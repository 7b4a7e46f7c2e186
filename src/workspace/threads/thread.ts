import { type Transferable, Worker } from 'node:worker_threads';
import { codeOf } from '../../invariants/narrow.ts';
import { createTurns, type Turns } from './turns.ts';

/** Why a call failed: it took too long, its thread ended, the thread is closed, or the caller has withdrawn the call. */
export class ThreadError extends Error {
  readonly code: 'late' | 'lost' | 'closed' | 'cancelled';

  constructor(code: ThreadError['code'], cause?: unknown) {
    super(`a call of a thread is ${code}`, { cause });
    this.name = 'ThreadError';
    this.code = code;
  }

  /** Whether the thread ended because its values took more memory than they may. */
  get isOutOfMemory(): boolean {
    return codeOf(this.cause) === 'ERR_WORKER_OUT_OF_MEMORY';
  }
}

/** How a call is sent. */
interface CallOptions {
  /** What the thread takes over, so that it is not copied. */
  readonly transfer?: readonly Transferable[];
  /** Withdraws the call; the thread finishes one that it has begun, and nobody gets its answer. */
  readonly signal?: AbortSignal;
}

/** A program that runs in a worker thread and answers one call at a time. It starts with the first call. */
export interface Thread<Call, Answer> {
  /** Waits for the caller's turn: callers take turns, each with the call that has waited longest. Rejects with a ThreadError. */
  call(message: Call, caller: string, options?: CallOptions): Promise<Answer>;
  /** How many calls it has, the one that it is at among them. */
  readonly load: number;
  /** Ends the thread and rejects the calls that wait. */
  close(): Promise<void>;
}

/** How a thread is run. */
export interface ThreadOptions {
  readonly program: URL;
  /** How long a call may take, in milliseconds, without the time that it waits; then the thread begins anew. */
  readonly timeoutMs: number;
  /** How much longer a call may take for which the thread starts, in milliseconds; none if left out. */
  readonly startMs?: number;
  /** How much memory its values may take, in megabytes; with more it begins anew. */
  readonly memoryMb: number;
  /** After how long without a call the thread ends, in milliseconds, and gives its memory back; left out: never. */
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

/** A thread, which nothing has called yet. */
export function createThread<Call, Answer>(options: ThreadOptions): Thread<Call, Answer> {
  const { timeoutMs, startMs = 0, idleMs } = options;
  const waiting = createTurns<Job<Call, Answer>>();
  let worker: Worker | null = null;
  let current: Job<Call, Answer> | null = null;
  /** Ends a call that takes too long, or a thread that nobody has called for a while. */
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): Worker {
    const started = startWorker(
      options,
      (cause) => worker === started && fail(new ThreadError('lost', cause)),
    );
    started.on('message', (answer: Answer) => {
      const done = current;
      if (worker !== started || done === null) return;
      goOn();
      done.resolve(answer);
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
    worker.postMessage(current.message, current.transfer);
  }

  function end(): Promise<unknown> | undefined {
    const ended = worker;
    worker = null;
    return ended?.terminate();
  }

  /** What the thread is at comes to nothing; what waits goes on in another one. */
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

function startWorker({ program, memoryMb }: ThreadOptions, onEnd: (cause?: unknown) => void): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
  const worker = new Worker(program, { env: {}, execArgv: [], resourceLimits });
  return worker.on('error', onEnd).on('exit', () => onEnd());
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
