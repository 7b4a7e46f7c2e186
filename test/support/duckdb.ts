import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll } from 'vitest';

/**
 * A connection of DuckDB's client to a database in memory, for all tests of a file; it is open while they
 * run.
 */
export function shareDuckDB(): () => DuckDBConnection {
  let [instance, connection]: [DuckDBInstance?, DuckDBConnection?] = [];
  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
  });
  afterAll(() => {
    connection?.closeSync();
    instance?.closeSync();
  });
  return () => connection!;
}
