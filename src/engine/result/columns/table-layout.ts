import { toPrintable } from '../../../text/printable.ts';

/** One cell as printed, on one line: `width` is in terminal columns. */
export interface TableCell {
  readonly text: string;
  readonly width: number;
}

export interface Layout {
  /** Width of each visible column. */
  readonly widths: readonly number[];
  /** The number of columns at the end that do not fit the terminal. */
  readonly hidden: number;
}

const ELLIPSIS: TableCell = { text: '…', width: 1 };
/** The minimum width of a cut column; if there is less room, columns are hidden. */
const NARROWEST = 8;
/** The maximum width of a cell if the terminal's width is unknown. */
const MAX_WIDTH = 256;

/** Creates a cell from text; control characters become visible signs. */
export function toCell(text: string): TableCell {
  return /^[ -~]*$/.test(text) ? { text, width: text.length } : toPrintable(text, 0);
}

/** Cuts a cell to `width` columns, with an ellipsis, and pads it with spaces on one side. */
export function fitCell(cell: TableCell, width: number, align: 'left' | 'right'): string {
  const shownCell = cell.width <= width ? cell : cutCell(cell, width);
  const blanks = ' '.repeat(width - shownCell.width);
  return align === 'left' ? shownCell.text + blanks : blanks + shownCell.text;
}

function cutCell(cell: TableCell, width: number): TableCell {
  let text = '';
  let used = 0;
  for (const character of cell.text) {
    const next = toPrintable(character, 0).width;
    if (used + next > width - ELLIPSIS.width) break;
    text += character;
    used += next;
  }
  return { text: text + ELLIPSIS.text, width: used + ELLIPSIS.width };
}

/**
 * Distributes `width` columns of a terminal to table columns of the widths in `natural`. Wide columns are cut to one
 * common width; columns that still do not fit are hidden and replaced by one narrow column. The border takes three more
 * for each column, and one for the table.
 */
export function layOut(natural: readonly number[], width: number | undefined): Layout {
  const wantedWidths = natural.map((columnWidth) => Math.min(columnWidth, MAX_WIDTH));
  if (width === undefined || sum(wantedWidths) <= budget(width, wantedWidths.length))
    return { widths: wantedWidths, hidden: 0 };
  const narrow = wantedWidths.map((columnWidth) => Math.min(columnWidth, NARROWEST));
  if (sum(narrow) <= budget(width, narrow.length))
    return { widths: cutWidest(wantedWidths, width), hidden: 0 };
  let shownCount = narrow.length - 1;
  while (shownCount > 1 && sum(narrow.slice(0, shownCount)) + ELLIPSIS.width > budget(width, shownCount + 1))
    shownCount -= 1;
  return { widths: narrow.slice(0, shownCount), hidden: narrow.length - shownCount };
}

/** The largest common width with which all columns fit; the first cut columns get the rest. */
function cutWidest(wantedWidths: readonly number[], width: number): readonly number[] {
  const room = budget(width, wantedWidths.length);
  let common = NARROWEST;
  while (sum(wantedWidths.map((columnWidth) => Math.min(columnWidth, common + 1))) <= room) common += 1;
  const widths = wantedWidths.map((columnWidth) => Math.min(columnWidth, common));
  let spareWidth = room - sum(widths);
  return widths.map((columnWidth, i) =>
    columnWidth < wantedWidths[i]! && spareWidth-- > 0 ? columnWidth + 1 : columnWidth,
  );
}

function budget(width: number, columns: number): number {
  return width - 3 * columns - 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
