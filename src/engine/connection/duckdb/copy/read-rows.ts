import duckdb from '@duckdb/node-bindings';

import { createReader } from '../../../result/columns/read-value.ts';
import type { Engine } from '../instance/engine.ts';
import { createStringDecoder } from '../values/strings.ts';

const TEXT = createStringDecoder({ kind: 'text', label: 'STRING' });

/** Reads all rows of an internal query whose columns are text. Rejects with a DatabaseError. */
export async function readRows(
  engine: Engine,
  query: string,
  signal: AbortSignal,
): Promise<readonly (readonly (string | null)[])[]> {
  const result = await engine.step(query, signal, () => duckdb.query(engine.connection, query));
  const rows: (string | null)[][] = [];
  for (;;) {
    const chunk = await engine.step(query, signal, () => duckdb.fetch_chunk(result));
    const count = chunk === null ? 0 : duckdb.data_chunk_get_size(chunk);
    if (chunk === null || count === 0) return rows;
    const columns = Array.from({ length: duckdb.data_chunk_get_column_count(chunk) }, (_, at) =>
      createReader(TEXT.type, TEXT.decode(duckdb.data_chunk_get_vector(chunk, at), 0, count)),
    );
    for (let row = 0; row < count; row++) {
      rows.push(columns.map((read) => (read(row) === null ? null : String(read(row)))));
    }
  }
}
