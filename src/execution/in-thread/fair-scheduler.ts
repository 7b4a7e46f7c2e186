import { noteNewRequest } from '../../engine/text/interruptible.ts';

/** How long an execution counts as new, in milliseconds. */
const NEW_MS = 20;
/** While there are new ones, the thread is left free for so many times as long as an older one has had it, */
const TIMES_FREE = 2;
/** but no longer than this, in milliseconds. */
const MAX_PAUSE_MS = 10;

/** One execution's way through a thread that it shares with others. */
interface Turn {
  /** To be waited for before each further piece of work that holds the thread; undefined: it may go on at once. */
  yieldTurn(): Promise<void> | undefined;
  /** Ends it. */
  leave(): void;
}

/** Lets executions of one thread go first while they are new, so that a short one need not wait for the long ones. */
export interface FairScheduler {
  enter(): Turn;
}

/**
 * Those that are no longer new take turns: one piece of work in each turn of the event loop, and while there are new
 * ones, a pause after each. A short execution needs some ten turns of the loop.
 */
export function createFairScheduler(): FairScheduler {
  /** When each of those began that are in the thread. */
  const begun = new Map<Turn, number>();
  const waiting: (() => void)[] = [];
  let isTaken = false;

  const isNew = (since: number) => performance.now() - since < NEW_MS;

  function take(): void {
    isTaken = true;
    const start = performance.now();
    setImmediate(() => {
      const held = performance.now() - start;
      if ([...begun.values()].some(isNew)) setTimeout(release, Math.min(held * TIMES_FREE, MAX_PAUSE_MS));
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
          if (begun.size === 1 || isNew(since)) return undefined;
          if (isTaken) return new Promise((resolve) => waiting.push(resolve));
          take();
          return undefined;
        },
        leave: () => void begun.delete(turn),
      };
      if (begun.size > 0) noteNewRequest();
      begun.set(turn, since);
      return turn;
    },
  };
}
