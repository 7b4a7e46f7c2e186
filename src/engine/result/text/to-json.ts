import { ByteWriter } from '../columns/byte-writer.ts';
import type { Column } from '../columns/column.ts';
import type { Encoder, EncoderOptions } from '../columns/encoder.ts';
import type { Sink } from '../columns/sink.ts';
import { toTypeName } from '../columns/type-names.ts';
import type { RowShape } from './compile-rows.ts';
import { createJsonCell } from './json-cells.ts';
import { RowsWriter } from './rows-writer.ts';

const ROW: RowShape = { open: ',[', first: '[[', between: ',', close: ']', nullText: 'null' };

/**
 * A result as JSON (docs/reference/results.md#documents): `{"result":{"columns":[…],"data":[…]},"stats":{…}}` and a
 * line end, with `targets` and `warnings` if there are any. The statistics come last, so that rows are sent immediately. Without a
 * result set, columns and data are empty.
 */
export function createJsonEncoder(sink: Sink, options: EncoderOptions = {}): Encoder {
  const out = new ByteWriter(sink);
  const style = { numbers: options.numbers ?? 'number', oneLine: false } as const;
  let rows: RowsWriter | null = null;
  let hasRows = false;
  const begin = (columns: readonly Column[]) => {
    const described = columns.map(({ name, type }) => ({ name, type: toTypeName(type) }));
    out.text(`{"result":{"columns":${JSON.stringify(described)},"data":`);
  };
  return {
    async start(columns) {
      begin(columns);
      const cells = columns.map(({ type }) => createJsonCell(type, style));
      rows = new RowsWriter(out, ROW, cells);
    },
    chunk(chunk) {
      hasRows = true;
      return rows!.write(chunk);
    },
    async end(stats, findings = {}) {
      if (rows === null) begin([]);
      const rest = JSON.stringify({ stats, ...findings }).slice(1);
      out.text(`${hasRows ? '' : '['}]},${rest}\n`);
      await out.flush();
    },
  };
}
