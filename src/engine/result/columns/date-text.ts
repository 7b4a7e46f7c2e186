import type { TimeUnit } from './column.ts';

const LAST_DAY = 2 ** 31 - 1;
const LAST_INSTANT = 2n ** 63n - 1n;
const SECONDS_A_DAY = 86_400;

/** Digits of the full fraction of a second, by unit. */
const FRACTION_DIGITS: Readonly<Record<TimeUnit, number>> = {
  second: 0,
  millisecond: 3,
  microsecond: 6,
  nanosecond: 9,
};

/** A day since 1970-01-01 as `2024-01-02`; before the year 1 with ` (BC)`; `infinity` and `-infinity`. */
export function toDateText(days: number): string {
  if (days === LAST_DAY) return 'infinity';
  if (days === -LAST_DAY) return '-infinity';
  const { year, month, day } = toCivil(days);
  const digits = String(year > 0 ? year : 1 - year).padStart(4, '0');
  return `${digits}-${twoDigits(month)}-${twoDigits(day)}${year > 0 ? '' : ' (BC)'}`;
}

/** A time of day, or a duration of any hours, as `03:04:05` with its fraction, if any. */
export function toTimeText(value: bigint, unit: TimeUnit): string {
  const digits = FRACTION_DIGITS[unit];
  const scale = 10n ** BigInt(digits);
  const fraction = value % scale;
  return toClock(Number(value / scale)) + toFraction(fraction, digits);
}

/** A timestamp as SQL databases print it: `2024-01-02 03:04:05.5`, in UTC with `+00` after it. */
export function toTimestampText(value: bigint, unit: TimeUnit, utc: boolean): string {
  const parts = toDayAndTime(value, unit);
  if (typeof parts === 'string') return parts;
  return `${toDateText(parts.days)} ${parts.time}${utc ? '+00' : ''}`;
}

/**
 * A timestamp in ISO 8601: `2024-01-02T03:04:05.5`, in UTC with `Z` after it. Values that do not fit the four digits of
 * an ISO year (BC, years from 10000, infinity) are printed as databases print them.
 */
export function toIsoTimestamp(value: bigint, unit: TimeUnit, utc: boolean): string {
  const parts = toDayAndTime(value, unit);
  if (typeof parts === 'string') return parts;
  const date = toDateText(parts.days);
  if (date.length !== 10) return toTimestampText(value, unit, utc);
  return `${date}T${parts.time}${utc ? 'Z' : ''}`;
}

function toDayAndTime(value: bigint, unit: TimeUnit): { days: number; time: string } | string {
  if (value === LAST_INSTANT) return 'infinity';
  if (value === -LAST_INSTANT) return '-infinity';
  const day = BigInt(SECONDS_A_DAY) * 10n ** BigInt(FRACTION_DIGITS[unit]);
  const inDay = ((value % day) + day) % day;
  return { days: Number((value - inDay) / day), time: toTimeText(inDay, unit) };
}

function toClock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

function toFraction(fraction: bigint, digits: number): string {
  if (fraction === 0n) return '';
  return `.${String(fraction).padStart(digits, '0').replace(/0+$/, '')}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** The proleptic Gregorian date of a day; the year 0 is 1 BC. Counts eras of 400 years from 0000-03-01. */
function toCivil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
