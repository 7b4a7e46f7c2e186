import { describe, expect, it } from 'vitest';
import { findTimeTicks, findUnit } from '../../../web/components/chart/time-ticks.ts';

const dates = (...texts: readonly string[]) => texts.map((text) => new Date(`${text}Z`));
const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1)));

function print(times: readonly Date[], most: number): readonly string[] {
  const { ticks, print: printTick } = findTimeTicks(times, findUnit(times) ?? 'day', most);
  return ticks.map(printTick);
}

describe('the ticks of a time axis', () => {
  it('have the unit in which the times differ', () => {
    expect(findUnit(dates('2024-01-01T00:00', '2026-01-01T00:00'))).toBe('year');
    expect(findUnit(MONTHS)).toBe('month');
    expect(findUnit(dates('2024-01-01T00:00', '2024-01-02T00:00'))).toBe('day');
    expect(findUnit(dates('2024-01-01T00:00', '2024-01-01T06:00'))).toBeNull();
  });

  it('are months for months, and as many as fit', () => {
    expect(print(MONTHS, 12)).toEqual(MONTHS.map(() => expect.stringMatching(/^[A-Z][a-z]+ 2026$/)));
    expect(print(MONTHS, 5)).toEqual(['Jan 2026', 'Apr 2026', 'Jul 2026', 'Oct 2026']);
    expect(print(MONTHS.slice(1, 3), 9)).toEqual(['Feb 2026', 'Mar 2026']);
  });

  it('are years for years, also before 100', () => {
    expect(print(dates('2019-01-01T00:00', '2022-01-01T00:00'), 8)).toEqual(['2019', '2020', '2021', '2022']);
    expect(print(dates('1900-01-01T00:00', '2026-01-01T00:00'), 8)).toEqual([
      '1900',
      '1920',
      '1940',
      '1960',
      '1980',
      '2000',
      '2020',
    ]);
    expect(print(dates('0098-01-01T00:00', '0101-01-01T00:00'), 8)).toEqual(['98', '99', '100', '101']);
  });

  it('are days for days, and months or years for many days', () => {
    expect(print(dates('2026-02-27T00:00', '2026-03-02T00:00'), 8)).toEqual([
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    expect(print(dates('2026-01-15T00:00', '2026-06-20T00:00'), 6)).toEqual([
      'Feb 2026',
      'Mar 2026',
      'Apr 2026',
      'May 2026',
      'Jun 2026',
    ]);
    expect(print(dates('2020-01-15T00:00', '2024-06-20T00:00'), 4)).toEqual(['2021', '2022', '2023', '2024']);
  });
});
