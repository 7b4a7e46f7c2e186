import type { ByteWriter } from '../byte-writer.ts';
import { type Chunk, isValid } from '../column.ts';
import { writeAscii } from './ascii.ts';
import type { Cell } from './cell.ts';
import { compileRows, type LoadedChunk, type RowShape } from './compile-rows.ts';
import type { TextColumn } from './text-column.ts';

/** Rows that may need more than this, in bytes, are measured before they are written. */
const LONG_ROW = 1 << 17;

/** Writes the rows of a chunk, and flushes whenever a block is full. */
export type WriteChunk = (chunk: Chunk) => Promise<void>;

/** Rows of such cells, in such a shape. `names`, if there are any, stand before the values of each row. */
export function createChunkWriter(
  out: ByteWriter,
  shape: RowShape,
  cells: readonly Cell[],
  names: readonly string[] = [],
): WriteChunk {
  const encoded = names.map(toView);
  const most = findMost(shape, cells, encoded);
  const writeRows = compileRows(shape, cells, names.length > 0);
  let isFirst = true;
  const write = (from: number, to: number, loaded: LoadedChunk) => {
    const end = writeRows(out.view, out.size, from, to, loaded, encoded);
    if (isFirst) writeAscii(out.view, out.size, shape.first);
    isFirst = false;
    out.size = end;
  };
  const makeRoom = async (row: number, needs: Float64Array, loaded: LoadedChunk) => {
    await out.flush();
    if (needs[row]! > LONG_ROW) needs[row] = most + measureRow(cells, loaded, row);
    out.reserve(needs[row]!);
  };
  return async (chunk) => {
    const loaded = loadChunk(chunk, cells);
    const needs = findNeeds(chunk.rows, cells, loaded, most);
    for (let from = 0; from < chunk.rows; ) {
      const to = findEnd(needs, from, out.room);
      if (to === from) {
        await makeRoom(from, needs, loaded);
      } else {
        write(from, to, loaded);
        if (out.isFull) await out.flush();
      }
      from = to;
    }
  };
}

/** The most bytes of a row beside its texts. */
function findMost(shape: RowShape, cells: readonly Cell[], names: readonly DataView[]): number {
  const frame = shape.open.length + shape.close.length;
  const values = cells.map(({ most }) => Math.max(most, shape.nothing.length) + shape.between.length);
  return [...values, ...names.map(({ byteLength }) => byteLength)].reduce((sum, own) => sum + own, frame);
}

function toView(text: string): DataView {
  const bytes = Buffer.from(text);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function loadChunk(chunk: Chunk, cells: readonly Cell[]): LoadedChunk {
  const vectors = cells.map((_, i) => chunk.vector(i));
  return {
    data: cells.map((cell, i) => cell.load(vectors[i]!, chunk.rows)),
    validities: vectors.map(({ validity }) => validity),
  };
}

/** How many bytes each row may need. */
function findNeeds(rows: number, cells: readonly Cell[], loaded: LoadedChunk, most: number): Float64Array {
  const needs = new Float64Array(rows).fill(most);
  cells.forEach(({ size }, i) => {
    if (size !== null) addTexts(needs, loaded.data[i] as TextColumn, loaded.validities[i]!, size.factor);
  });
  return needs;
}

function addTexts(
  needs: Float64Array,
  { lengths }: TextColumn,
  validity: Uint8Array | null,
  factor: number,
): void {
  for (let row = 0; row < needs.length; row += 1) {
    if (isValid(validity, row)) needs[row]! += lengths[row]! * factor;
  }
}

/** The first row from `from` on that has no room any more. */
function findEnd(needs: Float64Array, from: number, room: number): number {
  let left = room;
  let to = from;
  while (to < needs.length && needs[to]! <= left) {
    left -= needs[to]!;
    to += 1;
  }
  return to;
}

function measureRow(cells: readonly Cell[], { data, validities }: LoadedChunk, row: number): number {
  return cells.reduce((sum, { size }, i) => {
    if (size === null || !isValid(validities[i]!, row)) return sum;
    return sum + size.measure(data[i] as TextColumn, row);
  }, 0);
}
