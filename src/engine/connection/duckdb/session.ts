import duckdb from '@duckdb/node-bindings';

import { finishInPieces } from '../../text/finish-in-pieces.ts';
import { findFirstWord } from '../../text/first-word.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import { duckdbRules } from '../../text/lexical-rules.ts';
import type { BoundValue } from '../contract/bound-value.ts';
import {
  type Connection,
  DatabaseError,
  type SessionStatus,
  type StatementInput,
  type StatementResult,
} from '../contract/connection.ts';
import { OneAtATime } from '../contract/one-at-a-time.ts';
import { RowAppender } from './append/row-appender.ts';
import type { StoredType } from './append/stored-types.ts';
import { checkAlone, type Executed, execute } from './execute.ts';
import { checkStatement, mayBeRefused } from './gate/check-statement.ts';
import type { Engine } from './instance/engine.ts';
import { createCancelled } from './instance/errors.ts';
import { mayGrow } from './instance/growth.ts';
import { type NativeColumn, placeInQuery, writeParquet } from './publish/parquet.ts';
import { createPublishing } from './publish/publishing.ts';
import { READING_TRANSACTION } from './read-rules.ts';
import { createRelations } from './relations.ts';
import { DuckdbResultStream } from './result-stream.ts';
import { beginUndoable, type Undoable } from './undoable.ts';
import type { Decoder } from './values/decoder.ts';
import { createDecoder } from './values/types.ts';

const { begin, commit } = READING_TRANSACTION;
const BEGINNINGS = ['begin', 'start'];
/** First words of statements that change no function, and create no other object. */
const HARMLESS = [
  'select',
  'from',
  'values',
  'with',
  'insert',
  'update',
  'delete',
  'merge',
  'copy',
  ...BEGINNINGS,
];
/** First words of statements that change definitions, and select no database or schema. */
const DEFINING = ['create', 'alter', 'drop', 'commit'];
/**
 * Rows arrive in portions of one chunk, so that statements wait less for one another, and that the first rows of a slow
 * statement arrive early. With a buffer of 1 byte, DuckDB waits forever for room in it.
 */
const SMALL_PORTIONS = "SET streaming_buffer_size = '1KB'";
/** On a server, the engine counts its progress, and never prints it. */
const COUNTED_PROGRESS = 'SET enable_progress_bar_print = false; SET enable_progress_bar = true';
/** Without FROM, there is rarely more than one row. */
const READS_ROWS = /\bfrom\b/i;
/** First words of statements after which a full database may have room again. */
const FREEING = ['delete', 'drop', 'commit', 'end'];
const COMMITS = ['commit', 'end'];
const ENDINGS = [...COMMITS, 'rollback', 'abort'];

/** One session: a connection to an instance, with its temporary objects and settings. */
export class DuckDbSession implements Connection {
  readonly #engine: Engine;
  #stream: DuckdbResultStream | null = null;
  readonly #turns = new OneAtATime();
  #closing: Promise<void> | null = null;

  readonly #versions = { statements: 0, definitions: 0, places: 0 };
  readonly relations = createRelations(
    (statement, signal) => this.#runOne(statement, signal),
    (query, signal) => this.#checkQuery(query, signal),
    () => this.#versions,
  );
  readonly publishing = createPublishing(
    (statement, signal) => this.#runNoted(statement, signal),
    (query, signal) => this.#checkQuery(query, signal),
    () => ({
      isInTransaction: this.#engine.inTransaction,
      placeVersion: this.#versions.places,
      statementVersion: this.#versions.statements,
    }),
    (query, signal) => this.#describe(query, signal),
  );

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get inTransaction(): boolean {
    return this.#engine.inTransaction;
  }

  async run(
    statement: string,
    signal: AbortSignal,
    { values = [] }: StatementInput = {},
  ): Promise<StatementResult> {
    await this.#engine.refreshGate();
    await finishInPieces(this.checkStatement(statement), signal);
    return this.#runNoted(statement, signal, values);
  }

  *checkStatement(statement: string): Interruptible<void> {
    const { gate } = this.#engine;
    if (gate !== null) yield* gate.checkStatement(statement);
  }

