import { printCount } from '../catalog/view/print-size.ts';
import type { Bin } from '../results/compute/bins.ts';
import type { ResultSource } from '../results/source/result-source.ts';
import { type ChartSettings, type Combination, mayBeLog, type SeriesLayout } from './chart-settings.ts';
import { MAX_SERIES } from './choose-chart.ts';
import { type ColumnRole, isAverage, roleOf } from './column-role.ts';
import { combinePoints, orderBars, type Read } from './combine-points.ts';
import { countHistogram } from './count-histogram.ts';

/** The maximum of rows that a chart reads, and of marks that it draws. */
const MAX_ROWS = 100_000;
const MAX_POINTS = 20_000;
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
  const combined =
    kind === 'scatter'
      ? named
      : combinePoints(named.points, settings.combination ?? findCombination(source, settings));
  const ordered = isBar ? orderBars(combined.points, settings.order) : { points: combined.points, notes: [] };
  const positive =
    settings.isLog && mayBeLog(kind) ? keepPositive(ordered.points) : { points: ordered.points, notes: [] };
  const points = positive.points.slice(0, MAX_POINTS);
  const all = positive.points.length;
  const further = kind === 'scatter' ? [] : combined.notes;
  const notes = [...raw.notes, ...named.notes, ...further, ...ordered.notes, ...positive.notes];
  if (points.length < all) {
    notes.push(
      `The chart shows the first ${printCount(MAX_POINTS)} of ${printCount(all)} points. Aggregate in SQL to see all.`,
    );
  }
  return { points, bins: [], role: isBar ? 'name' : role, series: listSeries(points), notes };
}

/** How several rows of one place are combined, unless a person chooses: averages are never added. */
export function findCombination({ columns }: ResultSource, { y }: ChartSettings): Combination {
  return y.some((measure) => isAverageAt(columns, measure)) ? 'mean' : 'sum';
}

/** How series share a place, unless a person chooses: only parts of a whole are stacked. */
export function findLayout({ columns }: ResultSource, { y }: ChartSettings): SeriesLayout {
  return y.length > 1 || y.some((measure) => isAverageAt(columns, measure)) ? 'grouped' : 'stacked';
}

function isAverageAt(columns: ResultSource['columns'], index: number): boolean {
  const column = columns[index];
  return column !== undefined && isAverage(column);
}

/** A logarithmic axis has no place for other values. */
function keepPositive(points: readonly Point[]): Read {
  const positive = points.filter(({ y }) => y > 0);
  const left = points.length - positive.length;
  const values = left === 1 ? 'value is' : 'values are';
  return {
    points: positive,
    notes:
      left > 0 ? [`${printCount(left)} ${values} not above 0, and not shown on a logarithmic axis.`] : [],
  };
}

function readBins(source: ResultSource, x: number | null, role: ColumnRole): Points {
  const { bins, left } = x === null || role === 'name' ? { bins: [], left: 0 } : countHistogram(source, x);
  return {
    points: [],
    bins,
    role,
    series: [''],
    notes: describeRest(source.rowCount, source.rowCount, left),
  };
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

function listSeries(points: readonly Point[]): readonly string[] {
  return [...new Set(points.map(({ series }) => series))];
}
