import { ByteWriter } from '../columns/byte-writer.ts';
import type { Encoder, EncoderOptions } from '../columns/encoder.ts';
import type { Sink } from '../columns/sink.ts';
import type { RowShape } from './compile-rows.ts';
import { createJsonCell } from './json-cells.ts';
import { RowsWriter } from './rows-writer.ts';

const ROW: RowShape = { open: '{', first: '{', between: ',', close: '}\n', nullText: 'null' };

/**
 * One JSON object for each row, on its own line; a repeated column name gets `_2`, `_3`. Without a result set, it is
 * empty.
 */
export function createNdjsonEncoder(sink: Sink, options: EncoderOptions = {}): Encoder {
  const out = new ByteWriter(sink);
  const style = { numbers: options.numbers ?? 'number', oneLine: true } as const;
  let rows: RowsWriter | null = null;
  return {
    async start(columns) {
      const keys = toUniqueNames(columns.map(({ name }) => name)).map((name) => `${JSON.stringify(name)}:`);
      const cells = columns.map(({ type }) => createJsonCell(type, style));
      rows = new RowsWriter(out, ROW, cells, keys);
    },
    chunk: (chunk) => rows!.write(chunk),
    end: () => out.flush(),
  };
}

/** Makes column names unique: the later ones of repeated names get the first free number from 2. */
function toUniqueNames(names: readonly string[]): readonly string[] {
  const all = new Set(names);
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let count = 2; used.has(unique) || (unique !== name && all.has(unique)); count += 1) {
      unique = `${name}_${count}`;
    }
    used.add(unique);
    return unique;
  });
}
