import { ByteWriter } from './byte-writer.ts';
import { type BytesVector, type Column, type ColumnType, isValid, type Vector } from './column.ts';
import type { Encoder } from './encoder.ts';
import { createJsonText, type ToJson } from './json-text.ts';
import { createReader } from './read-value.ts';
import type { Sink } from './sink.ts';
import { toTypeName } from './type-names.ts';

type WriteCell = (row: number) => void;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/**
 * The interface's body (2.5): `{"result":{"columns":[…],"data":[…]},"stats":{…}}` and a line end. The
 * statistics come last, so that nothing is kept back; without a result set columns and data are empty.
 */
export function createJsonEncoder(sink: Sink): Encoder {
  const out = new ByteWriter(sink);
  let types: readonly ColumnType[] = [];
  let writers: readonly ToJson[] = [];
  let begun = false;
  let rows = 0;
  const begin = (columns: readonly Column[]) => {
    begun = true;
    const described = columns.map(({ name, type }) => ({ name, type: toTypeName(type) }));
    out.text(`{"result":{"columns":${JSON.stringify(described)},"data":[`);
  };
  return {
    async start(columns) {
      types = columns.map(({ type }) => type);
      writers = types.map(createJsonText);
      begin(columns);
    },
    async chunk(chunk) {
      const cells = types.map((type, i) => createCell(out, type, writers[i]!, chunk.vector(i)));
      for (let row = 0; row < chunk.rows; row += 1) {
        if (rows > 0) out.byte(COMMA);
        writeRow(out, cells, row);
        rows += 1;
        if (out.isFull) await out.flush();
      }
    },
    async end(stats) {
      if (!begun) begin([]);
      out.text(`]},"stats":${JSON.stringify(stats)}}\n`);
      await out.flush();
    },
  };
}

function writeRow(out: ByteWriter, cells: readonly WriteCell[], row: number): void {
  out.byte(OPEN);
  for (let i = 0; i < cells.length; i += 1) {
    if (i > 0) out.byte(COMMA);
    cells[i]!(row);
  }
  out.byte(CLOSE);
}

/** Text goes over byte by byte; everything else takes the way of nested values. */
function createCell(out: ByteWriter, type: ColumnType, toJson: ToJson, vector: Vector): WriteCell {
  if (vector.kind === 'bytes' && type.kind === 'text') {
    const write = type.label === 'INTEGER' ? copyText : writeString;
    return (row) => (isValid(vector.validity, row) ? write(out, vector, row) : out.ascii('null'));
  }
  const read = createReader(type, vector);
  return (row) => out.text(toJson(read(row)));
}

function copyText(out: ByteWriter, { bytes, starts, lengths }: BytesVector, row: number): void {
  out.copy(bytes, starts[row]!, starts[row]! + lengths[row]!);
}

/** What a JSON string must escape, by byte: the control characters, the quote and the backslash. */
const ESCAPES: readonly (string | undefined)[] = Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === 0x5c
    ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1)
    : undefined,
);

function writeString(out: ByteWriter, { bytes, starts, lengths }: BytesVector, row: number): void {
  let from = starts[row]!;
  const end = from + lengths[row]!;
  out.byte(QUOTE);
  for (let at = from; at < end; at += 1) {
    const escaped = ESCAPES[bytes[at]!];
    if (escaped === undefined) continue;
    out.copy(bytes, from, at);
    out.ascii(escaped);
    from = at + 1;
  }
  out.copy(bytes, from, end);
  out.byte(QUOTE);
}
