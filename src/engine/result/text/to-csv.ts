import { ByteWriter } from '../columns/byte-writer.ts';
import type { Encoder } from '../columns/encoder.ts';
import type { Sink } from '../columns/sink.ts';
import type { RowShape } from './compile-rows.ts';
import { createCsvCell } from './csv-cells.ts';
import { RowsWriter } from './rows-writer.ts';

const ROW: RowShape = { open: '', first: '', between: ',', close: '\n', nullText: '' };

/**
 * CSV with a header row, `\n` line ends, NULL as an empty field and the empty string as `""`, quoted as in DuckDB's
 * COPY. Without a result set, it is empty.
 */
export function createCsvEncoder(sink: Sink): Encoder {
  const out = new ByteWriter(sink);
  let rows: RowsWriter | null = null;
  return {
    async start(columns) {
      out.text(`${columns.map(({ name }) => toField(name)).join(',')}\n`);
      const cells = columns.map(({ type }) => createCsvCell(type));
      rows = new RowsWriter(out, ROW, cells);
    },
    chunk: (chunk) => rows!.write(chunk),
    end: () => out.flush(),
  };
}

function toField(name: string): string {
  return name === '' || /[",\n\r#]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
