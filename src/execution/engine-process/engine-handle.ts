import type { ChildProcess, SendHandle } from 'node:child_process';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import { elementAt } from '../../invariants/must.ts';
import { executionErrors, type LostError } from '../contract/errors.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import { type AnswerServer, listenForAnswers } from './answer-server.ts';
import { type Asked, type EngineLine, Job } from './engine-job.ts';
import type { FromEngine } from './engine-messages.ts';
import { createRequestSender, type Send } from './engine-packages.ts';
import { type StartEngineOptions, startEngineProcess } from './start-engine.ts';
import { watchMemory } from './watch-memory.ts';

export interface EngineOptions extends StartEngineOptions {
  /** A folder that only this user may enter, for the socket of answers. */
  readonly folder: string;
  /** Bytes of resident memory that the process may have; null: any. */
  readonly memoryCeiling: number | null;
  /** Takes the user whose execution has ended a process, where it is clear whose it was. */
  readonly onCrash: (owner: string) => void;
  /** Takes what databases use of the disk, when that is measured. */
  readonly onDiskUse?: ((uses: readonly DiskUse[]) => void) | undefined;
}

/** How long a process may take to begin, and to end when it is told to, in milliseconds. */
const START_MS = 30_000;
const CLOSE_MS = 5_000;

/** How long drivers take at most to part with a server, in milliseconds. */
const PARTING_MS = 20_000;

/** Why we end a process, for its log, and what is said about executions that are lost with it. */
const REASONS = {
  stuck: { log: 'a statement went on after it was told to stop', fault: executionErrors.engineRestarted },
  memory: { log: 'it came to the limit of its memory', fault: executionErrors.engineOutOfMemory },
  start: { log: 'it was not ready in time', fault: executionErrors.engineNotStarted },
  close: { log: 'it went on after it was told to end', fault: executionErrors.engineClosed },
} as const;

