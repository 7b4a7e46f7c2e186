import { entryOf } from '../../invariants/must.ts';
import type { Cancellation } from '../contract/cancellation.ts';
import { executionErrors } from '../contract/errors.ts';

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

/** An execution's place among those that run. */
export interface RunningSlot {
  /** Notes bytes of the answer. */
  count(bytes: number): void;
  /** Gives the place to the next one; to be called once. */
  leave(): void;
}

/** The one list of what runs and waits; whoever wants to stop something asks here. */
export interface ExecutionRegistry {
  /**
   * Enters an execution and waits for its turn, which the user with the fewest running ones gets first; `now` says
   * when it comes. Rejects with a BusyError or what
   * the check of its owner throws, or with its reason when `stop` ends the waiting.
   */
  enter(
    execution: NewExecution,
    cancellation: Pick<Cancellation, 'signal' | 'cancel'>,
    now: () => string,
  ): Promise<RunningSlot>;
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

type Entry = { -readonly [K in keyof Execution]: Execution[K] };

const NO_LIMITS: RegistryLimits = {
  running: Number.POSITIVE_INFINITY,
  queued: Number.POSITIVE_INFINITY,
  perOwner: Number.POSITIVE_INFINITY,
};

/** Throws for users who may run nothing for the moment. */
type CheckOwner = (owner: string) => void;

/** An empty registry; without `limits`, everything runs at once. */
export function createRegistry(limits = NO_LIMITS, checkOwner: CheckOwner = () => {}): ExecutionRegistry {
  const cancels = new Map<Entry, () => void>();
  /** Those that wait, with what starts them. */
  const queue = new Map<Entry, () => void>();

  const countRunning = () => cancels.size - queue.size;
  const pauses = createPauses(countRunning, admit);
  const isFull = () => pauses.isPaused() || countRunning() >= limits.running;

  function checkRoom(owner: string): void {
    const running = [...cancels.keys()].filter((entry) => entry.owner === owner && !queue.has(entry)).length;
    if (isFull() || running >= findPart(limits, countRunning()))
      checkQueue([...queue.keys()], owner, limits.queued);
  }

  function admit(): void {
    while (!isFull()) {
      const next = findNext([...queue.keys()], [...cancels.keys()], findPart(limits, countRunning()));
      if (next === undefined) return;
      entryOf(queue, next)();
    }
  }

  function leave(entry: Entry): void {
    queue.delete(entry);
    cancels.delete(entry);
    admit();
    pauses.look();
  }

  async function waitForTurn(entry: Entry, signal: AbortSignal, now: () => string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => reject(signal.reason);
    queue.set(entry, () => {
      queue.delete(entry);
      entry.state = 'running';
      entry.startedAt = now();
      resolve();
    });
    if (signal.aborted) giveUp();
    else admit();
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  function cancelWhere(matches: (execution: Execution) => boolean): number {
    const found = [...cancels].filter(([entry]) => matches(entry));
    for (const [, cancel] of found) cancel();
    return found.length;
  }

  return {
    async enter(execution, { signal, cancel }, now) {
      checkOwner(execution.owner);
      checkRoom(execution.owner);
      const entry: Entry = { ...execution, state: 'queued', startedAt: null, bytes: 0 };
      cancels.set(entry, cancel);
      try {
        await waitForTurn(entry, signal, now);
        checkOwner(execution.owner);
      } catch (error) {
        leave(entry);
        throw error;
      }
      return createPlace(entry, leave);
    },
    list: () => [...cancels.keys()].map((entry) => ({ ...entry })),
    cancel: (id) => cancelWhere((entry) => entry.id === id) > 0,
    cancelWhere,
    pause: pauses.begin,
  };
}

function createPlace(entry: Entry, leave: (entry: Entry) => void): RunningSlot {
  return {
    count: (bytes) => {
      entry.bytes += bytes;
    },
    leave: () => leave(entry),
  };
}

/** The pauses of one registry, which calls `look` whenever something has ended. */
function createPauses(countRunning: () => number, admit: () => void) {
  let idle: PromiseWithResolvers<void> | null = null;
  const look = () => {
    if (countRunning() === 0) idle?.resolve();
  };
  return {
    isPaused: () => idle !== null,
    look,
    begin(): Pause {
      const own = Promise.withResolvers<void>();
      idle = own;
      look();
      return {
        idle: own.promise,
        resume() {
          idle = null;
          admit();
        },
      };
    },
  };
}

/** A user who has so many running may have no more; while few places are left, those with none come first. */
function findPart({ running, perOwner }: RegistryLimits, taken: number): number {
  if (taken >= running * SHARED_PART) return 1;
  return Math.max(1, Math.min(perOwner, Math.floor(running * RUNNING_SHARE)));
}

/** Throws where one more execution of a user may not wait. The user's part is at least one, unless none may wait. */
function checkQueue(waiting: readonly Entry[], owner: string, queued: number): void {
  if (waiting.length >= queued) throw executionErrors.queueFull(waiting.length);
  const own = waiting.filter((entry) => entry.owner === owner).length;
  if (own >= Math.max(1, Math.floor(queued * QUEUE_SHARE))) throw executionErrors.tooManyOfUser(own);
}

/** The one that has waited longest among those whose users have the fewest running, and fewer than `part`. */
function findNext(waiting: readonly Entry[], all: readonly Entry[], part: number): Entry | undefined {
  const running = all.filter(({ state }) => state === 'running');
  const byOwner = Map.groupBy(running, ({ owner }) => owner);
  const countOf = ({ owner }: Entry) => byOwner.get(owner)?.length ?? 0;
  const [first, ...others] = waiting.filter((entry) => countOf(entry) < part);
  return others.reduce((best, entry) => (best && countOf(best) <= countOf(entry) ? best : entry), first);
}
