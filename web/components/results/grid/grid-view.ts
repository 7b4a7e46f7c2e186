import type { ColumnFilter } from '../compute/filters.ts';
import type { RowOrder } from '../compute/sort-rows.ts';
import type { ResultSource } from '../source/result-source.ts';

/** How a person has arranged a result; columns are those of the source. */
export interface GridView {
  readonly sorting: RowOrder | null;
  readonly filters: readonly ColumnFilter[];
  /** Columns that stay at the left, in their order. */
  readonly pinned: readonly number[];
  /** Widths in pixels that were chosen. */
  readonly widths: ReadonlyMap<number, number>;
}

export const INITIAL_VIEW: GridView = { sorting: null, filters: [], pinned: [], widths: new Map() };

/** Limits of the width of a column, in pixels. */
const MIN_WIDTH = 56;
const MAX_WIDTH = 1_200;
/** The limit of a width that follows from the texts. */
const MAX_AUTO_WIDTH = 340;
/** The usual width of a character, and the space around a text with its buttons, in pixels. */
const CHARACTER = 8.2;
const PADDING = 24;
const HEADER_PADDING = 62;
const TYPE_CHARACTER = 6.8;
const TYPE_PADDING = 48;
/** The cells to measure for all columns together. */
const MAX_MEASURED = 20_000;
const MAX_ROWS = 200;

/** The columns in the order in which they are shown: pinned ones first. */
export function orderColumns(count: number, pinned: readonly number[]): readonly number[] {
  if (pinned.length === 0) return Array.from({ length: count }, (_, i) => i);
  const isPinned = new Set(pinned);
  return [...pinned, ...Array.from({ length: count }, (_, i) => i).filter((column) => !isPinned.has(column))];
}

/** Widths that fit the names and the first texts of all columns. */
export function measureColumns(source: ResultSource): readonly number[] {
  const rows = Math.min(
    source.rowCount,
    MAX_ROWS,
    Math.ceil(MAX_MEASURED / Math.max(1, source.columns.length)),
  );
  return source.columns.map((_, column) => Math.min(MAX_AUTO_WIDTH, measureColumn(source, column, rows)));
}

/** The width that fits the name and the first texts of a column. */
export function measureColumn(source: ResultSource, column: number, rows = 1_000): number {
  const { name = '', type = '' } = source.columns[column] ?? {};
  let length = 4;
  for (let row = 0; row < Math.min(rows, source.rowCount); row += 1) {
    length = Math.max(length, source.getText(row, column, 160)?.length ?? 0);
  }
  const header = Math.max(
    name.length * CHARACTER + HEADER_PADDING,
    type.length * TYPE_CHARACTER + TYPE_PADDING,
  );
  return limitWidth(Math.max(length * CHARACTER + PADDING, header));
}

/** The nearest possible width of a column. */
function limitWidth(width: number): number {
  return Math.round(Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, width)));
}

/** Adds a filter in place of an equal one. */
export function addFilter(view: GridView, filter: ColumnFilter): GridView {
  const others = view.filters.filter(
    ({ column, operator }) => column !== filter.column || operator !== filter.operator,
  );
  return { ...view, filters: [...others, filter] };
}

/** Pins a column after the pinned ones, or releases it. */
export function togglePin(view: GridView, column: number): GridView {
  const { pinned } = view;
  const isPinned = pinned.includes(column);
  return { ...view, pinned: isPinned ? pinned.filter((other) => other !== column) : [...pinned, column] };
}

/** Sorts by a column: ascending, then descending, then not at all. */
export function cycleSorting(view: GridView, column: number): GridView {
  const { sorting } = view;
  if (sorting?.column !== column) return { ...view, sorting: { column, isDescending: false } };
  return { ...view, sorting: sorting.isDescending ? null : { column, isDescending: true } };
}

/** Gives a column a width. */
export function setWidth(view: GridView, column: number, width: number): GridView {
  return { ...view, widths: new Map(view.widths).set(column, limitWidth(width)) };
}
