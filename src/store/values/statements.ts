import type Sqlite from 'better-sqlite3';
import type { Guard } from '../files/file-errors.ts';
import type { SqlValue } from './sql-value.ts';

/** A prepared statement. `run` returns how many rows it changed. All methods throw as `Transactions` do. */
interface Statement<Row> {
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  run(...values: SqlValue[]): number;
}

/** The statements of one connection. */
export interface Statements {
  /** The statement for this text, prepared once; `Row` is the type of its rows. */
  statement<Row>(sql: string): Statement<Row>;
}

/**
 * Prepares each statement when it is first requested; errors pass through `guard`. `countWrites` returns how many
 * statements have run that may have changed data.
 */
export function createStatements(
  connection: Sqlite.Database,
  guard: Guard,
): Statements & { countWrites(): number } {
  const statements = new Map<string, Statement<unknown>>();
  let writes = 0;

  function prepare(sql: string): Statement<unknown> {
    const prepared = guard(() => connection.prepare<SqlValue[]>(hideParameters(sql)));
    const run = <T>(work: () => T): T => {
      if (!prepared.readonly) writes += 1;
      return guard(work);
    };
    return {
      get: (...values) => run(() => prepared.get(...values)),
      all: (...values) => run(() => prepared.all(...values)),
      run: (...values) => run(() => prepared.run(...values).changes),
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
