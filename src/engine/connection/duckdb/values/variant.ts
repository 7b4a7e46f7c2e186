import duckdb from '@duckdb/node-bindings';
import type { ColumnType, ColumnValue, NamedType } from '../../../result/columns/column.ts';
import { createReader } from '../../../result/columns/read-value.ts';
import type { Decoder } from './decoder.ts';
import { createFixedDecoder } from './fixed.ts';
import { createListDecoder, createNestedVector, createStructDecoder, withoutNulls } from './nested.ts';
import { readValidity } from './raw-vector.ts';
import { createStringDecoder } from './strings.ts';
import { printBignum, printBits, printInterval, printTimeNs, printTimeTz, printUuid } from './value-texts.ts';

const VARIANT: ColumnType = { kind: 'variant' };
const TEXT = createStringDecoder({ kind: 'text', label: 'STRING' });
const BLOB = createStringDecoder({ kind: 'binary' });
const BYTE = createFixedDecoder({ kind: 'integer', bits: 8, signed: false }, 1);
const INDEX = createFixedDecoder({ kind: 'integer', bits: 32, signed: false }, 4);

/** The child vectors of a VARIANT: names of fields; name and node of each part; type and offset of each node; values. */
const CHILDREN: readonly Decoder[] = [
  createListDecoder(TEXT),
  createListDecoder(createStructDecoder(['name', 'node'], [INDEX, INDEX])),
  createListDecoder(createStructDecoder(['type', 'offset'], [BYTE, INDEX])),
  BLOB,
];

/** One row's VARIANT: a tree of nodes, the root first. */
interface Tree {
  readonly names: readonly string[];
  readonly parts: readonly (readonly [name: number, node: number])[];
  readonly nodes: readonly (readonly [type: number, offset: number])[];
  readonly values: DataView;
}

/** Values that each bring their own type. */
export const variantDecoder: Decoder = {
  type: VARIANT,
  holdsStrings: false,
  decode(vector, from, to) {
    const readers = CHILDREN.map((child, i) =>
      createReader(child.type, child.decode(duckdb.struct_vector_get_child(vector, i), from, to)),
    );
    const read = (row: number): ColumnValue => {
      const [names, parts, nodes, bytes] = readers.map((reader) => reader(row));
      const { buffer, byteOffset, byteLength } = bytes as Uint8Array;
      const values = new DataView(buffer, byteOffset, byteLength);
      const root = readNode({ names, parts, nodes, values } as Tree, 0);
      return root.value === null ? null : root;
    };
    return withoutNulls(createNestedVector(VARIANT, to - from, readValidity(vector, from, to), read));
  },
};

function readNode(tree: Tree, node: number): Typed {
  const [type, offset] = tree.nodes[node]!;
  if (type === OBJECT) return readObject(tree, offset);
  if (type === ARRAY) return readArray(tree, offset);
  const read = SIMPLE_VALUES[type];
  if (read === undefined) throw new Error(`unknown type in a VARIANT: ${type}`);
  return read(tree.values, offset);
}

function readObject(tree: Tree, offset: number): Typed {
  const parts = readParts(tree, offset);
  const values = parts.map(([, node]) => readNode(tree, node));
  const fields: readonly NamedType[] = parts.map(([name], i) => ({
    name: tree.names[name]!,
    type: values[i]!.type,
  }));
  return { type: { kind: 'struct', fields }, value: values.map(({ value }) => value) };
}

/** Elements of one type make a list of it, others (null among them) a list of variants. */
function readArray(tree: Tree, offset: number): Typed {
  const values = readParts(tree, offset).map(([, node]) => readNode(tree, node));
  const types = new Map(values.map(({ type }) => [JSON.stringify(type), type]));
  if (types.size > 1) {
    const elements = values.map((typed) => (typed.value === null ? null : typed));
    return { type: { kind: 'list', element: VARIANT }, value: elements };
  }
  const element = values[0]?.type ?? ({ kind: 'null' } as const);
  return { type: { kind: 'list', element }, value: values.map(({ value }) => value) };
}

/** The parts of an object or array: how many, and where they begin. */
function readParts(tree: Tree, offset: number): Tree['parts'] {
  const [count, next] = readVarint(tree.values, offset);
  if (count === 0) return [];
  const [start] = readVarint(tree.values, next);
  return tree.parts.slice(start, start + count);
}

/** A value and what it is. */
interface Typed {
  readonly type: ColumnType;
  readonly value: ColumnValue;
}

/** Reads the value that begins at `at`. */
type ReadTyped = (view: DataView, at: number) => Typed;