/** One engine process, as its parent sees it; when it ends, by itself or by us, everything in it is lost. */
export class EngineHandle {
  readonly pid: number;
  /** Resolves when nothing can run in it any more; its process may take longer. */
  readonly lost: Promise<void>;
  /** Resolves when its process is gone, with whether it ended by itself. */
  readonly gone: Promise<boolean>;
  readonly #child: ChildProcess;
  readonly #log: (text: string) => void;
  readonly #server: AnswerServer;
  readonly #jobs = new Map<string, Job>();
  readonly #line: EngineLine;
  readonly #onCrash: (owner: string) => void;
  readonly #onDiskUse: EngineOptions['onDiskUse'];
  readonly #sendRequest: ReturnType<typeof createRequestSender>;
  /** What a dead process is not told does not matter: its end is seen. */
  readonly #send: Send = (message, handle, onLeft) => {
    this.#child.send(message, handle as SendHandle, onLeft);
  };
  readonly #ready = Promise.withResolvers<void>();
  readonly #lost = Promise.withResolvers<void>();
  /** Why nothing can run in it any more; null while it can. */
  #why: LostError | null = null;
  /** Whether it ends because it is told to. */
  #isToEnd = false;

  /** Starts one; rejects with a LostError when it does not come up. */
  static async start(options: EngineOptions): Promise<EngineHandle> {
    const server = await listenForAnswers(options.folder);
    const engine = new EngineHandle(startEngineProcess(options), server, options);
    engine.#send({ kind: 'open', socket: server.path });
    const timer = setTimeout(() => engine.kill('start'), START_MS);
    await engine.#ready.promise.finally(() => clearTimeout(timer));
    return engine;
  }

  private constructor(
    child: ChildProcess,
    server: AnswerServer,
    { log, memoryCeiling, onCrash, onDiskUse }: EngineOptions,
  ) {
    const gone = Promise.withResolvers<boolean>();
    this.#child = child;
    this.#server = server;
    this.#line = { send: this.#send, sockets: server };
    this.#onCrash = onCrash;
    this.#onDiskUse = onDiskUse;
    this.#sendRequest = createRequestSender(this.#send);
    this.pid = child.pid ?? 0;
    this.lost = this.#lost.promise;
    this.gone = gone.promise;
    this.#log = (text) => log(`the engine process ${child.pid} ${text}`);
    // To cancel some of it would not help: what has been freed stays with the process.
    const stopWatching = watchMemory(this.pid, memoryCeiling, () =>
      this.kill('memory', this.#findOnlyOwner()),
    );
    const lose = () =>
      this.#lose(executionErrors.engineRestarted(), this.#isToEnd ? null : this.#findOnlyOwner());
    const end = () => {
      stopWatching();
      gone.resolve(!this.#isToEnd);
      // Else it has told something that is still to be read.
      if (!child.connected) lose();
    };
    child.on('message', (message: FromEngine) => this.#receive(message));
    child.on('disconnect', () => {
      if (!this.#isToEnd) child.kill('SIGKILL');
      lose();
    });
    child.on('exit', (code, signal) => {
      if (!this.#isToEnd) this.#log(`has ended by itself: ${signal ?? `exit code ${code}`}`);
      end();
    });
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      log(`the engine process cannot be started: ${error.message}`);
      end();
    });
  }

  /** Runs one execution, and gives it up where it is stuck. Rejects as the job does. */
  async run(asked: Asked): Promise<ExecutionOutcome> {
    const job = new Job(asked, this.#line);
    const { key } = job;
    if (this.#why === null) {
      this.#jobs.set(key, job);
      this.#sendRequest(job).catch((error: unknown) => job.break(error));
      asked.cancellation.stuck.then(() => this.#giveUp(job));
    } else job.loseWithEngine(this.#why);
    try {
      return await job.follow();
    } finally {
      job.over.then(() => this.#jobs.delete(key));
    }
  }

  /**
   * Ends an execution that was told to stop and goes on: one in DuckDB with its process. One elsewhere is only waited for
   * no more: its driver parts with a server that does not answer, and what others run need not suffer.
   */
  #giveUp(job: Job): void {
    const { connection, owner } = job.asked.request;
    const kill = () => this.kill('stuck', owner);
    if (connection.kind === 'duckdb') {
      kill();
      return;
    }
    job.lose(executionErrors.engineRestarted());
    const timer = setTimeout(kill, PARTING_MS);
    job.over.then(() => clearTimeout(timer));
  }

  /** Ends it at once; what runs in it is lost. `owner` is the user whose execution is the cause, if one is. */
  kill(reason: keyof typeof REASONS, owner: string | null = null): void {
    if (this.#why !== null) return;
    this.#isToEnd = true;
    this.#log(`is ended: ${REASONS[reason].log}`);
    this.#child.kill('SIGKILL');
    this.#lose(REASONS[reason].fault(), owner);
  }

  /** Stops what runs in it and lets it give its databases back; resolves when its process is gone. */
  async close(): Promise<void> {
    this.#isToEnd = true;
    this.#send({ kind: 'close' });
    const timer = setTimeout(() => this.kill('close'), CLOSE_MS);
    await this.gone;
    clearTimeout(timer);
  }

  /** Ends everything that is open here; `owner` is the user whose execution is the cause, if one is. */
  #lose(why: LostError, owner: string | null): void {
    if (this.#why !== null) return;
    this.#why = why;
    if (owner !== null) this.#onCrash(owner);
    this.#server.close();
    for (const job of this.#jobs.values()) job.loseWithEngine(why);
    this.#ready.reject(executionErrors.engineNotStarted());
    this.#lost.resolve();
  }

  /** The one user for whom something runs in it; null for several and none: which of them it was is not known. */
  #findOnlyOwner(): string | null {
    const owners = new Set([...this.#jobs.values()].map(({ asked }) => asked.request.owner));
    return owners.size === 1 ? elementAt([...owners], 0) : null;
  }

  #receive(message: FromEngine): void {
    if (message.kind === 'ready') {
      this.#ready.resolve();
      return;
    }
    if (message.kind === 'disk') {
      this.#onDiskUse?.(message.uses);
      return;
    }
    this.#jobs.get(message.key)?.tell(message);
  }
}
