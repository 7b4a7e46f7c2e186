import type { ChildProcess, SendHandle } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import { executionErrors, type LostError } from '../contract/errors.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../frames/socket-path.ts';
import { type Asked, type EngineLine, Job } from './engine-job.ts';
import type { FromEngine } from './engine-messages.ts';
import { createRequestSender, type Send } from './engine-packages.ts';
import { type StartEngineOptions, startEngineProcess } from './start-engine.ts';

const EVERY_MS = 250;

/**
 * Reads the resident memory of a process four times a second, on systems with `/proc`, and calls `onOver` while it
 * exceeds `ceiling` bytes (null: never). Returns a function that ends this.
 */
function watchMemory(pid: number, ceiling: number | null, onOver: () => void): () => void {
  if (ceiling === null) return () => {};
  const timer = setInterval(() => {
    if (readResident(pid) > ceiling) onOver();
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Resident memory in bytes; 0 for a process that has ended. */
function readResident(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

export interface EngineOptions extends StartEngineOptions {
  /** A folder that only this user may enter, for the socket at which the process listens. */
  readonly folder: string;
  /** Receives the users with an execution in a process that has ended; only the one who has caused it, if that is known. */
  readonly onCrash: (owners: readonly string[]) => void;
  /** Receives the disk use of the databases when it is measured. */
  readonly onDiskUse?: ((uses: readonly DiskUse[]) => void) | undefined;
}

/** How long a process may take to start, and to end after the request to close, in milliseconds. */
const START_MS = 30_000;
const CLOSE_MS = 5_000;

/** Maximum time that drivers take to disconnect from a server, in milliseconds. */
const DISCONNECT_MS = 20_000;

/** Why the parent ends a process: the line for its log, and the error of the executions that are lost with it. */
const REASONS = {
  stuck: {
    log: 'a statement continued after a stop was requested',
    createError: executionErrors.engineRestarted,
  },
  memory: { log: 'it reached its memory limit', createError: executionErrors.engineOutOfMemory },
  start: { log: 'it was not ready in time', createError: executionErrors.engineNotStarted },
  close: { log: 'it did not end when asked to close', createError: executionErrors.engineClosed },
} as const;

/** One engine process, from the parent's side. When it ends, for any reason, its executions are lost. */
export class EngineHandle {
  readonly pid: number;
  /** Resolves when nothing can run in it any longer; the process itself may end later. */
  readonly lost: Promise<void>;
  /** Resolves when the process has ended, with whether it ended by itself. */
  readonly gone: Promise<boolean>;
  readonly #child: ChildProcess;
  readonly #log: (text: string) => void;
  readonly #place: AnswerPlace;
  readonly #jobs = new Map<string, Job>();
  readonly #line: EngineLine;
  readonly #onCrash: EngineOptions['onCrash'];
  readonly #onDiskUse: EngineOptions['onDiskUse'];
  readonly #sendRequest: ReturnType<typeof createRequestSender>;
  /** Messages to a process that has ended are lost; its end is detected separately. */
  readonly #send: Send = (message, handle, onLeft) => {
    this.#child.send(message, handle as SendHandle, onLeft);
  };
  readonly #receive = (message: FromEngine) => {
    if (message.kind === 'ready') this.#ready.resolve();
    else if (message.kind === 'disk') this.#onDiskUse?.(message.uses);
    else this.#jobs.get(message.key)?.tell(message);
  };
  readonly #ready = Promise.withResolvers<void>();
  readonly #lost = Promise.withResolvers<void>();
  /** Why nothing can run in it any longer; null while it works. */
  #why: LostError | null = null;
  /** Whether the parent has requested its end. */
  #isToEnd = false;

  /** Starts a process; rejects with a LostError when it does not become ready. */
  static async start(options: EngineOptions): Promise<EngineHandle> {
    const place = chooseAnswerPlace(options.folder);
    const child = await startEngineProcess(options, path.dirname(place.socket));
    const engine = new EngineHandle(child, place, options);
    engine.#send({ kind: 'open', socket: place.socket });
    const timer = setTimeout(() => engine.kill('start'), START_MS);
    await engine.#ready.promise.finally(() => clearTimeout(timer));
    return engine;
  }

  private constructor(
    child: ChildProcess,
    place: AnswerPlace,
    { log, memoryCeiling, onCrash, onDiskUse }: EngineOptions,
  ) {
    const gone = Promise.withResolvers<boolean>();
    this.#child = child;
    this.#place = place;
    this.#line = { send: this.#send, socket: place.socket };
    this.#onCrash = onCrash;
    this.#onDiskUse = onDiskUse;
    this.#sendRequest = createRequestSender(this.#send);
    this.pid = child.pid ?? 0;
    this.lost = this.#lost.promise;
    this.gone = gone.promise;
    this.#log = (text) => log(`the engine process ${child.pid} ${text}`);
    // Cancelling some executions would not help: the process keeps memory that it has freed.
    const stopWatching = watchMemory(this.pid, memoryCeiling, () => this.kill('memory', this.#listOwners()));
    const lose = () => this.#lose(executionErrors.engineRestarted(), this.#isToEnd ? [] : this.#listOwners());
    const end = () => {
      stopWatching();
      gone.resolve(!this.#isToEnd);
      // Otherwise, messages remain to be read.
      if (!child.connected) lose();
    };
    child.on('message', this.#receive);
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

  /** Runs one execution, and abandons it when it is stuck. Rejects like the job. */
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
   * Abandons an execution that continues after a stop. One in DuckDB is ended with the process. For one in another
   * database, the parent only stops waiting: its driver disconnects from a server that does not answer, and other
   * executions continue.
   */
  #giveUp(job: Job): void {
    const { connection, owner } = job.asked.request;
    const kill = () => this.kill('stuck', [owner]);
    if (connection.kind === 'duckdb') {
      kill();
      return;
    }
    job.lose(executionErrors.engineRestarted());
    const timer = setTimeout(kill, DISCONNECT_MS);
    job.over.then(() => clearTimeout(timer));
  }

  /** Kills the process at once; its executions are lost. The execution of one of the `owners` is the cause. */
  kill(reason: keyof typeof REASONS, owners: readonly string[] = []): void {
    if (this.#why !== null) return;
    this.#isToEnd = true;
    this.#log(`is ended: ${REASONS[reason].log}`);
    this.#child.kill('SIGKILL');
    this.#lose(REASONS[reason].createError(), owners);
  }

  /** Stops all executions and lets the process close its databases; resolves when the process has ended. */
  async close(): Promise<void> {
    this.#isToEnd = true;
    this.#send({ kind: 'close' });
    const timer = setTimeout(() => this.kill('close'), CLOSE_MS);
    await this.gone;
    clearTimeout(timer);
  }

  /** Fails all executions of the process; the execution of one of the `owners` is the cause. */
  #lose(why: LostError, owners: readonly string[]): void {
    if (this.#why !== null) return;
    this.#why = why;
    if (owners.length > 0) this.#onCrash(owners);
    this.#place.remove();
    for (const job of this.#jobs.values()) job.loseWithEngine(why);
    this.#ready.reject(executionErrors.engineNotStarted());
    this.#lost.resolve();
  }

  /** The users with an execution in the process. */
  #listOwners(): readonly string[] {
    return [...new Set([...this.#jobs.values()].map(({ asked }) => asked.request.owner))];
  }
}

/** The place of the socket at which one engine process listens. */
interface AnswerPlace {
  readonly socket: string;
  /** Removes it. */
  remove(): void;
}

/**
 * Chooses a new place in a private `folder`, or in a private folder among the system's temporary files when the path of
 * `folder` is too long for a socket.
 */
function chooseAnswerPlace(folder: string): AnswerPlace {
  const socket = path.join(folder, `engine-${randomUUID()}`);
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_LENGTH) return { socket, remove: () => remove(socket) };
  const own = mkdtempSync(path.resolve(tmpdir(), 'quern-'));
  return { socket: path.join(own, 'engine'), remove: () => remove(own) };
}

function remove(name: string): void {
  rmSync(name, { recursive: true, force: true });
}
