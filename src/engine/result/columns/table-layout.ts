import { toPrintable } from '../../text/printable.ts';

/** One cell as it will be printed, on one line: `width` in terminal columns. */
export interface Cell {
  readonly text: string;
  readonly width: number;
}

export interface Layout {
  /** Width of each column that is shown. */
  readonly widths: readonly number[];
  /** Columns at the end for which the terminal has no room. */
  readonly hidden: number;
}

const ELLIPSIS: Cell = { text: '…', width: 1 };
/** Below this, columns are left out rather than cut further. */
const NARROWEST = 8;
/** Cells are cut here where the terminal's width is not known. */
const MAX_WIDTH = 256;

/** A cell of any text; whatever would move the cursor becomes a visible sign. */
export function toCell(text: string): Cell {
  return /^[ -~]*$/.test(text) ? { text, width: text.length } : toPrintable(text, 0);
}

/** Cuts a cell to `width` columns, with an ellipsis, and fills it with blanks on one side. */
export function fitCell(cell: Cell, width: number, align: 'left' | 'right'): string {
  const shown = cell.width <= width ? cell : cutCell(cell, width);
  const blanks = ' '.repeat(width - shown.width);
  return align === 'left' ? shown.text + blanks : blanks + shown.text;
}

function cutCell(cell: Cell, width: number): Cell {
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
 * Shares out `width` columns of a terminal among columns that would like to be as wide as `natural`: the
 * wide ones are cut to one common width, and what then finds no room is hidden, with one narrow column in
 * its place. Each column takes three more for its border, the table one.
 */
export function layOut(natural: readonly number[], width: number | undefined): Layout {
  const wanted = natural.map((own) => Math.min(own, MAX_WIDTH));
  if (width === undefined || sum(wanted) <= budget(width, wanted.length))
    return { widths: wanted, hidden: 0 };
  const narrow = wanted.map((own) => Math.min(own, NARROWEST));
  if (sum(narrow) <= budget(width, narrow.length)) return { widths: cutWidest(wanted, width), hidden: 0 };
  let shown = narrow.length - 1;
  while (shown > 1 && sum(narrow.slice(0, shown)) + ELLIPSIS.width > budget(width, shown + 1)) shown -= 1;
  return { widths: narrow.slice(0, shown), hidden: narrow.length - shown };
}

/** The largest common width that lets all columns in, and the rest for the first of those that are cut. */
function cutWidest(wanted: readonly number[], width: number): readonly number[] {
  const room = budget(width, wanted.length);
  let common = NARROWEST;
  while (sum(wanted.map((own) => Math.min(own, common + 1))) <= room) common += 1;
  const widths = wanted.map((own) => Math.min(own, common));
  let left = room - sum(widths);
  return widths.map((own, i) => (own < wanted[i]! && left-- > 0 ? own + 1 : own));
}

function budget(width: number, columns: number): number {
  return width - 3 * columns - 1;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
