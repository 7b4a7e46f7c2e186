// The contract of a driver. A session runs one statement at a time and returns its rows as chunks of columns, which
// never become objects. A driver also stores the rows of blocks, publishes tables and views, and says how its
// database places errors. The rest of the engine knows no database: what differs between databases is data or a
// method of this contract.

import type { Chunk, Column } from '../../result/columns/column.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import type { BoundValue } from './bound-value.ts';
import type { ColumnChanges, SchemaChange } from './column-changes.ts';
import type { DiskLimit, DiskUse } from './disk-limit.ts';

/** The databases that have a driver. */
export const DATABASE_KINDS = ['duckdb', 'postgresql', 'mysql', 'trino'] as const;

export type ConnectionKind = (typeof DATABASE_KINDS)[number];

/**
 * What the statements of a run may do on its connection: READ is only statements that change nothing, as the driver's
 * `ReadRules` says (docs/reference/permissions.md#read).
 */
export type RunLevel = 'READ' | 'USE';

/**
 * Everything a driver needs to open a session, as plain data: `options` as defined by the kind, and the `overrides` of
 * the request (docs/reference/connections.md#what-a-connection-allows) that the connection allows.
 */
export interface ConnectionSpec {
  readonly name: string;
  readonly kind: ConnectionKind;
  readonly options: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
  /** USE by default. */
  readonly level?: RunLevel;
  /** Whether a run with the level READ may publish: that of Semantic SQL by a user who may use the database. */
  readonly mayPublish?: boolean;
  /** Whether the session creates its schema if it does not exist. */
  readonly createsSchema?: boolean;
  /**
   * Set when statements come from users who do not own the machine; for drivers whose database runs in this process.
   */
  readonly sandbox?: Sandbox | undefined;
}

/**
 * Limits what statements may do to the machine that the database runs on (docs/reference/server-sql.md); folders are
 * absolute paths.
 */
export interface Sandbox {
  /** The folder whose files statements may read; the base of relative paths when it is the working directory. */
  readonly files: string;
  /** Where the database writes files that the driver then moves; on the same disk as their destination. */
  readonly staging: string;
  /** Where databases store data that does not fit into memory, each in a separate folder. */
  readonly temp: string;
  /** Memory limit of the database unless the connection sets one, such as `4GB`. */
  readonly memoryLimit: string;
  /** Maximum size of its data in `temp`. */
  readonly maxTempSize: string;
  /** Maximum size of its file; undefined: the whole disk. */
  readonly diskLimit?: DiskLimit | undefined;
}

/** What a statement reads apart from its text and the database. */
export interface StatementInput {
  /** The rows of COPY FROM STDIN, in the text format of PostgreSQL; other databases ignore it. */
  readonly copied?: string | undefined;
  /** The values of the placeholders `$1`, `$2`, …; MySQL ignores them. */
  readonly values?: readonly BoundValue[] | undefined;
}

/**
 * One database session. It runs one statement at a time: read a result's chunks to their end, or leave the iteration,
 * before the next `run`.
 */
export interface Connection {
  /**
   * Runs one statement. Rejects with a DatabaseError; an aborted `signal` stops the database's work and rejects with code
   * `cancelled`, here or while the chunks are read.
   */
  run(statement: string, signal: AbortSignal, input?: StatementInput): Promise<StatementResult>;
  /**
   * Throws a DatabaseError of code `gate` for a statement that `run` would reject without asking the database;
   * undefined if there are no such statements.
   */
  checkStatement?(statement: string): Interruptible<void>;
  /**
   * Rejects with a DatabaseError `refused` for a statement that `run`, or the publication of a view, would reject by its
   * meaning, without running it; undefined where only the database can check this.
   */
  checkMeaning?(statement: string, signal: AbortSignal, use?: 'view'): Promise<void>;
  /** The session for internal statements, if `run` accepts another SQL dialect than the database. */
  readonly physicalConnection?: Connection;
  /** Writes at most `maxRows` rows of a query to a new parquet file; resolves with their number. Rejects like `run`. */
  exportParquet(query: string, file: string, maxRows: number, signal: AbortSignal): Promise<number>;
  /** Whether a statement of the user has started a transaction that has not ended. */
  readonly inTransaction: boolean;
  /** Stores the rows of queries under names, for later statements. */
  readonly relations: Relations;
  /** Publishes the rows of queries. */
  readonly publishing: Publishing;
  /** The part of the current statement that is done, from 0 to 1; null if it is unknown, or if no statement runs. */
  readProgress?(): number | null;
  /** What the statements so far have left in the session; ends internal work first. Never rejects. */
  readState(): Promise<SessionStatus>;
  /** Closes the session and releases its resources; never rejects. */
  close(): Promise<void>;
}

