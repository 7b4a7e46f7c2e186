import { fieldErrors } from '../errors/fields.ts';
import { logErrors } from './errors.ts';

const MAX_ENTRIES = 1_000;
const DEFAULT_ENTRIES = 100;

/** The range of log entries to return, newest first. */
export interface LogRange {
  readonly since?: Date | undefined;
  /** Only entries before this time. */
  readonly until?: Date | undefined;
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined;
  /** The id of an entry: only older entries. */
  readonly before?: string | undefined;
}

/** Adds the default limit to a range. Throws 400 for an invalid range. */
export function checkLogRange<Range extends LogRange>(range: Range): Range & { readonly limit: number } {
  const { since, until } = range;
  const limit = checkLimit(range.limit);
  const times = [since, until].filter((time) => time !== undefined);
  if (times.some((time) => Number.isNaN(time.getTime()))) throw logErrors.notATime();
  return { ...range, limit };
}

/** As `checkLimit`; null stands for all, which is -1 in SQL. */
export function checkPageLimit(limit: number | null | undefined): number {
  return limit === null ? -1 : checkLimit(limit);
}

/** The number of entries to return from a long list; 100 by default. Throws 400 below 1 and above 1,000. */
export function checkLimit(limit: number = DEFAULT_ENTRIES): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ENTRIES)
    throw fieldErrors.limitOutOfRange(MAX_ENTRIES);
  return limit;
}
