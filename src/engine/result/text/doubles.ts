import { packFour } from './bytes.ts';
import { TWO, writeEight, writeNine, writeUint53 } from './digits.ts';

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO_POINT_ZEROS = packFour('0.00');
const TEN_THOUSAND = 1e4;
const BILLION = 1e9;
const UPPER_MOST = 1e8;
/** Numbers this close to a rounding limit or to a tie are hard cases, which this file does not handle. */
const UNSURE = 1e-6;
const UNDECIDED = -1000;

const BIAS = 1023;
/** The range of binary exponents that this file writes: from 2^-13 to below 2^53. */
const FIRST_EXPONENT = BIAS - 13;
const LAST_EXPONENT = BIAS + 52;
/** By binary exponent: the decimal exponent of its smallest double, and the start of the next decade. */
const DECIMAL_EXPONENTS = new Int8Array(LAST_EXPONENT + 1).map((_, exponent) =>
  exponent < FIRST_EXPONENT ? 0 : Math.floor(Math.log10(2 ** (exponent - BIAS))),
);
const NEXT_DECADES = Float64Array.from(DECIMAL_EXPONENTS, (exponent) => Number(`1e${exponent + 1}`));
/** By binary exponent: half the distance to the next double. */
const HALF_STEPS = Float64Array.from(DECIMAL_EXPONENTS, (_, exponent) => 2 ** (exponent - BIAS - 53));

/** The powers of ten that doubles represent exactly, and each as a sum of two numbers with half the bits. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const SPLITTER = 2 ** 27 + 1;
const POWERS_HIGH = POWERS.map((power) => takeHigh(power));
const POWERS_LOW = POWERS.map((power) => power - takeHigh(power));

function takeHigh(value: number): number {
  const scaled = SPLITTER * value;
  return scaled - (scaled - value);
}

/** The doubles of one column in one chunk, and their bits as halves. */
export interface DoubleColumn {
  readonly values: Float64Array;
  readonly halves: Int32Array;
}

/**
 * Writes the shortest decimal that reads back as the same double, and the nearest of those, if all formats write the
 * double without an exponent. Returns -1 for other doubles and for hard cases: then the caller must ignore the written
 * bytes. Integers end with `.0` unless `bare`.
 *
 * Doubles are never passed to or returned from functions that are too large to be inlined, because V8 would box them.
 */
export function writeDouble(
  out: DataView,
  at: number,
  column: DoubleColumn,
  row: number,
  bare: boolean,
): number {
  const value = column.values[row]!;
  const scaled = Math.floor(value * TEN_THOUSAND + 0.5);
  if (scaled / TEN_THOUSAND !== value || scaled >= 1e15 || scaled <= -1e15) {
    return writeShortest(out, at, column, row, bare);
  }
  if (scaled === 0 && column.halves[2 * row + 1]! < 0) return -1;
  return writeFourDecimals(out, at, scaled, bare);
}

function writeFourDecimals(out: DataView, at: number, value: number, bare: boolean): number {
  let n = value;
  let end = at;
  if (n < 0) {
    out.setUint8(at, MINUS);
    end += 1;
    n = -n;
  }
  const whole = Math.floor(n / TEN_THOUSAND);
  const fraction = (n - whole * TEN_THOUSAND) | 0;
  end = writeUint53(out, end, whole);
  if (fraction === 0 && bare) return end;
  const hundreds = (fraction / 100) | 0;
  out.setUint8(end, POINT);
  out.setInt16(end + 1, TWO[hundreds]!, true);
  out.setInt16(end + 3, TWO[fraction - hundreds * 100]!, true);
  return withoutZeros(out, end + 5, bare);
}

/**
 * Scales to 17 digits before the point. The product with a power of ten is exact as a sum of two doubles (Dekker),
 * which shows which shorter numbers are within half a step.
 */
function writeShortest(out: DataView, at: number, column: DoubleColumn, row: number, bare: boolean): number {
  const high = column.halves[2 * row + 1]!;
  const exponent = (high >>> 20) & 0x7ff;
  if (exponent < FIRST_EXPONENT || exponent > LAST_EXPONENT || (high & 0xfffff) === 0) return -1;
  const size = Math.abs(column.values[row]!);
  const min = DECIMAL_EXPONENTS[exponent]!;
  const decade = size >= NEXT_DECADES[exponent]! ? min + 1 : min;
  const power = POWERS[16 - decade]!;
  const powerHigh = POWERS_HIGH[16 - decade]!;
  const powerLow = POWERS_LOW[16 - decade]!;
  const sizeHigh = takeHigh(size);
  const sizeLow = size - sizeHigh;
  const product = size * power;
  const error =
    sizeHigh * powerHigh - product + sizeHigh * powerLow + sizeLow * powerHigh + sizeLow * powerLow;
  const upper = Math.floor(product * 1e-9) | 0;
  const lower = chooseDigits(product - upper * BILLION, error, HALF_STEPS[exponent]! * power);
  // A carry into the upper digits is a hard case.
  if (lower < 0 || lower >= BILLION || upper >= UPPER_MOST) return -1;
  out.setUint8(at, MINUS);
  return writeDigits(out, at + (high >>> 31), upper, lower, decade, bare);
}

/**
 * The integer with the most trailing zeros that is less than `half` (0.55 to 11.2) away from `whole + error`, and the
 * nearest of those; UNDECIDED if rounding could matter. Avoids unpredictable branches.
 */
function chooseDigits(whole: number, error: number, half: number): number {
  const sum = whole + error;
  const hundreds = Math.floor(sum * 0.01 + 0.5) * 100;
  const tens = Math.floor(sum * 0.1 + 0.5) * 10;
  const ones = Math.floor(sum + 0.5);
  const toHundred = Math.abs(whole - hundreds + error);
  const toTen = Math.abs(whole - tens + error);
  const toOne = Math.abs(whole - ones + error);
  if (toHundred < half - UNSURE) return hundreds | 0;
  const isUnsure = toHundred < half + UNSURE || Math.abs(toTen - half) < UNSURE;
  if (isUnsure || toTen > 5 - UNSURE || toOne > 0.5 - UNSURE) return UNDECIDED;
  return toTen < half ? tens | 0 : ones | 0;
}

/** Writes 17 digits, the upper eight and the lower nine, with the point in its place. */
function writeDigits(
  out: DataView,
  at: number,
  upper: number,
  lower: number,
  decade: number,
  bare: boolean,
): number {
  if (decade < 0) {
    out.setInt32(at, ZERO_POINT_ZEROS, true);
    out.setInt8(at + 4, ZERO);
    writeNine(out, writeEight(out, at + 1 - decade, upper), lower);
    return withoutZeros(out, at + 18 - decade, bare);
  }
  // Writes all digits one position to the right, then moves the digits before the point.
  writeNine(out, writeEight(out, at + 1, upper), lower);
  for (let i = at; i <= at + decade; i += 1) out.setUint8(i, out.getUint8(i + 1));
  out.setUint8(at + decade + 1, POINT);
  return withoutZeros(out, at + 18, bare);
}

/** Removes the trailing zeros of a fraction; keeps one zero after the point, or removes the point if `bare`. */
export function withoutZeros(out: DataView, end: number, bare: boolean): number {
  let last = end - 1;
  while (out.getUint8(last) === ZERO) last -= 1;
  if (out.getUint8(last) !== POINT) return last + 1;
  return bare ? last : last + 2;
}
