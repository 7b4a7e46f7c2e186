import type { Chunk, Column } from '../../result/columns/column.ts';
import type {
  Connection,
  Publishing,
  Relations,
  SessionStatus,
  StatementInput,
  StatementResult,
} from '../contract/connection.ts';
import { EarlyCollection } from '../contract/early-collection.ts';
import { OneAtATime } from '../contract/one-at-a-time.ts';
import { writeThroughDuckDb } from '../duckdb/write-through-duckdb.ts';
import { createCancelled } from './errors.ts';

const PARQUET = { type: 'parquet', compression: 'snappy' } as const;
/** Maximum time for a server to end a session, in milliseconds. */
const PATIENCE = 1000;

/** A statement whose rows can be read. */
interface Rows {
  begin(): Promise<Chunk | null>;
  next(): Promise<Chunk | null>;
  /** Ends it in any state; never rejects. */
  leave(): Promise<void>;
}

/** A statement that is about to start; `rows` may wrap the exchange, such as a surrounding transaction. */
export interface StartedStatement {
  readonly exchange: {
    readonly columns: readonly Column[] | null;
    readonly rowsChanged: number;
    /** The number of rows of the table that it created; null or undefined if the server does not report it. */
    readonly rowsStored?: number | null;
  };
  readonly rows: Rows;
}

/** Ways to close the connection to a server. */
export interface Ending {
  /** Notifies the server, and sends nothing more. */
  readonly finish: () => void;
  readonly closed: Promise<void>;
  readonly destroy: () => void;
  /** Whether the server has closed it. */
  readonly isOver: () => boolean;
}

/** One session of a server: it runs one statement at a time. */
export abstract class ServerSession implements Connection {
  readonly #ending: Ending;
  readonly #stopping = new AbortController();
  readonly #turns = new OneAtATime();
  #started: StartedStatement | null = null;
  #closing: Promise<void> | null = null;

  constructor(ending: Ending) {
    this.#ending = ending;
  }

  abstract readonly relations: Relations;
  abstract readonly publishing: Publishing;
  abstract readonly inTransaction: boolean;
  /** Whether the open transaction only accepts its end. */
  protected abstract readonly hasFailed: boolean;

  /** Throws a DatabaseError for a statement that cannot be sent. */
  protected abstract check(statement: string): void;
  protected abstract start(
    statement: string,
    signal: AbortSignal,
    input: StatementInput,
  ): Promise<StartedStatement>;
  /** A statement without rows has succeeded; returns the number of changed rows. */
  protected abstract complete(statement: string, rowsChanged: number): number;
  /** Whether an error means that the statement was empty. */
  protected abstract isNothing(error: unknown): boolean;
  /** Called when the last started statement has ended. */
  protected abstract onEnd(): void;

  async run(statement: string, signal: AbortSignal, input: StatementInput = {}): Promise<StatementResult> {
    if (this.#closing !== null) throw new Error('the session is closed');
    return this.#turns.run(() => this.#run(statement, signal, input));
  }

  async #run(statement: string, signal: AbortSignal, input: StatementInput): Promise<StatementResult> {
    await this.#leave();
    if (signal.aborted) throw createCancelled();
    this.check(statement);
    const started = await this.start(statement, AbortSignal.any([signal, this.#stopping.signal]), input);
    this.#started = started;
    const { exchange, rows } = started;
    try {
      if (signal.aborted) throw createCancelled();
      const first = await rows.begin();
      const { columns, rowsChanged, rowsStored = null } = exchange;
      if (columns !== null) return { kind: 'rows', columns, chunks: new ResultStream(rows, first) };
      await this.#leave();
      const done = { kind: 'done', rowsChanged: this.complete(statement, rowsChanged) } as const;
      return rowsStored === null ? done : { ...done, rowsStored };
    } catch (error) {
      await this.#leave();
      if (this.isNothing(error)) return { kind: 'done', rowsChanged: 0 };
      throw error;
    }
  }

  async exportParquet(query: string, file: string, maxRows: number, signal: AbortSignal): Promise<number> {
    return writeThroughDuckDb(await this.run(query, signal), file, PARQUET, signal, { rows: maxRows });
  }

  /** Servers keep settings and other traces that cannot be listed, so that every session may be needed. */
  async readState(): Promise<SessionStatus> {
    await this.#leave();
    const transaction = this.hasFailed ? 'failed' : 'open';
    return {
      transaction: this.inTransaction ? transaction : 'none',
      isLost: this.#ending.isOver(),
      isNeeded: true,
    };
  }

  /** Ends the last statement if it is still open. */
  async #leave(): Promise<void> {
    const started = this.#started;
    if (started === null) return;
    this.#started = null;
    await started.rows.leave();
    this.onEnd();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { finish, closed, destroy } = this.#ending;
    this.#stopping.abort();
    await this.#turns.settle();
    await this.#leave();
    const timer = setTimeout(destroy, PATIENCE);
    finish();
    await closed;
    clearTimeout(timer);
  }
}

/** One statement and the server's answer. */
interface Exchange {
  /** The next rows; null at the successful end. Rejects with a DatabaseError. */
  next(): Promise<Chunk | null>;
  /** Ends the exchange in any state; never rejects. */
  leave(): Promise<void>;
}

/** The rows of one result, to be read once; the first rows have already arrived. */
class ResultStream {
  readonly #exchange: Exchange;
  #first: Chunk | null;

  constructor(exchange: Exchange, first: Chunk | null) {
    this.#exchange = exchange;
    this.#first = first;
  }

  /** Throws a DatabaseError: `cancelled`, or `late` when the server fails. Leaving the iteration stops the query. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Chunk, void, undefined> {
    const collection = new EarlyCollection();
    try {
      let chunk = this.#first;
      this.#first = null;
      for (chunk ??= await this.#exchange.next(); chunk !== null; chunk = await this.#exchange.next()) {
        collection.noteChunk();
        yield chunk;
      }
    } finally {
      collection.end();
      await this.#exchange.leave();
    }
  }
}
