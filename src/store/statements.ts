import type Sqlite from 'better-sqlite3';
import type { Guard } from './faults.ts';
import type { SqlValue } from './sql-value.ts';

/** A prepared statement. `run` answers how many rows it changed. All throw as `Transactions` do. */
interface Statement<Row> {
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  run(...values: SqlValue[]): number;
}

/** The statements of one connection. */
export interface Statements {
  /** The statement for this text, prepared once; `Row` is what its rows look like. */
  statement<Row>(sql: string): Statement<Row>;
}

/** Prepares each statement when it is first asked for; their failures pass `guard`. */
export function createStatements(connection: Sqlite.Database, guard: Guard): Statements {
  const statements = new Map<string, Statement<unknown>>();

  function prepare(sql: string): Statement<unknown> {
    const prepared = guard(() => connection.prepare<SqlValue[]>(sql));
    return {
      get: (...values) => guard(() => prepared.get(...values)),
      all: (...values) => guard(() => prepared.all(...values)),
      run: (...values) => guard(() => prepared.run(...values).changes),
    };
  }

  return {
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
