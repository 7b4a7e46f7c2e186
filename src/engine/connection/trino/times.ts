import type { ColumnType } from '../../result/columns/column.ts';
import {
  createFixedDecoder,
  createUnreadable,
  readFieldText,
  type TextDecoder,
  type TextField,
} from '../text/field.ts';
import { toDays } from '../text/times.ts';

const DAY = 86_400_000;
/** The largest days mean infinity, their negatives minus infinity. */
const INFINITE_DAY = 2 ** 31 - 1;
const ZERO = 0x30;
const DASH = 0x2d;
const BLANK = 0x20;
const COLON = 0x3a;
/** Characters of `YYYY-MM-DD HH:MM:SS`. */
const DATE_LENGTH = 10;
const CLOCK_LENGTH = 19;
const HALF = 65_536;
const MAX_HIGH = 2 ** 31 - 1;
const MIN_HIGH = -(2 ** 31);
const MAX_LOW = 2 ** 32 - 1;
const DATE = /^([+-]?\d{4,})-(\d\d)-(\d\d)$/;
/** A timestamp of any year, and its zone if it has one. */
const STAMP = /^([+-]?\d{4,}-\d\d-\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?: (\S+))?$/;

/** Dates; years beyond four digits have a sign, and the year 0 is 1 BC. */
export const dateDecoder: TextDecoder = createFixedDecoder({ kind: 'date' }, Int32Array, (field, row) => {
  const { bytes, starts, lengths } = field;
  const at = starts[row]!;
  const days = lengths[row] === DATE_LENGTH ? readPlainDate(bytes, at) : Number.NaN;
  return Number.isNaN(days) ? readFarDate(readFieldText(field, row)) : days;
});

function readPlainDate(bytes: Uint8Array, at: number): number {
  if (bytes[at + 4] !== DASH || bytes[at + 7] !== DASH) return Number.NaN;
  const year = readTwo(bytes, at) * 100 + readTwo(bytes, at + 2);
  return toDays(year, readTwo(bytes, at + 5), readTwo(bytes, at + 8));
}

