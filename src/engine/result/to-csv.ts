import { ByteWriter } from './byte-writer.ts';
import { type BytesVector, type ColumnType, isValid, type NestedVector, type Vector } from './column.ts';
import type { Encoder } from './encoder.ts';
import { createPlainText, toBinaryText } from './plain-text.ts';
import { createReader } from './read-value.ts';
import type { Sink } from './sink.ts';

type WriteCell = (row: number) => void;

const QUOTE = 0x22;
const COMMA = 0x2c;
const LINE_END = 0x0a;

/**
 * CSV with a header row, `\n` line ends, NULL as nothing and the empty string as `""`, quoted where DuckDB's
 * COPY quotes. Without a result set it is empty.
 */
export function createCsvEncoder(sink: Sink): Encoder {
  const out = new ByteWriter(sink);
  let types: readonly ColumnType[] = [];
  return {
    async start(columns) {
      types = columns.map(({ type }) => type);
      writeRow(
        out,
        columns.map(
          ({ name }) =>
            () =>
              writeText(out, name),
        ),
        0,
      );
    },
    async chunk(chunk) {
      const cells = types.map((type, i) => createCell(out, type, chunk.vector(i)));
      for (let row = 0; row < chunk.rows; row += 1) {
        writeRow(out, cells, row);
        if (out.isFull) await out.flush();
      }
    },
    async end() {
      await out.flush();
    },
  };
}

function writeRow(out: ByteWriter, cells: readonly WriteCell[], row: number): void {
  for (let i = 0; i < cells.length; i += 1) {
    if (i > 0) out.byte(COMMA);
    cells[i]!(row);
  }
  out.byte(LINE_END);
}

function createCell(out: ByteWriter, type: ColumnType, vector: Vector): WriteCell {
  const write = createValueCell(out, type, vector);
  const { validity } = vector;
  return validity === null
    ? write
    : (row) => {
        if (isValid(validity, row)) write(row);
      };
}

function createValueCell(out: ByteWriter, type: ColumnType, vector: Vector): WriteCell {
  switch (vector.kind) {
    case 'nested':
      return (row) => writeText(out, (vector as NestedVector).texts[row]!);
    case 'bytes':
      return type.kind === 'binary' ? createBinaryCell(out, vector) : (row) => writeBytes(out, vector, row);
    case 'fixed': {
      // No quote, comma or line end is ever in these texts.
      const [read, toText] = [createReader(type, vector), createPlainText(type)];
      return (row) => out.ascii(toText(read(row)!));
    }
  }
}

function createBinaryCell(out: ByteWriter, { bytes, starts, lengths }: BytesVector): WriteCell {
  return (row) => writeText(out, toBinaryText(bytes.subarray(starts[row]!, starts[row]! + lengths[row]!)));
}

/** Whether a field with this byte stands in quotes. */
const QUOTED: readonly boolean[] = Array.from({ length: 256 }, (_, byte) =>
  '",\n\r#'.includes(String.fromCharCode(byte)),
);

function writeText(out: ByteWriter, text: string): void {
  const quoted = text === '' || /[",\n\r#]/.test(text);
  out.text(quoted ? `"${text.replaceAll('"', '""')}"` : text);
}

function writeBytes(out: ByteWriter, { bytes, starts, lengths }: BytesVector, row: number): void {
  const start = starts[row]!;
  const end = start + lengths[row]!;
  if (needsQuotes(bytes, start, end)) writeQuoted(out, bytes, start, end);
  else out.copy(bytes, start, end);
}

function needsQuotes(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (QUOTED[bytes[at]!]) return true;
  return start === end;
}

function writeQuoted(out: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
  out.byte(QUOTE);
  let from = start;
  for (let at = start; at < end; at += 1) {
    if (bytes[at] !== QUOTE) continue;
    out.copy(bytes, from, at + 1);
    out.byte(QUOTE);
    from = at + 1;
  }
  out.copy(bytes, from, end);
  out.byte(QUOTE);
}
