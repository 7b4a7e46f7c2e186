import { elementAt } from '../../invariants/must.ts';

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment as its milliseconds since 1970 in UTC, and the digits of its second's fraction that are finer. */
export interface Moment {
  readonly ms: number;
  readonly micros: number;
}

/** The milliseconds of a date's midnight in UTC; null when the calendar has no such date. */
export function findDay(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null || match[1] === '0000') return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || printDay(ms) !== text ? null : ms;
}

/** The date of a midnight in UTC, such as `2024-05-01`. */
export function printDay(ms: number): string {
  const date = new Date(ms);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${year}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
}

/** The next day's midnight in UTC. */
export function addDay(ms: number): number {
  return ms + DAY_MS;
}

/** The midnight in UTC of the date that the clocks of a time zone show at a moment. */
export function findToday(now: Date, timezone: string): number {
  const local = now.getTime() + (isUtc(timezone) ? 0 : findOffset(now.getTime(), timezone));
  return Math.floor(local / DAY_MS) * DAY_MS;
}

/** A moment in UTC, such as `2024-05-01 12:00:00.25`. */
export function printMoment({ ms, micros }: Moment): string {
  const date = new Date(ms);
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(pad).join(':');
  const fraction = (date.getUTCMilliseconds() * 1000 + micros).toString().padStart(6, '0').replace(/0+$/, '');
  return `${printDay(ms)} ${time}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The moment when the clocks of a time zone show `local`, given as if in UTC; the first of two, the next where there is none. */
export function fromLocal(local: number, timezone: string): number {
  if (isUtc(timezone)) return local;
  const offsets = [local - DAY_MS, local + DAY_MS].map((around) => findOffset(around, timezone));
  const [before, after] = [local - elementAt(offsets, 0), local - elementAt(offsets, 1)];
  if (before + findOffset(before, timezone) === local) return before;
  return after + findOffset(after, timezone) === local ? after : before;
}

function isUtc(timezone: string): boolean {
  return /^(?:etc\/)?utc$/i.test(timezone);
}

/** How time zones are spelled: Asia/Kolkata, US/Eastern, CET. */
const SPELLED = /^(?:[A-Z][^/]*|(?:US|[A-Z][a-z]+)(?:\/[A-Z][^/]*)+)$/;
/** Offsets know no summer, and short names such as BST are of several zones, but for these. */
const CLEAR = /^(?:UTC|UCT|GMT|[CEMW]ET|[EMH]ST|GB|NZ|PRC|RO[CK]|[A-Z].{3,})$/i;

/**
 * The time zone of a name in any case, as databases spell it; a zone's second name, which Intl replaces by its first,
 * stays if it is spelled as names are. Null where there is none.
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

/** How far ahead of UTC a time zone is at a moment, in ms. */
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
