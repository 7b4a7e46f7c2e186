import { printCount } from '../catalog/view/print-size.ts';
import { type Bin, BinCounter, isPlaced } from '../results/compute/bins.ts';
import type { ResultSource } from '../results/source/result-source.ts';
import type { ChartSettings } from './chart-settings.ts';
import { MAX_SERIES } from './choose-chart.ts';
import { type ColumnRole, roleOf } from './column-role.ts';

/** The maximum of rows that a chart reads, and of marks that it draws. */
const MAX_ROWS = 100_000;
const MAX_POINTS = 20_000;
const MAX_BARS = 100;
/** The maximum length of the name of a bar or a series, in UTF-16 units. */
const MAX_NAME = 200;
const NULL_NAME = 'NULL';

/** One mark of a chart. */
export interface Point {
  readonly x: number | Date | string;
  readonly y: number;
  readonly series: string;
}

/** The marks of a chart. */
export interface Points {
  /** None for a histogram. */
  readonly points: readonly Point[];
  /** Only for a histogram. */
  readonly bins: readonly Bin[];
  /** What the horizontal axis shows. */
  readonly role: ColumnRole;
  /** The names of the series, in the order of their colours; one without a name if there are no series. */
  readonly series: readonly string[];
  /** What the chart leaves out or combines, in sentences. */
  readonly notes: readonly string[];
}

/** Reads the marks of a chart from the rows of a result, within the limits of what people can see. */
export function readPoints(source: ResultSource, settings: ChartSettings): Points {
  const { kind, x } = settings;
  const column = x === null ? undefined : source.columns[x];
  const role = column === undefined ? 'number' : (roleOf(column) ?? 'name');
  if (kind === 'histogram') return readBins(source, x, role);
  const isBar = kind === 'bar';
  const raw = readRows(source, settings, isBar ? 'name' : role);
  const named = limitSeries(raw.points);
  const combined = isBar ? combineBars(named.points) : { points: named.points, notes: [] };
  const points = combined.points.slice(0, MAX_POINTS);
  const all = combined.points.length;
  const notes = [...raw.notes, ...named.notes, ...combined.notes];
  if (points.length < all) {
    notes.push(
      `The chart shows the first ${printCount(MAX_POINTS)} of ${printCount(all)} points. Aggregate in SQL to see all.`,
    );
  }
  return { points, bins: [], role: isBar ? 'name' : role, series: listSeries(points), notes };
}

function readBins(source: ResultSource, x: number | null, role: ColumnRole): Points {
  const { bins, left } = x === null || role === 'name' ? { bins: [], left: 0 } : countBins(source, x);
  return {
    points: [],
    bins,
    role,
    series: [''],
    notes: describeRest(source.rowCount, source.rowCount, left),
  };
}

interface Read {
  readonly points: readonly Point[];
  readonly notes: readonly string[];
}

function readRows(source: ResultSource, settings: ChartSettings, role: ColumnRole): Read {
  const { x, y } = settings;
  const rows = Math.min(source.rowCount, MAX_ROWS);
  const measures = y.length === 0 ? [null] : y;
  const points: Point[] = [];
  for (let row = 0; row < rows; row += 1) {
    const at = x === null ? '' : readX(source, row, x, role);
    if (at !== null)
      points.push(...readRow(source, row, settings, measures).map((point) => ({ x: at, ...point })));
  }
  return { points, notes: describeRest(source.rowCount, rows, rows * measures.length - points.length) };
}

/** The values of one row, without those that cannot be drawn. */
function readRow(
  source: ResultSource,
  row: number,
  { series }: ChartSettings,
  measures: readonly (number | null)[],
): readonly Pick<Point, 'y' | 'series'>[] {
  return measures.flatMap((measure) => {
    const y = measure === null ? 1 : source.getNumber(row, measure);
    if (y === null || !Number.isFinite(y)) return [];
    return { y, series: nameSeries(source, row, series, measure, measures.length) };
  });
}

