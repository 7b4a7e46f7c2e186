import type {
  Connection,
  ConnectionSpec,
  Driver,
} from '../../../../src/engine/connection/contract/connection.ts';
import type { ColumnType, ColumnValue } from '../../../../src/engine/result/columns/column.ts';
import type { Capabilities } from './capabilities.ts';

/** One value of one type, as a literal of the database. */
export interface TypeCase {
  readonly sql: string;
  readonly type: ColumnType;
  readonly value: ColumnValue;
}

type Texts = Readonly<Record<string, string>>;

/** The SQL that the suite needs for a database; every text is one statement. */
export interface DriverUnderTest {
  load(): Promise<Driver>;
  /** A database that all sessions of the suite share; `options` replace some of its options. */
  spec(overrides?: Texts, options?: Texts): ConnectionSpec;
  readonly can: Capabilities;
  readonly sql: {
    /** `count` rows of one integer, from 0. */
    rows(count: number): string;
    /** `count` rows of a text of 200 characters. */
    wide(count: number): string;
    /** At least `count` rows, but the database fails with `boom` at row `at`. */
    failing(count: number, at: number): string;
    /** Works for hours before the first row. */
    readonly slow: string;
    /** Returns a million rows and then works for hours before the next. */
    readonly slowAfterRows: string;
    /** Returns rows for hours. */
    readonly endless: string;
    readonly begin: string;
    readonly rollback: string;
    /** Names a missing column, and the offset of its name. */
    readonly unknownColumn: { readonly sql: string; readonly offset: number; readonly name: string };
    readonly currentSchema: string;
    /** Makes a table of one row for this session, or an ordinary one where there are no temporary tables. */
    createTemporary(name: string): string;
    /** A setting of a session: the statement that changes it, and the query that returns one of its values. */
    readonly setting: { readonly change: string; readonly show: string };
    /** A value that differs each time. */
    readonly chance: string;
  };
  /** A schema that the suite creates. */
  readonly schema: string;
  /** Statements without a result set, in this order, with the rows they change. */
  readonly done: readonly (readonly [sql: string, rowsChanged: number])[];
  /** Statements with a result set, which run after `done`, with the number of rows. */
  readonly rows: readonly (readonly [sql: string, rows: number])[];
  readonly types: readonly TypeCase[];
}

/** The statements of `done` that DuckDB and PostgreSQL share. */
export const STANDARD_STATEMENTS: DriverUnderTest['done'] = [
  ['CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR)', 0],
  ["INSERT INTO t VALUES (1, 'x'), (2, 'y')", 2],
  ["UPDATE t SET b = 'z' WHERE a = 1", 1],
  ['DELETE FROM t WHERE a = 2', 1],
  ['CREATE TABLE u AS SELECT 1 AS x', 0],
  ['ALTER TABLE u ADD COLUMN y INTEGER', 0],
  ['CREATE VIEW v AS SELECT 1 AS x', 0],
  ["COMMENT ON TABLE t IS 'a table'", 0],
];

/** Opens a session that ends with the test; `createsSchema` is that of `ConnectionSpec`. */
export type Connect = (overrides?: Texts, options?: Texts, createsSchema?: boolean) => Promise<Connection>;
