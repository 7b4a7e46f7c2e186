import type {
  Connection,
  ConnectionSpec,
  NoteQueued,
  StatementResult,
} from '../../engine/connection/contract/connection.ts';
import { MEMORY } from '../../engine/connection/duckdb/instance/options.ts';
import { findRowChange, type RowChange } from '../../engine/run/interactive/changes.ts';
import { findTrace, type SessionTrace } from '../../engine/run/interactive/session-traces.ts';
import { createWatchedConnection } from '../../engine/run/interactive/watched-connection.ts';
import { LEXICAL_RULES } from '../../engine/text/lexical-rules.ts';
import { executionErrors } from '../contract/errors.ts';
import { type Lasting, type LastingOutcome, listLeft, NOTHING_LEFT } from '../contract/lasting.ts';
import type { ExecutionRequest } from '../contract/request.ts';

/** Why a kept session has ended. */
type EndReason = 'idle';

/** The database session of an interactive session. */
interface KeptSession {
  /** The connection with its options and rights, which must not change. */
  readonly key: string;
  readonly connection: Connection;
  readonly traces: Set<SessionTrace>;
  /** Resolves when the current execution has left the session; null without one. */
  busy: PromiseWithResolvers<void> | null;
  /** That of the current execution. */
  noteQueued: NoteQueued;
  /** Set while its transaction waits for a statement. */
  timer: NodeJS.Timeout | undefined;
  /** Why its transaction was rolled back since the last statement; null if it was not. */
  rolledBack: EndReason | null;
}

/** The part of an execution in an interactive session. */
export interface SessionTurn {
  /** Returns the session, or has `open` open it. Rejects with a LostError if the session has lost something. */
  connect(open: (noteQueued: NoteQueued) => Promise<Connection>, noteQueued: NoteQueued): Promise<Connection>;
  /** Keeps the session, unless a new one serves as well; returns what is left in it. Never rejects. */
  leave(): Promise<LastingLeft>;
}

/** What an execution has left, and what was lost with its session, if that ended by itself. */
interface LastingLeft extends LastingOutcome {
  readonly lost: readonly string[] | null;
}

/** The database sessions of interactive sessions. An unused one that holds nothing is closed. */
export class KeptSessions {
  readonly #sessions = new Map<string, KeptSession>();
  readonly #transactionMs: number | null;

  /** A transaction without a statement for `transactionMs` milliseconds is rolled back; null: never. */
  constructor(transactionMs: number | null) {
    this.#transactionMs = transactionMs;
  }

  /** Starts an execution; `lasting` is that of its request. */
  enter({ id, expects }: Lasting, { connection: spec }: Pick<ExecutionRequest, 'connection'>): SessionTurn {
    const rules = LEXICAL_RULES[spec.kind];
    const changes: RowChange[] = [];
    let session: KeptSession | null = null;
    const watch = {
      refuse: (statement: string) => {
        const isLost = id === null && findTrace(statement, rules) !== null;
        return isLost ? printRefusal(statement) : null;
      },
      note: (statement: string, result: StatementResult) => {
        const trace = findTrace(statement, rules);
        if (trace !== null) session?.traces.add(trace);
        const change = findRowChange(statement, result, rules);
        if (change !== null) changes.push(change);
      },
    };
    return {
      connect: async (open, noteQueued) => {
        session = id === null ? null : await this.#take(id, spec, expects);
        if (session === null) {
          let noteLater = noteQueued;
          const relay: NoteQueued = (isQueued) => noteLater(isQueued);
          const opened = createSession(spec, await open(relay));
          noteLater = (isQueued) => opened.noteQueued(isQueued);
          session = opened;
        }
        session.noteQueued = noteQueued;
        session.busy = Promise.withResolvers<void>();
        if (id !== null) this.#sessions.set(id, session);
        return createWatchedConnection(session.connection, watch);
      },
      leave: async () => {
        if (session === null) return { ...NOTHING_LEFT, changes, lost: null };
        return { changes, ...(await this.#leave({ id, expects }, spec, session)) };
      },
    };
  }

  /** Whether something is left in a session. */
  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Ends a session: its transaction is rolled back. Never rejects. */
  async end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    clearTimeout(session?.timer);
    if (session?.busy === null) await session.connection.close();
  }

  /** Ends all sessions; never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.end(id)));
  }

  /** The session of an id; null if it is not open, and nothing was expected of it. Rejects with a LostError. */
  async #take(id: string, spec: ConnectionSpec, expects: Lasting['expects']): Promise<KeptSession | null> {
    // A cancelled statement may still run.
    await this.#sessions.get(id)?.busy?.promise;
    const session = this.#sessions.get(id);
    clearTimeout(session?.timer);
    if (session === undefined) return checkNothingLost(expects);
    if (session.rolledBack !== null) {
      session.rolledBack = null;
      throw executionErrors.transactionIdle();
    }
    const isUsable = session.busy === null && session.key === printKey(spec);
    if (isUsable && !(await session.connection.readState()).isLost) return session;
    await this.end(id);
    return checkNothingLost(expects);
  }

  async #leave(
    { id, expects }: Lasting,
    spec: ConnectionSpec,
    session: KeptSession,
  ): Promise<Omit<LastingLeft, 'changes'>> {
    const { connection, traces } = session;
    const { transaction, isLost, isNeeded } = await connection.readState();
    session.busy?.resolve();
    session.busy = null;
    const isCurrent = id !== null && this.#sessions.get(id) === session;
    const left = { transaction, traces: [...traces].filter((trace) => trace !== 'open transaction') };
    if (isCurrent && isNeeded && !isLost) {
      this.#watchTransaction(session, transaction !== 'none');
      const { file } = spec.options;
      return { ...left, holdsFile: spec.kind === 'duckdb' && file !== MEMORY, lost: null };
    }
    if (isCurrent) this.#sessions.delete(id);
    await connection.close();
    // A driver that has lost its connection no longer knows the transaction.
    const before = transaction === 'none' ? expects.transaction : transaction;
    return {
      ...NOTHING_LEFT,
      lost: isLost ? listLeft({ ...left, transaction: before, holdsFile: false }) : null,
    };
  }

  #watchTransaction(session: KeptSession, isOpen: boolean): void {
    if (!isOpen || this.#transactionMs === null) return;
    session.timer = setTimeout(() => void rollBack(session), this.#transactionMs);
    session.timer.unref();
  }
}

/** Rolls back the transaction of an unused session; a session that cannot do this has lost it anyway. */
async function rollBack(session: KeptSession): Promise<void> {
  session.rolledBack = 'idle';
  await session.connection.run('ROLLBACK', new AbortController().signal).catch(() => {});
}

function createSession(spec: ConnectionSpec, connection: Connection): KeptSession {
  return {
    key: printKey(spec),
    connection,
    traces: new Set(),
    busy: null,
    noteQueued: () => {},
    timer: undefined,
    rolledBack: null,
  };
}

function printKey({ sandbox, ...spec }: ConnectionSpec): string {
  return JSON.stringify([spec, sandbox !== undefined]);
}

function checkNothingLost(expects: Lasting['expects']): null {
  const left = listLeft(expects);
  if (left.length > 0) throw executionErrors.sessionLost(left);
  return null;
}

/** The refusal of a statement whose effect would be lost with its session. */
function printRefusal(statement: string): string {
  const word = /^[a-z]+/i.exec(statement.trimStart())?.[0].toUpperCase() ?? 'this statement';
  return `${word} would have no effect: this home keeps no further session. End another one first`;
}
