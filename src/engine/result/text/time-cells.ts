import type { TimeUnit } from '../columns/column.ts';
import { toDateText, toIsoTimestamp, toTimestampText, toTimeText } from '../columns/date-text.ts';
import { packFour, writeAscii } from './bytes.ts';
import { type Cell, createFixedCell, toWords } from './cell.ts';
import { THREE } from './digits.ts';

const BLANK = 0x20;
const LETTER_T = 0x54;
const MICROS_A_DAY = 86_400_000_000;
/** Upper halves of the infinities. */
const MAX_UPPER = 2 ** 31 - 1;
const MIN_UPPER = -(2 ** 31);

/** Writes a timestamp, given as the halves of its number of units since 1970. */
type WriteTimestamp = (out: DataView, at: number, low: number, high: number) => number;

/**
 * Divides a number of units into days and a rest: a day has `odd` times 2^`bits` units; without its lowest `bits` bits,
 * the number is small enough for a double.
 */
interface UnitShape {
  readonly bits: number;
  readonly odd: number;
  readonly perSecond: number;
  readonly digits: number;
}

const SHAPES: Readonly<Record<TimeUnit, UnitShape>> = {
  second: { bits: 7, odd: 675, perSecond: 1, digits: 0 },
  millisecond: { bits: 10, odd: 84_375, perSecond: 1000, digits: 3 },
  microsecond: { bits: 13, odd: 10_546_875, perSecond: 1_000_000, digits: 6 },
  nanosecond: { bits: 16, odd: 1_318_359_375, perSecond: 1_000_000_000, digits: 9 },
};

/** Creates a writer of timestamps as databases print them, `2024-01-02 03:04:05.5`, in UTC with `+00`. */
function createTimestampWriter(unit: TimeUnit, utc: boolean): WriteTimestamp {
  return createWriter(unit, BLANK, utc ? '+00' : '', (value) => toTimestampText(value, unit, utc));
}

/** Creates a writer of ISO 8601, `2024-01-02T03:04:05.5`, in UTC with `Z`; other values as databases print them. */
function createIsoWriter(unit: TimeUnit, utc: boolean): WriteTimestamp {
  return createWriter(unit, LETTER_T, utc ? 'Z' : '', (value) => toIsoTimestamp(value, unit, utc));
}

function createWriter(
  unit: TimeUnit,
  separator: number,
  suffix: string,
  toText: (value: bigint) => string,
): WriteTimestamp {
  const { bits, odd, perSecond, digits } = SHAPES[unit];
  const highFactor = 2 ** (32 - bits);
  const lowFactor = 2 ** bits;
  const lowMask = lowFactor - 1;
  return (out, at, low, high) => {
    const count = high * highFactor + (low >>> bits);
    const days = Math.floor(count / odd);
    if (!isPlainDay(days) || high === MAX_UPPER || high === MIN_UPPER) {
      return writeAscii(out, at, toText((BigInt(high) << 32n) | BigInt(low >>> 0)));
    }
    const remainder = (count - days * odd) * lowFactor + (low & lowMask);
    const seconds = Math.floor(remainder / perSecond);
    const separatorAt = writeDate(out, at, days);
    out.setUint8(separatorAt, separator);
    const clockEnd = writeClock(out, separatorAt + 1, seconds);
    const end =
      digits === 0 ? clockEnd : writeFraction(out, clockEnd, remainder - seconds * perSecond, digits);
    return suffix === '' ? end : writeAscii(out, end, suffix);
  };
}

/** Writes a time of day, given as the halves of its microseconds. */
function writeTime(out: DataView, at: number, low: number, high: number): number {
  const micros = high * 2 ** 32 + (low >>> 0);
  if (micros < 0 || micros > MICROS_A_DAY) {
    return writeAscii(out, at, toTimeText((BigInt(high) << 32n) | BigInt(low >>> 0), 'microsecond'));
  }
  const seconds = Math.floor(micros / 1_000_000);
  return writeFraction(out, writeClock(out, at, seconds), micros - seconds * 1_000_000, 6);
}

/** The maximum bytes of any printed date, timestamp or time. */
const MAX_BYTES = 48;

/** Days. */
export const dateCell: Cell = createFixedCell('date', MAX_BYTES, toWords, (out, at, words, row) =>
  writeDate(out, at, words[row]!),
);