function describeRest(all: number, read: number, left: number): readonly string[] {
  const isCut = read < all;
  const values = left === 1 ? 'value is' : 'values are';
  return [
    ...(isCut
      ? [
          `The chart uses the first ${printCount(read)} of ${printCount(all)} rows. Aggregate in SQL to see all.`,
        ]
      : []),
    ...(left > 0 ? [`${printCount(left)} ${values} NULL or not finite, and not shown.`] : []),
  ];
}

/** A value of the horizontal axis; null if it cannot be placed. */
function readX(source: ResultSource, row: number, column: number, role: ColumnRole): Point['x'] | null {
  if (role === 'name') return source.getText(row, column, MAX_NAME) ?? NULL_NAME;
  const value = source.getNumber(row, column);
  if (value === null || !Number.isFinite(value)) return null;
  return role === 'number' ? value : new Date(value);
}

function nameSeries(
  source: ResultSource,
  row: number,
  series: number | null,
  measure: number | null,
  measures: number,
): string {
  const value = series === null ? '' : (source.getText(row, series, MAX_NAME) ?? NULL_NAME);
  if (measures === 1 || measure === null) return value;
  const name = source.columns[measure]?.name ?? '';
  return value === '' ? name : `${value} · ${name}`;
}

/** Omits the series beyond the last colour. */
function limitSeries(points: readonly Point[]): Read {
  const series = listSeries(points);
  if (series.length <= MAX_SERIES) return { points, notes: [] };
  const drawnSeries = new Set(series.slice(0, MAX_SERIES));
  return {
    points: points.filter((point) => drawnSeries.has(point.series)),
    notes: [`The chart shows the first ${MAX_SERIES} of ${printCount(series.length)} series.`],
  };
}

/** Adds the values of one bar, and keeps the first bars. */
function combineBars(points: readonly Point[]): Read {
  const bars = new Map<Point['x'], Map<string, number>>();
  let added = 0;
  for (const { x, y, series } of points) {
    const bar = bars.get(x) ?? new Map<string, number>();
    if (bar.has(series)) added += 1;
    bar.set(series, (bar.get(series) ?? 0) + y);
    bars.set(x, bar);
  }
  const shown = [...bars].slice(0, MAX_BARS);
  const notes: string[] = [];
  if (shown.length < bars.size) {
    notes.push(
      `The chart shows the first ${MAX_BARS} of ${printCount(bars.size)} bars. Order and limit in SQL to choose them.`,
    );
  }
  const isCount = points.every(({ y }) => y === 1);
  if (added > 0 && !isCount) notes.push('Several rows belong to one bar: their values are added.');
  return {
    points: shown.flatMap(([x, bar]) => [...bar].map(([series, y]) => ({ x, y, series }))),
    notes,
  };
}

function listSeries(points: readonly Point[]): readonly string[] {
  return [...new Set(points.map(({ series }) => series))];
}

/** The number of bins that a histogram has at most. */
const MAX_BINS = 50;

/** Counts all values of a column in equal parts of their range; `left` are those without a place. */
function countBins(source: ResultSource, column: number): { bins: readonly Bin[]; left: number } {
  const [least, greatest, count] = findRange(source, column);
  if (count === 0) return { bins: [], left: source.rowCount };
  const step = chooseStep(greatest - least);
  const start = Math.floor(least / step) * step;
  const counter = new BinCounter(start, step, Math.floor((greatest - start) / step) + 1);
  for (let row = 0; row < source.rowCount; row += 1) {
    const value = source.getNumber(row, column);
    if (isPlaced(value)) counter.add(value);
  }
  return { bins: counter.list(), left: source.rowCount - count };
}

function findRange(source: ResultSource, column: number): readonly [number, number, number] {
  let [least, greatest, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let row = 0; row < source.rowCount; row += 1) {
    const value = source.getNumber(row, column);
    if (!isPlaced(value)) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    count += 1;
  }
  return [least, greatest, count];
}

/** The least of 1, 2 and 5 with any number of zeros that divides a range into few enough bins. */
function chooseStep(range: number): number {
  if (range === 0) return 1;
  const wanted = range / MAX_BINS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5].find((step) => step * power >= wanted) ?? 10;
  return factor * power;
}