  /** Checks a query that becomes part of an internal statement. Rejects with a DatabaseError of code `gate`. */
  async #checkQuery(query: string, signal: AbortSignal): Promise<void> {
    const { gate } = this.#engine;
    if (gate === null) return;
    await finishInPieces(gate.checkQuery(query), signal);
    await this.#turns.run(async () => {
      await this.#stream?.stop();
      await checkAlone(this.#engine, query, signal);
    });
  }

  #runNoted(
    statement: string,
    signal: AbortSignal,
    values: readonly BoundValue[] = [],
  ): Promise<StatementResult> {
    this.#versions.statements += 1;
    const word = findFirstWord(statement, duckdbRules);
    if (!HARMLESS.includes(word)) this.#versions.definitions += 1;
    if (!HARMLESS.includes(word) && !DEFINING.includes(word)) this.#versions.places += 1;
    return this.#runOne(statement, signal, values);
  }

  async #runOne(
    statement: string,
    signal: AbortSignal,
    values: readonly BoundValue[] = [],
  ): Promise<StatementResult> {
    if (this.#engine.closed) throw new Error('the session is closed');
    return this.#turns.run(() => this.#run(statement, signal, values));
  }

  readProgress(): number | null {
    if (this.#engine.closed) return null;
    const { percentage } = duckdb.query_progress(this.#engine.connection);
    return percentage <= 0 ? null : Math.min(percentage, 100) / 100;
  }

  async readState(): Promise<SessionStatus> {
    await this.#turns.settle();
    await this.#stream?.stop();
    const { inTransaction, isNeeded } = this.#engine;
    const transaction = inTransaction ? await this.#probeTransaction() : 'none';
    return { transaction, isLost: this.#engine.closed, isNeeded: isNeeded || inTransaction };
  }

  /** The engine tells a failed transaction from an open one only by refusing statements. */
  async #probeTransaction(): Promise<'open' | 'failed'> {
    try {
      await this.#runOne('SELECT 1', new AbortController().signal);
      return 'open';
    } catch {
      return 'failed';
    }
  }

  async exportParquet(query: string, file: string, maxRows: number, signal: AbortSignal): Promise<number> {
    await this.#checkQuery(query, signal);
    const run = (statement: string) => this.#runNoted(statement, signal);
    const describe = () => this.#describe(query, signal);
    const job = { query, file, options: 'FORMAT parquet', maxRows };
    const result = await writeParquet([run, describe], job, signal);
    return result.kind === 'done' ? result.rowsChanged : 0;
  }

  /** For a table of columns with these types. */
  createAppender(table: string, types: readonly StoredType[]): RowAppender {
    return new RowAppender(this.#engine.connection, table, types);
  }

  /** The columns of a query, without computing its rows. Rejects with a DatabaseError. */
  async #describe(query: string, signal: AbortSignal): Promise<readonly NativeColumn[]> {
    const before = 'FROM (';
    const statement = `${before}${query}\n) LIMIT 0`;
    try {
      return await this.#turns.run(async () => {
        await this.#stream?.stop();
        this.#engine.values = [];
        const executed = await this.#execute(statement, signal);
        if (executed === null) return [];
        for await (const _ of new DuckdbResultStream(
          this.#engine,
          statement,
          { ...executed, undoable: null },
          [],
          signal,
        ));
        return listNativeColumns(executed);
      });
    } catch (error) {
      throw error instanceof DatabaseError ? placeInQuery(error, query, before.length) : error;
    }
  }

  async #run(
    statement: string,
    signal: AbortSignal,
    values: readonly BoundValue[],
  ): Promise<StatementResult> {
    await this.#stream?.stop();
    this.#engine.values = values;
    if (signal.aborted) throw createCancelled();
    if (statement === begin || statement === commit) return this.#runTransaction(statement, signal);
    if (mayBeRefused(statement)) await finishInPieces(checkStatement(statement), signal);
    if (READS_ROWS.test(statement)) await this.#makePortionsSmall(signal);
    const word = findFirstWord(statement, duckdbRules);
    if (BEGINNINGS.includes(word)) await this.#engine.quota?.prepare();
    try {
      return await this.#runOnce(statement, signal);
    } catch (error) {
      if (!this.#mayFitNow(word, error)) throw error;
      return this.#runOnce(statement, signal);
    } finally {
      const { quota } = this.#engine;
      if (quota !== null && (FREEING.includes(word) || mayGrow(statement))) await quota.refresh();
    }
  }

  /** Starts or ends a transaction that only reads: it changes no size, so no quota is asked. */
  async #runTransaction(statement: string, signal: AbortSignal): Promise<StatementResult> {
    const engine = this.#engine;
    engine.inTransaction = false;
    await engine.step(statement, signal, () => duckdb.query(engine.connection, statement));
    engine.inTransaction = statement === begin;
    return { kind: 'done', rowsChanged: 0 };
  }

  /** Whether a rejected and undone statement may succeed after space freed by other sessions is reclaimed. */
  #mayFitNow(word: string, error: unknown): boolean {
    const { quota, inTransaction } = this.#engine;
    const isFull = error instanceof DatabaseError && error.code === 'quota';
    return isFull && quota?.mayHaveFreed === true && !inTransaction && !COMMITS.includes(word);
  }

  async #runOnce(statement: string, signal: AbortSignal): Promise<StatementResult> {
    const undoable = await beginUndoable(this.#engine, statement, signal);
    try {
      const result = await this.#runUndoable(statement, undoable, signal);
      await undoable?.check();
      if (result.kind === 'done') await undoable?.keep(signal);
      return result;
    } catch (error) {
      await undoable?.undo();
      throw error;
    }
  }

  async #runUndoable(
    statement: string,
    undoable: Undoable | null,
    signal: AbortSignal,
  ): Promise<StatementResult> {
    const executed = await this.#execute(statement, signal);
    if (executed === null) return { kind: 'done', rowsChanged: 0 };
    if (!hasRows(executed)) {
      const rowsStored = readRowsStored(executed);
      return { kind: 'done', rowsChanged: duckdb.rows_changed(executed.result), ...rowsStored };
    }
    const columns = this.#readColumns(executed);
    const decoders = columns.map(({ decoder }) => decoder);
    const all = { ...executed, undoable };
    this.#stream = new DuckdbResultStream(this.#engine, statement, all, decoders, signal);
    return {
      kind: 'rows',
      columns: columns.map(({ name, decoder }) => ({ name, type: decoder.type })),
      chunks: this.#stream,
    };
  }

  /** This takes longer than a short query, so it is done when it may matter. Rejects with a DatabaseError. */
  async #makePortionsSmall(signal: AbortSignal): Promise<void> {
    const { seat, gate } = this.#engine;
    if (seat.hasSmallPortions) return;
    const settings = gate === null ? SMALL_PORTIONS : `${SMALL_PORTIONS}; ${COUNTED_PROGRESS}`;
    await this.#engine.step(settings, signal, () => duckdb.query(seat.connection, settings));
    seat.hasSmallPortions = true;
  }

  /** Throws a DatabaseError when the type of a column cannot be read. */
  #readColumns(executed: Executed): readonly { name: string; decoder: Decoder }[] {
    try {
      return listNativeColumns(executed).map(({ name, logical }) => ({
        name,
        decoder: createDecoder(logical, name),
      }));
    } catch (error) {
      this.#engine.abandonResult();
      throw error;
    }
  }

  /** Runs a statement and tracks whether a transaction starts or ends; a failed COMMIT ends it too. */
  async #execute(statement: string, signal: AbortSignal): Promise<Executed | null> {
    const word = findFirstWord(statement, duckdbRules);
    try {
      if (COMMITS.includes(word)) await this.#engine.checkCommit(true);
      const executed = await execute(this.#engine, statement, signal);
      if (BEGINNINGS.includes(word)) {
        this.#engine.inTransaction = true;
        this.#engine.hasGrown = false;
      }
      return executed;
    } finally {
      if (ENDINGS.includes(word)) this.#engine.inTransaction = false;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#engine.closed = true;
    await this.#engine.work.stop();
    await this.#turns.settle();
    await this.#stream?.stop();
    this.#stream = null;
    await this.#engine.close();
  }
}

