import { UsageError } from '../context/errors.ts';
import { readDay } from './read-time.ts';

const DAY_MS = 86_400_000;
/** A hundred years: whoever wants more wants `never`. */
const MAX_DAYS = 36_500;

/**
 * When `--expires` says that something ends: so many days from now (`90d`), with the beginning of a day (`2027-01-31`,
 * UTC), or never, which is undefined. Throws a UsageError for anything else.
 */
export function readExpiry(text: string, now: Date): Date | undefined {
  if (text === 'never') return undefined;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days !== undefined && Number(days) >= 1 && Number(days) <= MAX_DAYS) {
    return new Date(now.getTime() + Number(days) * DAY_MS);
  }
  const date = readDay(text);
  if (date !== undefined) return date;
  throw new UsageError(
    `--expires ${text}: write days as 90d (at most ${MAX_DAYS}d), a date as 2027-01-31, or never`,
  );
}
