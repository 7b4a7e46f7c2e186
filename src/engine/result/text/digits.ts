const ZERO = 0x30;
const MINUS = 0x2d;
const INT31 = 2 ** 31;
const INT32 = 2 ** 32;
const INT53 = 2 ** 53;
const BILLION = 1e9;

/**
 * Digits as bytes in writing order: TWO for 0 to 99; THREE for 0 to 999, with an empty fourth byte; LEADING as THREE
 * without leading zeros, and with the number of digits in the fourth byte.
 */
export const TWO = new Uint16Array(100).map((_, n) => packDigits(n, 2));
export const THREE = new Int32Array(1000).map((_, n) => packDigits(n, 3));
const LEADING = new Int32Array(1000).map((_, n) => {
  const { length } = String(n);
  return packDigits(n, length) | (length << 24);
});

function packDigits(n: number, count: number): number {
  let packed = 0;
  for (let i = count - 1, quotient = n; i >= 0; i -= 1, quotient = (quotient / 10) | 0) {
    packed |= (ZERO + (quotient % 10)) << (8 * i);
  }
  return packed;
}

/**
 * Writes an integer from 0 to 2^31 - 1. As the other writers, it returns the end, and can overwrite the three bytes
 * after it: the caller continues there, in a block with spare bytes.
 */
export function writeUint31(out: DataView, at: number, value: number): number {
  const n = value | 0;
  if (n < 1000) return writeLeading(out, at, n);
  const thousands = (n / 1000) | 0;
  if (n < 1_000_000) {
    const next = writeLeading(out, at, thousands);
    out.setInt32(next, THREE[n - thousands * 1000]!, true);
    return next + 3;
  }
  const millions = (thousands / 1000) | 0;
  const next = millions < 1000 ? writeLeading(out, at, millions) : writeFour(out, at, millions);
  out.setInt32(next, THREE[thousands - millions * 1000]!, true);
  out.setInt32(next + 3, THREE[n - thousands * 1000]!, true);
  return next + 6;
}

function writeLeading(out: DataView, at: number, n: number): number {
  const digits = LEADING[n]!;
  out.setInt32(at, digits, true);
  return at + (digits >>> 24);
}

function writeFour(out: DataView, at: number, n: number): number {
  const thousands = (n / 1000) | 0;
  out.setUint8(at, ZERO + thousands);
  out.setInt32(at + 1, THREE[n - thousands * 1000]!, true);
  return at + 4;
}

/** Writes an integer below 10^9 as nine digits. */
export function writeNine(out: DataView, at: number, value: number): number {
  const n = value | 0;
  const thousands = (n / 1000) | 0;
  const millions = (thousands / 1000) | 0;
  out.setInt32(at, THREE[millions]!, true);
  out.setInt32(at + 3, THREE[thousands - millions * 1000]!, true);
  out.setInt32(at + 6, THREE[n - thousands * 1000]!, true);
  return at + 9;
}

/** Writes an integer below 10^8 as eight digits. */
export function writeEight(out: DataView, at: number, value: number): number {
  const n = value | 0;
  const thousands = (n / 1000) | 0;
  const millions = (thousands / 1000) | 0;
  out.setInt16(at, TWO[millions]!, true);
  out.setInt32(at + 2, THREE[thousands - millions * 1000]!, true);
  out.setInt32(at + 5, THREE[n - thousands * 1000]!, true);
  return at + 8;
}

/** Writes an integer, given as a double, from 0 to 2^53. */
export function writeUint53(out: DataView, at: number, value: number): number {
  if (value < INT31) return writeUint31(out, at, value);
  const billions = Math.floor(value / BILLION);
  return writeNine(out, writeUint31(out, at, billions), value - billions * BILLION);
}

/** Writes a signed 32-bit integer. */
export function writeInt32(out: DataView, at: number, value: number): number {
  out.setUint8(at, MINUS);
  return writeUint53(out, at + (value >>> 31), Math.abs(value));
}

/** Writes a signed 64-bit integer, given as its halves (any 32-bit integers). */
export function writeInt64(out: DataView, at: number, low: number, high: number): number {
  if (high === low >> 31) return writeInt32(out, at, low);
  if (high >= 0) return writeUint64(out, at, low, high);
  out.setUint8(at, MINUS);
  return writeUint64(out, at + 1, -low | 0, low === 0 ? -high | 0 : ~high);
}

/** Writes an unsigned 64-bit integer, given as its halves (any 32-bit integers). */
export function writeUint64(out: DataView, at: number, low: number, high: number): number {
  const unsigned = high >>> 0;
  const value = unsigned * INT32 + (low >>> 0);
  if (value < INT53) return writeUint53(out, at, value);
  // Long division by 10^9, 16 bits at a time, so that every step is exact.
  const first = Math.floor(unsigned / BILLION);
  const middle = (unsigned - first * BILLION) * 65_536 + (low >>> 16);
  const second = Math.floor(middle / BILLION);
  const last = (middle - second * BILLION) * 65_536 + (low & 0xffff);
  const third = Math.floor(last / BILLION);
  const billions = first * INT32 + second * 65_536 + third;
  return writeNine(out, writeUint53(out, at, billions), last - third * BILLION);
}

/** Writes `value`, an integer below 10^`count` and 2^53, as `count` digits, at most 18. */
export function writePadded(out: DataView, at: number, value: number, count: number): number {
  if (count === 2) {
    out.setInt16(at, TWO[value]!, true);
    return at + 2;
  }
  if (count <= 9) return writeFew(out, at, value, count);
  const billions = Math.floor(value / BILLION);
  return writeFew(out, writeFew(out, at, billions, count - 9), value - billions * BILLION, 9);
}

function writeFew(out: DataView, at: number, value: number, count: number): number {
  let n = value | 0;
  let left = count;
  for (; left >= 2; left -= 2) {
    const hundreds = (n / 100) | 0;
    out.setInt16(at + left - 2, TWO[n - hundreds * 100]!, true);
    n = hundreds;
  }
  if (left === 1) out.setUint8(at, ZERO + n);
  return at + count;
}
