import { entryOf } from '../../invariants/must.ts';
import type { Cancellation } from '../contract/cancellation.ts';
import { executionErrors } from '../contract/errors.ts';
import type { Outlet } from '../contract/outlet.ts';
import type { CrashLimit } from './crash-limit.ts';

/** One execution that is running or queued, as `ps` shows it. */
export interface Execution {
  readonly id: string;
  /** Id of the user who runs it. */
  readonly owner: string;
  /** Id of the token of the request; null without a token. */
  readonly token: string | null;
  /** Id of the console session of the request; null outside the console. */
  readonly session: string | null;
  /** Null for an execution that needs no connection. */
  readonly connection: string | null;
  /** The connection on which its user needs USE; READ is enough on `connection`. */
  readonly needsUse?: string | undefined;
  /** The script's path, or `sql`. */
  readonly name: string;
  readonly state: 'queued' | 'running';
  readonly requestedAt: string;
  /** When it left the queue; null while it is queued. */
  readonly startedAt: string | null;
  /** Bytes of its answer so far. */
  readonly bytes: number;
  /** Whether the database has its current statement in a queue. */
  readonly isQueuedByDatabase: boolean;
  /** The part of its current statement that is done, from 0 to 1; null if it is unknown. */
  readonly progress: number | null;
  /** The publications that have ended; the list grows until the execution ends. */
  readonly targets: Outlet['targets'];
}

/** What the registry reads from the outlet of an execution. */
type Progress = 'startedAt' | 'bytes' | 'isQueuedByDatabase' | 'progress' | 'targets';

type NewExecution = Omit<Execution, 'state' | Progress>;

/** Maximum numbers of executions. */
export interface RegistryLimits {
  /** Running at once; the others are queued. */
  readonly running: number;
  /** Queued. Further executions are rejected with a BusyError; one user may take a quarter of the queue. */
  readonly queued: number;
  /** Running at once for one user, at most half of `running`; the user's others are queued. */
  readonly perOwner: number;
}

/** The share of the queue that one user may take. */
const QUEUE_SHARE = 1 / 4;
const RUNNING_SHARE = 1 / 2;
/** When this share of the slots is taken, only users without running executions may start one. */
const SHARED_SLOTS = 3 / 4;

/** The registry's view of a new execution. */
interface Newcomer {
  readonly outlet: Pick<Outlet, Progress>;
  readonly cancellation: Pick<Cancellation, 'signal' | 'cancel'>;
  /** Called when it leaves the queue; starts its outlet. */
  readonly onTurn: () => void;
}

/** The list of all running and queued executions, through which they are stopped. */
export interface ExecutionRegistry {
  /**
   * Adds an execution and waits for its turn; the user with the fewest running executions goes first. Resolves with a
   * function that frees its slot, to be called once. Rejects with a BusyError, with a PausedError, or
   * with the reason of the cancellation that ends the waiting.
   */
  enter(execution: NewExecution, newcomer: Newcomer): Promise<() => void>;
  /** All executions, in the order of their arrival. */
  list(): readonly Execution[];
  /** Cancels one; false if the id does not exist. */
  cancel(id: string): boolean;
  /** Cancels every execution that matches; returns their number. */
  cancelWhere(matches: (execution: Execution) => boolean): number;
  /** Keeps new executions queued until `resume` is called, once. Only one pause is possible at a time. */
  pause(): Pause;
}

interface Pause {
  /** Resolves when nothing is running any longer. */
  readonly idle: Promise<void>;
  resume(): void;
}

interface Entry extends Newcomer {
  readonly execution: NewExecution;
}

/** The users whose executions end engine processes. */
type Crashes = Pick<CrashLimit, 'check' | 'isSuspect'>;

const NO_CRASHES: Crashes = { check: () => undefined, isSuspect: () => false };

/** An empty registry. */
export function createRegistry(limits: RegistryLimits, crashes: Crashes = NO_CRASHES): ExecutionRegistry {
  return new Registry(limits, crashes);
}

class Registry implements ExecutionRegistry {
  readonly #limits: RegistryLimits;
  readonly #crashes: Crashes;
  /** All executions, in the order of their arrival. */
  readonly #entries = new Set<Entry>();
  /** Queued executions, with the function that starts each. */
  readonly #waiting = new Map<Entry, () => void>();
  #pause: PromiseWithResolvers<void> | null = null;

