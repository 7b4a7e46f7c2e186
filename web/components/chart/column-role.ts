import type { ResultColumn } from '../results/source/result-source.ts';

/** What a column can be in a chart: a measure, a point in time, a time of day, or a name. */
export type ColumnRole = 'number' | 'time' | 'clock' | 'name';

/** The role of a column; null if a chart cannot show its values. */
export function roleOf({ type, valueType }: ResultColumn): ColumnRole | null {
  switch (type) {
    case 'INTEGER':
    case 'DECIMAL':
    case 'DOUBLE':
      return 'number';
    case 'DATE':
    case 'TIMESTAMP':
      return 'time';
    case 'TIME':
      return valueType.kind === 'time' ? 'clock' : 'name';
    case 'STRING':
    case 'BOOLEAN':
      return 'name';
    default:
      return null;
  }
}

/** Words of the names of columns whose values cannot be added. */
const NOT_ADDED = new Set(
  'avg average mean median min minimum max maximum rate ratio share percent percentage pct percentile quantile stddev variance'.split(
    ' ',
  ),
);
/** Words of the names of columns whose values are sizes, however few there are. */
const COUNTED = new Set('count n number rows total sum amount quantity qty'.split(' '));
const IDENTIFYING = new Set('id key code uuid'.split(' '));

/** Whether the numbers of a column identify something, so that their sum or their size means nothing. */
export function isIdentifier({ name }: ResultColumn): boolean {
  return IDENTIFYING.has(splitName(name).at(-1) ?? '');
}

/** Whether the sum of the numbers of a column means nothing, as of averages. */
export function isAverage({ name }: ResultColumn): boolean {
  return name.includes('%') || splitName(name).some((word) => NOT_ADDED.has(word));
}

/** Whether the name of a column says that its numbers are sizes. */
export function isCounted({ name }: ResultColumn): boolean {
  return splitName(name).some((word) => COUNTED.has(word));
}

/** The words of a name such as `avg(unit_price)` or `unitPriceAvg`, in lower case. */
function splitName(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