/** What a later statement would miss in a new session. */
export interface SessionStatus {
  /** The transaction of the user; a failed one only accepts its end. */
  readonly transaction: 'none' | 'open' | 'failed';
  /** Whether the connection has ended by itself, with everything in it. */
  readonly isLost: boolean;
  /** False only if nothing is left in the session that a later statement could miss. */
  readonly isNeeded: boolean;
}

/**
 * Rows of queries that a session stores under names until it ends (docs/reference/calls.md#rows-of-a-block). Names are
 * plain, unused identifiers. All methods reject like `run`; the offset of an error is one in the query.
 */
export interface Relations {
  /**
   * Whether a query returns the same rows each time within one statement, so that the query can replace a table with
   * its rows.
   */
  isRepeatable(query: string, signal: AbortSignal): Promise<boolean>;
  /** Converts columns that are bare NULLs to text; null where the database does this. */
  readonly nulls: NullTyping | null;
  /** Stores the current rows of a query. */
  createTable(name: string, query: string, signal: AbortSignal): Promise<void>;
  /** Names a query, for statements that cannot contain it; null if the database has no such views. */
  readonly createView: ((name: string, query: string, signal: AbortSignal) => Promise<void>) | null;
  /**
   * Which queries inside a statement run once: `all`, even if they are read several times (`AS MATERIALIZED`); those
   * that are `read once`; or `none` for certain.
   */
  readonly runsOnce: 'all' | 'read once' | 'none';
  /** Whether a statement that adds rows cannot see them, even if a query inside it reads the same table. */
  readonly insertsAtEnd: boolean;
  /** How rows are stored without temporary tables; null for a database that has them. */
  readonly scratch: ScratchTables | null;
  /** Lists the names of the session's temporary objects, to drop them. */
  listTemporary(signal: AbortSignal): Promise<readonly TemporaryObject[]>;
  /** Drops the temporary objects that exist. */
  dropTemporary(objects: readonly TemporaryObject[], signal: AbortSignal): Promise<void>;
}

/** Tables that replace temporary ones, in a schema that the connection names. */
interface ScratchTables {
  /** Why no rows can be stored, with advice; null if they can. */
  readonly refusal: string | null;
  /** The name by which statements read the rows that are stored under a plain name. */
  print(name: string): string;
}

/** Handles columns that are bare NULLs, which have no type. */
export interface NullTyping {
  /** Whether a query may have such columns, judged by its text. */
  mayBeIn(query: string): boolean;
  /** The text before and after a query that makes a query of column types for `listColumns`. */
  printTypes(): readonly [before: string, after: string];
  /** The names of such columns, from a query of `printTypes`. Rejects like `run`. */
  listColumns(types: string, signal: AbortSignal): Promise<readonly string[]>;
  /** The text before and after a query that makes a query of the same rows with `columns` as text. */
  printTexts(columns: readonly string[]): readonly [before: string, after: string];
}

/**
 * Publishes the rows of queries as objects that other users read; these never see a missing or incomplete object
 * (docs/reference/publishing-databases.md). All methods reject like `run`; the offset of an error is one in the query.
 */
