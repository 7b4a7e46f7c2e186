import { entryOf } from '../../invariants/must.ts';
import type { Cancellation } from '../contract/cancellation.ts';
import { executionErrors } from '../contract/errors.ts';
import type { Outlet } from '../contract/outlet.ts';

/** One execution that runs now or waits for its turn, as `ps` shows it. */
export interface Execution {
  readonly id: string;
  /** Id of the user for whom it runs. */
  readonly owner: string;
  /** Id of the token with which it was asked for; null for one without. */
  readonly token: string | null;
  /** Id of the session of the console in which it was asked for; null outside of one. */
  readonly session: string | null;
  /** Null for one that needs none. */
  readonly connection: string | null;
  /** The connection behind a semantic one. */
  readonly behind?: string | undefined;
  /** The script's path, or `sql`. */
  readonly name: string;
  readonly state: 'queued' | 'running';
  readonly requestedAt: string;
  /** When its turn came; null while it waits. */
  readonly startedAt: string | null;
  /** Bytes of its answer so far. */
  readonly bytes: number;
}

export type NewExecution = Omit<Execution, 'state' | 'startedAt' | 'bytes'>;

/** How many executions there may be. */
export interface RegistryLimits {
  /** Running at once; the others wait. */
  readonly running: number;
  /** Waiting; further ones are refused with a BusyError, and so is one user's beyond a quarter of these. */
  readonly queued: number;
  /** Running at once for one user, and at most half of `running`; the user's others wait. */
  readonly perOwner: number;
}

/** The part of the queue that one user may take, and of the executions that run. */
const QUEUE_SHARE = 1 / 4;
const RUNNING_SHARE = 1 / 2;
/** Beyond this part of those that may run, only users begin who have none running. */
const SHARED_PART = 3 / 4;

/** What the registry has to know of an execution that comes. */
interface Newcomer {
  readonly outlet: Pick<Outlet, 'startedAt' | 'bytes'>;
  readonly cancellation: Pick<Cancellation, 'signal' | 'cancel'>;
  /** Is called when its turn comes, and starts its outlet. */
  readonly onTurn: () => void;
}

/** The one list of what runs and waits; whoever wants to stop something asks here. */
export interface ExecutionRegistry {
  /**
   * Enters an execution and waits for its turn, which the user with the fewest running ones gets first. Resolves with what
   * gives its place to the next one, to be called once. Rejects with a BusyError or what the check of its owner throws, or
   * with its reason when the cancellation ends the waiting.
   */
  enter(execution: NewExecution, newcomer: Newcomer): Promise<() => void>;
  /** All, in the order of their coming. */
  list(): readonly Execution[];
  /** Cancels one; false where there is none of this id. */
  cancel(id: string): boolean;
  /** Cancels every execution that matches, and says how many there were. */
  cancelWhere(matches: (execution: Execution) => boolean): number;
  /** Has those that come wait until `resume` is called, once; one pause at a time. */
  pause(): Pause;
}

interface Pause {
  /** Resolves when nothing runs any more. */
  readonly idle: Promise<void>;
  resume(): void;
}

interface Entry extends Newcomer {
  readonly execution: NewExecution;
}

/** Throws for users who may run nothing for the moment. */
type CheckOwner = (owner: string) => void;

/** An empty registry. */
export function createRegistry(limits: RegistryLimits, checkOwner?: CheckOwner): ExecutionRegistry {
  return new Registry(limits, checkOwner);
}

class Registry implements ExecutionRegistry {
  readonly #limits: RegistryLimits;
  readonly #checkOwner: CheckOwner;
  /** All, in the order of their coming. */
  readonly #entries = new Set<Entry>();
  /** Those that wait, with what says that their turn has come. */
  readonly #waiting = new Map<Entry, () => void>();
  #pause: PromiseWithResolvers<void> | null = null;

  constructor(limits: RegistryLimits, checkOwner: CheckOwner = () => undefined) {
    this.#limits = limits;
    this.#checkOwner = checkOwner;
  }

  async enter(execution: NewExecution, newcomer: Newcomer): Promise<() => void> {
    const { owner } = execution;
    this.#checkOwner(owner);
    const entry: Entry = { execution, ...newcomer };
    const mayRun = !this.#isFull() && this.#countRunning(owner) < this.#findPart();
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
    const found = [...this.#entries].filter((entry) => matches(toExecution(entry)));
    for (const { cancellation } of found) cancellation.cancel();
    return found.length;
  }

  pause(): Pause {
    const own = Promise.withResolvers<void>();
    this.#pause = own;
    if (this.#running === 0) own.resolve();
    return {
      idle: own.promise,
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

  #countRunning(owner: string): number {
    let count = 0;
    for (const entry of this.#entries) {
      if (entry.execution.owner === owner && !this.#waiting.has(entry)) count += 1;
    }
    return count;
  }

  /** A user who has so many running may have no more; while few places are left, those with none come first. */
  #findPart(): number {
    const { running, perOwner } = this.#limits;
    if (this.#running >= running * SHARED_PART) return 1;
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
      this.#checkOwner(entry.execution.owner);
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

  /** The one that has waited longest among those whose users have the fewest running, and may have one more. */
  #findNext(): Entry | undefined {
    let best: Entry | undefined;
    let fewest = this.#findPart();
    for (const entry of this.#waiting.keys()) {
      const count = this.#countRunning(entry.execution.owner);
      if (count < fewest) [best, fewest] = [entry, count];
    }
    return best;
  }
}

function toExecution({ execution, outlet: { startedAt, bytes } }: Entry): Execution {
  return { ...execution, state: startedAt === null ? 'queued' : 'running', startedAt, bytes };
}

/** Throws where one more execution of a user may not wait. The user's part is at least one, unless none may wait. */
function checkQueue(waiting: readonly Entry[], owner: string, queued: number): void {
  if (waiting.length >= queued) throw executionErrors.queueFull(waiting.length);
  const own = waiting.filter(({ execution }) => execution.owner === owner).length;
  if (own >= Math.max(1, Math.floor(queued * QUEUE_SHARE))) throw executionErrors.tooManyOfUser(own);
}
