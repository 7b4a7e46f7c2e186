import { toDecimalText } from '../../../text/decimal.ts';
import type { ColumnType, FixedVector, Vector } from '../columns/column.ts';
import { writeAscii } from './bytes.ts';
import { type Cell, createFixedCell, toWords, type WriteCell } from './cell.ts';
import { writeInt32, writeInt64, writePadded, writeUint53, writeUint64 } from './digits.ts';
import { type DoubleColumn, writeDouble } from './doubles.ts';
import { type FloatColumn, writeFloat } from './floats.ts';

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type Numbers = ArrayLike<number>;

/** The maximum bytes of a float or double. */
const MAX_DOUBLE_BYTES = 26;
const MAX_HUGE_BYTES = 40;

/** Integers up to 64 bits. */
export function createIntegerCell({ bits, signed }: KindOf<'integer'>): Cell {
  const key = `${signed ? 'int' : 'uint'}${bits}`;
  if (bits === 64) return createFixedCell(key, 20, toWords, signed ? writeSignedPair : writeUnsignedPair);
  const load = (vector: Vector) => toNumbers(vector, SMALL_INTEGERS[signed ? 'signed' : 'unsigned'][bits]);
  return createFixedCell<Numbers>(key, 11, load, signed ? writeSigned : writeUnsigned);
}

const SMALL_INTEGERS = {
  signed: { 8: Int8Array, 16: Int16Array, 32: Int32Array },
  unsigned: { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array },
} as const;

type NumberArray = new (buffer: ArrayBufferLike, offset: number, length: number) => Numbers;

function toNumbers(vector: Vector, array: NumberArray & { readonly BYTES_PER_ELEMENT: number }): Numbers {
  const { data } = vector as FixedVector;
  return new array(data.buffer, data.byteOffset, Math.floor(data.length / array.BYTES_PER_ELEMENT));
}

const writeSigned: WriteCell<Numbers> = (out, at, values, row) => writeInt32(out, at, values[row]!);
const writeUnsigned: WriteCell<Numbers> = (out, at, values, row) => writeUint53(out, at, values[row]!);
const writeSignedPair: WriteCell<Int32Array> = (out, at, words, row) =>
  writeInt64(out, at, words[2 * row]!, words[2 * row + 1]!);
const writeUnsignedPair: WriteCell<Int32Array> = (out, at, words, row) =>
  writeUint64(out, at, words[2 * row]!, words[2 * row + 1]!);

/** 128-bit integers; most values fit in 64 bits. */
export const hugeintCell: Cell = createFixedCell('hugeint', MAX_HUGE_BYTES, toWords, (out, at, words, row) =>
  isPair(words, row)
    ? writeInt64(out, at, words[4 * row]!, words[4 * row + 1]!)
    : writeAscii(out, at, String(readHugeint(words, row))),
);

/** Unsigned 128-bit integers. */
export const uhugeintCell: Cell = createFixedCell(
  'uhugeint',
  MAX_HUGE_BYTES,
  toWords,
  (out, at, words, row) =>
    (words[4 * row + 2]! | words[4 * row + 3]!) === 0
      ? writeUint64(out, at, words[4 * row]!, words[4 * row + 1]!)
      : writeAscii(out, at, String(BigInt.asUintN(128, readHugeint(words, row)))),
);

/** Whether a 128-bit integer fits in a signed 64-bit integer. */
function isPair(words: Int32Array, row: number): boolean {
  const sign = words[4 * row + 1]! >> 31;
  return words[4 * row + 2] === sign && words[4 * row + 3] === sign;
}

/** Reads a 128-bit integer. */
export function readHugeint(words: Int32Array, row: number): bigint {
  const [first, second, third, fourth] = [0, 1, 2, 3].map((i) => BigInt(words[4 * row + i]! >>> 0));
  return BigInt.asIntN(128, first! | (second! << 32n) | (third! << 64n) | (fourth! << 96n));
}

