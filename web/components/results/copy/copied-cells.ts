import { notify, notifyFailure } from '../../notify.ts';
import { rowAt, type ShownRows } from '../compute/use-rows.ts';
import { orderColumns } from '../grid/grid-view.ts';
import { type Selection, toRange } from '../grid/selection.ts';
import type { ResultSource } from '../source/result-source.ts';
import { type CopiedCells, type CopyFormat, CopyLimitError, MAX_CELLS, printCells } from './copy-rows.ts';

/** The shown rows of a result, and the selected cells. */
export interface Shown {
  readonly source: ResultSource;
  readonly rows: ShownRows;
  readonly pinned: readonly number[];
  /** Null to copy everything that is shown. */
  readonly selection: Selection | null;
}

/** The number of rows and columns that would be copied. */
export function countCopied({ source, rows, selection }: Shown) {
  if (selection === null) return { rows: rows.count, columns: source.columns.length };
  const { top, bottom, left, right } = toRange(selection);
  return { rows: Math.max(0, Math.min(rows.count - 1, bottom) - top + 1), columns: right - left + 1 };
}

/** The text of the copied cells; null, after a message, if there are too many. */
export function printCopied(shown: Shown, format: CopyFormat, withHeader: boolean): string | null {
  try {
    return printCells(format, listCells(shown), withHeader);
  } catch (error) {
    if (!(error instanceof CopyLimitError)) throw error;
    notify(error.message);
    return null;
  }
}

function listCells(shown: Shown): CopiedCells {
  const { source, rows, pinned, selection } = shown;
  const count = countCopied(shown);
  if (count.rows * count.columns > MAX_CELLS) throw new CopyLimitError();
  const { top, left } = selection === null ? { top: 0, left: 0 } : toRange(selection);
  const order = orderColumns(source.columns.length, pinned);
  return {
    source,
    rows: Array.from({ length: count.rows }, (_, i) => rowAt(rows, top + i)),
    columns: order.slice(left, left + count.columns),
  };
}

/** Copies a text to the clipboard, with a message. */
export async function writeClipboard(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`Copied ${what}`);
  } catch {
    // Browsers offer the clipboard only over HTTPS, and on this machine.
    notifyFailure('The browser does not allow this copy here. Select the cells, and press Ctrl+C.');
  }
}
