/** The kinds of charts, in the order in which they are offered. */
export const CHART_KINDS = ['bar', 'line', 'area', 'scatter', 'histogram', 'number'] as const;

export type ChartKind = (typeof CHART_KINDS)[number];

/** The order of bars: that of the rows, the greatest first, or that of their names. */
export const ORDERS = ['rows', 'value', 'name'] as const;

export type BarOrder = (typeof ORDERS)[number];

/** How bars and areas of several series share a place: on each other, next to each other, or as parts of 100 %. */
export const LAYOUTS = ['stacked', 'grouped', 'percent'] as const;

export type SeriesLayout = (typeof LAYOUTS)[number];

/** The value of several rows at one place. */
export const COMBINATIONS = ['sum', 'mean'] as const;

export type Combination = (typeof COMBINATIONS)[number];

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
  readonly order: BarOrder;
  /** Null for what the columns need, as a mean cannot be added. */
  readonly layout: SeriesLayout | null;
  readonly combination: Combination | null;
  /** Whether the vertical axis is logarithmic. */
  readonly isLog: boolean;
}

/** The settings that a chart has at first, without its columns. */
export const FIRST_SETTINGS: ChartSettings = {
  kind: 'bar',
  x: null,
  y: [],
  series: null,
  title: '',
  order: 'rows',
  layout: null,
  combination: null,
  isLog: false,
};

/** The name of a kind, for people. */
export const KIND_LABELS: Readonly<Record<ChartKind, string>> = {
  bar: 'Bars',
  line: 'Lines',
  area: 'Areas',
  scatter: 'Points',
  histogram: 'Histogram',
  number: 'Number',
};

/** Whether a chart of this kind can have a logarithmic axis. */
export function mayBeLog(kind: ChartKind): boolean {
  return kind === 'bar' || kind === 'line' || kind === 'scatter';
}
