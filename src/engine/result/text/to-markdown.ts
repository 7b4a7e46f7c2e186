import { ByteWriter } from '../columns/byte-writer.ts';
import { createCellText } from '../columns/cell-text.ts';
import { type Column, type ColumnType, isValid, type Vector } from '../columns/column.ts';
import type { Encoder } from '../columns/encoder.ts';
import { toMarkdownCell } from '../columns/markdown-text.ts';
import type { Sink } from '../columns/sink.ts';
import { isNumber } from '../columns/type-names.ts';

/**
 * A table in GitHub's Markdown with all rows, numbers aligned right; NULL is an empty cell. Characters that would end a
 * cell or a line are escaped. Without a result set, it is empty.
 */
export function createMarkdownEncoder(sink: Sink): Encoder {
  const out = new ByteWriter(sink);
  let columns: readonly Column[] = [];
  const writeRow = (cells: readonly string[]) => out.text(`| ${cells.join(' | ')} |\n`);
  return {
    async start(shape) {
      columns = shape;
      writeRow(shape.map(({ name }) => toMarkdownCell(name)));
      writeRow(shape.map(({ type }) => (isNumber(type) ? '---:' : '---')));
    },
    async chunk(chunk) {
      const cells = columns.map(({ type }, i) => createCell(type, chunk.vector(i)));
      for (let row = 0; row < chunk.rows; row += 1) {
        writeRow(cells.map((cell) => cell(row)));
        if (out.isFull) await out.flush();
      }
    },
    end: () => out.flush(),
  };
}

function createCell(type: ColumnType, vector: Vector): (row: number) => string {
  const toText = createCellText(type, vector);
  return (row) => (isValid(vector.validity, row) ? toMarkdownCell(toText(row)) : '');
}
