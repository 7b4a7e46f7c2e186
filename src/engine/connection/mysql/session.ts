import { type Connection, DatabaseError } from '../contract/connection.ts';
import { ServerSession, type StartedStatement } from '../server/session.ts';
import type { Stoppable } from './cancel.ts';
import { isEmptyStatement } from './errors.ts';
import { MysqlExchange, type SessionState } from './exchange.ts';
import { COMMAND } from './messages.ts';
import { createMysqlPublishing } from './publishing.ts';
import { createRelations } from './relations.ts';
import { findVerb, mayHaveChanged } from './statement.ts';
import { TemporaryTables } from './temporary-tables.ts';
import { chooseFrame, returnsChanges, UndoableStatement } from './undoable.ts';
import type { MysqlWire } from './wire.ts';

const NEVER = new AbortController().signal;

/** Properties of a server and of one of its sessions. */
export interface SessionOptions {
  readonly wire: MysqlWire;
  /** Whether column descriptions have MariaDB's extended form. */
  readonly isExtended: boolean;
  readonly state: SessionState;
  readonly requestCancel: (what: Stoppable) => Promise<void>;
}

/** One session of a server. */
export class MysqlSession extends ServerSession {
  readonly #options: SessionOptions;
  readonly #temporary: TemporaryTables;
  #mostBytes = Number.POSITIVE_INFINITY;

  readonly relations: Connection['relations'];
  readonly publishing: Connection['publishing'];

  constructor(options: SessionOptions) {
    const { wire, state } = options;
    const finish = () => {
      wire.send(Buffer.from([COMMAND.quit]));
      wire.finish();
    };
    super({ finish, closed: wire.closed, destroy: () => wire.destroy(), isOver: () => wire.isOver });
    this.#options = options;
    const run = (statement: string, signal: AbortSignal) => this.run(statement, signal);
    this.#temporary = new TemporaryTables(state);
    this.relations = createRelations(run, this.#temporary);
    this.publishing = createMysqlPublishing(run, state, this.#temporary);
  }

  get inTransaction(): boolean {
    return this.#options.state.inTransaction;
  }

  /** After an error, the transaction continues, or the server has rolled it back. */
  protected get hasFailed(): boolean {
    return false;
  }

  /** Longer statements are rejected, because the server would end the session. */
  limit(maxBytes: number): void {
    this.#mostBytes = maxBytes;
  }

  protected check(statement: string): void {
    if (Buffer.byteLength(statement) >= this.#mostBytes) throw createTooLong(this.#mostBytes);
  }

  protected async start(statement: string, signal: AbortSignal): Promise<StartedStatement> {
    const exchange = this.#createExchange(statement, signal);
    return { exchange, rows: returnsChanges(statement) ? await this.#surround(exchange) : exchange };
  }

  protected complete(statement: string, rowsChanged: number): number {
    const verb = findVerb(statement);
    if (verb === 'create') this.#temporary.notice(statement);
    return mayHaveChanged(verb) ? rowsChanged : 0;
  }

  protected isNothing(error: unknown): boolean {
    return isEmptyStatement(error);
  }

  protected onEnd(): void {}

  #createExchange(statement: string, signal: AbortSignal): MysqlExchange {
    return new MysqlExchange({ ...this.#options, statement, signal });
  }

  /** Starts a savepoint or transaction around a statement, if the server allows it. */
  async #surround(exchange: MysqlExchange): Promise<MysqlExchange | UndoableStatement> {
    const frame = chooseFrame(this.#options.state);
    const run = (statement: string) => this.#runOwn(statement);
    const hasBegun = await run(frame.before).then(
      () => true,
      () => false,
    );
    return hasBegun ? new UndoableStatement(exchange, frame, run) : exchange;
  }

  /** Runs an internal statement that cannot be cancelled. Rejects with a DatabaseError. */
  async #runOwn(statement: string): Promise<void> {
    const exchange = this.#createExchange(statement, NEVER);
    try {
      await exchange.begin();
    } finally {
      await exchange.leave();
    }
  }
}

function createTooLong(maxBytes: number): DatabaseError {
  const message = `The statement is longer than the server's limit of ${maxBytes} bytes (max_allowed_packet).`;
  return new DatabaseError('sql', message);
}
