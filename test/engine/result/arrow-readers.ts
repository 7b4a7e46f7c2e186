import { setImmediate as nextTurn } from 'node:timers/promises';
import * as flechette from '@uwdata/flechette';
import * as apache from 'apache-arrow';
import type { Connection } from '../../../src/engine/connection/contract/connection.ts';
import { createArrowEncoder } from '../../../src/engine/result/arrow/to-arrow.ts';
import type { Chunk, Column, ColumnType, ColumnValue } from '../../../src/engine/result/columns/column.ts';
import { never } from '../connection/results.ts';
import { stats } from './encode.ts';

/** All writes of the encoder for the chunks; without columns, for a script without a result set. */
export async function encodeArrow(
  columns: readonly Column[] | null,
  chunks: Iterable<Chunk> | AsyncIterable<Chunk>,
): Promise<readonly Buffer[]> {
  const writes: Buffer[] = [];
  const encoder = createArrowEncoder({
    // The copy is late: the test must notice memory that is used again before the sink is done with it.
    async write(bytes) {
      await nextTurn();
      writes.push(Buffer.from(bytes));
    },
  });
  if (columns !== null) await encoder.start(columns);
  for await (const chunk of chunks) await encoder.chunk(chunk);
  await encoder.end(stats);
  return writes;
}

/** The written bytes for a statement with a result set, and the types of its columns. */
export async function encodeAnswer(
  connection: Connection,
  sql: string,
): Promise<{ readonly bytes: Buffer; readonly types: readonly ColumnType[] }> {
  const result = await connection.run(sql, never);
  if (result.kind === 'done') throw new Error('the statement has no result set');
  const bytes = Buffer.concat(await encodeArrow(result.columns, result.chunks));
  return { bytes, types: result.columns.map(({ type }) => type) };
}

/** The result of a reader: its names of the `types`, and the values of each column. */
export interface ArrowTable {
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly nullable: readonly boolean[];
  readonly columns: readonly (readonly ColumnValue[])[];
}

/** One array of a reader: `get` returns the reader's value, `raw` the array's memory. */
interface Node {
  readonly length: number;
  readonly raw: ArrayLike<number | bigint>;
  readonly offsets: ArrayLike<number | bigint>;
  readonly children: readonly Node[];
  isValid(row: number): boolean;
  get(row: number): unknown;
}

/** Reads a stream with apache-arrow; values are compared by the column types in `types`. */
export function readWithApache(bytes: Uint8Array, types: readonly ColumnType[]): ArrowTable {
  const table = apache.tableFromIPC(bytes);
  const { fields } = table.schema;
  return {
    names: fields.map(({ name }) => name),
    types: fields.map(({ type }) => String(type)),
    nullable: fields.map(({ nullable }) => nullable),
    columns: types.map((type, i) =>
      table.getChildAt(i)!.data.flatMap((data) => readNode(type, ofApache(data))),
    ),
  };
}

function ofApache(data: apache.Data): Node {
  const vector = new apache.Vector([data]);
  return {
    length: data.length,
    raw: data.values,
    offsets: data.valueOffsets,
    children: data.children.map(ofApache),
    isValid: (row) => data.getValid(row),
    get: (row) => vector.get(row),
  };
}

/** Reads a stream with flechette. */
export function readWithFlechette(bytes: Uint8Array, types: readonly ColumnType[]): ArrowTable {
  const table = flechette.tableFromIPC(new Uint8Array(bytes), { useBigInt: true, useDecimalInt: true });
  return {
    names: table.schema.fields.map(({ name }) => name),
    types: table.schema.fields.map(({ type }) => JSON.stringify(type)),
    nullable: table.schema.fields.map(({ nullable }) => nullable),
    columns: types.map((type, i) =>
      table.getChildAt(i).data.flatMap((batch) => readNode(type, ofFlechette(batch))),
    ),
  };
}

function ofFlechette(batch: flechette.Batch<unknown>): Node {
  return {
    length: batch.length,
    raw: batch.values,
    offsets: batch.offsets,
    children: (batch.children ?? []).map(ofFlechette),
    isValid: (row) => batch.at(row) !== null,
    get: (row) => batch.at(row),
  };
}

