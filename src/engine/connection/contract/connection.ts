import type { Chunk, Column } from '../../result/columns/column.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { DiskLimit, DiskUse } from './disk-limit.ts';

export type ConnectionKind = 'duckdb' | 'postgresql' | 'mysql';

/**
 * Everything a driver needs to open a session, as plain data: `options` after the kind's own table,
 * `overrides` those of the request (interface 2.4) that the connection's settings allow.
 */
export interface ConnectionSpec {
  readonly name: string;
  readonly kind: ConnectionKind;
  readonly options: Readonly<Record<string, string>>;
  readonly overrides: Readonly<Record<string, string>>;
  /** Given where statements are not of whoever owns the machine, for drivers whose database is in this process. */
  readonly sandbox?: Sandbox | undefined;
}

/** What statements may do to the machine that the database runs on (results 3); folders are absolute paths. */
export interface Sandbox {
  /** The folder whose files statements may read; relative paths are from there when the process stands in it. */
  readonly files: string;
  /** Where the database writes what our own code asks for and then moves; on the same disk as where that goes. */
  readonly staging: string;
  /** Where databases keep what does not fit into memory, each in a folder of its own. */
  readonly temp: string;
  /** How much memory the database may take unless the connection says otherwise, such as `4GB`. */
  readonly memoryLimit: string;
  /** How much room it may take in `temp`. */
  readonly maxTempSize: string;
  /** How much of the disk its file may use; left out: all. */
  readonly diskLimit?: DiskLimit | undefined;
}

/**
 * One database session. One statement at a time: a result's chunks must be read to their end, or the
 * iteration be left, before the next `run`.
 */
export interface Connection {
  /**
   * Runs one statement (no parameters are bound). Rejects with a DatabaseError; an aborted `signal` stops
   * the database's work and rejects with code `cancelled`, here or while the chunks are read.
   */
  run(statement: string, signal: AbortSignal): Promise<StatementResult>;
  /**
   * Throws a DatabaseError of code `gate` for a statement that `run` would refuse whatever the database says; absent
   * where there is none such.
   */
  checkStatement?(statement: string): Interruptible<void>;
  /**
   * Rejects with a DatabaseError `refused` for a statement that `run` would refuse by its meaning, without running it;
   * absent where only the database knows.
   */
  checkMeaning?(statement: string, signal: AbortSignal): Promise<void>;
  /** The session that runs statements of our own, where `run` takes another SQL than the database's. */
  readonly own?: Connection;
  /** Writes at most `maxRows` rows of a query to a new parquet file; resolves with how many. Rejects as `run` does. */
  exportParquet(query: string, file: string, maxRows: number, signal: AbortSignal): Promise<number>;
  /** How the session keeps the rows of queries under names, for the statements that come next. */
  readonly relations: Relations;
  /** How the session publishes the rows of queries. */
  readonly publishing: Publishing;
  /** Ends the session and gives everything back; never rejects. */
  close(): Promise<void>;
}

/**
 * Rows of queries that a session keeps under names until it ends (language 5). Names are plain identifiers that
 * nothing else has. Everything rejects as `run` does; the offset of an error is one in the query.
 */
export interface Relations {
  /**
   * Whether a query gives the same rows as often as one statement asks for them, so that it may stand in the
   * statement itself in place of a table with its rows.
   */
  isRepeatable(query: string, signal: AbortSignal): Promise<boolean>;
  /** How columns that are bare NULLs become texts; null where the database sees to it. */
  readonly nulls: NullTyping | null;
  /** Keeps the rows of a query as if it ran now. */
  createTable(name: string, query: string, signal: AbortSignal): Promise<void>;
  /** Gives a query a name, for statements that cannot hold it themselves; null where there are no such views. */
  readonly createView: ((name: string, query: string, signal: AbortSignal) => Promise<void>) | null;
  /** Whether a statement can hold a query that runs once, however often it is read (`AS MATERIALIZED`). */
  readonly canHoldOnce: boolean;
  /** The temporary objects of the session, as names to drop. */
  listTemporary(signal: AbortSignal): Promise<readonly TemporaryObject[]>;
  /** Drops temporary objects, those that are there. */
  dropTemporary(objects: readonly TemporaryObject[], signal: AbortSignal): Promise<void>;
}

