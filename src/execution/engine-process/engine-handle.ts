import type { ChildProcess, SendHandle } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DiskUse } from '../../engine/connection/contract/disk-limit.ts';
import { askNoOwner } from '../../engine/run/publish/ask-owner.ts';
import { notNull, present } from '../../invariants/must.ts';
import type { Cancellation } from '../contract/cancellation.ts';
import { executionErrors, type LostError } from '../contract/errors.ts';
import type { CatalogAccess } from '../contract/host.ts';
import type { ExecutionOutcome } from '../contract/outcome.ts';
import { type Outlet, SinkError } from '../contract/outlet.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import { type FetchedAnswer, fetchAnswer } from '../frames/fetch-answer.ts';
import { MAX_SOCKET_PATH_LENGTH } from '../frames/socket-path.ts';
import { type QuestionMessage, toReply } from './catalog-calls.ts';
import type { Ended, FromEngine } from './engine-messages.ts';
import { createRequestSender, type Delivery, type Send } from './engine-packages.ts';
import { type StartEngineOptions, startEngineProcess } from './start-engine.ts';

const EVERY_MS = 250;

const NEVER = new AbortController().signal;

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

/** A request and what is not plain data, as for `ExecutionHost.run`; `cancellation` enforces the deadline. */
type JobParts = readonly [
  request: ExecutionRequest,
  outlet: Outlet,
  cancellation: Cancellation,
  access: CatalogAccess,
];

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
  async run(...parts: JobParts): Promise<ExecutionOutcome> {
    const job = new Job(parts, this.#line);
    const { key, cancellation } = job;
    if (this.#why === null) {
      this.#jobs.set(key, job);
      this.#sendRequest(job).catch((error: unknown) => job.break(error));
      cancellation.stuck.then(() => this.#giveUp(job));
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
    const { connection, owner } = job.request;
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

  /** Ends the database session of an interactive session. */
  endSession(id: string): void {
    if (!this.#isToEnd) this.#send({ kind: 'end-session', id });
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
    return [...new Set([...this.#jobs.values()].map(({ request }) => request.owner))];
  }
}

/** The channel from a job to its engine. */
interface EngineLine {
  readonly send: Send;
  /** The path of the socket at which the engine listens. */
  readonly socket: string;
}

/** One execution in an engine process, from the parent's side. */
class Job implements Delivery {
  /** Identifies the job in messages. */
  readonly key = randomUUID();
  readonly request: ExecutionRequest;
  readonly cancellation: Cancellation;
  state: Delivery['state'] = 'sending';
  /** Resolves when the engine has finished all work for it. */
  readonly over: Promise<void>;
  readonly #outlet: Outlet;
  readonly #access: CatalogAccess;
  readonly #line: EngineLine;
  readonly #over = Promise.withResolvers<void>();
  /**
   * The end of the execution; rejects with a LostError when the engine ends first, with a plain Error for an internal
   * error.
   */
  readonly #ended = Promise.withResolvers<Ended>();
  /** Brings the rest of a long answer, unless another process sends the rest. */
  #transfer: FetchedAnswer | null = null;
  /** Transfers an answer that is too long or too slow to be part of the `ended` message. */
  #bringing: Promise<void> | null = null;
  /** Cancels its translations; null before the first one, because an abort is slow: it creates an error. */
  #stop: AbortController | null = null;

  constructor([request, outlet, cancellation, access]: JobParts, line: EngineLine) {
    this.request = request;
    this.#outlet = outlet;
    this.cancellation = cancellation;
    this.#access = access;
    this.over = this.#over.promise;
    this.#line = line;
    // In some cases, no code awaits it.
    this.#ended.promise.catch(() => {});
  }

  /** Handles a message of the engine. */
  tell(message: Exclude<FromEngine, { readonly kind: 'ready' | 'disk' }>): void {
    switch (message.kind) {
      case 'begun':
        this.#bringing = this.#bring(message.head);
        this.#bringing.catch((error: unknown) => {
          if (error instanceof SinkError) this.cancellation.cancel();
          // Otherwise, the engine would wait for a reader.
          else this.#line.send({ kind: 'cancel', key: this.key });
        });
        return;
      case 'queued':
        this.#outlet.noteQueued(message.isQueued);
        return;
      case 'progress':
        this.#outlet.noteProgress(message.progress);
        return;
      case 'target':
        this.#outlet.noteTarget(message.target);
        return;
      case 'sent':
        this.#outlet.count(message.bytes);
        return;
      case 'translate':
      case 'askOwner':
        void this.#answer(message);
        return;
      case 'broken':
        this.break(new Error(message.trace));
        return;
      case 'ended':
        this.#ended.resolve(message);
        this.#end();
    }
  }

  /** Fails it with an internal error. */
  break(bug: unknown): void {
    this.#ended.reject(bug);
    this.#end();
  }

  /** Abandons it, although the engine may still work on it. */
  lose(why: LostError): void {
    if (this.state === 'sending') this.state = 'unwanted';
    this.#ended.reject(why);
    this.#transfer?.destroy();
  }

  /** Fails it because its engine has ended. */
  loseWithEngine(why: LostError): void {
    this.lose(why);
    this.#end();
  }

  /**
   * Transfers the whole answer to the outlet, then resolves with the outcome. After a stop, waits until the engine has
   * released the execution. Rejects with a SinkError, with a plain Error for an internal error, and with a LostError
   * when the answer is incomplete for any other reason.
   */
  async follow(): Promise<ExecutionOutcome> {
    const { cancellation } = this;
    const halted = Promise.withResolvers<'halted'>();
    const halt = () => {
      this.#cancel();
      halted.resolve('halted');
    };
    if (cancellation.signal.aborted) halt();
    else cancellation.signal.addEventListener('abort', halt, { once: true });
    try {
      const { outcome, head } = await this.#ended.promise;
      const brought = head === null ? notNull(this.#bringing) : this.#outlet.write(head);
      const isHalted = (await Promise.race([brought, halted.promise])) === 'halted';
      if (!isHalted && (outcome.status === 'done' || cancellation.reason() === null)) return outcome;
      throw executionErrors.answerBroken();
    } finally {
      cancellation.signal.removeEventListener('abort', halt);
      this.#transfer?.destroy();
    }
  }

  #end(): void {
    this.#stop?.abort();
    this.#over.resolve();
  }

  #cancel(): void {
    this.#stop?.abort();
    this.#transfer?.destroy();
    if (this.state === 'sent') this.#line.send({ kind: 'cancel', key: this.key });
    else this.loseWithEngine(executionErrors.answerBroken());
  }

  /**
   * Transfers the first bytes of a long answer, and the rest unless another process sends it. Rejects with a SinkError,
   * and with a LostError for an incomplete answer.
   */
  async #bring(head: Uint8Array): Promise<void> {
    const outlet = this.#outlet;
    await outlet.write(head);
    const handle = await outlet.transferSocket();
    if (this.cancellation.signal.aborted) return;
    if (handle !== null) {
      this.#line.send({ kind: 'go', key: this.key }, handle);
      return;
    }
    this.#transfer = fetchAnswer(this.#line.socket, this.key, outlet, executionErrors.answerBroken);
    await this.#transfer.end;
  }

  /** A question about a file is answered after a stop, too: the engine waits for it when the file has its path. */
  async #answer(message: QuestionMessage): Promise<void> {
    const { id } = message;
    const { translate, askOwner = askNoOwner } = this.#access;
    if (message.kind === 'askOwner') {
      const reply = await toReply(askOwner(message.question, NEVER));
      this.#line.send({ kind: 'owner', id, reply });
      return;
    }
    this.#stop ??= new AbortController();
    const { signal } = this.#stop;
    if (this.cancellation.signal.aborted) return;
    const reply = await toReply(present(translate)(message.question, signal));
    if (!signal.aborted) this.#line.send({ kind: 'translated', id, reply });
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
  const shortFolder = mkdtempSync(path.resolve(tmpdir(), 'quern-'));
  return { socket: path.join(shortFolder, 'engine'), remove: () => remove(shortFolder) };
}

function remove(name: string): void {
  rmSync(name, { recursive: true, force: true });
}
