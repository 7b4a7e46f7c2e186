import { toDecimalText } from '../../../text/decimal.ts';
import { writeAscii } from './ascii.ts';
import { writePadded, writeUint53 } from './digits.ts';

const MINUS = 0x2d;
const POINT = 0x2e;
const INT32 = 2 ** 32;
const INT53 = 2 ** 53;

/** The format of the decimals of one column. */
export interface DecimalStyle {
  readonly scale: number;
  /** 10^scale; exact, as every power of ten up to 10^22 is. */
  readonly power: number;
  readonly leadingZero: boolean;
}

/** The style of one column: `leadingZero` writes `0.50` rather than `.50`. */
export function createDecimalStyle(scale: number, leadingZero: boolean): DecimalStyle {
  return { scale, power: Number(`1e${scale}`), leadingZero };
}

/** Writes a decimal of at most 18 digits, given as the halves of its unscaled value. */
export function writeDecimal64(
  out: DataView,
  at: number,
  low: number,
  high: number,
  style: DecimalStyle,
): number {
  const unscaled = high * INT32 + (low >>> 0);
  if (unscaled < INT53 && unscaled > -INT53) return writeDecimal(out, at, unscaled, style);
  return writeBigDecimal(out, at, (BigInt(high) << 32n) | BigInt(low >>> 0), style);
}

/** Writes a decimal of any number of digits. */
export function writeBigDecimal(out: DataView, at: number, unscaled: bigint, style: DecimalStyle): number {
  const text = toDecimalText(unscaled, style.scale);
  return writeAscii(out, at, style.leadingZero ? text : text.replace(/^(-?)0\./, '$1.'));
}

/** Writes a decimal whose unscaled value is an integer below 2^53. */
export function writeDecimal(out: DataView, at: number, unscaled: number, style: DecimalStyle): number {
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
