import type { ResultSource } from '../results/source/result-source.ts';
import { type ChartKind, type ChartSettings, FIRST_SETTINGS } from './chart-settings.ts';
import { isCounted, isIdentifier, roleOf } from './column-role.ts';

/** Rows that decide on the first chart. */
const SAMPLE = 1_000;
/** The maximum number of series that colours can tell apart. */
export const MAX_SERIES = 8;
/** The maximum different values of integers that are categories, such as ratings or months. */
const MAX_CATEGORIES = 12;

/** The columns of a result by what they can be in a chart. */
interface ChartColumns {
  readonly measures: readonly number[];
  readonly times: readonly number[];
  /** Names, and integers that are categories. */
  readonly names: readonly number[];
  readonly categories: readonly number[];
}

/** Sorts the columns of a result by their roles and their first values. */
function listChartColumns(source: ResultSource): ChartColumns {
  const pick = (matches: (column: number) => boolean) =>
    source.columns.flatMap((_, index) => (matches(index) ? index : []));
  const isNumber = (column: number) => findRole(source, column) === 'number';
  const isNamed = (column: number) => isIdentifierOf(source, column);
  const years = pick((column) => isNumber(column) && areYears(source, column));
  const numbers = pick((column) => isNumber(column) && !isNamed(column) && !years.includes(column));
  const times = pick((column) => isTime(source, column) || years.includes(column));
  const plain = pick(
    (column) => findRole(source, column) === 'name' || (isNumber(column) && isNamed(column)),
  );
  const few = numbers.filter((column) => isCategory(source, column));
  const isOnly = numbers.length === 1 && times.length + plain.length === 0;
  // One number remains to be shown.
  const categories =
    few.length < numbers.length || isOnly ? few : few.filter((column) => column !== numbers.at(-1));
  return {
    measures: numbers.filter((column) => !categories.includes(column)),
    times,
    names: pick((column) => plain.includes(column) || categories.includes(column)),
    categories,
  };
}

function findRole({ columns }: Pick<ResultSource, 'columns'>, index: number) {
  const column = columns[index];
  return column === undefined ? null : roleOf(column);
}

function isTime(source: ResultSource, index: number): boolean {
  const role = findRole(source, index);
  return role === 'time' || role === 'clock';
}

function isIdentifierOf({ columns }: ResultSource, index: number): boolean {
  const column = columns[index];
  return column !== undefined && isIdentifier(column);
}

/** Whether a chart can show a column of these. */
export function canDraw({ columns }: Pick<ResultSource, 'columns'>): boolean {
  return columns.some((column) => roleOf(column) !== null);
}

/** The chart that fits the types of the columns and the first rows; null if no column can be drawn. */
export function chooseChart(source: ResultSource): ChartSettings | null {
  const chartColumns = listChartColumns(source);
  const { measures, times, names, categories } = chartColumns;
  const [measure] = measures;
  if (measure === undefined) return times.length + names.length === 0 ? null : chooseCounts(chartColumns);
  if (source.rowCount === 1) return toSettings('number', { y: [measure] });
  const [time] = times;
  if (time !== undefined) return chooseLines(source, time, measures, names);
  const [name, second] = names;
  if (name !== undefined) {
    const series = second !== undefined && repeats(source, name) ? second : null;
    const order = categories.includes(name) ? 'name' : 'rows';
    return toSettings('bar', { x: name, y: [measure], series: keepFew(source, series), order });
  }
  const [, other] = measures;
  if (other === undefined) return toSettings('histogram', { x: measure });
  const others = measures.slice(1, 1 + MAX_SERIES);
  return rises(source, measure)
    ? toSettings('line', { x: measure, y: others })
    : toSettings('scatter', { x: measure, y: [other] });
}

/** Without a measure, bars show how often each value occurs. */
function chooseCounts({ times, names, categories }: ChartColumns): ChartSettings {
  const [name] = names;
  if (name !== undefined)
    return toSettings('bar', { x: name, order: categories.includes(name) ? 'name' : 'rows' });
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
  return { ...FIRST_SETTINGS, kind, ...chosen };
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

/** Whether integers are few, such as ratings: they repeat, or they are the first column, as after GROUP BY. */
function isCategory(source: ResultSource, index: number): boolean {
  const column = source.columns[index];
  if (column?.type !== 'INTEGER' || isCounted(column) || source.rowCount < 2) return false;
  const values = sample(source, index);
  const { size } = new Set(values);
  return size <= MAX_CATEGORIES && (size < values.length || index === 0);
}

/** Whether integers are years: a name says so, or each is greater than the one before. */
function areYears(source: ResultSource, index: number): boolean {
  const column = source.columns[index];
  if (column?.type !== 'INTEGER') return false;
  const values = sample(source, index).map(Number);
  const isYear = (year: number) => year >= 1_800 && year <= 2_200;
  return values.length > 1 && values.every(isYear) && (/year/i.test(column.name) || rises(source, index));
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
