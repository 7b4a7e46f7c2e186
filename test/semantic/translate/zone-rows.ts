import type { Platform } from '../../../src/semantic/model/model.ts';
import { spellDay, spellTime } from './row-literals.ts';
import { print } from './zone-cases.ts';

/** Rows of a DATETIME and a DATE near it, as SQL of a platform. */
export function printRows(moments: readonly number[], platform: Platform): string {
  const rows = moments.map((ms, at) => {
    const day = print(ms + ((at % 3) - 1) * 43_200_000).slice(0, 10);
    return `SELECT ${at} AS id, ${spellTime(platform, print(ms))} AS ts, ${spellDay(platform, day)} AS d`;
  });
  return rows.join(' UNION ALL ');
}

/**
 * Whether ClickHouse converts a moment: it knows offsets and changes in quarters of an hour only, and counts fractions of
 * a second before 1970 from the other side.
 */
export function isRegular(zone: string, ms: number): boolean {
  return ms > (zone === 'America/St_Johns' ? Date.UTC(2012, 0, 1) : Date.UTC(1980, 0, 1));
}
