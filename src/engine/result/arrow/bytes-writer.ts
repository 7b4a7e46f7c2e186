import { type BytesVector, isValid, type Vector } from '../columns/column.ts';
import { type BatchBody, GrowingBuffer } from './batch-body.ts';
import {
  ArrowLimitError,
  BATCH_BYTES,
  type ColumnWriter,
  fitStep,
  MAX_OFFSET,
  OFFSET,
} from './column-writer.ts';
import { fits, loadKernels } from './kernels.ts';
import { toTextVector } from './to-vector.ts';
import { Validity } from './validity.ts';

/** From this number of bytes, a call into the runtime is faster than a loop. */
const LONG = 128;
/** Bytes that a loop copies at a time. */
const WORD = 8;

/** Text and bytes: offsets of 32 bits, and all values without gaps. */
export function createBytesWriter(column: string): ColumnWriter {
  return new BytesWriter(column);
}

/** Values that are converted to text: `readTexts` returns, for a vector, a reader of the text of each non-NULL row. */
export function createTextWriter(
  column: string,
  readTexts: (vector: Vector) => (row: number) => string,
): ColumnWriter {
  const writer = new BytesWriter(column);
  return {
    get bytes() {
      return writer.bytes;
    },
    fit: fitStep,
    append(vector, from, to) {
      const read = readTexts(vector);
      const rows = Array.from({ length: to - from }, (_, i) => from + i);
      const texts = rows.map((row) => (isValid(vector.validity, row) ? read(row) : null));
      writer.append(toTextVector(texts), 0, texts.length);
    },
    take: (body) => writer.take(body),
  };
}

class BytesWriter implements ColumnWriter {
  readonly #column: string;
  readonly #validity = new Validity();
  readonly #offsets = new GrowingBuffer();
  readonly #values = new GrowingBuffer();
  #rows = 0;
  #size = 0;

  constructor(column: string) {
    this.#column = column;
  }

  get bytes(): number {
    return this.#size + this.#rows * OFFSET;
  }

  fit(vector: Vector, from: number, to: number): number {
    const bytes = vector as BytesVector;
    let room = Math.max(0, BATCH_BYTES - this.#size);
    if (measure(bytes, from, to, room) <= room) return to;
    let row = from;
    for (; row < to; row += 1) {
      room -= lengthOf(bytes, row);
      if (room < 0) break;
    }
    return row === from && this.#rows === 0 ? from + 1 : row;
  }

  append(vector: Vector, from: number, to: number): void {
    const bytes = vector as BytesVector;
    const rows = this.#rows + to - from;
    const max = this.#size + measure(bytes, from, to, BATCH_BYTES);
    if (max > MAX_OFFSET) throw new ArrowLimitError(this.#column, 'a value has more than 2 GiB.');
    const memory = this.#offsets.reserve((this.#rows + 1) * OFFSET, (rows + 1) * OFFSET);
    const offsets = new Int32Array(memory.buffer, memory.byteOffset + this.#rows * OFFSET, to - from + 1);
    const values = this.#values.reserve(this.#size, max + WORD);
    if (bytes.parts?.isDense && to - from === bytes.lengths.length) {
      bytes.parts.copyValues(values, this.#size);
      this.#size = writeOffsets(bytes.lengths, this.#size, offsets);
    } else {
      this.#size = fits(bytes)
        ? loadKernels().copyStrings(bytes, from, to, values, this.#size, offsets)
        : copyValues(bytes, from, to, values, this.#size, offsets);
    }
    this.#validity.append(vector.validity, from, to - from);
    this.#rows = rows;
  }

  take(body: BatchBody): void {
    this.#validity.take(body);
    this.#offsets.take(body, (this.#rows + 1) * OFFSET);
    this.#values.take(body, this.#size);
    this.#rows = 0;
    this.#size = 0;
  }
}

/** The size of the rows in bytes: exact if it exceeds `room`, else an upper limit. */
function measure(vector: BytesVector, from: number, to: number, room: number): number {
  const { lengths, total } = vector;
  if (total !== undefined && total <= room) return total;
  let max = 0;
  // The length of a NULL row is undefined.
  for (let row = from; row < to; row += 1) max += lengths[row]! >>> 0;
  if (max <= room) return max;
  let exact = 0;
  for (let row = from; row < to; row += 1) exact += lengthOf(vector, row);
  return exact;
}

function lengthOf({ validity, lengths }: BytesVector, row: number): number {
  return isValid(validity, row) ? lengths[row]! : 0;
}

/** Writes the start of each value and the end of the last one, which it returns. */
function writeOffsets(lengths: Int32Array, size: number, offsets: Int32Array): number {
  let next = size;
  for (let row = 0; row < lengths.length; row += 1) {
    offsets[row] = next;
    next += lengths[row]!;
  }
  offsets[lengths.length] = next;
  return next;
}

/**
 * Appends values to the first `size` bytes of `values`, run by run: a run has no gaps in the vector. Writes the start
 * of each value and the end of the last one to `offsets`, and returns that end. Can write up to WORD bytes beyond it.
 */
function copyValues(
  { bytes, starts, lengths, validity }: BytesVector,
  from: number,
  to: number,
  values: Uint8Array,
  size: number,
  offsets: Int32Array,
): number {
  const source = new RunCopier(bytes, values);
  let [start, end, at] = [0, 0, size];
  let next = size;
  for (let row = from; row < to; row += 1) {
    offsets[row - from] = next;
    if (!isValid(validity, row)) continue;
    const valueStart = starts[row]!;
    if (valueStart !== end) {
      source.copy(start, end, at);
      start = valueStart;
      end = valueStart;
      at = next;
    }
    end += lengths[row]!;
    next += lengths[row]!;
  }
  source.copy(start, end, at);
  offsets[to - from] = next;
  return next;
}

/** Copies runs from one array to another, word by word if the run is short. */
class RunCopier {
  readonly #source: Uint8Array;
  readonly #target: Uint8Array;
  readonly #sourceView: DataView;
  readonly #targetView: DataView;

  constructor(source: Uint8Array, target: Uint8Array) {
    this.#source = source;
    this.#target = target;
    this.#sourceView = new DataView(source.buffer, source.byteOffset, source.byteLength);
    this.#targetView = new DataView(target.buffer, target.byteOffset, target.byteLength);
  }

  copy(start: number, end: number, at: number): void {
    if (end - start >= LONG || end + WORD > this.#source.length) {
      this.#target.set(this.#source.subarray(start, end), at);
      return;
    }
    const [source, target] = [this.#sourceView, this.#targetView];
    for (let from = start, to = at; from < end; from += WORD, to += WORD) {
      target.setBigInt64(to, source.getBigInt64(from, true), true);
    }
  }
}
