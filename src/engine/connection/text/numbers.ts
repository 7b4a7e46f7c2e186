import type { ColumnType } from '../../result/columns/column.ts';
import {
  createFixedDecoder,
  createUnreadable,
  readFieldText,
  type TextDecoder,
  type TextField,
  toFixed,
} from './field.ts';

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
/** Maximum number of decimal digits that a double always represents exactly. */
const SAFE_DIGITS = 15;
const INT32 = 2 ** 32;
const UNREADABLE = Number.NaN;

const WIDTHS = { 8: Int8Array, 16: Int16Array, 32: Int32Array } as const;

/** Decimal integers with `bits` bits; an unsigned one of 64 bits may use all of them. */
export function createIntegerDecoder(bits: 8 | 16 | 32 | 64, signed: boolean): TextDecoder {
  const type: ColumnType = { kind: 'integer', bits, signed };
  if (bits === 64) return createWideDecoder(type, 'an integer');
  // Unsigned values above the signed range have the same bytes.
  const Values: new (rows: number) => Int8Array | Int16Array | Int32Array = WIDTHS[bits];
  return createFixedDecoder(type, Values, (field, row) => readDigits(field, row, 'an integer'));
}

/** Decimals with all digits of their scale: `12.30` of scale 2 is 1230. */
export function createDecimalDecoder(precision: number, scale: number): TextDecoder {
  const type: ColumnType = { kind: 'decimal', precision, scale };
  const what = `a decimal of ${precision} digits`;
  if (precision <= 4)
    return createFixedDecoder(type, Int16Array, (field, row) => readDigits(field, row, what));
  if (precision <= 9)
    return createFixedDecoder(type, Int32Array, (field, row) => readDigits(field, row, what));
  return precision <= 18 ? createWideDecoder(type, what) : createHugeDecoder(type, what);
}

/** The digits of a number without its point, for numbers that a double can represent. */
function readDigits(field: TextField, row: number, what: string): number {
  const value = sumDigits(field.bytes, field.starts[row]!, field.lengths[row]!);
  if (Number.isNaN(value)) throw createUnreadable(readFieldText(field, row), what);
  return value;
}

/** NaN for invalid numbers. */
function sumDigits(bytes: Uint8Array, start: number, length: number): number {
  const end = start + length;
  const isNegative = bytes[start] === MINUS;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; at < end; at += 1) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (bytes[at] !== POINT) return UNREADABLE;
  }
  return isNegative ? -value : value;
}

/** 64 bits, computed as two halves unless there are many digits. */
function createWideDecoder(type: ColumnType, what: string): TextDecoder {
  return {
    type,
    decode(field) {
      const values = new BigInt64Array(field.rows);
      const halves = new Int32Array(values.buffer);
      for (let row = 0; row < field.rows; row += 1) {
        const length = field.lengths[row]!;
        if (length < 0) continue;
        if (length > SAFE_DIGITS) {
          values[row] = BigInt.asIntN(64, readBig(field, row, what));
        } else {
          const value = readDigits(field, row, what);
          const high = Math.floor(value / INT32);
          halves[2 * row] = value - high * INT32;
          halves[2 * row + 1] = high;
        }
      }
      return toFixed(values, field);
    },
  };
}

function createHugeDecoder(type: ColumnType, what: string): TextDecoder {
  return {
    type,
    decode(field) {
      const values = new BigInt64Array(field.rows * 2);
      for (let row = 0; row < field.rows; row += 1) {
        if (field.lengths[row]! < 0) continue;
        const value = readBig(field, row, what);
        values[2 * row] = BigInt.asIntN(64, value);
        values[2 * row + 1] = value >> 64n;
      }
      return toFixed(values, field);
    },
  };
}

function readBig(field: TextField, row: number, what: string): bigint {
  const text = readFieldText(field, row);
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw createUnreadable(text, what);
  return BigInt(text.replace('.', ''));
}

export const floatDecoder = createFixedDecoder({ kind: 'float' }, Float32Array, readDouble);
export const doubleDecoder = createFixedDecoder({ kind: 'double' }, Float64Array, readDouble);

function readDouble(field: TextField, row: number): number {
  const plain = readPlainDouble(field.bytes, field.starts[row]!, field.lengths[row]!);
  if (!Number.isNaN(plain)) return plain;
  const text = readFieldText(field, row);
  const value = Number(text);
  if (Number.isNaN(value) && text !== 'NaN') throw createUnreadable(text, 'a number');
  return value;
}

/**
 * A number whose digits and power of ten a double represents exactly, so that one division rounds it correctly; NaN for
 * other numbers.
 */
function readPlainDouble(bytes: Uint8Array, start: number, length: number): number {
  const value = length > SAFE_DIGITS ? UNREADABLE : sumDigits(bytes, start, length);
  if (Number.isNaN(value)) return value;
  let at = start + length - 1;
  while (at >= start && bytes[at] !== POINT) at -= 1;
  return at < start ? value : value / 10 ** (start + length - 1 - at);
}
