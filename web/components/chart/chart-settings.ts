/** The kinds of charts, in the order in which they are offered. */
export const CHART_KINDS = ['bar', 'line', 'area', 'scatter', 'histogram', 'number'] as const;

export type ChartKind = (typeof CHART_KINDS)[number];

/** What a chart shows; columns are numbers from 0. */
export interface ChartSettings {
  readonly kind: ChartKind;
  /** The column of the horizontal axis; null if the kind needs no column, or if no column fits. */
  readonly x: number | null;
  /** The columns of the vertical axis; several are several series. Empty for a histogram. */
  readonly y: readonly number[];
  /** The column whose values are the series; null for one series per column of `y`. */
  readonly series: number | null;
  readonly title: string;
}

/** The name of a kind, for people. */
export const KIND_LABELS: Readonly<Record<ChartKind, string>> = {
  bar: 'Bars',
  line: 'Lines',
  area: 'Areas',
  scatter: 'Points',
  histogram: 'Histogram',
  number: 'Number',
};
