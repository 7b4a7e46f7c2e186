import { packFour } from './bytes.ts';
import { writeInt32, writeNine, writeUint31 } from './digits.ts';
import { withoutZeros } from './doubles.ts';

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO_POINT_ZEROS = packFour('0.00');
const BILLION = 1e9;
const UNSURE = 1e-6;
/** Integers below this have a step of at most one, so all their digits are needed. */
const WHOLE = 2 ** 24;

const BIAS = 127;
/** The range of binary exponents that this file writes: from 2^-13 to below 2^29. */
const FIRST_EXPONENT = BIAS - 13;
const LAST_EXPONENT = BIAS + 28;
const DECIMAL_EXPONENTS = new Int8Array(LAST_EXPONENT + 1).map((_, exponent) =>
  exponent < FIRST_EXPONENT ? 0 : Math.floor(Math.log10(2 ** (exponent - BIAS))),
);
const NEXT_DECADES = Float64Array.from(DECIMAL_EXPONENTS, (exponent) => Number(`1e${exponent + 1}`));
const POWERS = Float64Array.from({ length: 13 }, (_, exponent) => Number(`1e${exponent}`));

/** The numbers of one column in one chunk, and their bits. */
export interface FloatColumn {
  readonly values: Float32Array;
  readonly bits: Int32Array;
}

/**
 * Writes the shortest decimal that reads back as the same single-precision number, if all formats write it without an
 * exponent. Returns -1 for other numbers and for hard cases: then the caller must ignore the written bytes. Integers
 * end with `.0` unless `bare`.
 */
export function writeFloat(
  out: DataView,
  at: number,
  column: FloatColumn,
  row: number,
  bare: boolean,
): number {
  const value = column.values[row]!;
  if (value !== Math.trunc(value) || value >= WHOLE || value <= -WHOLE) {
    return writeShortest(out, at, column, row, bare);
  }
  if (value === 0 && column.bits[row]! < 0) return -1;
  return writeEnd(out, writeInt32(out, at, value), bare);
}

/** Scales to nine digits before the point, which is exact in a double, as are all distances from there. */
function writeShortest(out: DataView, at: number, column: FloatColumn, row: number, bare: boolean): number {
  const bits = column.bits[row]!;
  const exponent = (bits >>> 23) & 0xff;
  if (exponent < FIRST_EXPONENT || exponent > LAST_EXPONENT || (bits & 0x7fffff) === 0) return -1;
  const size = Math.abs(column.values[row]!);
  const min = DECIMAL_EXPONENTS[exponent]!;
  const decade = size >= NEXT_DECADES[exponent]! ? min + 1 : min;
  const power = POWERS[8 - decade]!;
  const digits = chooseDigits(size * power, 2 ** (exponent - BIAS - 24) * power);
  if (digits < 0 || digits >= BILLION) return -1;
  out.setUint8(at, MINUS);
  return writeDigits(out, at + (bits >>> 31), digits, decade, bare);
}

/**
 * The integer with the most trailing zeros that is less than `half` (2.9 to 60) away, and the nearest of those; -1 if
 * one is exactly at the limit, or if two are equally near.
 */
function chooseDigits(scaled: number, half: number): number {
  for (let unit = 1000; unit >= 1; unit /= 10) {
    const digits = Math.floor(scaled / unit + 0.5) * unit;
    const distance = Math.abs(scaled - digits);
    if (Math.abs(distance - half) < UNSURE) return -1;
    if (distance < half) return Math.abs(distance * 2 - unit) < UNSURE ? -1 : digits;
  }
  return -1;
}

/** Writes nine digits with the decimal point. */
function writeDigits(out: DataView, at: number, digits: number, decade: number, bare: boolean): number {
  if (decade < 0) {
    out.setInt32(at, ZERO_POINT_ZEROS, true);
    out.setInt8(at + 4, ZERO);
    return withoutZeros(out, writeNine(out, at + 1 - decade, digits), bare);
  }
  const power = POWERS[8 - decade]!;
  const whole = Math.floor(digits / power);
  const point = writeUint31(out, at, whole);
  if (decade === 8) return writeEnd(out, point, bare);
  // Trailing zeros pad the fraction to eight digits; the ninth digit is its leading zero.
  out.setUint8(point, POINT);
  writeNine(out, point + 1, (digits - whole * power) * POWERS[decade + 1]!);
  return withoutZeros(out, point + 9 - decade, bare);
}

function writeEnd(out: DataView, at: number, bare: boolean): number {
  if (bare) return at;
  out.setUint8(at, POINT);
  out.setUint8(at + 1, ZERO);
  return at + 2;
}