/** What to do about columns that are bare NULLs, without a type of their own. */
export interface NullTyping {
  /** Whether a query may have such columns, by its text alone. */
  mayBeIn(query: string): boolean;
  /** A query that begins with this and ends with that tells of the one between to `listColumns`. */
  printTypes(): readonly [before: string, after: string];
  /** The names of such columns, by a query of `printTypes`. Rejects as `run` does. */
  listColumns(types: string, signal: AbortSignal): Promise<readonly string[]>;
  /** A query that begins with this and ends with that has the rows of the one between, `columns` as texts. */
  printTexts(columns: readonly string[]): readonly [before: string, after: string];
}

/**
 * How rows of queries become objects that others read, who never see one missing or half filled (language 6).
 * Everything rejects as `run` does; the offset of an error is one in the query.
 */
export interface Publishing {
  /** The whole name of a target, in whose schema null stands for the session's current one. */
  resolve(schema: string | null, name: string, signal: AbortSignal): Promise<PublishedName>;
  /** Whether whole names that differ in case alone are those of one object. */
  readonly ignoresCase: boolean;
  hasSchema(target: PublishedName, signal: AbortSignal): Promise<boolean>;
  /** What there is by this name, temporary objects aside. */
  find(target: PublishedName, signal: AbortSignal): Promise<'table' | 'view' | null>;
  /** Puts a table in place of whatever has the name, in a schema that is made where there is none. */
  replaceTable(target: PublishedName, query: string, keys: TableKeys, signal: AbortSignal): Promise<void>;
  replaceView(target: PublishedName, query: string, signal: AbortSignal): Promise<void>;
  /** Adds rows to a table, columns by their names. */
  append(target: PublishedName, query: string, signal: AbortSignal): Promise<void>;
  /** Adds rows to a table, or puts them in place of those with the same key. */
  merge(target: PublishedName, query: string, merge: Merge, signal: AbortSignal): Promise<void>;
  /** Writes the rows of a query to a new file. */
  writeFile(query: string, file: string, format: FileFormat, signal: AbortSignal): Promise<void>;
}

/** The name of a published object, as the database finds it whatever is temporary. */
export interface PublishedName {
  readonly database: string;
  readonly schema: string;
  readonly name: string;
}

/** `primary` becomes the primary key; no two rows have the same `unique` columns. Either may be empty. */
export interface TableKeys {
  readonly primary: readonly string[];
  readonly unique: readonly string[];
}

export interface Merge {
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** A row is only replaced if one of these differs; null: always. */
  readonly changes: readonly string[] | null;
}

/** How a file is written; an empty `quote` puts nothing in quotes. */
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

/** `rows` is a result set; `done` is a statement without one (a row count is no result set). */
export type StatementResult =
  | { readonly kind: 'rows'; readonly columns: readonly Column[]; readonly chunks: AsyncIterable<Chunk> }
  | { readonly kind: 'done'; readonly rowsChanged: number };

/** One kind of database. */
export interface Driver {
  /** Opens a session; rejects with a DatabaseError of code `unreachable`, `locked`, `login` or `sql`. */
  connect(spec: ConnectionSpec, signal: AbortSignal): Promise<Connection>;
  /** What the databases use that were opened with a limit, as far as that was measured; absent where there are no limits. */
  listDiskUse?(): readonly DiskUse[];
  /** Closes what the driver shares between sessions (instances, pools). */
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
  | 'refused';

/**
 * What a database says went wrong: `message` is the database's own text, without its rendering of the
 * place; `offset` the UTF-16 offset in the statement where the database knows it. `late`: after the first
 * rows had been handed out. `quota`: the database may not grow any more. `conflict`: another transaction was faster. `gate`: the database was not asked, for the statement may not run in a sandbox. `refused`: the database was not asked, for
 * the statement is not one of a model; `length` is how many characters the refusal is about.
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
