import duckdb from '@duckdb/node-bindings';

import type { Chunk, Vector } from '../../../result/columns/column.ts';
import type { Decoder, StringRecords } from './decoder.ts';
import { addLengths, readRecords } from './strings.ts';

/** A chunk with more text than this, in bytes, is split. */
const PIECE_BYTES = 32 << 20;

/** Rows `from` up to, but not including, `to` of a native chunk; columns are decoded on first use. */
class DuckDbChunk implements Chunk {
  readonly #native: duckdb.DataChunk;
  readonly #decoders: readonly Decoder[];
  readonly #from: number;
  readonly #to: number;
  /** The string records of these rows, by column, if they have been read. */
  readonly #records: readonly (StringRecords | undefined)[];
  readonly #vectors: (Vector | undefined)[] = [];

  constructor(
    native: duckdb.DataChunk,
    decoders: readonly Decoder[],
    from: number,
    to: number,
    records: readonly (StringRecords | undefined)[],
  ) {
    this.#native = native;
    this.#decoders = decoders;
    this.#from = from;
    this.#to = to;
    this.#records = records;
  }

  get rows(): number {
    return this.#to - this.#from;
  }

  vector(column: number): Vector {
    this.#vectors[column] ??= this.#decode(column);
    return this.#vectors[column];
  }

  #decode(column: number): Vector {
    const vector = duckdb.data_chunk_get_vector(this.#native, column);
    return this.#decoders[column]!.decode(vector, this.#from, this.#to, this.#records[column]);
  }
}

/** Returns a native chunk, split into pieces with fewer rows if its strings are long. */
export function* splitChunk(
  native: duckdb.DataChunk,
  decoders: readonly Decoder[],
): Generator<Chunk, void, undefined> {
  const rows = duckdb.data_chunk_get_size(native);
  const records = decoders.map(({ holdsStrings }, column) =>
    holdsStrings
      ? { ...readRecords(duckdb.data_chunk_get_vector(native, column), 0, rows), owner: native }
      : undefined,
  );
  if (records.reduce((sum, columnRecords) => sum + (columnRecords?.total ?? 0), 0) <= PIECE_BYTES) {
    yield new DuckDbChunk(native, decoders, 0, rows, records);
    return;
  }
  const sizes = new Float64Array(rows);
  for (const columnRecords of records) if (columnRecords !== undefined) addLengths(columnRecords, sizes);
  for (let from = 0; from < rows; ) {
    const to = findPieceEnd(sizes, from);
    yield new DuckDbChunk(native, decoders, from, to, []);
    from = to;
  }
}

/** At least one row, and then as many as fit. */
function findPieceEnd(sizes: Float64Array, from: number): number {
  let bytes = sizes[from]!;
  let to = from + 1;
  while (to < sizes.length && bytes + sizes[to]! <= PIECE_BYTES) {
    bytes += sizes[to]!;
    to += 1;
  }
  return to;
}
