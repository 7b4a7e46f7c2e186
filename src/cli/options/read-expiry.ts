import { UsageError } from '../context/errors.ts';
import { readDay } from './read-time.ts';

const DAY_MS = 86_400_000;
/** A hundred years. */
const MAX_DAYS = 36_500;

/**
 * Parses `--expires`: days from now (`90d`), the start of a day (`2027-01-31`, UTC), or `never`, which is null. Throws a
 * UsageError for anything else.
 */
export function readExpiry(text: string, now: Date): Date | null {
  if (text === 'never') return null;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined && Number(days) >= 1 && Number(days) <= MAX_DAYS) {
    return new Date(now.getTime() + Number(days) * DAY_MS);
  }
  const date = readDay(text);
  if (date !== undefined) return date;
  throw new UsageError(
    `--expires ${text}: use days such as 90d (at most ${MAX_DAYS}d), a date such as 2027-01-31, or never`,
  );
}
