import type { ResultSource } from '../results/source/result-source.ts';
import type { ChartKind, ChartSettings } from './chart-settings.ts';
import { isIdentifier, roleOf } from './column-role.ts';

/** Rows that decide on the first chart. */
const SAMPLE = 1_000;
/** The maximum number of series that colours can tell apart. */
export const MAX_SERIES = 8;

/** The columns of a result by what they can be in a chart. */
interface ChartColumns {
  readonly measures: readonly number[];
  readonly times: readonly number[];
  readonly names: readonly number[];
}

/** Sorts the columns of a result by their roles. */
function listChartColumns({ columns }: Pick<ResultSource, 'columns'>): ChartColumns {
  const all = columns.map((column, index) => ({ column, index, role: roleOf(column) }));
  const pick = (matches: (entry: (typeof all)[number]) => boolean) =>
    all.filter(matches).map(({ index }) => index);
  return {
    measures: pick(({ role, column }) => role === 'number' && !isIdentifier(column)),
    times: pick(({ role }) => role === 'time' || role === 'clock'),
    names: pick(({ role, column }) => role === 'name' || (role === 'number' && isIdentifier(column))),
  };
}

/** Whether a chart can show a column of these. */
export function canDraw(source: Pick<ResultSource, 'columns'>): boolean {
  const { measures, times, names } = listChartColumns(source);
  return measures.length + times.length + names.length > 0;
}

/** The chart that fits the types of the columns and the first rows; null if no column can be drawn. */
export function chooseChart(source: ResultSource): ChartSettings | null {
  const chartColumns = listChartColumns(source);
  const { measures, times, names } = chartColumns;
  const [measure] = measures;
  if (measure === undefined) return times.length + names.length === 0 ? null : chooseCounts(chartColumns);
  if (source.rowCount === 1) return toSettings('number', { y: [measure] });
  const [time] = times;
  if (time !== undefined) return chooseLines(source, time, measures, names);
  const [name, second] = names;
  if (name !== undefined) {
    const series = second !== undefined && repeats(source, name) ? second : null;
    return toSettings('bar', { x: name, y: [measure], series: keepFew(source, series) });
  }
  const [, other] = measures;
  if (other === undefined) return toSettings('histogram', { x: measure });
  const others = measures.slice(1, 1 + MAX_SERIES);
  return rises(source, measure)
    ? toSettings('line', { x: measure, y: others })
    : toSettings('scatter', { x: measure, y: [other] });
}

/** Without a measure, bars show how often each value occurs. */
function chooseCounts({ times, names }: ChartColumns): ChartSettings {
  const [name] = names;
  if (name !== undefined) return toSettings('bar', { x: name });
  return toSettings('histogram', { x: times[0] ?? null });
}

function chooseLines(
  source: ResultSource,
  time: number,
  measures: readonly number[],
  names: readonly number[],
): ChartSettings {
  const [name] = names;
  const series = name !== undefined && repeats(source, time) ? keepFew(source, name) : null;
  // Several measures often have different units; the first one is shown, the others are offered.
  const y = measures.slice(0, 1);
  return toSettings('line', { x: time, y, series });
}

function toSettings(kind: ChartKind, chosen: Partial<ChartSettings>): ChartSettings {
  return { kind, x: null, y: [], series: null, title: '', ...chosen };
}

/** A column of series, if it has few enough values. */
function keepFew(source: ResultSource, series: number | null): number | null {
  if (series === null) return null;
  const values = new Set(sample(source, series));
  return values.size <= MAX_SERIES ? series : null;
}

/** Whether a value occurs in several rows. */
function repeats(source: ResultSource, column: number): boolean {
  const values = sample(source, column);
  return new Set(values).size < values.length;
}

/** Whether each number is greater than the one before, as in a column of years. */
function rises(source: ResultSource, column: number): boolean {
  const rows = Math.min(source.rowCount, SAMPLE);
  for (let row = 1; row < rows; row += 1) {
    const [before, value] = [source.getNumber(row - 1, column), source.getNumber(row, column)];
    if (before === null || value === null || value <= before) return false;
  }
  return rows > 2;
}

function sample(source: ResultSource, column: number): readonly (string | null)[] {
  return Array.from({ length: Math.min(source.rowCount, SAMPLE) }, (_, row) =>
    source.getText(row, column, 200),
  );
}
