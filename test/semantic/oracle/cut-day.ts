import type { Grain } from '../../../src/semantic/model/model.ts';
import { parseDay, printDay } from './value.ts';

/** The first day of the unit that contains a day; weeks start on Monday. */
export function cutDay(day: bigint, grain: Grain): bigint {
  const [year = '', month = ''] = printDay(day).split('-');
  switch (grain) {
    case 'day':
      return day;
    case 'week':
      // 1970-01-01 was a Thursday.
      return day - ((((day + 3n) % 7n) + 7n) % 7n);
    case 'month':
      return parseDay(`${year}-${month}-01`);
    case 'quarter': {
      const first = Math.floor((Number(month) - 1) / 3) * 3 + 1;
      return parseDay(`${year}-${String(first).padStart(2, '0')}-01`);
    }
    case 'year':
      return parseDay(`${year}-01-01`);
  }
}
