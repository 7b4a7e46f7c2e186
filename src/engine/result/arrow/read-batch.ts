import { ByteBuffer } from 'flatbuffers';
import type { BytesVector, Chunk, Column, ColumnType, FixedVector, Vector } from '../columns/column.ts';
import { createReader } from '../columns/read-value.ts';
import { PREFIX_BYTES, RECORD_BATCH } from './message.ts';
import { toVector } from './to-vector.ts';

/** The start of a message: the length of its metadata; 0 at the end of the stream. */
export function readMetadataLength(prefix: Uint8Array): number {
  return new DataView(prefix.buffer, prefix.byteOffset, PREFIX_BYTES).getInt32(4, true);
}

/** The metadata of a message: `isBatch` for a record batch, and the length of its body. */
export interface Metadata {
  readonly isBatch: boolean;
  readonly bodyLength: number;
  readonly header: Table;
}

/** Parses the metadata of a message. */
export function readMetadata(bytes: Uint8Array): Metadata {
  const buffer = new ByteBuffer(bytes);
  const message = new Table(buffer, buffer.readInt32(0));
  return {
    isBatch: message.readInt8(1) === RECORD_BATCH,
    bodyLength: message.readInt64(3),
    header: message.readTable(2),
  };
}

/**
 * The rows of a record batch that `Batches` has written. Vectors of nested columns are not read: they have no rows that
 * can be used.
 */
export function readBatch({ header }: Metadata, body: Uint8Array, columns: readonly Column[]): Chunk {
  const reader = new BodyReader(header, body);
  const vectors = columns.map(({ type }) => readColumn(type, reader));
  return { rows: header.readInt64(0), vector: (column) => vectors[column]! };
}

/** A table of the metadata. */
class Table {
  readonly #buffer: ByteBuffer;
  readonly #at: number;

  constructor(buffer: ByteBuffer, at: number) {
    this.#buffer = buffer;
    this.#at = at;
  }

  readInt8(field: number): number {
    const at = this.#find(field);
    return at === 0 ? 0 : this.#buffer.readInt8(at);
  }

