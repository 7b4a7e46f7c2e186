import { toTimeText } from '../../../result/columns/date-text.ts';

const MONTHS_A_YEAR = 12;
const TIME_TZ_OFFSET_BITS = 24n;
const MAX_OFFSET = 16 * 3600 - 1;

/** An INTERVAL: months, days, microseconds. `1 year 2 months -3 days 04:05:06.7`. */
export function printInterval(view: DataView, at: number): string {
  const months = view.getInt32(at, true);
  const days = view.getInt32(at + 4, true);
  const micros = view.getBigInt64(at + 8, true);
  const parts = [
    countOf(Math.trunc(months / MONTHS_A_YEAR), 'year'),
    countOf(months % MONTHS_A_YEAR, 'month'),
    countOf(days, 'day'),
    micros === 0n ? '' : printLength(micros),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '00:00:00' : parts.join(' ');
}

function countOf(count: number, unit: string): string {
  if (count === 0) return '';
  return `${count} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;
}

function printLength(micros: bigint): string {
  return micros < 0n ? `-${toTimeText(-micros, 'microsecond')}` : toTimeText(micros, 'microsecond');
}

/** A UUID: 128 bits with the first bit inverted, so that they sort as signed numbers. */
export function printUuid(view: DataView, at: number): string {
  const high = view.getBigUint64(at + 8, true) ^ (1n << 63n);
  const digits = toHex(high) + toHex(view.getBigUint64(at, true));
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function toHex(half: bigint): string {
  return half.toString(16).padStart(16, '0');
}

/** A TIME_NS: nanoseconds of the day. */
export function printTimeNs(view: DataView, at: number): string {
  return toTimeText(view.getBigInt64(at, true), 'nanosecond');
}

/** A TIMETZ: 40 bits of microseconds, then the difference between the greatest offset and this one, in seconds. */
export function printTimeTz(view: DataView, at: number): string {
  const bits = view.getBigUint64(at, true);
  const lack = Number(BigInt.asUintN(Number(TIME_TZ_OFFSET_BITS), bits));
  return toTimeText(bits >> TIME_TZ_OFFSET_BITS, 'microsecond') + printOffset(MAX_OFFSET - lack);
}

/** `+02`, with minutes and seconds where they are not zero. */
function printOffset(seconds: number): string {
  const length = Math.abs(seconds);
  const minutesAndSeconds = [Math.floor(length / 60) % 60, length % 60].filter((part) => part !== 0);
  const parts = [Math.floor(length / 3600), ...minutesAndSeconds].map((part) =>
    String(part).padStart(2, '0'),
  );
  return (seconds < 0 ? '-' : '+') + parts.join(':');
}

/** A BIT: the first byte is the number of padding bits; the bits follow. */
export function printBits(bytes: Uint8Array): string {
  const bits = Array.from(bytes.subarray(1), (byte) => byte.toString(2).padStart(8, '0'));
  return bits.join('').slice(bytes[0]!);
}

/** A BIGNUM: three bytes of sign and length, then the absolute value, high byte first; inverted if negative. */
export function printBignum(bytes: Uint8Array): string {
  const negative = (bytes[0]! & 0x80) === 0;
  const digits = Array.from(bytes.subarray(3), (byte) =>
    (negative ? byte ^ 0xff : byte).toString(16).padStart(2, '0'),
  );
  return `${negative ? '-' : ''}${BigInt(`0x${digits.join('')}`)}`;
}
