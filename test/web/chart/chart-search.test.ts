import { describe, expect, it } from 'vitest';
import { readChartSearch } from '../../../web/components/chart/chart-search.ts';
import { FIRST_SETTINGS } from '../../../web/components/chart/chart-settings.ts';

const CHART = {
  ...FIRST_SETTINGS,
  of: 2,
  kind: 'line',
  x: 0,
  y: [1, 3],
  title: 'Sales',
  isLog: true,
} as const;

describe('a chart in the address', () => {
  it('is read as it was written', () => {
    expect(readChartSearch(JSON.parse(JSON.stringify(CHART)))).toEqual(CHART);
  });

  it.each([
    undefined,
    null,
    'bar',
    7,
    [],
    {},
    { of: 0, kind: 'pie' },
    { kind: 'bar' },
    { of: -1, kind: 'bar' },
  ])('is absent for %j', (value) => {
    expect(readChartSearch(value)).toBeUndefined();
  });

  it('has the first settings instead of those that cannot be read', () => {
    const wrong = {
      of: 0,
      kind: 'bar',
      x: -1,
      y: ['1', 1, 1],
      series: 1.5,
      title: 7,
      order: 'up',
      layout: '',
      isLog: 1,
    };
    expect(readChartSearch(wrong)).toEqual({ ...FIRST_SETTINGS, of: 0, y: [1] });
    const long = { of: 0, kind: 'bar', y: Array.from({ length: 99 }, (_, i) => i), title: 'x'.repeat(999) };
    expect(readChartSearch(long)?.y).toHaveLength(8);
    expect(readChartSearch(long)?.title).toHaveLength(200);
  });
});
