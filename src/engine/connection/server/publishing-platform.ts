import type { ColumnsToFit } from '../contract/check-columns.ts';
import type { KeyDialect } from '../contract/check-key.ts';
import type { ColumnChanges, TableChanges } from '../contract/column-changes.ts';
import type { Merge, PublishedName, Publishing, StatementResult } from '../contract/connection.ts';
import type { NewStates } from '../contract/history.ts';
import type { Run, runAround, Transact } from '../contract/run-inner.ts';

/** Runs the statements of a publication in the user's session. */
export interface Statements {
  /** Runs `[before, query, after]` with a query of the user; the offset of an error is one in the query. */
  around(parts: Parameters<typeof runAround>[1], signal: AbortSignal): Promise<StatementResult>;
  /** The names of the columns of a query of the user, without running it; rejects like `around`. */
  describe(query: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Runs an internal statement, whose errors have no offset. */
  readonly run: Run;
  /** The rows of an internal statement whose columns are all text. */
  select(statement: string, signal: AbortSignal): Promise<readonly (readonly (string | null)[])[]>;
}

/** How the names of a platform are read and found. */
export interface PublishingNames extends KeyDialect {
  /** Prints the names of targets. */
  readonly printer: NamePrinter;
  /** What users call a schema. */
  readonly schemaWord: 'schema' | 'database';
  /** The error of a session without a current database; null if every session has one. */
  readonly noDatabase: string | null;
  /** A name as the server stores it; `folding` is the last value of `readCurrent`. */
  fold(name: string, folding: string | null): string;
  /** Names of columns as people write them, as those of a table are. */
  matchColumns(names: readonly string[], columns: readonly string[]): readonly string[];
  /** The statement for names of schemas, with that of the target if it exists. */
  printFindSchema(target: PublishedName): string;
  /** The statement for `table` or `view`, schema and name of objects, with the target if it exists. */
  printFind(target: PublishedName): string;
}

/** New rows for a table, and the columns of its key. */
export interface NewRows {
  readonly query: string;
  readonly key: readonly string[];
}

export type QueryGuard = readonly [before: string, after: string];

/** New rows for some columns of a table. */
export interface StagedRows extends NewRows {
  readonly columns: readonly string[];
  /** The columns that the table does not have yet, or with another type. */
  readonly changes: ColumnChanges;
  /** SQL before and after the query, so that the server refuses what it would cut. */
  readonly guard: QueryGuard;
}

/** The columns of a query that creates a table for new rows from the target, which may lack some of them. */
export function printStaged(
  { columns, changes: { added, widened } }: StagedRows,
  quoteName: (name: string) => string,
): string {
  const types = new Map([...added, ...widened].map(({ name, type }) => [name, type]));
  const parts = columns.map((name) => {
    const type = types.get(name);
    return type === undefined ? quoteName(name) : `CAST(NULL AS ${type}) AS ${quoteName(name)}`;
  });
  return parts.join(', ');
}

/** The number of rows of a new table; null if the server does not report it. */
export interface StoredRows {
  readonly count: number | null;
}

/** Options in a statement that creates a view: before the word VIEW, and after the query. */
type ViewOptions = readonly [before: string, after: string];

/** The differences between the platforms in publishing: `ServerPublishing` has the steps that they share. */
export interface PublishingPlatform {
  readonly names: PublishingNames;
  /** The session's database and schema, and how the server folds or shortens names. */
  readCurrent(signal: AbortSignal): Promise<readonly (string | null)[]>;
  readonly check: Publishing['check'];
  /**
   * Replaces a table, or creates one, with a single statement; resolves with null if that is impossible. Null if no
   * table can be replaced this way. Tables with keys are filled first, because the rows have to be checked.
   */
  readonly replaceAtOnce:
    | ((target: PublishedName, query: string, signal: AbortSignal) => Promise<StoredRows | null>)
    | null;
  /** Does the work of a publication while no other publication of the target runs, in this process or others. */
  exclusively<T>(target: PublishedName, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  createSchema(target: PublishedName, signal: AbortSignal): Promise<void>;
  /** The name under which an object is created, or new rows are stored, before they become part of the target. */
  nameFresh(target: PublishedName): PublishedName;
  /** Creates a table with the rows of a query. */
  fill(fresh: PublishedName, rows: NewRows, signal: AbortSignal): Promise<StoredRows>;
  /** Adds the primary key to a filled table, or checks it; null if `fill` has added it. */
  readonly addPrimaryKey:
    | ((
        fresh: PublishedName,
        target: PublishedName,
        primary: readonly string[],
        signal: AbortSignal,
      ) => Promise<void>)
    | null;
  /** Replaces the target, if it exists, with an object of another name. */
  swap(fresh: PublishedName, target: PublishedName, signal: AbortSignal): Promise<void>;
  /** Replaces any object with a view; null if the view is created under another name, and swapped like a table. */
  readonly replaceView: ((target: PublishedName, query: string, signal: AbortSignal) => Promise<void>) | null;
  /** The options of a view, if there is one, for the view that is swapped with it; null if `replaceView` keeps them. */
  readonly readViewOptions: ((target: PublishedName, signal: AbortSignal) => Promise<ViewOptions>) | null;
  /** The columns of the target, and those of a query, without running it. Rejects like `around`. */
  describeColumns(target: PublishedName, query: string, signal: AbortSignal): Promise<ColumnsToFit>;
  /** How the type of the times of a history is printed. */
  readonly stateType: string;
  /** Changes the columns of a table; `fresh` has the new rows. */
  alter(
    fresh: PublishedName,
    target: PublishedName,
    changes: TableChanges,
    signal: AbortSignal,
  ): Promise<void>;
  /** Stores new rows in a table whose columns have the types that the target has, or will have. */
  stage(fresh: PublishedName, target: PublishedName, rows: StagedRows, signal: AbortSignal): Promise<void>;
  /**
   * Checks that staged rows keep the primary key of the target valid; rows of the target with the same `key` are
   * replaced. Null if the server enforces keys.
   */
  readonly checkPrimaryKey:
    | ((
        fresh: PublishedName,
        target: PublishedName,
        keys: { readonly primary: readonly string[]; readonly key: readonly string[] },
        signal: AbortSignal,
      ) => Promise<void>)
    | null;
  /** Runs statements in one transaction; where each one is a transaction, just runs them. */
  readonly transact: Transact;
  /** The statements that merge new rows into the target. */
  prepareMerge(
    fresh: PublishedName,
    target: PublishedName,
    merge: Merge,
    columns: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /** The statements that close and open states. */
  prepareStates(states: NewStates, target: PublishedName, signal: AbortSignal): Promise<readonly string[]>;
  /** Drops intermediate objects; null if `exclusively` is a transaction, which leaves none. */
  readonly leftovers: {
    /** Drops those of a publication whose process was killed. */
    clear(target: PublishedName, signal: AbortSignal): Promise<void>;
    /** Drops the object of a failed replacement; never rejects. */
    dropFresh(fresh: PublishedName): Promise<void>;
    /** Drops the new rows of a merge; never rejects. */
    dropStaged(fresh: PublishedName): Promise<void>;
  } | null;
}

/** Prints names for statements, with the quotes of one platform. */
export interface NamePrinter {
  print(target: PublishedName): string;
  printNames(names: readonly string[]): string;
}

export function createNamePrinter(quoteName: (name: string) => string): NamePrinter {
  return {
    print: ({ schema, name }) => `${quoteName(schema)}.${quoteName(name)}`,
    printNames: (names) => names.map(quoteName).join(', '),
  };
}
