import type Sqlite from 'better-sqlite3';
import type { Guard } from '../files/file-errors.ts';

/** A value for a placeholder; booleans are stored as 0 and 1, and bytes are a BLOB. */
export type SqlValue = string | number | Uint8Array | null;

/** A prepared statement. `run` returns how many rows it changed. All methods throw as `Transactions` do. */
interface Statement<Row> {
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  run(...values: SqlValue[]): number;
}

/** The statements of one connection. */
export interface PreparedStatements {
  /** The statement for this text, prepared once; `Row` is the type of its rows. */
  statement<Row>(sql: string): Statement<Row>;
}

/**
 * Prepares each statement when it first runs: most commands run few of them. Errors pass through `guard`. `countWrites`
 * returns how many statements have run that may have changed data.
 */
export function createStatements(
  connection: Sqlite.Database,
  guard: Guard,
): PreparedStatements & { countWrites(): number } {
  const statements = new Map<string, Statement<unknown>>();
  let writes = 0;

  function prepare(sql: string): Statement<unknown> {
    let prepared: Sqlite.Statement<SqlValue[]> | undefined;
    const run = <T>(work: (ready: Sqlite.Statement<SqlValue[]>) => T): T =>
      guard(() => {
        prepared ??= connection.prepare<SqlValue[]>(hideParameters(sql));
        if (!prepared.readonly) writes += 1;
        return work(prepared);
      });
    return {
      get: (...values) => run((ready) => ready.get(...values)),
      all: (...values) => run((ready) => ready.all(...values)),
      run: (...values) => run((ready) => ready.run(...values).changes),
    };
  }

  return {
    countWrites: () => writes,
    statement<Row>(sql: string): Statement<Row> {
      let known = statements.get(sql);
      if (known === undefined) {
        known = prepare(sql);
        statements.set(sql, known);
      }
      return known as Statement<Row>;
    },
  };
}

/**
 * Writes a unary plus before each parameter, which changes no value but hides it from the planner. Otherwise SQLite
 * compiles some statements again for each execution, because their plan may depend on the values: those with `LIMIT ?`,
 * and those with `= ?` and an `ORDER BY` or a join. On a few rows this takes several times longer than the statement.
 */
function hideParameters(sql: string): string {
  return sql.replaceAll(/'[^']*'|\?/g, (token) => (token === '?' ? '+?' : token));
}
