import type { Connection } from '../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../src/engine/connection/drivers.ts';
import type {
  BytesVector,
  Chunk,
  Column,
  FixedVector,
  Vector,
} from '../../../src/engine/result/columns/column.ts';
import type { EncoderOptions, Stats } from '../../../src/engine/result/columns/encoder.ts';
import { FORMATS, type FormatName } from '../../../src/engine/result/formats.ts';
import { never } from '../connection/results.ts';

export const stats: Stats = {
  started_at: '2026-01-02T03:04:05.000000006Z',
  finished_at: '2026-01-02T03:04:06.000000006Z',
  duration_ms: 1000,
};

/** A session of a database in memory. */
export async function openMemory(): Promise<Connection> {
  const driver = await loadDriver('duckdb');
  return driver.connect(
    { name: 'test', kind: 'duckdb', options: { file: ':memory:' }, overrides: {} },
    never,
  );
}

/** All output of an encoder for the chunks; without columns, for a script without a result set. */
export async function encodeBytes(
  format: FormatName,
  columns: readonly Column[] | null,
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
  options: EncoderOptions = {},
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const encoder = FORMATS[format].create!({ write: (bytes) => void parts.push(Buffer.from(bytes)) }, options);
  if (columns !== null) await encoder.start(columns);
  for await (const chunk of chunks) await encoder.chunk(chunk);
  await encoder.end(stats);
  return Buffer.concat(parts);
}

/** As above, as text. */
export async function encode(...output: Parameters<typeof encodeBytes>): Promise<string> {
  return (await encodeBytes(...output)).toString('utf8');
}

/** As above, for the result of a statement. */
export async function encodeQuery(
  connection: Connection,
  format: FormatName,
  sql: string,
  options: EncoderOptions = {},
): Promise<string> {
  const result = await connection.run(sql, never);
  if (result.kind === 'done') return encode(format, null, [], options);
  return encode(format, result.columns, result.chunks, options);
}

/** The text of the only value of a JSON document of one row and one column. */
export function onlyValue(document: string): string {
  const [, value] = /"data":\[\[(.*)\]\]\},"stats"/s.exec(document) ?? [];
  if (value === undefined) throw new Error(`not one value: ${document.slice(0, 200)}`);
  return value;
}

/** Creates a chunk from vectors. */
export function toChunk(rows: number, vectors: readonly Vector[]): Chunk {
  return { rows, vector: (column) => vectors[column]! };
}

export function toFixed(data: ArrayBufferView, validity: Uint8Array | null = null): FixedVector {
  return { kind: 'fixed', validity, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

/** Creates a vector of texts; null is NULL. */
export function toBytes(texts: readonly (string | null)[]): BytesVector {
  const parts = texts.map((text) => Buffer.from(text ?? ''));
  const validity = new Uint8Array((texts.length + 7) >> 3);
  const starts = new Int32Array(texts.length);
  let end = 0;
  parts.forEach((part, row) => {
    if (texts[row] !== null) validity[row >> 3]! |= 1 << (row & 7);
    starts[row] = end;
    end += part.length;
  });
  const lengths = Int32Array.from(parts, (part) => part.length);
  return { kind: 'bytes', validity, bytes: Buffer.concat(parts), starts, lengths };
}