  constructor(limits: RegistryLimits, crashes: Crashes) {
    this.#limits = limits;
    this.#crashes = crashes;
  }

  async enter(execution: NewExecution, newcomer: Newcomer): Promise<() => void> {
    const { owner } = execution;
    this.#crashes.check(owner);
    const entry: Entry = { execution, ...newcomer };
    const mayRun = !this.#isFull() && this.#countRunning(owner) < this.#findOwnerLimit();
    if (!mayRun) checkQueue([...this.#waiting.keys()], owner, this.#limits.queued);
    this.#entries.add(entry);
    if (mayRun && !newcomer.cancellation.signal.aborted) entry.onTurn();
    else await this.#waitForTurn(entry);
    return () => this.#leave(entry);
  }

  list(): readonly Execution[] {
    return [...this.#entries].map(toExecution);
  }

  cancel(id: string): boolean {
    return this.cancelWhere((execution) => execution.id === id) > 0;
  }

  cancelWhere(matches: (execution: Execution) => boolean): number {
    const entries = [...this.#entries].filter((entry) => matches(toExecution(entry)));
    for (const { cancellation } of entries) cancellation.cancel();
    return entries.length;
  }

  pause(): Pause {
    const pause = Promise.withResolvers<void>();
    this.#pause = pause;
    if (this.#running === 0) pause.resolve();
    return {
      idle: pause.promise,
      resume: () => {
        this.#pause = null;
        this.#admit();
      },
    };
  }

  get #running(): number {
    return this.#entries.size - this.#waiting.size;
  }

  #isFull(): boolean {
    return this.#pause !== null || this.#running >= this.#limits.running;
  }

  /** Running executions of a user; more than any limit for a suspect who must wait for another one, or for itself. */
  #countRunning(owner: string): number {
    const { isSuspect } = this.#crashes;
    const isAlone = isSuspect(owner);
    let count = 0;
    for (const entry of this.#entries) {
      if (this.#waiting.has(entry)) continue;
      if (isAlone && isSuspect(entry.execution.owner)) return Number.POSITIVE_INFINITY;
      if (entry.execution.owner === owner) count += 1;
    }
    return count;
  }

  /** Exclusive upper bound of a user's running executions for another start; 1 while few slots are free. */
  #findOwnerLimit(): number {
    const { running, perOwner } = this.#limits;
    if (this.#running >= running * SHARED_SLOTS) return 1;
    return Math.max(1, Math.min(perOwner, Math.floor(running * RUNNING_SHARE)));
  }

  async #waitForTurn(entry: Entry): Promise<void> {
    const { signal } = entry.cancellation;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => reject(signal.reason);
    this.#waiting.set(entry, resolve);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await promise;
      this.#crashes.check(entry.execution.owner);
    } catch (error) {
      this.#leave(entry);
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  #leave(entry: Entry): void {
    this.#waiting.delete(entry);
    this.#entries.delete(entry);
    this.#admit();
    if (this.#running === 0) this.#pause?.resolve();
  }

  #admit(): void {
    while (this.#waiting.size > 0 && !this.#isFull()) {
      const next = this.#findNext();
      if (next === undefined) return;
      const start = entryOf(this.#waiting, next);
      this.#waiting.delete(next);
      next.onTurn();
      start();
    }
  }

  /** The longest waiting execution among those of the users with the fewest running, within the user's limit. */
  #findNext(): Entry | undefined {
    let best: Entry | undefined;
    let fewest = this.#findOwnerLimit();
    for (const entry of this.#waiting.keys()) {
      const count = this.#countRunning(entry.execution.owner);
      if (count < fewest) [best, fewest] = [entry, count];
    }
    return best;
  }
}

function toExecution({
  execution,
  outlet: { startedAt, bytes, isQueuedByDatabase, progress, targets },
}: Entry): Execution {
  const state = startedAt === null ? 'queued' : 'running';
  return { ...execution, state, startedAt, bytes, isQueuedByDatabase, progress, targets };
}

/**
 * Throws when a user may not queue another execution. The user's share is at least one, unless the queue has size 0.
 */
function checkQueue(waiting: readonly Entry[], owner: string, queued: number): void {
  if (waiting.length >= queued) throw executionErrors.queueFull(waiting.length);
  const count = waiting.filter(({ execution }) => execution.owner === owner).length;
  if (count >= Math.max(1, Math.floor(queued * QUEUE_SHARE))) throw executionErrors.tooManyOfUser(count);
}
