import {
  createFixedDecoder,
  createUnreadable,
  readFieldText,
  type TextDecoder,
  type TextField,
} from './field.ts';

const DAY_MS = 86_400_000;
const DASH = 0x2d;
const ZERO = 0x30;
/** The largest values mean infinity, their negatives minus infinity. */
const INFINITE_DATE = 2 ** 31 - 1;
const INFINITE_TIME = 2n ** 63n - 1n;
const DATE = /^(\d{4,})-(\d\d)-(\d\d)( BC)?$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;
const STAMP =
  /^(\d{4,})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?)?( BC)?$/;

/** Dates in ISO format, followed by ` BC` if necessary, or `infinity`. */
export const dateDecoder: TextDecoder = createFixedDecoder({ kind: 'date' }, Int32Array, (field, row) => {
  return readPlainDate(field, row) ?? readDate(readFieldText(field, row));
});

/** Days since 1970 of `YYYY-MM-DD`; null for any other format. */
function readPlainDate({ bytes, starts, lengths }: TextField, row: number): number | null {
  const at = starts[row]!;
  if (lengths[row] !== 10 || bytes[at + 4] !== DASH || bytes[at + 7] !== DASH) return null;
  const digit = (i: number) => bytes[at + i]! - ZERO;
  const year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3);
  const month = digit(5) * 10 + digit(6);
  const day = digit(8) * 10 + digit(9);
  return year > 0 && month >= 1 && month <= 12 ? toDays(year, month, day) : null;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar. */
export function toDays(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function readDate(text: string): number {
  if (text === 'infinity') return INFINITE_DATE;
  if (text === '-infinity') return -INFINITE_DATE;
  const parts = DATE.exec(text);
  if (parts === null) throw createUnreadable(text, 'a date');
  return toDays(toYear(parts[1]!, parts[4]), Number(parts[2]), Number(parts[3]));
}

/** The year before 1 is 1 BC. */
function toYear(digits: string, bc: string | undefined): number {
  return bc === undefined ? Number(digits) : 1 - Number(digits);
}

/** Times of the day in microseconds. */
export const timeDecoder: TextDecoder = createFixedDecoder({ kind: 'time' }, BigInt64Array, (field, row) => {
  const text = readFieldText(field, row);
  const parts = TIME.exec(text);
  if (parts === null) throw createUnreadable(text, 'a time');
  return BigInt(toMicroseconds(parts[1]!, parts[2]!, parts[3]!, parts[4]));
});

function toMicroseconds(hour: string, minute: string, second: string, fraction = ''): number {
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return seconds * 1_000_000 + Number(fraction.padEnd(6, '0'));
}

/** Timestamps in microseconds; with an offset `±HH[:MM[:SS]]` they are converted to UTC. */
export function createTimestampDecoder(utc: boolean): TextDecoder {
  const type = { kind: 'timestamp', unit: 'microsecond', utc } as const;
  return createFixedDecoder(type, BigInt64Array, (field, row) => readTimestamp(readFieldText(field, row)));
}

function readTimestamp(text: string): bigint {
  const parts = STAMP.exec(text);
  if (parts === null) {
    if (text === 'infinity') return INFINITE_TIME;
    if (text === '-infinity') return -INFINITE_TIME;
    throw createUnreadable(text, 'a timestamp');
  }
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute, zoneSecond, bc] =
    parts;
  const days = toDays(toYear(year!, bc), Number(month), Number(day));
  const offset = toMicroseconds(zoneHour ?? '0', zoneMinute ?? '0', zoneSecond ?? '0');
  const local = toMicroseconds(hour!, minute!, second!, fraction);
  const time = BigInt(days * DAY_MS) * 1000n + BigInt(local - (sign === '-' ? -offset : offset));
  // PostgreSQL counts from 2000, so its range ends 30 years after that of microseconds since 1970.
  if (time >= INFINITE_TIME) throw createUnreadable(text, 'a timestamp');
  return time;
}
