import { fieldErrors } from '../errors/fields.ts';
import { logErrors } from './errors.ts';

const MAX_ENTRIES = 1_000;
const DEFAULT_ENTRIES = 100;

/** How much of a log is wanted, newest first. */
export interface LogRange {
  readonly since?: Date | undefined;
  /** The moment after the last one wanted. */
  readonly until?: Date | undefined;
  /** At most 1,000; 100 by default. */
  readonly limit?: number | undefined;
  /** The id of an entry: older ones only. */
  readonly before?: string | undefined;
}

/** The range with its limit. Throws 400 for what is none. */
export function checkLogRange<Range extends LogRange>(range: Range): Range & { readonly limit: number } {
  const { since, until } = range;
  const limit = checkLimit(range.limit);
  const times = [since, until].filter((time) => time !== undefined);
  if (times.some((time) => Number.isNaN(time.getTime()))) throw logErrors.notATime();
  return { ...range, limit };
}

/** How many entries of a long list are wanted: as many as asked for, or 100. Throws 400 for none and more than 1,000. */
export function checkLimit(limit: number = DEFAULT_ENTRIES): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ENTRIES)
    throw fieldErrors.limitOutOfRange(MAX_ENTRIES);
  return limit;
}
