import {
  type Connection,
  DatabaseError,
  type StatementResult,
} from '../../../src/engine/connection/contract/connection.ts';
import type { Chunk, Column, ColumnValue } from '../../../src/engine/result/columns/column.ts';
import { createReader } from '../../../src/engine/result/columns/read-value.ts';
import { createCsvEncoder } from '../../../src/engine/result/text/to-csv.ts';
import { createNdjsonEncoder } from '../../../src/engine/result/text/to-ndjson.ts';

/** A signal that is never aborted. */
export const never: AbortSignal = new AbortController().signal;

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly ColumnValue[])[];
}

export function readChunk(columns: readonly Column[], chunk: Chunk): ColumnValue[][] {
  const readers = columns.map(({ type }, i) => createReader(type, chunk.vector(i)));
  return Array.from({ length: chunk.rows }, (_, row) => readers.map((read) => read(row)));
}

/** All rows of a result, which must have some. */
export async function readRows(result: StatementResult): Promise<Rows> {
  if (result.kind === 'done') throw new Error('the statement has no result set');
  const rows: ColumnValue[][] = [];
  for await (const chunk of result.chunks) rows.push(...readChunk(result.columns, chunk));
  return { columns: result.columns, rows };
}

/** Runs a statement and reads all its rows; [] if it has no result set. */
export async function query(connection: Connection, sql: string): Promise<Rows['rows']> {
  const result = await connection.run(sql, never);
  return result.kind === 'done' ? [] : (await readRows(result)).rows;
}

/** The rows of a result as CSV, and as NDJSON. */
export async function printResult(connection: Connection, sql: string) {
  const result = await connection.run(sql, never);
  if (result.kind === 'done') throw new Error('the statement has no result set');
  const [csv, ndjson]: readonly Buffer[][] = [[], []];
  const take = (parts: Buffer[]) => ({ write: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) });
  const encoders = [createCsvEncoder(take(csv!)), createNdjsonEncoder(take(ndjson!))];
  for (const encoder of encoders) await encoder.start(result.columns);
  for await (const chunk of result.chunks) for (const encoder of encoders) await encoder.chunk(chunk);
  for (const encoder of encoders) await encoder.end({ started_at: '', finished_at: '', duration_ms: 0 });
  return { csv: Buffer.concat(csv!).toString(), ndjson: Buffer.concat(ndjson!).toString() };
}

/** Runs a statement, reads every chunk, and counts the rows. */
export async function countRows(connection: Connection, sql: string): Promise<number> {
  const result = await connection.run(sql, never);
  let rows = 0;
  if (result.kind === 'rows') for await (const chunk of result.chunks) rows += chunk.rows;
  return rows;
}

/** The DatabaseError that a promise rejects with; anything else is thrown. */
export async function readError(promise: Promise<unknown>): Promise<DatabaseError> {
  const outcome = await promise.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (outcome instanceof DatabaseError) return outcome;
  throw outcome;
}