/** Two digits; NaN for other characters. */
function readTwo(bytes: Uint8Array, at: number): number {
  const [tens, ones] = [bytes[at]! - ZERO, bytes[at + 1]! - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Any date but those of the numbers that mean infinity, which Trino does not have. */
function readFarDate(text: string): number {
  const days = readDate(text);
  if (Math.abs(days) < INFINITE_DAY) return days;
  throw createUnreadable(text, 'a date');
}

function readDate(text: string): number {
  const parts = DATE.exec(text);
  if (parts === null) throw createUnreadable(text, 'a date');
  return toDays(Number(parts[1]), Number(parts[2]), Number(parts[3]));
}

/**
 * Timestamps of at most 9 digits of a second: microseconds, or nanoseconds where they have more than 6. With a zone,
 * they are converted to UTC.
 */
export function createTimestampDecoder(precision: number, utc: boolean): TextDecoder {
  const unit = precision > 6 ? 'nanosecond' : 'microsecond';
  const type: ColumnType = { kind: 'timestamp', unit, utc };
  const digits = unit === 'nanosecond' ? 9 : 6;
  return {
    type,
    decode(field) {
      const findZone = createZoneFinder();
      const data = new Uint8Array(field.rows * 8);
      const halves = new Int32Array(data.buffer);
      for (let row = 0; row < field.rows; row += 1) {
        if (field.lengths[row]! >= 0) readStamp(field, row, { digits, halves, findZone });
      }
      return { kind: 'fixed', validity: field.validity, data };
    },
  };
}

/** Where and how instants are stored: as halves, in units of 10^-digits seconds. */
interface Target {
  readonly digits: 6 | 9;
  readonly halves: Int32Array;
  readonly findZone: (name: string) => FindOffset | null;
}

function readStamp(field: TextField, row: number, target: Target): void {
  const { bytes, starts, lengths } = field;
  const at = starts[row]!;
  const seconds = readPlainClock(bytes, at, lengths[row]!);
  if (Number.isNaN(seconds)) {
    readAnyStamp(readFieldText(field, row), row, target);
    return;
  }
  const fraction = readFraction(bytes, at + CLOCK_LENGTH + 1, at + lengths[row]!, target.digits);
  const isStored = !Number.isNaN(fraction) && store(target, row, seconds, fraction);
  if (!isStored) readAnyStamp(readFieldText(field, row), row, target);
}

/** Seconds since 1970 of a timestamp in a year of four digits; NaN for other formats. */
function readPlainClock(bytes: Uint8Array, at: number, length: number): number {
  if (length < CLOCK_LENGTH || bytes[at + 10] !== BLANK) return Number.NaN;
  if (bytes[at + 13] !== COLON || bytes[at + 16] !== COLON) return Number.NaN;
  const clock = readTwo(bytes, at + 11) * 3600 + readTwo(bytes, at + 14) * 60 + readTwo(bytes, at + 17);
  return readPlainDate(bytes, at) * (DAY / 1000) + clock;
}

/** The digits of a fraction up to the end, as a number of `digits` digits; NaN for other characters. */
function readFraction(bytes: Uint8Array, start: number, end: number, digits: number): number {
  let value = 0;
  let left = digits;
  for (let at = start; at < end; at += 1) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
    left -= 1;
  }
  return left < 0 ? Number.NaN : value * 10 ** left;
}

/** Any year, and any zone. */
function readAnyStamp(text: string, row: number, target: Target): void {
  const { digits, findZone } = target;
  const parts = STAMP.exec(text);
  if (parts === null) throw createUnreadable(text, 'a timestamp');
  const [, date, hour, minute, second, fraction = '', name] = parts;
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const local = readDate(date!) * (DAY / 1000) + clock;
  const zone = name === undefined ? () => 0 : findZone(name);
  if (zone === null) throw createUnreadable(text, 'a timestamp of a known time zone');
  const seconds = local - zone(local * 1000) / 1000;
  if (!store(target, row, seconds, Number(fraction.padEnd(digits, '0')))) {
    throw createUnreadable(
      text,
      digits === 9 ? 'nanoseconds since 1970 (1677 to 2262)' : 'microseconds since 1970',
    );
  }
}

/** Stores an instant; false if it does not fit. */
function store({ digits, halves }: Target, row: number, seconds: number, fraction: number): boolean {
  const factor = digits === 9 ? 1_000_000_000 : 1_000_000;
  // In steps that a double represents exactly.
  const upper = Math.floor(seconds / HALF);
  const lower = (seconds - upper * HALF) * factor + fraction;
  const carry = Math.floor(lower / HALF);
  const count = upper * factor + carry;
  const high = Math.floor(count / HALF);
  const low = (count - high * HALF) * HALF + (lower - carry * HALF);
  if (high < MIN_HIGH || high > MAX_HIGH || isInfinite(high, low)) return false;
  halves[2 * row] = low;
  halves[2 * row + 1] = high;
  return true;
}

/** Whether an instant has the value that means infinity, or minus infinity. */
function isInfinite(high: number, low: number): boolean {
  return (high === MAX_HIGH && low === MAX_LOW) || (high === MIN_HIGH && low <= 1);
}

const MINUTE = 60_000;
/** Zones change at whole quarters of an hour. */
const QUARTER = 15 * MINUTE;
/** Before this instant, zones have their local mean time. */
const FIRST_RULE = Date.UTC(1800, 0, 1);
/** Maximum remembered offsets of a zone. */
const MAX_KNOWN = 10_000;
const FIXED = /^([+-])(\d\d):(\d\d)(?::(\d\d))?$/;

/** The milliseconds by which a zone is ahead of UTC at a local time, in milliseconds since 1970. */
type FindOffset = (local: number) => number;

const UTC = 'UTC';

/** Finds zones by name, and remembers them. */
function createZoneFinder(): (name: string) => FindOffset | null {
  const zones = new Map<string, FindOffset | null>();
  return (name) => {
    let zone = zones.get(name);
    if (zone === undefined) {
      zone = findZone(name);
      if (zones.size < MAX_KNOWN) zones.set(name, zone);
    }
    return zone;
  };
}

/** The offsets of a zone as Trino names it, such as `+02:00` or `Europe/Berlin`; null for an unknown one. */
function findZone(name: string): FindOffset | null {
  if (name === UTC) return () => 0;
  const parts = FIXED.exec(name);
  if (parts !== null) {
    const [, sign, hours, minutes, seconds = '0'] = parts;
    const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE + Number(seconds) * 1000;
    return () => (sign === '-' ? -offset : offset);
  }
  return createZone(name);
}

function createZone(name: string): FindOffset | null {
  const offsetAt = createOffsets(name);
  if (offsetAt === null) return null;
  const offsetsByQuarter = new Map<number, number>();
  return (local) => {
    const quarter = Math.floor(local / QUARTER);
    let offset = offsetsByQuarter.get(quarter);
    if (offset === undefined) {
      offset = findLocalOffset(quarter * QUARTER, offsetAt);
      if (offsetsByQuarter.size >= MAX_KNOWN) offsetsByQuarter.clear();
      offsetsByQuarter.set(quarter, offset);
    }
    return offset;
  };
}

/**
 * The offset at a local time. When clocks are set back, a local time occurs twice: the first one is meant, as in Java.
 */
function findLocalOffset(local: number, offsetAt: (instant: number) => number): number {
  const before = offsetAt(local - DAY);
  return offsetAt(local - before) === before ? before : offsetAt(local + DAY);
}

/** The offset of a zone at an instant, in milliseconds; null for an unknown zone. */
function createOffsets(name: string): ((instant: number) => number) | null {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, ...fields, ...clock });
  } catch {
    return null;
  }
  return (instant) => {
    const seconds = Math.floor(Math.max(instant, FIRST_RULE) / 1000) * 1000;
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(seconds)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - seconds;
  };
}