  readInt64(field: number): number {
    const at = this.#find(field);
    return at === 0 ? 0 : Number(this.#buffer.readInt64(at));
  }

  readTable(field: number): Table {
    return new Table(this.#buffer, this.#buffer.__indirect(this.#find(field)));
  }

  /** A vector of structs of two 64-bit integers. */
  readPairs(field: number): readonly (readonly [number, number])[] {
    const at = this.#find(field);
    const start = this.#buffer.__vector(at);
    return Array.from({ length: this.#buffer.__vector_len(at) }, (_, i) => [
      Number(this.#buffer.readInt64(start + i * 16)),
      Number(this.#buffer.readInt64(start + i * 16 + 8)),
    ]);
  }

  /** The position of a field; 0 if it has its default. */
  #find(field: number): number {
    const offset = this.#buffer.__offset(this.#at, 4 + field * 2);
    return offset === 0 ? 0 : this.#at + offset;
  }
}

/** Hands out the nodes and buffers of a batch in their order. */
class BodyReader {
  readonly #nodes: readonly (readonly [length: number, nulls: number])[];
  readonly #buffers: readonly (readonly [offset: number, length: number])[];
  readonly #body: Uint8Array;
  #node = 0;
  #buffer = 0;

  constructor(header: Table, body: Uint8Array) {
    this.#nodes = header.readPairs(1);
    this.#buffers = header.readPairs(2);
    this.#body = body;
  }

  /** The number of rows of the next part of a column. */
  takeRows(): number {
    const [rows] = this.#nodes[this.#node]!;
    this.#node += 1;
    return rows;
  }

  takeBuffer(): Uint8Array {
    const [offset, length] = this.#buffers[this.#buffer]!;
    this.#buffer += 1;
    return this.#body.subarray(offset, offset + length);
  }

  /** The validity of the rows; null if no row is NULL. */
  takeValidity(): Uint8Array | null {
    const bits = this.takeBuffer();
    return bits.length === 0 ? null : bits;
  }
}

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type Read<K extends ColumnType['kind']> = (type: KindOf<K>, reader: BodyReader) => Vector;

function readColumn(type: ColumnType, reader: BodyReader): Vector {
  const read = READERS[type.kind] as (type: ColumnType, reader: BodyReader) => Vector;
  return read(type, reader);
}

function readFixed(_type: ColumnType, reader: BodyReader): FixedVector {
  reader.takeRows();
  return { kind: 'fixed', validity: reader.takeValidity(), data: reader.takeBuffer() };
}

function readBytes(_type: ColumnType, reader: BodyReader): BytesVector {
  const rows = reader.takeRows();
  const validity = reader.takeValidity();
  const { buffer, byteOffset } = reader.takeBuffer();
  const offsets = new Int32Array(buffer, byteOffset, rows + 1);
  const lengths = Int32Array.from({ length: rows }, (_, row) => offsets[row + 1]! - offsets[row]!);
  return { kind: 'bytes', validity, bytes: reader.takeBuffer(), starts: offsets.subarray(0, rows), lengths };
}

const readNull: Read<'null'> = (_type, reader) => {
  const rows = reader.takeRows();
  return { kind: 'fixed', validity: new Uint8Array((rows + 7) >> 3), data: new Uint8Array(0) };
};

const readBooleans: Read<'boolean'> = (_type, reader) => {
  const rows = reader.takeRows();
  const validity = reader.takeValidity();
  const bits = reader.takeBuffer();
  const data = Uint8Array.from({ length: rows }, (_, row) => (bits[row >> 3]! >> (row & 7)) & 1);
  return { kind: 'fixed', validity, data };
};

/** Decimals have 128 bits in Arrow, and the width of their precision in a vector. */
const readDecimals: Read<'decimal'> = (type, reader) => {
  const vector = readFixed(type, reader);
  if (type.precision > 18) return vector;
  const { data } = vector;
  const rows = data.length / 16;
  const words = new Int32Array(data.buffer, data.byteOffset, rows * 4);
  if (type.precision > 9) {
    const halves = Int32Array.from({ length: rows * 2 }, (_, i) => words[(i >> 1) * 4 + (i & 1)]!);
    return { ...vector, data: toBytes(halves) };
  }
  const narrow = type.precision > 4 ? new Int32Array(rows) : new Int16Array(rows);
  for (let row = 0; row < rows; row += 1) narrow[row] = words[row * 4]!;
  return { ...vector, data: toBytes(narrow) };
};

/** Numbers that are digits in Arrow. */
const readDigits: Read<'uhugeint'> = (type, reader) => {
  const vector = readBytes(type, reader);
  const read = createReader({ kind: 'text', label: 'INTEGER' }, vector);
  const values = Array.from(vector.starts, (_, row) => {
    const text = read(row);
    return text === null ? null : BigInt(text as string);
  });
  return toVector(type, values);
};

const readList: Read<'list'> = ({ element, size }, reader) => {
  reader.takeRows();
  const validity = reader.takeValidity();
  if (size === undefined) reader.takeBuffer();
  readColumn(element, reader);
  return skipped(validity);
};

const readStruct: Read<'struct'> = ({ fields }, reader) => {
  reader.takeRows();
  const validity = reader.takeValidity();
  for (const { type } of fields) readColumn(type, reader);
  return skipped(validity);
};

const readMap: Read<'map'> = ({ key, value }, reader) => {
  const fields = [
    { name: 'key', type: key },
    { name: 'value', type: value },
  ];
  return readColumn({ kind: 'list', element: { kind: 'struct', fields } }, reader);
};

function skipped(validity: Uint8Array | null): Vector {
  return { kind: 'nested', validity, values: [], texts: [] };
}

function toBytes({ buffer, byteLength }: Int32Array | Int16Array): Uint8Array {
  return new Uint8Array(buffer, 0, byteLength);
}

const READERS: { readonly [K in ColumnType['kind']]: Read<K> } = {
  null: readNull,
  boolean: readBooleans,
  integer: readFixed,
  hugeint: readFixed,
  uhugeint: readDigits,
  decimal: readDecimals,
  float: readFixed,
  double: readFixed,
  date: readFixed,
  time: readFixed,
  timestamp: readFixed,
  text: readBytes,
  json: readBytes,
  binary: readBytes,
  geometry: readBytes,
  list: readList,
  struct: readStruct,
  map: readMap,
  union: readBytes,
  variant: readBytes,
};