/** The values of an array in the representation of columns; types that are sent as text are text. */
function readNode(type: ColumnType, node: Node): ColumnValue[] {
  const read = createNodeReader(type, node);
  return Array.from({ length: node.length }, (_, row) => (node.isValid(row) ? read(row) : null));
}

function createNodeReader(type: ColumnType, node: Node): (row: number) => ColumnValue {
  switch (type.kind) {
    case 'decimal':
    case 'hugeint':
      return (row) => toDecimal(node.get(row), type);
    case 'date':
    case 'time':
    case 'timestamp':
      return (row) => node.raw[row]!;
    case 'list':
      return createListReader(type.element, type.size, node);
    case 'map': {
      const [entries] = node.children;
      const keys = readNode(type.key, entries!.children[0]!);
      const values = readNode(type.value, entries!.children[1]!);
      return (row) => stretch(node, row).map((i) => [keys[i]!, values[i]!]);
    }
    case 'struct': {
      const fields = type.fields.map((field, i) => readNode(field.type, node.children[i]!));
      return (row) => fields.map((values) => values[row]!);
    }
    default:
      return (row) => node.get(row) as ColumnValue;
  }
}

function createListReader(
  element: ColumnType,
  size: number | undefined,
  node: Node,
): (row: number) => ColumnValue {
  const values = readNode(element, node.children[0]!);
  if (size !== undefined) return (row) => values.slice(row * size, (row + 1) * size);
  return (row) => stretch(node, row).map((i) => values[i]!);
}

function stretch({ offsets }: Node, row: number): number[] {
  const start = Number(offsets[row]!);
  return Array.from({ length: Number(offsets[row + 1]!) - start }, (_, i) => start + i);
}

function toDecimal(value: unknown, type: ColumnType): number | bigint {
  const unscaled =
    typeof value === 'bigint'
      ? value
      : BigInt.asIntN(
          128,
          [...(value as Uint32Array)].reduceRight((high, word) => (high << 32n) | BigInt(word), 0n),
        );
  return type.kind === 'decimal' && type.precision <= 9 ? Number(unscaled) : unscaled;
}

/** The first difference of two lists of columns; null if they are equal. Faster than `toEqual`. */
export function findDifference(
  found: readonly (readonly ColumnValue[])[],
  expected: readonly (readonly ColumnValue[])[],
): object | null {
  if (found.length !== expected.length) return { found: found.length, expected: expected.length };
  for (const [column, values] of expected.entries()) {
    const own = found[column]!;
    if (own.length !== values.length) return { column, found: own.length, expected: values.length };
    const row = values.findIndex((value, i) => !isEqual(own[i]!, value));
    if (row !== -1) return { column, row, found: own[row], expected: values[row] };
  }
  return null;
}

function isEqual(one: ColumnValue, other: ColumnValue): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, i) => isEqual(value, other[i]!));
  }
  return Object.is(one, other);
}

/** A record batch of a stream. */
export interface RawBatch {
  readonly rows: number;
  /** The number of NULLs of each array. */
  readonly nulls: readonly number[];
  /** The offset in the body and the length of each buffer, in bytes. */
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly body: Uint8Array;
}

/** Parses a stream: its record batches, and whether it ends correctly. */
export function readMessages(bytes: Uint8Array): { batches: readonly RawBatch[]; ended: boolean } {
  const reader = new apache.MessageReader(bytes);
  const batches: RawBatch[] = [];
  for (const message of reader) {
    const body = reader.readMessageBody(message.bodyLength);
    if (!message.isRecordBatch()) continue;
    const { length, nodes, buffers } = message.header();
    batches.push({
      rows: Number(length),
      nulls: nodes.map(({ nullCount }) => Number(nullCount)),
      buffers,
      body,
    });
  }
  const end = Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]);
  return { batches, ended: Buffer.from(bytes.subarray(-8)).equals(end) };
}
