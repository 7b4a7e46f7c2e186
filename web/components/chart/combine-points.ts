import { printCount } from '../catalog/view/print-size.ts';
import type { BarOrder, Combination } from './chart-settings.ts';
import type { Point } from './read-points.ts';

const MAX_BARS = 100;

/** Marks, and what they leave out or combine, in sentences. */
export interface Read {
  readonly points: readonly Point[];
  readonly notes: readonly string[];
}

/** One value for each place and series: the sum or the mean of its rows. */
export function combinePoints(points: readonly Point[], combination: Combination): Read {
  const places = new Map<
    string | number,
    Map<string, { readonly x: Point['x']; sum: number; count: number }>
  >();
  let combined = 0;
  for (const { x, y, series } of points) {
    const key = x instanceof Date ? x.getTime() : x;
    const place = places.get(key) ?? new Map();
    const known = place.get(series);
    if (known === undefined) {
      place.set(series, { x, sum: y, count: 1 });
    } else {
      known.sum += y;
      known.count += 1;
      combined += 1;
    }
    places.set(key, place);
  }
  const isCount = points.every(({ y }) => y === 1);
  return {
    points: [...places.values()].flatMap((place) =>
      [...place].map(([series, { x, sum, count }]) => ({
        x,
        y: combination === 'mean' ? sum / count : sum,
        series,
      })),
    ),
    notes: combined > 0 && !isCount ? [NOTES[combination]] : [],
  };
}

const NOTES: Readonly<Record<Combination, string>> = {
  sum: 'Several rows share a place: their values are added.',
  mean: 'Several rows share a place: the chart shows the mean of their values.',
};

const NAMES = new Intl.Collator(undefined, { numeric: true });

/** Orders the bars, and keeps the first ones. */
export function orderBars(points: readonly Point[], order: BarOrder): Read {
  const sums = new Map<Point['x'], number>();
  for (const { x, y } of points) sums.set(x, (sums.get(x) ?? 0) + y);
  const bars = [...sums.keys()];
  if (order === 'value') bars.sort((one, other) => (sums.get(other) ?? 0) - (sums.get(one) ?? 0));
  if (order === 'name') bars.sort((one, other) => NAMES.compare(String(one), String(other)));
  const places = new Map(bars.slice(0, MAX_BARS).map((bar, place) => [bar, place]));
  const placeOf = ({ x }: Point) => places.get(x) ?? 0;
  return {
    points: points.filter(({ x }) => places.has(x)).toSorted((one, other) => placeOf(one) - placeOf(other)),
    notes:
      places.size < bars.length
        ? [
            `The chart shows the first ${MAX_BARS} of ${printCount(bars.length)} bars. Order and limit in SQL to choose them.`,
          ]
        : [],
  };
}
