import type { LogRange } from '../../identity/log-range.ts';
import type { LogOptions } from '../table/admin-commands.ts';
import { readTime } from './read-time.ts';

/** The range of a log from `--since`, `--until` and `--limit`. Throws a UsageError. */
export function readLogRange({ since, until, limit }: LogOptions): LogRange {
  const now = new Date();
  return {
    since: since === undefined ? undefined : readTime('--since', since, now),
    until: until === undefined ? undefined : readTime('--until', until, now),
    limit,
  };
}
