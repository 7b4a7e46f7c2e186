import duckdb from '@duckdb/node-bindings';

import type { Chunk } from '../../../result/columns/column.ts';
import { DatabaseError } from '../../contract/connection.ts';
import { toDatabaseError } from '../instance/errors.ts';
import type { StoredType } from './stored-types.ts';

/** Bytes of rows in memory, after which DuckDB stores them in its table. */
const FLUSH_BYTES = 16 << 20;

/** Appends rows to a table whose columns have the given types. */
export class RowAppender {
  readonly #appender: duckdb.Appender;
  readonly #types: readonly StoredType[];
  readonly #chunk: duckdb.DataChunk;
  readonly #vectorSize = duckdb.vector_size();
  #unflushed = 0;

  constructor(connection: duckdb.Connection, table: string, types: readonly StoredType[]) {
    this.#appender = duckdb.appender_create(connection, null, table);
    this.#types = types;
    const logical = types.map((_, i) => duckdb.appender_column_type(this.#appender, i));
    this.#chunk = duckdb.create_data_chunk(logical);
  }

  /** Appends the first `rows` of a chunk; returns their bytes. Throws a DatabaseError. */
  append({ vector }: Chunk, rows: number): number {
    let bytes = 0;
    for (let from = 0; from < rows; from += this.#vectorSize) {
      const to = Math.min(from + this.#vectorSize, rows);
      bytes += this.#try(() => this.#appendPart(vector, from, to));
    }
    return bytes;
  }

  #appendPart(vector: Chunk['vector'], from: number, to: number): number {
    const chunk = this.#chunk;
    duckdb.data_chunk_reset(chunk);
    const bytes = this.#types.reduce(
      (sum, { fill }, i) => sum + fill(duckdb.data_chunk_get_vector(chunk, i), vector(i), { from, to }),
      0,
    );
    duckdb.data_chunk_set_size(chunk, to - from);
    duckdb.append_data_chunk(this.#appender, chunk);
    this.#unflushed += bytes;
    if (this.#unflushed > FLUSH_BYTES) {
      duckdb.appender_flush_sync(this.#appender);
      this.#unflushed = 0;
    }
    return bytes;
  }

  /** Stores all rows. Throws a DatabaseError. */
  close(): void {
    this.#try(() => duckdb.appender_close_sync(this.#appender));
  }

  #try<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      throw error instanceof DatabaseError ? error : toDatabaseError(error, '');
    }
  }
}
