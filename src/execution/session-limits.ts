import { DatabaseError } from '../engine/connection/connection.ts';

/** Says that a session has ended. */
type Release = () => void;

/** How many sessions are open at once on each connection. */
export interface SessionLimits {
  /**
   * Resolves when one more session may be opened, in the order of the asking. An execution waits for its first one
   * only: those that hold some and wait for more could wait for one another. Rejects with a DatabaseError when
   * `signal` ends the waiting.
   */
  enter(connection: string, most: number | null, signal: AbortSignal): Promise<Release>;
  /** The same without waiting; null where there are as many as there may be. */
  tryEnter(connection: string, most: number | null): Release | null;
}

interface Gate {
  open: number;
  readonly waiting: Set<() => void>;
}

/** Limits for all executions of one host. */
export function createSessionLimits(): SessionLimits {
  const gates = new Map<string, Gate>();

  function findGate(connection: string): Gate {
    const gate = gates.get(connection) ?? { open: 0, waiting: new Set() };
    gates.set(connection, gate);
    return gate;
  }

  /** For one that is in: hands its place on to whoever has waited longest, once. */
  function createRelease(connection: string, gate: Gate): Release {
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const [next] = gate.waiting;
      if (next !== undefined) {
        gate.waiting.delete(next);
        next();
        return;
      }
      gate.open -= 1;
      if (gate.open === 0) gates.delete(connection);
    };
  }

  function pass(connection: string, gate: Gate): Release {
    gate.open += 1;
    return createRelease(connection, gate);
  }

  return {
    async enter(connection, most, signal) {
      const gate = findGate(connection);
      if (most === null || gate.open < most) return pass(connection, gate);
      await wait(gate, signal);
      return createRelease(connection, gate);
    },
    tryEnter(connection, most) {
      const gate = findGate(connection);
      return most !== null && gate.open >= most ? null : pass(connection, gate);
    },
  };
}

async function wait({ waiting }: Gate, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(new DatabaseError('cancelled', 'The statement was cancelled.'));
  waiting.add(resolve);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await promise;
  } finally {
    waiting.delete(resolve);
    signal.removeEventListener('abort', stop);
  }
}