/** Times of day. */
export const timeCell: Cell = createFixedCell('time', MAX_BYTES, toWords, (out, at, words, row) =>
  writeTime(out, at, words[2 * row]!, words[2 * row + 1]!),
);

/** Timestamps as databases print them. */
export function createTimestampCell(unit: TimeUnit, utc: boolean): Cell {
  return createCellOf(`timestamp-${unit}-${utc}`, createTimestampWriter(unit, utc));
}

/** Timestamps in ISO 8601. */
export function createIsoCell(unit: TimeUnit, utc: boolean): Cell {
  return createCellOf(`iso-${unit}-${utc}`, createIsoWriter(unit, utc));
}

function createCellOf(key: string, write: WriteTimestamp): Cell {
  return createFixedCell(key, MAX_BYTES, toWords, (out, at, words, row) =>
    write(out, at, words[2 * row]!, words[2 * row + 1]!),
  );
}

const ZERO = 0x30;
const POINT = 0x2e;
/** The days whose year has four digits: 0001-01-01 to 9999-12-31. */
const FIRST_DAY = -719_162;
const LAST_DAY = 2_932_896;

/** A cache of printed days; each slot has the day, then its ten bytes. An empty slot has a day of another slot. */
const SLOTS = 1 << 14;
const TEXTS = new Int32Array(SLOTS * 4);
TEXTS[0] = 1;

/** `00:0` to `24:0` by tens of minutes of the day; `0:00` to `9:59` by seconds of ten minutes. */
const TENS_OF_MINUTES = new Int32Array(24 * 6 + 1).map((_, n) => packFour(`${twoDigits(n / 6)}:${n % 6}`));
const SECONDS = new Int32Array(600).map((_, n) => packFour(`${Math.trunc(n / 60)}:${twoDigits(n % 60)}`));

function twoDigits(n: number): string {
  return String(Math.trunc(n)).padStart(2, '0');
}

/** Whether a day since 1970-01-01 is printed as `2024-01-02`, without a suffix. */
function isPlainDay(days: number): boolean {
  return days >= FIRST_DAY && days <= LAST_DAY;
}

/** Writes any day since 1970-01-01. */
function writeDate(out: DataView, at: number, days: number): number {
  const slot = (days & (SLOTS - 1)) << 2;
  if (TEXTS[slot] !== days) {
    if (!isPlainDay(days)) return writeAscii(out, at, toDateText(days));
    fillSlot(slot, days);
  }
  out.setInt32(at, TEXTS[slot + 1]!, true);
  out.setInt32(at + 4, TEXTS[slot + 2]!, true);
  out.setInt16(at + 8, TEXTS[slot + 3]!, true);
  return at + 10;
}

function fillSlot(slot: number, days: number): void {
  const text = toDateText(days);
  TEXTS[slot] = days;
  TEXTS[slot + 1] = packFour(text.slice(0, 4));
  TEXTS[slot + 2] = packFour(text.slice(4, 8));
  TEXTS[slot + 3] = packFour(`${text.slice(8)}  `);
}

/** Writes `03:04:05`: seconds of the day, at most 24:00:00. */
function writeClock(out: DataView, at: number, seconds: number): number {
  const tens = (seconds / 600) | 0;
  out.setInt32(at, TENS_OF_MINUTES[tens]!, true);
  out.setInt32(at + 4, SECONDS[seconds - tens * 600]!, true);
  return at + 8;
}

/** Writes `.25`: a fraction of a second of `digits` (3, 6 or 9) digits, without trailing zeros. */
function writeFraction(out: DataView, at: number, fraction: number, digits: number): number {
  if (fraction === 0) return at;
  out.setUint8(at, POINT);
  let n = fraction | 0;
  for (let position = at + digits - 2; position > at; position -= 3) {
    const thousands = (n / 1000) | 0;
    writeThree(out, position, n - thousands * 1000);
    n = thousands;
  }
  let end = at + 1 + digits;
  while (out.getUint8(end - 1) === ZERO) end -= 1;
  return end;
}

function writeThree(out: DataView, at: number, n: number): void {
  const digits = THREE[n]!;
  out.setInt16(at, digits, true);
  out.setUint8(at + 2, digits >> 16);
}
