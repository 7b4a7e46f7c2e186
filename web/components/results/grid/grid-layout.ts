/** The height of a row, in pixels. */
export const ROW_HEIGHT = 28;
/** The maximum height of an element that all browsers can scroll, in pixels. */
const MAX_HEIGHT = 16_000_000;
/** The rows above and below the visible ones that are drawn, too. */
const OVERSCAN = 6;

/** A range of indices; `end` is exclusive. */
export interface IndexRange {
  readonly start: number;
  readonly end: number;
}

/** The rows to draw. */
export interface RowWindow extends IndexRange {
  /** The distance of the first row to draw from the top of the scrolled content, in pixels. */
  readonly top: number;
}

/** The height of the scrolled rows: of more rows than browsers can scroll, that of a smaller scale. */
export function measureRows(rowCount: number): number {
  return Math.min(rowCount * ROW_HEIGHT, MAX_HEIGHT);
}

/** The rows to draw at a scroll position; `viewHeight` is the visible height of the rows. */
export function findRowWindow(rowCount: number, scrollTop: number, viewHeight: number): RowWindow {
  const offset = toOffset(rowCount, scrollTop, viewHeight);
  const size = Math.min(rowCount, Math.ceil(viewHeight / ROW_HEIGHT) + 1 + 2 * OVERSCAN);
  const start = Math.max(0, Math.min(rowCount - size, Math.floor(offset / ROW_HEIGHT) - OVERSCAN));
  return { start, end: start + size, top: scrollTop - offset + start * ROW_HEIGHT };
}

/** The position at which a row is visible, as near as possible to the present one. */
export function findScrollTop(rowCount: number, row: number, scrollTop: number, viewHeight: number): number {
  const offset = toOffset(rowCount, scrollTop, viewHeight);
  const top = row * ROW_HEIGHT;
  const wanted = Math.max(top + ROW_HEIGHT - viewHeight, Math.min(offset, top));
  return wanted === offset ? scrollTop : Math.max(0, wanted / findScale(rowCount, viewHeight));
}

/** The scroll position at which the same rows are visible after their number has changed. */
export function keepPlace(before: number, rowCount: number, scrollTop: number, viewHeight: number): number {
  const scale = findScale(rowCount, viewHeight);
  return scale === 1 && findScale(before, viewHeight) === 1
    ? scrollTop
    : toOffset(before, scrollTop, viewHeight) / scale;
}

/** The pixels of the rows above a scroll position. */
function toOffset(rowCount: number, scrollTop: number, viewHeight: number): number {
  const last = Math.max(0, rowCount * ROW_HEIGHT - viewHeight);
  return Math.max(0, Math.min(last, scrollTop * findScale(rowCount, viewHeight)));
}

/** The pixels of rows for each pixel of scrolling. */
function findScale(rowCount: number, viewHeight: number): number {
  const [rows, scrolled] = [rowCount * ROW_HEIGHT, measureRows(rowCount)];
  return rows === scrolled ? 1 : (rows - viewHeight) / Math.max(1, scrolled - viewHeight);
}

/** The places of columns: pinned ones stay at the left, the others scroll below them. */
export interface ColumnLayout {
  /** The left edge of each column, and the right edge of the last one, in pixels. */
  readonly edges: Float64Array;
  readonly pinned: number;
}

/** Places columns of the given widths, after `left` pixels for row numbers; the first `pinned` ones stay. */
export function layOutColumns(widths: readonly number[], left: number, pinned: number): ColumnLayout {
  const edges = new Float64Array(widths.length + 1);
  edges[0] = left;
  widths.forEach((width, i) => {
    edges[i + 1] = (edges[i] ?? 0) + width;
  });
  return { edges, pinned };
}

/** The columns to draw, besides the pinned ones. */
export function findColumnRange(
  { edges, pinned }: ColumnLayout,
  scrollLeft: number,
  viewWidth: number,
): IndexRange {
  const count = edges.length - 1;
  const covered = edges[pinned] ?? 0;
  const start = Math.max(pinned, findLast(edges, scrollLeft + covered));
  const end = Math.min(count, findLast(edges, scrollLeft + viewWidth) + 1);
  return { start: Math.min(start, count), end: Math.max(start, end) };
}

/** The position at which a column is visible, as near as possible to the present one. */
export function findScrollLeft(
  { edges, pinned }: ColumnLayout,
  column: number,
  scrollLeft: number,
  viewWidth: number,
): number {
  if (column < pinned) return scrollLeft;
  const [left, right] = [(edges[column] ?? 0) - (edges[pinned] ?? 0), (edges[column + 1] ?? 0) - viewWidth];
  return Math.max(0, Math.min(left, Math.max(right, scrollLeft)));
}

/** The last column that begins at or before a position. */
function findLast(edges: Float64Array, position: number): number {
  let [low, high] = [0, edges.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((edges[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
