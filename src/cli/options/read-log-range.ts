import type { LogRange } from '../../workspace/api/accounts-api.ts';
import type { CommandInput, OptionValue } from '../context/command.ts';
import { readTime } from './read-time.ts';

/** What `--since`, `--until` and `--limit` say about how much of a log is wanted. Throws a UsageError. */
export function readLogRange({ since, until, limit }: CommandInput['options']): LogRange {
  const now = new Date();
  return {
    since: typeof since === 'string' ? readTime('--since', since, now) : undefined,
    until: typeof until === 'string' ? readTime('--until', until, now) : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
  };
}

/** The text of an option that takes one. */
export function toText(value: OptionValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
