import { type FixedVector, isValid, type Vector } from '../columns/column.ts';
import { type BatchBody, GrowingBuffer } from './batch-body.ts';
import { ArrowLimitError, type ColumnWriter, type WriterContext } from './column-writer.ts';
import { loadKernels } from './kernels.ts';
import { clearNulls, Validity } from './validity.ts';

/** Copies the rows from `from` to before `to` of a vector to row `at` of an Arrow array. */
type CopyRows = (target: Uint8Array, at: number, vector: FixedVector, from: number, to: number) => void;

const DECIMAL_WIDTH = 16;

/** Writes values of `width` bytes each in Arrow. */
class FixedWriter implements ColumnWriter {
  readonly #width: number;
  readonly #copy: CopyRows;
  readonly #validity = new Validity();
  readonly #data = new GrowingBuffer();
  #rows = 0;

  constructor(width: number, copy: CopyRows) {
    this.#width = width;
    this.#copy = copy;
  }

  get bytes(): number {
    return this.#rows * this.#width;
  }

  fit(_vector: Vector, _from: number, to: number): number {
    return to;
  }

  append(vector: Vector, from: number, to: number): void {
    const [at, width, count] = [this.#rows, this.#width, to - from];
    const data = this.#data.reserve(at * width, (at + count) * width);
    this.#copy(data, at, vector as FixedVector, from, to);
    if (vector.validity !== null) this.#clear(data, vector.validity, from, count);
    this.#validity.append(vector.validity, from, count);
    this.#rows = at + count;
  }

  #clear(data: Uint8Array, mask: Uint8Array, from: number, count: number): void {
    if (this.#width % 4 !== 0) {
      clearNulls(data, this.#rows * this.#width, this.#width, mask, from, count);
    } else {
      const words = new Int32Array(data.buffer, data.byteOffset, data.length >> 2);
      clearNulls(words, this.#rows * (this.#width >> 2), this.#width >> 2, mask, from, count);
    }
  }

  take(body: BatchBody): void {
    this.#validity.take(body);
    this.#data.take(body, this.bytes);
    this.#rows = 0;
  }
}

/** Writes values that have the same `width` in the vector and in Arrow. */
export function createFixedWriter(width: number): ColumnWriter {
  return new FixedWriter(width, (target, at, { data }, from, to) => {
    target.set(data.subarray(from * width, to * width), at * width);
  });
}

/** The smallest integer with more digits than a 128-bit decimal can represent. */
const TOO_LARGE = 10n ** 38n;
/** Integers whose highest 32 bits are below this are always in range. */
const NEAR = Number(TOO_LARGE >> 96n);

/** Writes 128-bit integers as decimals of 38 digits; more digits are a range error. */
export function createHugeintWriter(context: WriterContext): ColumnWriter {
  return new FixedWriter(DECIMAL_WIDTH, (target, at, { data, validity }, from, to) => {
    const words = new Int32Array(data.buffer, data.byteOffset, data.length >> 2);
    for (let row = from; row < to; row += 1) {
      const high = words[row * 4 + 3]!;
      if ((high >= NEAR || high < -NEAR) && isValid(validity, row)) checkDigits(data, row, context);
    }
    target.set(data.subarray(from * DECIMAL_WIDTH, to * DECIMAL_WIDTH), at * DECIMAL_WIDTH);
  });
}

function checkDigits(
  { buffer, byteOffset }: Uint8Array,
  row: number,
  { column, onRangeError }: WriterContext,
): void {
  const view = new DataView(buffer, byteOffset + row * DECIMAL_WIDTH, DECIMAL_WIDTH);
  const value = (view.getBigInt64(8, true) << 64n) | view.getBigUint64(0, true);
  if (value < TOO_LARGE && value > -TOO_LARGE) return;
  const problem = `${value} has more than 38 digits. Cast the column to VARCHAR, or to DOUBLE to round it`;
  onRangeError(new ArrowLimitError(column, problem));
}

/** A day in microseconds, as two words of 32 bits: Arrow's times of day must be less. */
const [DAY_HIGH, DAY_LOW] = [20, 500_654_080] as const;

/** Writes times of day in microseconds; `24:00:00` is a range error. */
export function createTimeWriter({ column, onRangeError }: WriterContext): ColumnWriter {
  return new FixedWriter(8, (target, at, { data, validity }, from, to) => {
    const words = new Uint32Array(data.buffer, data.byteOffset, data.length >> 2);
    for (let row = from; row < to; row += 1) {
      const [low, high] = [words[row * 2]!, words[row * 2 + 1]!];
      if (high < DAY_HIGH || (high === DAY_HIGH && low < DAY_LOW) || !isValid(validity, row)) continue;
      const problem = '24:00:00 is not a time of day in arrow. Cast the column to VARCHAR';
      onRangeError(new ArrowLimitError(column, problem));
    }
    target.set(data.subarray(from * 8, to * 8), at * 8);
  });
}

/** Writes decimals of 2, 4, 8 or 16 bytes as 128 bits. */
export function createDecimalWriter(precision: number): ColumnWriter {
  if (precision <= 4) return new FixedWriter(DECIMAL_WIDTH, widen16);
  if (precision <= 9) return new FixedWriter(DECIMAL_WIDTH, widen32);
  return precision <= 18 ? new FixedWriter(DECIMAL_WIDTH, widen64) : createFixedWriter(DECIMAL_WIDTH);
}

const widen16: CopyRows = (target, at, { data }, from, to) => {
  const words = new Int32Array(target.buffer, target.byteOffset + at * DECIMAL_WIDTH, (to - from) * 4);
  spread(words, new Int16Array(data.buffer, data.byteOffset + from * 2, to - from));
};

const widen32: CopyRows = (target, at, { data }, from, to) => {
  const words = new Int32Array(target.buffer, target.byteOffset + at * DECIMAL_WIDTH, (to - from) * 4);
  spread(words, new Int32Array(data.buffer, data.byteOffset + from * 4, to - from));
};

function spread(words: Int32Array, values: Int16Array | Int32Array): void {
  for (let row = 0, word = 0; row < values.length; row += 1, word += 4) {
    const value = values[row]!;
    const sign = value >> 31;
    words[word] = value;
    words[word + 1] = sign;
    words[word + 2] = sign;
    words[word + 3] = sign;
  }
}

const widen64: CopyRows = (target, at, { data }, from, to) =>
  loadKernels().widen(data.subarray(from * 8, to * 8), target, at * DECIMAL_WIDTH);
