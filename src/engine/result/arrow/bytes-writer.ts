import { type BytesVector, isValid, type Vector } from '../columns/column.ts';
import type { BatchBody } from './batch-body.ts';
import {
  ArrowLimitError,
  BATCH_BYTES,
  type ColumnWriter,
  fitStep,
  MAX_OFFSET,
  OFFSET,
} from './column-writer.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { toTextVector } from './to-vector.ts';
import { Validity } from './validity.ts';

/** From this many bytes on, a call into the runtime is quicker than a loop. */
const LONG = 128;
/** Loops copy so many bytes at a time. */
const WORD = 8;

/** Text and bytes: offsets of 32 bits, and all values back to back. */
export function createBytesWriter(column: string): ColumnWriter {
  return new BytesWriter(column);
}

/** Values that become text: `readTexts` gives, for a vector, the text of each row that is not NULL. */
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
    const most = this.#size + measure(bytes, from, to, BATCH_BYTES);
    if (most > MAX_OFFSET) throw new ArrowLimitError(this.#column, 'a value has more than 2 GiB.');
    const memory = this.#offsets.reserve((this.#rows + 1) * OFFSET, (rows + 1) * OFFSET);
    const offsets = new Int32Array(memory.buffer, memory.byteOffset + this.#rows * OFFSET, to - from + 1);
    const values = this.#values.reserve(this.#size, most + WORD);
    this.#size = copyValues(bytes, from, to, values, this.#size, offsets);
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

/** How many bytes these rows have: exactly when it is more than `room`, else at most so many. */
function measure(vector: BytesVector, from: number, to: number, room: number): number {
  const { lengths } = vector;
  let most = 0;
  // Where a row is NULL any number may stand.
  for (let row = from; row < to; row += 1) most += lengths[row]! >>> 0;
  if (most <= room) return most;
  let exact = 0;
  for (let row = from; row < to; row += 1) exact += lengthOf(vector, row);
  return exact;
}

function lengthOf({ validity, lengths }: BytesVector, row: number): number {
  return isValid(validity, row) ? lengths[row]! : 0;
}

/**
 * Copies values behind `size` bytes of `values`, stretch by stretch: whatever lies back to back in the vector.
 * Returns the size after them; `offsets` gets where each begins, and that. Up to WORD bytes more are written.
 */
function copyValues(
  { bytes, starts, lengths, validity }: BytesVector,
  from: number,
  to: number,
  values: Uint8Array,
  size: number,
  offsets: Int32Array,
): number {
  const source = new Stretches(bytes, values);
  let [start, end, at] = [0, 0, size];
  let next = size;
  for (let row = from; row < to; row += 1) {
    offsets[row - from] = next;
    if (!isValid(validity, row)) continue;
    const own = starts[row]!;
    if (own !== end) {
      source.copy(start, end, at);
      start = own;
      end = own;
      at = next;
    }
    end += lengths[row]!;
    next += lengths[row]!;
  }
  source.copy(start, end, at);
  offsets[to - from] = next;
  return next;
}

/** Copies from one array to another, word by word where the stretch is short. */
class Stretches {
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