/** Decimals; `leadingZero` as in `DecimalStyle`. */
export function createDecimalCell({ precision, scale }: KindOf<'decimal'>, leadingZero: boolean): Cell {
  const style = createDecimalStyle(scale, leadingZero);
  const key = `decimal-${findWidth(precision)}-${scale}${leadingZero ? '-zero' : ''}`;
  const maxBytes = precision + 3;
  switch (findWidth(precision)) {
    case 16:
      return createFixedCell(key, maxBytes, (vector) => toNumbers(vector, Int16Array), writeStyled(style));
    case 32:
      return createFixedCell(key, maxBytes, (vector) => toNumbers(vector, Int32Array), writeStyled(style));
    case 64:
      return createFixedCell(key, maxBytes, toWords, (out, at, words, row) =>
        writeDecimal64(out, at, words[2 * row]!, words[2 * row + 1]!, style),
      );
    case 128:
      return createFixedCell(key, maxBytes, toWords, (out, at, words, row) =>
        isPair(words, row)
          ? writeDecimal64(out, at, words[4 * row]!, words[4 * row + 1]!, style)
          : writeBigDecimal(out, at, readHugeint(words, row), style),
      );
  }
}

function writeStyled(style: DecimalStyle): WriteCell<Numbers> {
  return (out, at, values, row) => writeDecimal(out, at, values[row]!, style);
}

/** The number of bits of a decimal's unscaled value. */
export function findWidth(precision: number): 16 | 32 | 64 | 128 {
  if (precision <= 4) return 16;
  if (precision <= 9) return 32;
  return precision <= 18 ? 64 : 128;
}

/** Doubles; `toText` prints those that need an exponent or a name. Integers end with `.0` unless `bare`. */
export function createDoubleCell(key: string, toText: (value: number) => string, bare: boolean): Cell {
  return createFixedCell<DoubleColumn>(key, MAX_DOUBLE_BYTES, toDoubles, (out, at, column, row) => {
    const end = writeDouble(out, at, column, row, bare);
    return end === -1 ? writeAscii(out, at, toText(column.values[row]!)) : end;
  });
}

function toDoubles(vector: Vector): DoubleColumn {
  const halves = toWords(vector);
  return { values: new Float64Array(halves.buffer, halves.byteOffset, halves.length >> 1), halves };
}

/** As `createDoubleCell`, for single-precision numbers. */
export function createFloatCell(key: string, toText: (value: number) => string, bare: boolean): Cell {
  return createFixedCell<FloatColumn>(key, MAX_DOUBLE_BYTES, toFloats, (out, at, column, row) => {
    const end = writeFloat(out, at, column, row, bare);
    return end === -1 ? writeAscii(out, at, toText(column.values[row]!)) : end;
  });
}

function toFloats(vector: Vector): FloatColumn {
  const bits = toWords(vector);
  return { values: new Float32Array(bits.buffer, bits.byteOffset, bits.length), bits };
}

const MINUS = 0x2d;
const POINT = 0x2e;
const INT32 = 2 ** 32;
const INT53 = 2 ** 53;

/** The format of the decimals of one column. */
interface DecimalStyle {
  readonly scale: number;
  /** 10^scale; exact, as every power of ten up to 10^22 is. */
  readonly power: number;
  readonly leadingZero: boolean;
}

/** The style of one column: `leadingZero` writes `0.50` rather than `.50`. */
function createDecimalStyle(scale: number, leadingZero: boolean): DecimalStyle {
  return { scale, power: Number(`1e${scale}`), leadingZero };
}

/** Writes a decimal of at most 18 digits, given as the halves of its unscaled value. */
function writeDecimal64(out: DataView, at: number, low: number, high: number, style: DecimalStyle): number {
  const unscaled = high * INT32 + (low >>> 0);
  if (unscaled < INT53 && unscaled > -INT53) return writeDecimal(out, at, unscaled, style);
  return writeBigDecimal(out, at, (BigInt(high) << 32n) | BigInt(low >>> 0), style);
}

/** Writes a decimal of any number of digits. */
function writeBigDecimal(out: DataView, at: number, unscaled: bigint, style: DecimalStyle): number {
  const text = toDecimalText(unscaled, style.scale);
  return writeAscii(out, at, style.leadingZero ? text : text.replace(/^(-?)0\./, '$1.'));
}

/** Writes a decimal whose unscaled value is an integer below 2^53. */
function writeDecimal(out: DataView, at: number, unscaled: number, style: DecimalStyle): number {
  const { scale, power, leadingZero } = style;
  const n = Math.abs(unscaled);
  out.setUint8(at, MINUS);
  let end = unscaled < 0 ? at + 1 : at;
  if (scale === 0) return writeUint53(out, end, n);
  const whole = Math.floor(n / power);
  if (leadingZero || whole > 0) end = writeUint53(out, end, whole);
  out.setUint8(end, POINT);
  return writePadded(out, end + 1, n - whole * power, scale);
}
