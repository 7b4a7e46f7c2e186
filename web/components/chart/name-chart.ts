import type { ResultSource } from '../results/source/result-source.ts';
import { type ChartSettings, KIND_LABELS } from './chart-settings.ts';

/** The texts of a chart. */
export interface ChartNames {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** What a screen reader says. */
  readonly label: string;
}

/** Names a chart and its axes after the columns, unless the user has given a title. */
export function nameChart(
  { columns }: ResultSource,
  { kind, x, y, series, title }: ChartSettings,
): ChartNames {
  const nameOf = (column: number) => columns[column]?.name || `column ${column + 1}`;
  const across = x === null ? '' : nameOf(x);
  const up = kind === 'histogram' || y.length === 0 ? 'rows' : y.map(nameOf).join(', ');
  const by = series === null ? '' : ` and ${nameOf(series)}`;
  const own = across === '' ? up : `${up} by ${across}${by}`;
  const name = title.trim() === '' ? own : title.trim();
  return { title: name, x: across, y: up, label: `${KIND_LABELS[kind]}: ${name}` };
}
