import duckdb from '@duckdb/node-bindings';

import type { ColumnType, ColumnValue, NamedType } from '../../../result/columns/column.ts';
import { createReader } from '../../../result/columns/read-value.ts';
import type { Decoder } from './decoder.ts';
import { createFixedDecoder } from './fixed.ts';
import { createListDecoder, createNestedVector, createStructDecoder, withoutNulls } from './nested.ts';
import { readValidity } from './raw-vector.ts';
import { createStringDecoder } from './strings.ts';
import { ARRAY, OBJECT, readVarint, SIMPLE_VALUES, type Typed } from './variant-values.ts';

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
