import duckdb from '@duckdb/node-bindings';

import type { Chunk, Vector } from '../../result/column.ts';
import type { Decoder } from './decoder.ts';
import { measureStrings } from './strings.ts';

/** A chunk with more text than this, in bytes, is handed out in pieces. */
const PIECE_BYTES = 32 << 20;

/** Some rows of a native chunk, from `from` to before `to`; their columns are decoded when asked for. */
class DuckDbChunk implements Chunk {
  readonly #native: duckdb.DataChunk;
  readonly #decoders: readonly Decoder[];
  readonly #vectors: (Vector | undefined)[] = [];
  readonly #from: number;
  readonly #to: number;

  constructor(native: duckdb.DataChunk, decoders: readonly Decoder[], from: number, to: number) {
    this.#native = native;
    this.#decoders = decoders;
    this.#from = from;
    this.#to = to;
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
    return this.#decoders[column]!.decode(vector, this.#from, this.#to);
  }
}

/** Hands out a native chunk as it is, or in pieces of few rows where its texts are long. */
export function* splitChunk(
  native: duckdb.DataChunk,
  decoders: readonly Decoder[],
): Generator<Chunk, void, undefined> {
  const rows = duckdb.data_chunk_get_size(native);
  const sizes = measureRows(native, decoders, rows);
  for (let from = 0; from < rows; ) {
    const to = sizes === null ? rows : findPieceEnd(sizes, from);
    yield new DuckDbChunk(native, decoders, from, to);
    from = to;
  }
}

/** At least one row, and then as many as are not too much. */
function findPieceEnd(sizes: Float64Array, from: number): number {
  let bytes = sizes[from]!;
  let to = from + 1;
  while (to < sizes.length && bytes + sizes[to]! <= PIECE_BYTES) {
    bytes += sizes[to]!;
    to += 1;
  }
  return to;
}

/** Bytes of text in each row; null when all of them together make one piece. */
function measureRows(
  native: duckdb.DataChunk,
  decoders: readonly Decoder[],
  rows: number,
): Float64Array | null {
  const sizes = new Float64Array(rows);
  let total = 0;
  decoders.forEach(({ holdsStrings }, column) => {
    if (holdsStrings) total += measureStrings(duckdb.data_chunk_get_vector(native, column), rows, sizes);
  });
  return total > PIECE_BYTES ? sizes : null;
}
