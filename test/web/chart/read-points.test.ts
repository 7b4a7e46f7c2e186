import { afterAll, describe, expect, it } from 'vitest';
import { type ChartSettings, FIRST_SETTINGS } from '../../../web/components/chart/chart-settings.ts';
import { findCombination, findLayout, readPoints } from '../../../web/components/chart/read-points.ts';
import { openMemory } from '../../engine/result/encode.ts';
import { readSource } from '../results/arrow-bytes.ts';

const connection = await openMemory();
afterAll(() => connection.close());

const BARS: ChartSettings = { ...FIRST_SETTINGS, x: 0, y: [1] };

async function read(sql: string, settings: Partial<ChartSettings> = {}) {
  return readPoints(await readSource(connection, sql), { ...BARS, ...settings });
}

describe('the points of a chart', () => {
  it('have the values of the columns', async () => {
    const points = await read(
      "SELECT 'a' AS name, 1.25 AS n UNION ALL SELECT NULL, 2 UNION ALL SELECT '', 3",
    );
    expect(points).toEqual({
      points: [
        { x: 'a', y: 1.25, series: '' },
        { x: 'NULL', y: 2, series: '' },
        { x: '', y: 3, series: '' },
      ],
      bins: [],
      role: 'name',
      series: [''],
      notes: [],
    });
  });

  it('have times in UTC', async () => {
    const { points, role } = await read("SELECT TIMESTAMPTZ '2024-01-02 03:04:05+00' AS at, 1 AS n", {
      kind: 'line',
    });
    expect(role).toBe('time');
    expect(points).toEqual([{ x: new Date('2024-01-02T03:04:05Z'), y: 1, series: '' }]);
  });

  it('leave out NULL and what is not finite, and say so', async () => {
    const values = "(1, 1::DOUBLE), (2, NULL), (3, 'inf'::DOUBLE), (4, 'nan'::DOUBLE), (NULL, 5)";
    const { points, notes } = await read(`SELECT * FROM (VALUES ${values}) v(x, y)`, { kind: 'scatter' });
    expect(points).toEqual([{ x: 1, y: 1, series: '' }]);
    expect(notes).toEqual(['4 values are NULL or not finite, and not shown.']);
  });

  it('add the values of one bar, and say so', async () => {
    const { points, notes } = await read("SELECT 'a' AS name, i AS n FROM range(4) r(i)");
    expect(points).toEqual([{ x: 'a', y: 6, series: '' }]);
    expect(notes).toEqual(['Several rows share a place: their values are added.']);
  });

  it('never add averages, unless a person asks for it', async () => {
    const sql = "SELECT 'a' AS name, i AS \"avg(price)\", DATE '2026-01-01' AS day FROM range(4) r(i)";
    const { points, notes } = await read(sql);
    expect(points).toEqual([{ x: 'a', y: 1.5, series: '' }]);
    expect(notes).toEqual(['Several rows share a place: the chart shows the mean of their values.']);
    const line = await read(sql, { kind: 'line', x: 2 });
    expect(line.points).toEqual([{ x: new Date('2026-01-01'), y: 1.5, series: '' }]);
    expect((await read(sql, { combination: 'sum' })).points).toEqual([{ x: 'a', y: 6, series: '' }]);
    const source = await readSource(
      connection,
      "SELECT 'a' AS name, 1 AS sold, 2 AS avgPrice, 3 AS max_price",
    );
    const find = (y: readonly number[]) => [
      findLayout(source, { ...BARS, y }),
      findCombination(source, { ...BARS, y }),
    ];
    expect([[1], [2], [3], [1, 2]].map(find)).toEqual([
      ['stacked', 'sum'],
      ['grouped', 'mean'],
      ['grouped', 'mean'],
      ['grouped', 'mean'],
    ]);
  });

  it('have the order that a person wants, and the first bars of it', async () => {
    const sql = "SELECT 'n' || i AS name, (i * 7) % 101 AS n FROM range(101) r(i)";
    const names = async (order: ChartSettings['order']) =>
      (await read(sql, { order })).points.slice(0, 3).map(({ x }) => x);
    expect(await names('rows')).toEqual(['n0', 'n1', 'n2']);
    expect(await names('value')).toEqual(['n72', 'n43', 'n14']);
    expect(await names('name')).toEqual(['n0', 'n1', 'n2']);
    expect((await read('SELECT * FROM (VALUES (10, 1), (9, 2)) v(a, b)', { order: 'name' })).points).toEqual([
      { x: '9', y: 2, series: '' },
      { x: '10', y: 1, series: '' },
    ]);
  });

  it('of a logarithmic axis are above 0, and the others are counted', async () => {
    const sql = 'SELECT i AS x, i - 2 AS n FROM range(5) r(i)';
    const { points, notes } = await read(sql, { kind: 'scatter', isLog: true });
    expect(points.map(({ y }) => y)).toEqual([1, 2]);
    expect(notes).toEqual(['3 values are not above 0, and not shown on a logarithmic axis.']);
    expect((await read(sql, { kind: 'area', isLog: true })).points).toHaveLength(5);
  });

  it('count the rows of each name without a measure', async () => {
    const { points, notes } = await read("SELECT 'x' || i % 2 AS name FROM range(5) r(i)", { y: [] });
    expect(points).toEqual([
      { x: 'x0', y: 3, series: '' },
      { x: 'x1', y: 2, series: '' },
    ]);
    expect(notes).toEqual([]);
  });

  it('have one series for each measure, or for each value of a column', async () => {
    const sql = "SELECT 1 AS x, 2 AS sold, 3 AS bought, 'a' AS shop UNION ALL SELECT 2, 4, 5, 'b'";
    expect((await read(sql, { kind: 'line', y: [1, 2] })).series).toEqual(['sold', 'bought']);
    expect((await read(sql, { kind: 'line', series: 3 })).series).toEqual(['a', 'b']);
    expect((await read(sql, { kind: 'line', y: [1, 2], series: 3 })).series).toEqual([
      'a · sold',
      'a · bought',
      'b · sold',
      'b · bought',
    ]);
  });

  it('stay few for a million groups, and say what is left out', async () => {
    const { points, notes } = await read("SELECT 'group ' || i AS name, i AS n FROM range(1000000) r(i)");
    expect(points).toHaveLength(100);
    expect(notes).toEqual([
      'The chart uses the first 100,000 of 1,000,000 rows. Aggregate in SQL to see all.',
      'The chart shows the first 100 of 100,000 bars. Order and limit in SQL to choose them.',
    ]);
    const lines = await read('SELECT i, i AS n FROM range(30000) r(i)', { kind: 'line' });
    expect(lines.points).toHaveLength(20_000);
    expect(lines.notes).toEqual([
      'The chart shows the first 20,000 of 30,000 points. Aggregate in SQL to see all.',
    ]);
  });

  it('have at most eight series', async () => {
    const { series, notes } = await read("SELECT i AS x, i AS n, 's' || i % 20 AS s FROM range(100) r(i)", {
      kind: 'line',
      series: 2,
    });
    expect(series).toHaveLength(8);
    expect(notes).toEqual(['The chart shows the first 8 of 20 series.']);
  });

  it('of a histogram count every row in equal parts of the range', async () => {
    const histogram = { kind: 'histogram', x: 0, y: [] } as const;
    const { bins, notes } = await read(
      'SELECT i % 100 AS n FROM range(200000) r(i) UNION ALL SELECT NULL',
      histogram,
    );
    expect(bins).toHaveLength(50);
    expect(bins[0]).toEqual({ from: 0, to: 2, count: 4_000 });
    expect(bins.every(({ count }) => count === 4_000)).toBe(true);
    expect(notes).toEqual(['1 value is NULL or not finite, and not shown.']);
    expect((await read('SELECT 7 AS n FROM range(3)', histogram)).bins).toEqual([
      { from: 7, to: 8, count: 3 },
    ]);
    expect((await read('SELECT NULL::INTEGER AS n FROM range(3)', histogram)).bins).toEqual([]);
    const days = await read("SELECT DATE '2024-01-01' + i::INTEGER AS d FROM range(100) r(i)", histogram);
    expect(days.bins.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    expect(days.role).toBe('time');
  });
});