export interface Publishing {
  /** Why this session may publish nothing, not even files; left out if it may. */
  readonly refusal?: DatabaseError;
  /** The qualified name of a target, as the server stores it; a null schema means the session's current one. */
  resolve(schema: string | null, name: string, signal: AbortSignal): Promise<PublishedName>;
  /** Whether qualified names that differ only in case denote the same object. */
  readonly ignoresCase: boolean;
  hasSchema(target: PublishedName, signal: AbortSignal): Promise<boolean>;
  /** The kind of object with this name, ignoring temporary objects. */
  find(target: PublishedName, signal: AbortSignal): Promise<'table' | 'view' | null>;
  /**
   * Checks whether a target can be published in a way, before anything runs; resolves with a warning of what others can
   * see meanwhile. Rejects with a DatabaseError, `refused` if it is impossible. Null if every target can be published
   * and others see only complete objects.
   */
  readonly check:
    | ((target: PublishedName, how: PublishingMethod, signal: AbortSignal) => Promise<string | null>)
    | null;
  /**
   * Replaces any object of this name with a table; creates the schema if it is missing. Resolves with the number of its
   * rows, or null if the database does not report it.
   */
  replaceTable(
    target: PublishedName,
    query: string,
    keys: TableKeys,
    signal: AbortSignal,
  ): Promise<number | null>;
  replaceView(target: PublishedName, query: string, signal: AbortSignal): Promise<void>;
  /**
   * The differences between the columns of new rows and those of a table, without running the query. Rejects with a
   * DatabaseError.
   */
  compareColumns(
    target: PublishedName,
    query: string,
    rows: AddedRows | Merge | HistoryRows,
    signal: AbortSignal,
  ): Promise<ColumnChanges>;
  /** Adds rows to a table; matches columns by name. Resolves with the changes of the table. */
  append(target: PublishedName, query: string, rows: AddedRows, signal: AbortSignal): Promise<ColumnChanges>;
  /** Adds rows to a table, and replaces those with the same key. Resolves with the changes of the table. */
  merge(target: PublishedName, query: string, merge: Merge, signal: AbortSignal): Promise<ColumnChanges>;
  /** Replaces any object of this name with a table of the first states of rows, as `replaceTable` does. */
  startHistory(
    target: PublishedName,
    query: string,
    history: HistoryRows,
    signal: AbortSignal,
  ): Promise<number | null>;
  /**
   * Closes the states of a table that are no longer those of the query, and opens new ones. Resolves with the changes of the
   * table.
   */
  continueHistory(
    target: PublishedName,
    query: string,
    history: HistoryRows,
    signal: AbortSignal,
  ): Promise<ColumnChanges>;
  /**
   * Runs publications and further statements in one transaction, as far as the database has one for them; the user's
   * transaction is joined.
   */
  transact<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Writes the rows of a query to a new file. */
  writeFile(query: string, file: string, format: FileFormat, signal: AbortSignal): Promise<void>;
}

export type PublishingMethod = 'table' | 'view' | 'append' | 'merge' | 'history';

/** The name of a published object, which temporary objects cannot hide. */
export interface PublishedName {
  readonly database: string;
  readonly schema: string;
  readonly name: string;
}

/** `primary` becomes the primary key; `unique` columns must be unique in combination. Either may be empty. */
export interface TableKeys {
  readonly primary: readonly string[];
  readonly unique: readonly string[];
  /** Whether each of the `unique` columns must have a value. */
  readonly isWhole?: boolean;
}

export interface AddedRows {
  /** The primary key of the table, if any, for databases that do not enforce it. */
  readonly primary?: readonly string[];
  /** `fail` by default. */
  readonly onSchemaChange?: SchemaChange;
}

export interface Merge extends AddedRows {
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** An existing row is only replaced if one of these columns differs; null: always. */
  readonly changes: readonly string[] | null;
}

/** States of rows; `changes` are the columns whose values are compared, null for all. */
export interface HistoryRows extends Merge {
  /** The time of the run, in UTC: `2026-03-01 09:30:00.000000`. */
  readonly time: string;
}

/** The format of a file; an empty `quote` disables quoting. */
export type FileFormat =
  | { readonly type: 'parquet'; readonly compression: string }
  | {
      readonly type: 'csv';
      readonly delimiter: string;
      readonly nullValue: string;
      readonly quote: string;
      readonly header: boolean;
      readonly compression: string;
    };

export interface TemporaryObject {
  readonly type: 'table' | 'view';
  readonly name: string;
}

