import { type Connection, DatabaseError, type StatementResult } from '../contract/connection.ts';
import { OneAtATime } from '../contract/one-at-a-time.ts';
import { ResultStream } from '../contract/result-stream.ts';
import { writeThroughDuckDb } from '../duckdb/write-through-duckdb.ts';
import type { Stoppable } from './cancel.ts';
import { createCancelled, isEmptyStatement } from './errors.ts';
import { Exchange, type SessionState } from './exchange.ts';
import { COMMAND } from './messages.ts';
import { MysqlPublishing } from './publishing.ts';
import { createRelations } from './relations.ts';
import { findVerb, mayHaveChanged } from './statement.ts';
import { TemporaryTables } from './temporary-tables.ts';
import { chooseFrame, returnsChanges, Undoable } from './undoable.ts';
import type { Wire } from './wire.ts';

const PARQUET = { type: 'parquet', compression: 'snappy' } as const;
/** A server that does not end a session for so long, in ms, is left. */
const PATIENCE = 1000;
const NEVER = new AbortController().signal;

/** What is known of a server and of a session of it. */
export interface SessionOptions {
  readonly wire: Wire;
  /** Whether descriptions of columns are MariaDB's longer ones. */
  readonly isExtended: boolean;
  readonly state: SessionState;
  readonly requestCancel: (what: Stoppable) => Promise<void>;
}

/** One session of a server. */
export class MysqlSession implements Connection {
  readonly #options: SessionOptions;
  readonly #stopping = new AbortController();
  readonly #temporary: TemporaryTables;
  #mostBytes = Number.POSITIVE_INFINITY;
  #exchange: Exchange | Undoable | null = null;
  readonly #turns = new OneAtATime();
  #closing: Promise<void> | null = null;

  readonly relations: Connection['relations'];
  readonly publishing: MysqlPublishing;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { state } = options;
    const run = (statement: string, signal: AbortSignal) => this.run(statement, signal);
    this.#temporary = new TemporaryTables(state);
    this.relations = createRelations(run, this.#temporary);
    this.publishing = new MysqlPublishing(run, state, this.#temporary);
  }

  /** Longer statements are refused: the server would end the session. */
  limit(mostBytes: number): void {
    this.#mostBytes = mostBytes;
  }

  async run(statement: string, signal: AbortSignal): Promise<StatementResult> {
    if (this.#closing !== null) throw new Error('the session is closed');
    return this.#turns.run(() => this.#run(statement, signal));
  }

  async #run(statement: string, signal: AbortSignal): Promise<StatementResult> {
    await this.#leave();
    if (signal.aborted) throw createCancelled();
    if (Buffer.byteLength(statement) >= this.#mostBytes) throw createTooLong(this.#mostBytes);
    const exchange = this.#createExchange(statement, AbortSignal.any([signal, this.#stopping.signal]));
    const undoable = returnsChanges(statement) ? await this.#surround(exchange) : exchange;
    this.#exchange = undoable;
    try {
      if (signal.aborted) throw createCancelled();
      const first = await undoable.begin();
      const { columns, rowsChanged } = exchange;
      if (columns !== null) return { kind: 'rows', columns, chunks: new ResultStream(undoable, first) };
      await this.#leave();
      const verb = findVerb(statement);
      if (verb === 'create') this.#temporary.notice(statement);
      return { kind: 'done', rowsChanged: mayHaveChanged(verb) ? rowsChanged : 0 };
    } catch (error) {
      await this.#leave();
      if (isEmptyStatement(error)) return { kind: 'done', rowsChanged: 0 };
      throw error;
    }
  }

  #createExchange(statement: string, signal: AbortSignal): Exchange {
    return new Exchange({ ...this.#options, statement, signal });
  }

  /** Begins what can be undone before a statement, where the server lets us. */
  async #surround(exchange: Exchange): Promise<Exchange | Undoable> {
    const frame = chooseFrame(this.#options.state);
    const run = (statement: string) => this.#runOwn(statement);
    const hasBegun = await run(frame.before).then(
      () => true,
      () => false,
    );
    return hasBegun ? new Undoable(exchange, frame, run) : exchange;
  }

  /** Runs a statement of our own, which nobody stops. Rejects with a DatabaseError. */
  async #runOwn(statement: string): Promise<void> {
    const exchange = this.#createExchange(statement, NEVER);
    try {
      await exchange.begin();
    } finally {
      await exchange.leave();
    }
  }

  async exportParquet(query: string, file: string, maxRows: number, signal: AbortSignal): Promise<number> {
    return writeThroughDuckDb(await this.run(query, signal), file, PARQUET, signal, maxRows);
  }

  /** Ends what the last statement left open. */
  async #leave(): Promise<void> {
    const exchange = this.#exchange;
    this.#exchange = null;
    await exchange?.leave();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { wire } = this.#options;
    this.#stopping.abort();
    await this.#turns.settle();
    await this.#leave();
    const timer = setTimeout(() => wire.destroy(), PATIENCE);
    wire.send(Buffer.from([COMMAND.quit]));
    wire.finish();
    await wire.closed;
    clearTimeout(timer);
  }
}

function createTooLong(mostBytes: number): DatabaseError {
  const message = `The statement is longer than the ${mostBytes} bytes that the server takes (max_allowed_packet).`;
  return new DatabaseError('sql', message);
}
