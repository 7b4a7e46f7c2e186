import { noteNewRequest } from '../../engine/text/finish-in-pieces.ts';

/** How long an execution counts as new, in milliseconds. */
const NEW_MS = 20;
/** While there are new executions, the thread stays free this many times as long as an older one has held it, */
const TIMES_FREE = 2;
/** up to this maximum, in milliseconds. */
const MAX_PAUSE_MS = 10;

/** The share of one execution in a thread that several executions use. */
interface Turn {
  /** Await the result before each further piece of work that holds the thread; undefined: continue at once. */
  yieldTurn(): Promise<void> | undefined;
  /** Removes the execution from the thread. */
  leave(): void;
}

/** Gives priority to new executions in one thread, so that short executions do not wait for long ones. */
export interface FairScheduler {
  enter(): Turn;
}

/**
 * Executions that are no longer new take turns: one piece of work per iteration of the event loop, followed by a pause
 * while there are new ones. A short execution needs about ten iterations.
 */
export function createFairScheduler(): FairScheduler {
  /** Start times of the executions in the thread. */
  const startTimes = new Map<Turn, number>();
  const waiting: (() => void)[] = [];
  let isTaken = false;

  const isNew = (since: number) => performance.now() - since < NEW_MS;

  function take(): void {
    isTaken = true;
    const start = performance.now();
    setImmediate(() => {
      const held = performance.now() - start;
      if ([...startTimes.values()].some(isNew))
        setTimeout(release, Math.min(held * TIMES_FREE, MAX_PAUSE_MS));
      else release();
    });
  }

  function release(): void {
    isTaken = false;
    const next = waiting.shift();
    if (next === undefined) return;
    take();
    next();
  }

  return {
    enter() {
      const since = performance.now();
      const turn: Turn = {
        yieldTurn() {
          if (startTimes.size === 1 || isNew(since)) return undefined;
          if (isTaken) return new Promise((resolve) => waiting.push(resolve));
          take();
          return undefined;
        },
        leave: () => void startTimes.delete(turn),
      };
      if (startTimes.size > 0) noteNewRequest();
      startTimes.set(turn, since);
      return turn;
    },
  };
}
