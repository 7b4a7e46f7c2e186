import { DatabaseError } from '../../engine/connection/contract/connection.ts';
import { entryOf } from '../../invariants/must.ts';

/** Reports that a session has ended. */
type Release = () => void;

/** A request for one session. */
interface SessionRequest {
  readonly connection: string;
  /** Id of the user who opens it. */
  readonly owner: string;
  /** Maximum open sessions on the connection; null: no limit. */
  readonly max: number | null;
}

/** Limits the open sessions on each connection. */
export interface SessionLimits {
  /**
   * Resolves when another session may be opened. The user with the fewest open sessions goes first, then the oldest
   * request. Only the first session of an execution waits: executions that hold sessions while they wait for more could
   * block one another. Rejects with a DatabaseError when `signal` ends the waiting.
   */
  enter(request: SessionRequest, signal: AbortSignal): Promise<Release>;
  /** Enters without waiting; null when the limit is reached. */
  tryEnter(request: SessionRequest): Release | null;
}

interface Waiting {
  readonly owner: string;
  readonly start: () => void;
}

interface Gate {
  /** The owner of each open session. */
  readonly open: string[];
  readonly waiting: Set<Waiting>;
}

/** Limits for all executions of one host. */
export function createSessionLimits(): SessionLimits {
  const gates = new Map<string, Gate>();

  /** Returns a function that passes the slot of an open session to the next request, once. */
  function createRelease(connection: string, gate: Gate, owner: string): Release {
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      gate.open.splice(gate.open.indexOf(owner), 1);
      if (gate.waiting.size > 0) startNext(gate);
      else if (gate.open.length === 0) gates.delete(connection);
    };
  }

  function tryEnter({ connection, owner, max }: SessionRequest): Release | null {
    const gate = gates.get(connection) ?? { open: [], waiting: new Set() };
    gates.set(connection, gate);
    if (max !== null && gate.open.length >= max) return null;
    gate.open.push(owner);
    return createRelease(connection, gate, owner);
  }

  return {
    tryEnter,
    async enter(request, signal) {
      const release = tryEnter(request);
      if (release !== null) return release;
      const { connection, owner } = request;
      const gate = entryOf(gates, connection);
      await wait(gate, owner, signal);
      return createRelease(connection, gate, owner);
    },
  };
}

/** Starts the oldest request among those of the users with the fewest open sessions. */
function startNext({ open, waiting }: Gate): void {
  const countOf = ({ owner }: Waiting) => open.filter((each) => each === owner).length;
  const next = [...waiting].reduce((best, each) => (countOf(best) <= countOf(each) ? best : each));
  waiting.delete(next);
  open.push(next.owner);
  next.start();
}

async function wait({ waiting }: Gate, owner: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(new DatabaseError('cancelled', 'The statement was cancelled.'));
  const entry: Waiting = { owner, start: resolve };
  waiting.add(entry);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await promise;
  } finally {
    waiting.delete(entry);
    signal.removeEventListener('abort', stop);
  }
}
