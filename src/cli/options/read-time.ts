import { present } from '../../invariants/must.ts';
import { UsageError } from '../context/errors.ts';

const UNITS_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };
/** A date and time of ISO 8601, with its offset from UTC. */
const CLOCK = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses the time of an option: the start of a day (`2027-01-31`, UTC), a time (`2027-01-31T08:00:00Z`), or a number of
 * days, hours or minutes ago (`7d`, `12h`, `30m`). Throws a UsageError for anything else.
 */
export function readTime(option: string, text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([dhm])$/.exec(text) ?? [];
  if (unit !== undefined) return new Date(now.getTime() - Number(count) * present(UNITS_MS[unit]));
  const time = readDay(text) ?? (CLOCK.test(text) ? new Date(text) : undefined);
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(
    `${option} ${text}: use a date such as 2027-01-31, a time such as 2027-01-31T08:00:00Z, or an age such as 7d, 12h or 30m`,
  );
}

/** The start of a day, UTC; undefined for an invalid date. */
export function readDay(text: string): Date | undefined {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  // `Date` turns a day that the month does not have into another day, or into an invalid date.
  return date && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? date : undefined;
}