/**
 * `rows` is a result set; `done` is a statement without one (a row count is not a result set). `rowsStored` is the number
 * of rows of a table that the statement created, if the database reports it.
 */
export type StatementResult =
  | { readonly kind: 'rows'; readonly columns: readonly Column[]; readonly chunks: AsyncIterable<Chunk> }
  | { readonly kind: 'done'; readonly rowsChanged: number; readonly rowsStored?: number };

/** Receives whether the database has the current statement in a queue, each time that changes. */
export type NoteQueued = (isQueued: boolean) => void;

/** A part of a statement that READ does not let through, and its position in the statement. */
export interface ChangingPart {
  /** As the refusal names it: a word of SQL in capitals. */
  readonly kind: string;
  readonly offset: number;
}

/**
 * What the level READ lets through on a kind of database: first a list of statements, then the database itself, where
 * it has transactions that only read (docs/reference/drivers.md#read).
 */
export interface ReadRules {
  readonly lexicalRules: LexicalRules;
  /** Finds a statement that is not on the list, by its text; null for one that only reads, as far as the text shows. */
  find(statement: string): Interruptible<ChangingPart | null>;
  /** The statements around each statement of the user; null where the database has no such transactions. */
  readonly transaction: { readonly begin: string; readonly commit: string } | null;
  /** Whether the database has refused to write in such a transaction. */
  isRefusal(error: DatabaseError): boolean;
  /**
   * How a temporary table for the rows of a query is stored where such a transaction can fill tables, but not make them:
   * the text around the query that returns no rows, and the text before the query that fills the table. Null where the
   * transaction can make it.
   */
  readonly storing: {
    readonly empty: readonly [before: string, after: string];
    /** Whether the query without rows can call functions, so that it first runs in such a transaction. */
    readonly isProbed: boolean;
    printFill(name: string): string;
  } | null;
}

/** Parses statements, and never binds or runs them. */
export interface StatementParser {
  /**
   * Rejects with a DatabaseError of code `sql` for a statement that cannot be parsed. A statement that may not run in a
   * sandbox is not parsed.
   */
  check(statement: string, signal: AbortSignal): Promise<void>;
  /** Releases its resources; never rejects. */
  close(): Promise<void>;
}

/** One kind of database. */
export interface Driver {
  /**
   * Opens a session; rejects with a DatabaseError of code `unreachable`, `locked`, `login` or `sql`. A database without
   * a queue does not call `noteQueued`.
   */
  connect(spec: ConnectionSpec, signal: AbortSignal, noteQueued?: NoteQueued): Promise<Connection>;
  readonly readRules: ReadRules;
  /** Opens a parser that needs no database; undefined where only a session can parse. */
  readonly openParser?: ((sandbox: Sandbox) => Promise<StatementParser>) | undefined;
  /** The disk use of databases that were opened with a limit, as far as it was measured; undefined without limits. */
  listDiskUse?(): readonly DiskUse[];
  /** Closes the resources that sessions share (instances, pools). */
  close(): Promise<void>;
}

export type DatabaseErrorCode =
  | 'sql'
  | 'late'
  | 'cancelled'
  | 'unreachable'
  | 'locked'
  | 'login'
  | 'full'
  | 'quota'
  | 'conflict'
  | 'gate'
  | 'level'
  | 'refused';

/**
 * An error of a database: `message` is the database's own message, without its rendering of the position; `offset` is
 * the UTF-16 offset in the statement, if known. `late`: after the first rows were returned. `quota`: the database has
 * reached its size limit. `conflict`: a concurrent transaction has won. `gate`: the statement may not run in a sandbox
 * and was not sent. `level`: the statement changes something, and the run may only read. `refused`: the statement is
 * not valid for a model and was not sent; `length` is the number of characters that the error covers.
 */
export class DatabaseError extends Error {
  readonly code: DatabaseErrorCode;
  readonly offset: number | undefined;
  readonly length: number | undefined;

  constructor(
    code: DatabaseErrorCode,
    message: string,
    offset?: number,
    options?: ErrorOptions & { readonly length?: number },
  ) {
    super(message, options);
    this.name = 'DatabaseError';
    this.code = code;
    this.offset = offset;
    this.length = options?.length;
  }
}
