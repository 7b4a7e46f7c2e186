import { ByteWriter } from '../columns/byte-writer.ts';
import { createCellText } from '../columns/cell-text.ts';
import { type Chunk, type Column, type ColumnType, isValid, type Vector } from '../columns/column.ts';
import type { Encoder, EncoderOptions } from '../columns/encoder.ts';
import type { Sink } from '../columns/sink.ts';
import { fitCell, type Layout, layOut, type TableCell, toCell } from '../columns/table-layout.ts';
import { isNumber } from '../columns/type-names.ts';

const DEFAULT_ROWS = 100;
/** Maximum characters that are read and printed of a value. */
const MAX_LENGTH = 2000;
const NULL: TableCell = { text: 'NULL', width: 4 };

/**
 * A table for a terminal: the first `tableRows` rows in boxes, and a last line with the number of rows. Further rows
 * are counted, but not decoded. NULL is `NULL`; the text `NULL` is in quotes. Without a result set, it prints nothing.
 */
export function createTableEncoder(sink: Sink, options: EncoderOptions): Encoder {
  const out = new ByteWriter(sink);
  const maxRows = options.tableRows ?? DEFAULT_ROWS;
  let columns: readonly Column[] | null = null;
  const rows: TableCell[][] = [];
  let count = 0;
  let layout: Layout | null = null;
  const print = (shape: readonly Column[]) => {
    layout = options.expanded ? printExpanded(out, shape, rows) : printTable(out, shape, rows, options.width);
    return out.flush();
  };
  return {
    async start(shape) {
      columns = shape;
    },
    async chunk(chunk) {
      count += chunk.rows;
      if (rows.length < maxRows) takeRows(rows, columns!, chunk, maxRows);
      if (count > maxRows && layout === null) await print(columns!);
    },
    async end() {
      if (columns === null) return;
      if (layout === null) await print(columns);
      out.text(`${countRows(count, rows.length)}${countColumns(columns.length, layout!.hidden)}\n`);
      await out.flush();
    },
  };
}

function takeRows(rows: TableCell[][], columns: readonly Column[], chunk: Chunk, maxRows: number): void {
  const cells = columns.map(({ type }, i) => createCell(type, chunk.vector(i)));
  for (let row = 0; row < chunk.rows && rows.length < maxRows; row += 1) {
    rows.push(cells.map((cell) => cell(row)));
  }
}

function createCell(type: ColumnType, vector: Vector): (row: number) => TableCell {
  const toText = createCellText(type, vector, MAX_LENGTH);
  return (row) => {
    if (!isValid(vector.validity, row)) return NULL;
    const text = toText(row);
    return toCell(text === NULL.text ? `"${text}"` : text);
  };
}

function printTable(
  out: ByteWriter,
  columns: readonly Column[],
  rows: readonly (readonly TableCell[])[],
  width: number | undefined,
): Layout {
  const heads = columns.map(({ name }) => toCell(name.slice(0, MAX_LENGTH)));
  const natural = heads.map((head, i) => rows.reduce((max, row) => Math.max(max, row[i]!.width), head.width));
  const layout = layOut(natural, width);
  const aligns = columns.map(({ type }) => (isNumber(type) ? 'right' : 'left'));
  const more = layout.hidden > 0;
  const line = (cells: readonly TableCell[]) => {
    const fitted = layout.widths.map((columnWidth, i) => fitCell(cells[i]!, columnWidth, aligns[i]!));
    out.text(`│ ${[...fitted, ...(more ? ['…'] : [])].join(' │ ')} │\n`);
  };
  const rule = (left: string, middle: string, right: string) => {
    const bars = [...layout.widths, ...(more ? [1] : [])].map((columnWidth) => '─'.repeat(columnWidth + 2));
    out.text(`${left}${bars.join(middle)}${right}\n`);
  };
  rule('┌', '┬', '┐');
  line(heads);
  rule('├', '┼', '┤');
  rows.forEach(line);
  rule('└', '┴', '┘');
  return layout;
}

/** Prints each row as lines of column and value, below a line with its number. Hides no column. */
function printExpanded(
  out: ByteWriter,
  columns: readonly Column[],
  rows: readonly (readonly TableCell[])[],
): Layout {
  const heads = columns.map(({ name }) => toCell(name.slice(0, MAX_LENGTH)));
  const width = Math.max(...heads.map((head) => head.width));
  rows.forEach((cells, row) => {
    out.text(`─ row ${row + 1} ${'─'.repeat(Math.max(width, 8))}\n`);
    cells.forEach((cell, i) => {
      out.text(`${fitCell(heads[i]!, width, 'left')} │ ${cell.text}\n`);
    });
  });
  return { widths: [], hidden: 0 };
}

function countRows(count: number, shownCount: number): string {
  if (shownCount < count) return `${shownCount} of ${count} rows, ${count - shownCount} more`;
  return count === 1 ? '1 row' : `${count} rows`;
}

function countColumns(count: number, hidden: number): string {
  return hidden === 0 ? '' : `; ${count - hidden} of ${count} columns`;
}
