import {
  type Connection,
  type ConnectionSpec,
  DatabaseError,
  type Driver,
  type NoteQueued,
} from '../../engine/connection/contract/connection.ts';
import type { Translate } from '../../engine/connection/contract/translate.ts';
import type { Warn } from '../../engine/text/diagnostic.ts';
import { entryOf, present } from '../../invariants/must.ts';
import type { ExecutionRequest } from '../contract/request.ts';
import type { SessionTurn } from './kept-sessions.ts';

/** The sessions of one execution; on a semantic connection they accept Semantic SQL. */
export interface Sessions {
  /**
   * Opens the first session as soon as the limit of the connection allows it; `createsSchema` is that of
   * `ConnectionSpec`. Rejects with a DatabaseError.
   */
  connect(createsSchema?: boolean): Promise<Connection>;
  /** Opens another session; null when the limit of the connection is reached. Rejects with a DatabaseError. */
  connectMore(): Promise<Connection | null>;
  /** The part of the current statement of the first session that is done; null if it is unknown. */
  readProgress(): number | null;
  /** Closes all sessions; never rejects. */
  close(): Promise<void>;
}

/** The means to open sessions. */
interface SessionTools {
  readonly driver: Driver;
  readonly sessionLimits: SessionLimits;
  /** For a request of an interactive session, whose first session lasts. */
  readonly place: SessionTurn | null;
  /** For a request on a semantic connection. */
  readonly translate: Translate | undefined;
  readonly warn: Warn;
  readonly signal: AbortSignal;
  /** Receives whether at least one of the sessions waits in the queue of the database. */
  readonly noteQueued: NoteQueued;
}

/** What opening sessions needs to know of a request. */
interface SessionRequest extends Pick<ExecutionRequest, 'connection' | 'owner' | 'semantic'> {
  readonly limits: Pick<ExecutionRequest['limits'], 'maxSessions'>;
}

export function createSessions(
  { connection, owner, limits, semantic }: SessionRequest,
  { driver, sessionLimits, place, translate, warn, signal, noteQueued }: SessionTools,
): Sessions {
  const open: { readonly close: () => Promise<unknown>; readonly release: () => void }[] = [];
  /** The sessions that wait in the queue of the database. */
  const queued = new Set<NoteQueued>();
  /** The first session, as its driver has opened it. */
  let first: Connection | null = null;
  const wanted = { connection: connection.name, owner, max: limits.maxSessions };

  async function openOne(release: () => void, createsSchema = false): Promise<Connection> {
    const noteOwn = (isQueued: boolean) => {
      const before = queued.size;
      if (isQueued) queued.add(noteOwn);
      else queued.delete(noteOwn);
      if (queued.size === 0 || before === 0) noteQueued(queued.size > 0);
    };
    try {
      const connect = async (note: NoteQueued) => {
        const opened = await driver.connect({ ...connection, createsSchema }, signal, note);
        first ??= opened;
        return connection.level === 'READ' ? await readWith(opened, driver, connection) : opened;
      };
      const session = await (place === null ? connect(noteOwn) : place.connect(connect, noteOwn));
      open.push({ close: async () => place ?? (await session.close()), release });
      return semantic === undefined ? session : await translateFor(session, present(translate), warn);
    } catch (error) {
      release();
      throw error;
    }
  }

  return {
    connect: async (createsSchema) => openOne(await sessionLimits.enter(wanted, signal), createsSchema),
    async connectMore() {
      const release = sessionLimits.tryEnter(wanted);
      return release === null ? null : openOne(release);
    },
    readProgress: () => first?.readProgress?.() ?? null,
    async close() {
      for (const { close, release } of open) {
        await close();
        release();
      }
    },
  };
}

async function readWith(
  opened: Connection,
  { readRules }: Driver,
  { name, mayPublish = false }: ConnectionSpec,
): Promise<Connection> {
  const { createReadingConnection } = await import('../../engine/connection/reading/reading-connection.ts');
  return createReadingConnection(opened, readRules, { name, mayPublish });
}

async function translateFor(connection: Connection, translate: Translate, warn: Warn): Promise<Connection> {
  const { createTranslatingConnection } = await import(
    '../../engine/connection/semantic/translating-connection.ts'
  );
  return createTranslatingConnection(connection, translate, warn);
}

/** Reports that a session has ended. */
type Release = () => void;

/** A request for one session. */
interface SlotRequest {
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
  enter(request: SlotRequest, signal: AbortSignal): Promise<Release>;
  /** Enters without waiting; null when the limit is reached. */
  tryEnter(request: SlotRequest): Release | null;
}

interface WaitingSession {
  readonly owner: string;
  readonly start: () => void;
}

interface ConnectionSlots {
  /** The owner of each open session. */
  readonly open: string[];
  readonly waiting: Set<WaitingSession>;
}

/** Limits for all executions of one host. */
export function createSessionLimits(): SessionLimits {
  const byConnection = new Map<string, ConnectionSlots>();

  /** Returns a function that passes the slot of an open session to the next request, once. */
  function createRelease(connection: string, slots: ConnectionSlots, owner: string): Release {
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      slots.open.splice(slots.open.indexOf(owner), 1);
      if (slots.waiting.size > 0) startNext(slots);
      else if (slots.open.length === 0) byConnection.delete(connection);
    };
  }

  function tryEnter({ connection, owner, max }: SlotRequest): Release | null {
    const slots = byConnection.get(connection) ?? { open: [], waiting: new Set() };
    byConnection.set(connection, slots);
    if (max !== null && slots.open.length >= max) return null;
    slots.open.push(owner);
    return createRelease(connection, slots, owner);
  }

  return {
    tryEnter,
    async enter(request, signal) {
      const release = tryEnter(request);
      if (release !== null) return release;
      const { connection, owner } = request;
      const slots = entryOf(byConnection, connection);
      await wait(slots, owner, signal);
      return createRelease(connection, slots, owner);
    },
  };
}

/** Starts the oldest request among those of the users with the fewest open sessions. */
function startNext({ open, waiting }: ConnectionSlots): void {
  const countOf = ({ owner }: WaitingSession) => open.filter((each) => each === owner).length;
  const next = [...waiting].reduce((best, each) => (countOf(best) <= countOf(each) ? best : each));
  waiting.delete(next);
  open.push(next.owner);
  next.start();
}

async function wait({ waiting }: ConnectionSlots, owner: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(new DatabaseError('cancelled', 'The statement was cancelled.'));
  const entry: WaitingSession = { owner, start: resolve };
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