const OBJECT = 29;
const ARRAY = 30;

const STRING = { kind: 'text', label: 'STRING' } as const;
const TIME = { kind: 'text', label: 'TIME' } as const;
const INTERVAL = { kind: 'text', label: 'INTERVAL' } as const;
const DIGITS = { kind: 'text', label: 'INTEGER' } as const;

function constant(type: ColumnType, value: ColumnValue): ReadTyped {
  return () => ({ type, value });
}

function plain(type: ColumnType, read: (view: DataView, at: number) => ColumnValue): ReadTyped {
  return (view, at) => ({ type, value: read(view, at) });
}

function integer(
  bits: 8 | 16 | 32 | 64,
  signed: boolean,
  read: (view: DataView, at: number) => ColumnValue,
): ReadTyped {
  return plain({ kind: 'integer', bits, signed }, read);
}

function timestamp(unit: 'second' | 'millisecond' | 'microsecond' | 'nanosecond', utc: boolean): ReadTyped {
  return plain({ kind: 'timestamp', unit, utc }, (view, at) => view.getBigInt64(at, true));
}

/** A value with its length before it. */
function sized(type: ColumnType, read: (bytes: Uint8Array) => ColumnValue): ReadTyped {
  return (view, at) => {
    const [length, start] = readVarint(view, at);
    return { type, value: read(new Uint8Array(view.buffer, view.byteOffset + start, length)) };
  };
}

/** The values of a VARIANT that have no parts, by the number of their type. */
const SIMPLE_VALUES: readonly (ReadTyped | undefined)[] = [
  constant({ kind: 'null' }, null),
  constant({ kind: 'boolean' }, true),
  constant({ kind: 'boolean' }, false),
  integer(8, true, (view, at) => view.getInt8(at)),
  integer(16, true, (view, at) => view.getInt16(at, true)),
  integer(32, true, (view, at) => view.getInt32(at, true)),
  integer(64, true, (view, at) => view.getBigInt64(at, true)),
  plain({ kind: 'hugeint' }, readHugeint),
  integer(8, false, (view, at) => view.getUint8(at)),
  integer(16, false, (view, at) => view.getUint16(at, true)),
  integer(32, false, (view, at) => view.getUint32(at, true)),
  integer(64, false, (view, at) => view.getBigUint64(at, true)),
  plain({ kind: 'uhugeint' }, (view, at) => BigInt.asUintN(128, readHugeint(view, at))),
  plain({ kind: 'float' }, (view, at) => view.getFloat32(at, true)),
  plain({ kind: 'double' }, (view, at) => view.getFloat64(at, true)),
  readDecimal,
  sized(STRING, (bytes) => Buffer.from(bytes).toString('utf8')),
  sized({ kind: 'binary' }, (bytes) => bytes),
  plain(STRING, printUuid),
  plain({ kind: 'date' }, (view, at) => view.getInt32(at, true)),
  plain({ kind: 'time' }, (view, at) => view.getBigInt64(at, true)),
  plain(TIME, printTimeNs),
  timestamp('second', false),
  timestamp('millisecond', false),
  timestamp('microsecond', false),
  timestamp('nanosecond', false),
  plain(TIME, printTimeTz),
  timestamp('microsecond', true),
  plain(INTERVAL, printInterval),
  undefined,
  undefined,
  sized(DIGITS, printBignum),
  sized(STRING, printBits),
  sized({ kind: 'geometry' }, (bytes) => bytes),
];

function readHugeint(view: DataView, at: number): bigint {
  return (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true);
}

/** Precision, scale, and the unscaled value in as many bytes as the precision needs. */
function readDecimal(view: DataView, at: number): Typed {
  const [precision, afterPrecision] = readVarint(view, at);
  const [scale, start] = readVarint(view, afterPrecision);
  return { type: { kind: 'decimal', precision, scale }, value: readUnscaled(view, start, precision) };
}

function readUnscaled(view: DataView, at: number, precision: number): ColumnValue {
  if (precision <= 4) return view.getInt16(at, true);
  if (precision <= 9) return view.getInt32(at, true);
  return precision <= 18 ? view.getBigInt64(at, true) : readHugeint(view, at);
}

/** A number of any size, seven bits a byte, low ones first; and where it ends. */
function readVarint(view: DataView, at: number): [value: number, end: number] {
  let value = 0;
  for (let end = at, factor = 1; ; factor *= 128) {
    const byte = view.getUint8(end);
    end += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return [value, end];
  }
}
