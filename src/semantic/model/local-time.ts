import { elementAt } from '../../invariants/must.ts';
import type { Grain } from './model.ts';

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** A point in time: milliseconds since 1970 in UTC, and the finer digits of the second's fraction. */
export interface Moment {
  readonly ms: number;
  readonly micros: number;
}

/** The midnight of a date in UTC, in milliseconds; null for a date that does not exist. */
export function findDay(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null || match[1] === '0000') return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || printDay(ms) !== text ? null : ms;
}

/** Prints the date of a midnight in UTC, such as `2024-05-01`. */
export function printDay(ms: number): string {
  const date = new Date(ms);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${year}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
}

/** The midnight of the next day in UTC. */
export function addDay(ms: number): number {
  return ms + DAY_MS;
}

/** The UTC midnight of the start of the unit that is `offset` units after the unit of a day. */
export function findUnitStart(unit: Grain, day: number, offset: number): number {
  const date = new Date(day);
  if (unit === 'day') return (Math.floor(day / DAY_MS) + offset) * DAY_MS;
  if (unit === 'week') return day + (offset * 7 - ((date.getUTCDay() + 6) % 7)) * DAY_MS;
  const month = date.getUTCMonth();
  const months = { month: month + offset, quarter: month - (month % 3) + offset * 3, year: offset * 12 }[
    unit
  ];
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), months, 1);
  return start.getTime();
}

/** Adds months to a point in time; a day that the month does not have becomes its last day. */
export function addMonths(ms: number, count: number): number {
  const day = findUnitStart('day', ms, 0);
  const date = new Date(day);
  const [month, next] = [findUnitStart('month', day, count), findUnitStart('month', day, count + 1)];
  const last = new Date(next - DAY_MS).getUTCDate();
  return month + (Math.min(date.getUTCDate(), last) - 1) * DAY_MS + (ms - day);
}

/** The UTC midnight of the current date in a time zone. */
export function findToday(now: Date, timezone: string): number {
  return findUnitStart('day', toLocal(now.getTime(), timezone), 0);
}

/** Reads what `printDay` and `printMoment` print. */
export function readMoment(text: string): Moment {
  const [, date = '', time = '00:00:00', fraction = ''] =
    /^(\S+)(?: ([\d:]+)(?:\.(\d+))?)?$/.exec(text) ?? [];
  const micros = Number(fraction.padEnd(6, '0'));
  return { ms: Date.parse(`${date}T${time}Z`) + Math.floor(micros / 1000), micros: micros % 1000 };
}

/** Converts UTC to the local time of a time zone. */
export function toLocal(ms: number, timezone: string): number {
  return isUtc(timezone) ? ms : ms + findOffset(ms, timezone);
}

/** Prints a point in time in UTC, such as `2024-05-01 12:00:00.25`. */
export function printMoment({ ms, micros }: Moment): string {
  const date = new Date(ms);
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(pad).join(':');
  const fraction = (date.getUTCMilliseconds() * 1000 + micros).toString().padStart(6, '0').replace(/0+$/, '');
  return `${printDay(ms)} ${time}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Converts the local time of a time zone to UTC. A repeated time gives its `first` or `last` moment; a skipped time
 * keeps the offset before the gap.
 */
export function fromLocal(local: number, timezone: string, repeated: 'first' | 'last' = 'first'): number {
  if (isUtc(timezone)) return local;
  const offsets = [local - DAY_MS, local + DAY_MS].map((around) => findOffset(around, timezone));
  const [before, after] = [local - elementAt(offsets, 0), local - elementAt(offsets, 1)];
  const exact = [before, after].filter((ms) => ms + findOffset(ms, timezone) === local);
  return (repeated === 'first' ? exact[0] : exact.at(-1)) ?? before;
}

/**
 * The first moment of a local day, given as the midnight of its date in UTC: the end of the gap if midnight is skipped,
 * and the first midnight if there are two.
 */
export function findDayStart(day: number, timezone: string): number {
  return elementAt(listStarts(day, timezone), 0);
}

/**
 * The moments at which the local time of a time zone reaches `local`, falls below it again, and so on: one moment,
 * unless clocks go back to an earlier time.
 */
export function listStarts(local: number, timezone: string): readonly number[] {
  if (isUtc(timezone)) return [local];
  let [before, change] = [local - DAY_MS, local + DAY_MS];
  const [old, next] = [findOffset(before, timezone), findOffset(change, timezone)];
  if (old === next) return [local - old];
  while (change - before > 1) {
    const between = Math.floor((before + change) / 2);
    if (findOffset(between, timezone) === old) before = between;
    else change = between;
  }
  const [first, last] = [local - old, local - next];
  if (first >= change) return [Math.max(last, change)];
  return last <= change ? [first] : [first, change, last];
}

/** Whether a time zone is UTC. */
export function isUtc(timezone: string): boolean {
  return /^(?:etc\/)?utc$/i.test(timezone);
}

/** The spelling of IANA time zones: Asia/Kolkata, US/Eastern, CET. */
const SPELLED = /^(?:[A-Z][^/]*|(?:US|[A-Z][a-z]+)(?:\/[A-Z][^/]*)+)$/;
/** Offsets have no daylight saving time, and short names such as BST are ambiguous, except these. */
const CLEAR = /^(?:UTC|UCT|GMT|[CEMW]ET|[EMH]ST|GB|NZ|PRC|RO[CK]|[A-Z].{3,})$/i;

/**
 * Finds a time zone by its name in any case, in the spelling of databases. An alias that Intl would replace is kept if
 * it is spelled like a zone name. Null if there is no such zone.
 */
export function findTimeZone(name: string): string | null {
  if (!CLEAR.test(name)) return null;
  try {
    const first = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    const isSecond = first.toLowerCase() !== name.toLowerCase();
    return isSecond && SPELLED.test(name) ? name : first;
  } catch {
    return null;
  }
}

/** The offset of a time zone from UTC at a point in time, in ms. */
function findOffset(ms: number, timezone: string): number {
  let format = formats.get(timezone);
  if (format === undefined) {
    const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, era: 'short', ...fields, ...clock });
    formats.set(timezone, format);
  }
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const shown = new Date(0);
  shown.setUTCFullYear(year, part('month') - 1, part('day'));
  shown.setUTCHours(part('hour'), part('minute'), part('second'));
  return shown.getTime() - Math.floor(ms / 1000) * 1000;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
