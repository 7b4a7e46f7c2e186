import type { ColumnType, FixedVector, NestedVector, Vector } from '../columns/column.ts';
import { createReader } from '../columns/read-value.ts';
import { type BatchBody, GrowingBuffer } from './batch-body.ts';
import { createBytesWriter, createTextWriter } from './bytes-writer.ts';
import type { ColumnWriter, WriterContext } from './column-writer.ts';
import {
  createDecimalWriter,
  createFixedWriter,
  createHugeintWriter,
  createTimeWriter,
} from './fixed-writer.ts';
import {
  createArrayWriter,
  createListWriter,
  createStructWriter,
  type TypedWriter,
} from './nested-writers.ts';
import { readBits, Validity } from './validity.ts';

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;
type Create<K extends ColumnType['kind']> = (type: KindOf<K>, context: WriterContext) => ColumnWriter;

/** Creates the writer for a column of this type, or for a part of its values; errors name the column. */
export function createColumnWriter(type: ColumnType, context: WriterContext): ColumnWriter {
  const create = WRITERS[type.kind] as (type: ColumnType, context: WriterContext) => ColumnWriter;
  return create(type, context);
}

function createPart(type: ColumnType, context: WriterContext): TypedWriter {
  return { type, writer: createColumnWriter(type, context) };
}

/** Writes a column that is NULL in every row: only the number of rows. */
function createNullWriter(): ColumnWriter {
  let rows = 0;
  return {
    bytes: 0,
    fit: (_vector, _from, to) => to,
    append(_vector, from, to) {
      rows += to - from;
    },
    take(body) {
      body.addNode(rows, rows);
      rows = 0;
    },
  };
}

/** Writes the texts that a nested vector contains. */
const createPrintedWriter = (_type: ColumnType, { column }: WriterContext) =>
  createTextWriter(column, (vector) => {
    const { texts } = vector as NestedVector;
    return (row) => texts[row]!;
  });

const createDigitsWriter: Create<'uhugeint'> = (type, { column }) =>
  createTextWriter(column, (vector) => {
    const read = createReader(type, vector as FixedVector);
    return (row) => String(read(row));
  });

const WRITERS: { readonly [K in ColumnType['kind']]: Create<K> } = {
  null: createNullWriter,
  boolean: createBooleanWriter,
  integer: ({ bits }) => createFixedWriter(bits / 8),
  hugeint: (_type, context) => createHugeintWriter(context),
  uhugeint: createDigitsWriter,
  decimal: ({ precision }) => createDecimalWriter(precision),
  float: () => createFixedWriter(4),
  double: () => createFixedWriter(8),
  date: () => createFixedWriter(4),
  time: (_type, context) => createTimeWriter(context),
  timestamp: () => createFixedWriter(8),
  text: (_type, { column }) => createBytesWriter(column),
  json: (_type, { column }) => createBytesWriter(column),
  binary: (_type, { column }) => createBytesWriter(column),
  geometry: (_type, { column }) => createBytesWriter(column),
  list: ({ element, size }, context) => {
    const part = createPart(element, context);
    return size === undefined ? createListWriter(part, context.column) : createArrayWriter(part, size);
  },
  struct: ({ fields }, context) => createStructWriter(fields.map(({ type }) => createPart(type, context))),
  map: ({ key, value }, context) => {
    const pair: ColumnType = {
      kind: 'struct',
      fields: [
        { name: 'key', type: key },
        { name: 'value', type: value },
      ],
    };
    return createListWriter(createPart(pair, context), context.column);
  },
  union: createPrintedWriter,
  variant: createPrintedWriter,
};

/** Booleans, one bit each. */
function createBooleanWriter(): ColumnWriter {
  return new BooleanWriter();
}

class BooleanWriter implements ColumnWriter {
  readonly #validity = new Validity();
  readonly #bits = new GrowingBuffer();
  #rows = 0;

  get bytes(): number {
    return this.#rows >> 3;
  }

  fit(_vector: Vector, _from: number, to: number): number {
    return to;
  }

  append(vector: Vector, from: number, to: number): void {
    const rows = this.#rows + to - from;
    const bits = this.#bits.reserve((this.#rows + 7) >> 3, (rows + 7) >> 3);
    packBits(bits, this.#rows, vector as FixedVector, from, to);
    this.#validity.append(vector.validity, from, to - from);
    this.#rows = rows;
  }

  take(body: BatchBody): void {
    this.#validity.take(body);
    this.#bits.take(body, (this.#rows + 7) >> 3);
    this.#rows = 0;
  }
}

/**
 * Writes one bit for each row, starting at bit `at`: 1 for true, 0 for false or NULL. Writes up to eight bits at a
 * time, to complete a byte.
 */
function packBits(
  bits: Uint8Array,
  at: number,
  { data, validity }: FixedVector,
  from: number,
  to: number,
): void {
  for (let row = from, next = at; row < to; ) {
    const used = next & 7;
    const bitCount = Math.min(8 - used, to - row);
    let byte = 0;
    for (let bit = 0; bit < bitCount; bit += 1) byte |= Number(data[row + bit] !== 0) << bit;
    if (validity !== null) byte &= readBits(validity, row);
    bits[next >> 3] = used === 0 ? byte : bits[next >> 3]! | (byte << used);
    row += bitCount;
    next += bitCount;
  }
}
