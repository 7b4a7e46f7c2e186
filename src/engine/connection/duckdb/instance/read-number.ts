import duckdb from '@duckdb/node-bindings';

/** The one BIGINT that a query gives; 0 for none. Rejects with what the engine throws. */
export async function readNumber(connection: duckdb.Connection, query: string): Promise<number> {
  const chunk = await duckdb.fetch_chunk(await duckdb.query(connection, query));
  if (chunk === null || duckdb.data_chunk_get_size(chunk) === 0) return 0;
  const vector = duckdb.data_chunk_get_vector(chunk, 0);
  return Number(Buffer.from(duckdb.vector_get_data(vector, 8)).readBigInt64LE());
}