function listNativeColumns({ result }: Executed): readonly NativeColumn[] {
  return Array.from({ length: duckdb.column_count(result) }, (_, i) => ({
    name: duckdb.column_name(result, i),
    logical: duckdb.column_logical_type(result, i),
  }));
}

/** The number of rows of a table that was created from a query: its only row has it. */
function readRowsStored({ result, type }: Executed): { readonly rowsStored?: number } {
  if (type !== duckdb.StatementType.CREATE || duckdb.row_count(result) !== 1) return {};
  const chunk = duckdb.result_get_chunk(result, 0);
  const { buffer, byteOffset } = duckdb.vector_get_data(duckdb.data_chunk_get_vector(chunk, 0), 8);
  return { rowsStored: Number(new DataView(buffer, byteOffset, 8).getBigInt64(0, true)) };
}

/** A row count is not a result set; the column `Success` of a PRAGMA or a CHECKPOINT is not one either. */
function hasRows({ result, type }: Executed): boolean {
  if (duckdb.result_return_type(result) !== duckdb.ResultType.QUERY_RESULT) return false;
  const commands = [duckdb.StatementType.PRAGMA, duckdb.StatementType.CALL];
  if (!commands.includes(type) || duckdb.column_count(result) !== 1) return true;
  return duckdb.column_name(result, 0) !== 'Success' || duckdb.column_type(result, 0) !== duckdb.Type.BOOLEAN;
}
