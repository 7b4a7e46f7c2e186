import duckdb from '@duckdb/node-bindings';

import {
  type ColumnType,
  type ColumnValue,
  isValid,
  type NestedVector,
} from '../../../result/columns/column.ts';
import { createNestedText } from '../../../result/columns/nested-text.ts';
import { createReader } from '../../../result/columns/read-value.ts';
import type { Decoder } from './decoder.ts';
import { createFixedDecoder } from './fixed.ts';
import { readData, readValidity } from './raw-vector.ts';

/** Bytes of a list entry: the start of its elements in the child, and their number, 8 bytes each. */
const ENTRY = 16;
/** The member of a union that a row contains. */
const TAG = createFixedDecoder({ kind: 'integer', bits: 8, signed: false }, 1);

/** Creates the value of a row that is not NULL. */
type ReadRow = (row: number) => ColumnValue;

/** A nested vector whose values and texts are created on demand. */
export function createNestedVector(
  type: ColumnType,
  rows: number,
  validity: Uint8Array | null,
  read: ReadRow,
): NestedVector {
  let values: readonly ColumnValue[] | undefined;
  let texts: readonly string[] | undefined;
  return {
    kind: 'nested',
    validity,
    get values() {
      values ??= Array.from({ length: rows }, (_, row) => (isValid(validity, row) ? read(row) : null));
      return values;
    },
    get texts() {
      const print = createNestedText(type);
      texts ??= this.values.map((value) => (value === null ? '' : print(value)));
      return texts;
    },
  };
}

/** A list of any length: each row is a range of the child vector. */
export function createListDecoder(element: Decoder): Decoder {
  return createStretchDecoder({ kind: 'list', element: element.type }, element);
}

/** A map: each row is a range of a child vector of pairs. */
export function createMapDecoder(key: Decoder, value: Decoder): Decoder {
  const pair = createStructDecoder(['key', 'value'], [key, value]);
  return createStretchDecoder({ kind: 'map', key: key.type, value: value.type }, pair);
}

function createStretchDecoder(type: ColumnType, element: Decoder): Decoder {
  return {
    type,
    holdsStrings: false,
    decode(vector, from, to) {
      const size = duckdb.list_vector_get_size(vector);
      const entries = readData(vector, ENTRY, from, to);
      const words = new BigUint64Array(entries.buffer, entries.byteOffset, (to - from) * 2);
      const child = element.decode(duckdb.list_vector_get_child(vector), 0, size);
      const read = createReader(element.type, child);
      return createNestedVector(type, to - from, readValidity(vector, from, to), (row) => {
        const start = Number(words[row * 2]!);
        const length = Number(words[row * 2 + 1]!);
        if (start + length > size) throw new Error('a list reaches beyond its elements');
        return Array.from({ length }, (_, i) => read(start + i));
      });
    },
  };
}

/** A list of `size` elements in every row. */
export function createArrayDecoder(element: Decoder, size: number): Decoder {
  const type: ColumnType = { kind: 'list', element: element.type, size };
  return {
    type,
    holdsStrings: false,
    decode(vector, from, to) {
      const child = element.decode(duckdb.array_vector_get_child(vector), from * size, to * size);
      const read = createReader(element.type, child);
      return createNestedVector(type, to - from, readValidity(vector, from, to), (row) =>
        Array.from({ length: size }, (_, i) => read(row * size + i)),
      );
    },
  };
}

/** A struct: one child vector for each field. */
export function createStructDecoder(names: readonly string[], fields: readonly Decoder[]): Decoder {
  const type: ColumnType = {
    kind: 'struct',
    fields: fields.map((field, i) => ({ name: names[i]!, type: field.type })),
  };
  return {
    type,
    holdsStrings: false,
    decode(vector, from, to) {
      const readers = fields.map((field, i) =>
        createReader(field.type, field.decode(duckdb.struct_vector_get_child(vector, i), from, to)),
      );
      return createNestedVector(type, to - from, readValidity(vector, from, to), (row) =>
        readers.map((read) => read(row)),
      );
    },
  };
}

/** A union: a child vector of tags, then one for each member. */
export function createUnionDecoder(names: readonly string[], members: readonly Decoder[]): Decoder {
  const type: ColumnType = {
    kind: 'union',
    members: members.map((member, i) => ({ name: names[i]!, type: member.type })),
  };
  return {
    type,
    holdsStrings: false,
    decode(vector, from, to) {
      const [readTag, ...readers] = [TAG, ...members].map((child, i) =>
        createReader(child.type, child.decode(duckdb.struct_vector_get_child(vector, i), from, to)),
      );
      const validity = readValidity(vector, from, to);
      return createNestedVector(type, to - from, validity, (row) => {
        const member = readTag!(row) as number;
        return { member, value: readers[member]!(row) };
      });
    },
  };
}

/** Marks rows as NULL whose value turns out to be null. */
export function withoutNulls(vector: NestedVector): NestedVector {
  const { values } = vector;
  const validity = new Uint8Array((values.length + 7) >> 3);
  values.forEach((value, row) => {
    if (value !== null) validity[row >> 3]! |= 1 << (row & 7);
  });
  return {
    kind: 'nested',
    validity,
    values,
    get texts() {
      return vector.texts;
    },
  };
}
