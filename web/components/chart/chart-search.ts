import {
  CHART_KINDS,
  type ChartSettings,
  COMBINATIONS,
  FIRST_SETTINGS,
  LAYOUTS,
  ORDERS,
} from './chart-settings.ts';

/** A chart in the address of a page: what a person has chosen, and the statement whose rows it shows. */
export interface ChartSearch extends ChartSettings {
  readonly of: number;
}

/** The maximum length of a title in the address, in UTF-16 units, and of columns. */
const MAX_TITLE = 200;
const MAX_COLUMNS = 8;

/** Reads a chart from an address; undefined for everything else. */
export function readChartSearch(value: unknown): ChartSearch | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given: Partial<Record<keyof ChartSearch, unknown>> = value;
  const kind = CHART_KINDS.find((known) => known === given.kind);
  const y = Array.isArray(given.y) ? given.y.filter(isIndex) : [];
  if (kind === undefined || !isIndex(given.of)) return undefined;
  return {
    of: given.of,
    kind,
    x: isIndex(given.x) ? given.x : null,
    y: [...new Set(y)].slice(0, MAX_COLUMNS),
    series: isIndex(given.series) ? given.series : null,
    title: typeof given.title === 'string' ? given.title.slice(0, MAX_TITLE) : '',
    order: ORDERS.find((known) => known === given.order) ?? FIRST_SETTINGS.order,
    layout: LAYOUTS.find((known) => known === given.layout) ?? null,
    combination: COMBINATIONS.find((known) => known === given.combination) ?? null,
    isLog: given.isLog === true,
  };
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
