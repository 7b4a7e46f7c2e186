import type { ByteWriter } from '../columns/byte-writer.ts';
import { type Chunk, isValid } from '../columns/column.ts';
import { writeAscii } from './bytes.ts';
import type { Cell, TextColumn } from './cell.ts';
import { compileRows, type LoadedChunk, type RowShape, type WriteRows } from './compile-rows.ts';

/** Rows whose maximum bytes exceed this are measured before room is made for them. */
const LONG_ROW = 1 << 17;

/**
 * Writes the rows of one result, block by block: as many rows as certainly fit into the block, so that writers do not
 * need to check for room within a row.
 */
export class RowsWriter {
  readonly #out: ByteWriter;
  readonly #shape: RowShape;
  readonly #cells: readonly Cell[];
  /** The names before the values of each row; can be empty. */
  readonly #names: readonly DataView[];
  readonly #writeRows: WriteRows;
  /** The maximum bytes of a row without its texts. */
  readonly #maxBytes: number;
  /** The maximum bytes of each row of the current chunk. */
  #needs = new Float64Array(0);
  #isFirst = true;

  constructor(out: ByteWriter, shape: RowShape, cells: readonly Cell[], names: readonly string[] = []) {
    this.#out = out;
    this.#shape = shape;
    this.#cells = cells;
    this.#names = names.map(toView);
    this.#writeRows = compileRows(shape, cells, names.length > 0);
    this.#maxBytes = findMaxBytes(shape, cells, this.#names);
  }

  /** Writes a chunk, and flushes whenever a block is full. */
  async write(chunk: Chunk): Promise<void> {
    const { rows } = chunk;
    const loaded = loadChunk(chunk, this.#cells);
    this.#findNeeds(rows, loaded);
    for (let from = 0; from < rows; ) {
      const to = this.#findEnd(from, rows);
      if (to === from) {
        await this.#makeRoom(from, loaded);
      } else {
        this.#writeSome(from, to, loaded);
        if (this.#out.isFull) await this.#out.flush();
      }
      from = to;
    }
  }

  #findNeeds(rows: number, { data, validities }: LoadedChunk): void {
    if (this.#needs.length < rows) this.#needs = new Float64Array(rows);
    const needs = this.#needs.fill(this.#maxBytes, 0, rows);
    this.#cells.forEach(({ size }, i) => {
      if (size !== null) addTexts(needs, rows, data[i] as TextColumn, validities[i]!, size.factor);
    });
  }

  /** The first row from `from` that does not fit. */
  #findEnd(from: number, rows: number): number {
    let { room } = this.#out;
    let to = from;
    while (to < rows && this.#needs[to]! <= room) {
      room -= this.#needs[to]!;
      to += 1;
    }
    return to;
  }

  #writeSome(from: number, to: number, loaded: LoadedChunk): void {
    const out = this.#out;
    const start = out.size;
    out.size = this.#writeRows(out.view, start, from, to, loaded, this.#names);
    if (this.#isFirst) writeAscii(out.view, start, this.#shape.first);
    this.#isFirst = false;
  }

  async #makeRoom(row: number, loaded: LoadedChunk): Promise<void> {
    if (this.#out.grow()) return;
    await this.#out.flush();
    if (this.#needs[row]! > LONG_ROW)
      this.#needs[row] = this.#maxBytes + measureRow(this.#cells, loaded, row);
    this.#out.reserve(this.#needs[row]!);
  }
}

function toView(text: string): DataView {
  const bytes = Buffer.from(text);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function findMaxBytes(shape: RowShape, cells: readonly Cell[], names: readonly DataView[]): number {
  const frame = shape.open.length + shape.close.length;
  const values = cells.map(
    ({ maxBytes }) => Math.max(maxBytes, shape.nullText.length) + shape.between.length,
  );
  return [...values, ...names.map(({ byteLength }) => byteLength)].reduce((sum, bytes) => sum + bytes, frame);
}

function loadChunk(chunk: Chunk, cells: readonly Cell[]): LoadedChunk {
  const vectors = cells.map((_, i) => chunk.vector(i));
  return {
    data: cells.map((cell, i) => cell.load(vectors[i]!, chunk.rows)),
    validities: vectors.map(({ validity }) => validity),
  };
}

function addTexts(
  needs: Float64Array,
  rows: number,
  { lengths }: TextColumn,
  validity: Uint8Array | null,
  factor: number,
): void {
  for (let row = 0; row < rows; row += 1) {
    if (isValid(validity, row)) needs[row]! += lengths[row]! * factor;
  }
}

function measureRow(cells: readonly Cell[], { data, validities }: LoadedChunk, row: number): number {
  return cells.reduce((sum, { size }, i) => {
    if (size === null || !isValid(validities[i]!, row)) return sum;
    return sum + size.measure(data[i] as TextColumn, row);
  }, 0);
}
