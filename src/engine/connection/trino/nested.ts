import {
  type ColumnType,
  type ColumnValue,
  isValid,
  type NestedVector,
} from '../../result/columns/column.ts';
import { createNestedText } from '../../result/columns/nested-text.ts';
import { createReader } from '../../result/columns/read-value.ts';
import type { TextDecoder, TextField } from '../text/field.ts';
import { createBroken, decodeEscapes, findQuote, skipValue } from './json-bytes.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const NULL = 0x6e;

/** Nested values of the rows of a field, as the server writes them in JSON. */
type ReadValues = (field: TextField) => (row: number) => readonly ColumnValue[];

/** A named part of a row. */
export interface NamedDecoder {
  readonly name: string;
  readonly decoder: TextDecoder;
}

/** Lists: `[1,null]`. */
export function createListDecoder(element: TextDecoder): TextDecoder {
  return createDecoder({ kind: 'list', element: element.type }, (field) => {
    const elements = new Parts(element);
    const lists = split(field, (bytes, start, end) => placeList(bytes, start, end, () => elements));
    const read = elements.decode(field);
    return (row) => Array.from({ length: lists.counts[row]! }, (_, i) => read(lists.starts[row]! + i));
  });
}

/** Maps: `{"a":1}`; keys of all types are strings. */
export function createMapDecoder(key: TextDecoder, value: TextDecoder): TextDecoder {
  return createDecoder({ kind: 'map', key: key.type, value: value.type }, (field) => {
    const [keys, values] = [new Parts(key), new Parts(value)];
    const maps = split(field, (bytes, start, end) => placeMap(bytes, start, end, keys, values));
    const [readKey, readValue] = [keys.decode(field), values.decode(field)];
    return (row) =>
      Array.from({ length: maps.counts[row]! }, (_, i): ColumnValue => {
        const at = maps.starts[row]! + i;
        return [readKey(at), readValue(at)];
      });
  });
}

/** Rows: `[1,"a"]`. */
export function createRowDecoder(fields: readonly NamedDecoder[]): TextDecoder {
  const type: ColumnType = {
    kind: 'struct',
    fields: fields.map(({ name, decoder }) => ({ name, type: decoder.type })),
  };
  return createDecoder(type, (field) => {
    const parts = fields.map(({ decoder }) => new Parts(decoder));
    const rows = split(field, (bytes, start, end) => {
      const count = placeList(bytes, start, end, (i) => parts[i]);
      if (count !== parts.length) throw createBroken();
      return 1;
    });
    const reads = parts.map((part) => part.decode(field));
    return (row) => reads.map((read) => read(rows.starts[row]!));
  });
}

/** Values are read at their first access: reading decodes the escapes in place, and so happens once. */
function createDecoder(type: ColumnType, readValues: ReadValues): TextDecoder {
  const print = createNestedText(type);
  return { type, decode: (field) => createVector(field, readValues, print) };
}

function createVector(
  field: TextField,
  readValues: ReadValues,
  print: (value: Exclude<ColumnValue, null>) => string,
): NestedVector {
  const { rows, validity } = field;
  let values: readonly (readonly ColumnValue[] | null)[] | undefined;
  let texts: readonly string[] | undefined;
  const readAll = () => {
    if (values === undefined) {
      const read = readValues(field);
      values = Array.from({ length: rows }, (_, row) => (isValid(validity, row) ? read(row) : null));
    }
    return values;
  };
  return {
    kind: 'nested',
    validity,
    get values() {
      return readAll();
    },
    get texts() {
      texts ??= readAll().map((value) => (value === null ? '' : print(value)));
      return texts;
    },
  };
}

/** The parts of one kind of all values: elements, keys, or the values of one field. */
class Parts {
  readonly #decoder: TextDecoder;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  constructor(decoder: TextDecoder) {
    this.#decoder = decoder;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Records the JSON value at a position; returns its end. */
  place(bytes: Buffer, start: number): number {
    if (bytes[start] !== QUOTE) {
      const end = skipValue(bytes, start);
      this.#add(start, bytes[start] === NULL ? -1 : end - start);
      return end;
    }
    const end = findQuote(bytes, start + 1);
    this.#add(start + 1, decodeEscapes(bytes, start + 1, end) - start - 1);
    return end + 1;
  }

  #add(start: number, length: number): void {
    this.#starts.push(start);
    this.#lengths.push(length);
  }

  /** A reader of the recorded parts by their number. */
  decode({ bytes }: TextField): (part: number) => ColumnValue {
    const rows = this.count;
    const [starts, lengths] = [Int32Array.from(this.#starts), Int32Array.from(this.#lengths)];
    const validity = new Uint8Array((rows + 7) >> 3);
    for (let row = 0; row < rows; row += 1) if (lengths[row]! >= 0) validity[row >> 3]! |= 1 << (row & 7);
    const { type, decode } = this.#decoder;
    return createReader(type, decode({ bytes, starts, lengths, rows, validity }));
  }
}

/** Where the parts of each row start, and how many there are. */
interface Groups {
  readonly starts: Int32Array;
  readonly counts: Int32Array;
}

/** Records the parts of all rows; `place` returns the number of parts between two brackets. */
function split(
  { bytes, starts, lengths, rows }: TextField,
  place: (bytes: Buffer, start: number, end: number) => number,
): Groups {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const groups = { starts: new Int32Array(rows), counts: new Int32Array(rows) };
  let total = 0;
  for (let row = 0; row < rows; row += 1) {
    groups.starts[row] = total;
    if (lengths[row]! < 0) continue;
    const start = starts[row]!;
    groups.counts[row] = place(buffer, start + 1, start + lengths[row]! - 1);
    total += groups.counts[row]!;
  }
  return groups;
}

function placeList(
  bytes: Buffer,
  start: number,
  end: number,
  partsOf: (i: number) => Parts | undefined,
): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    const parts = partsOf(count);
    if (parts === undefined) throw createBroken();
    at = parts.place(bytes, at);
    count += 1;
    if (at < end && bytes[at] !== COMMA) throw createBroken();
  }
  return count;
}

function placeMap(bytes: Buffer, start: number, end: number, keys: Parts, values: Parts): number {
  let count = 0;
  for (let at = start; at < end; at += 1) {
    at = keys.place(bytes, at);
    if (bytes[at] !== COLON) throw createBroken();
    at = values.place(bytes, at + 1);
    count += 1;
    if (at < end && bytes[at] !== COMMA) throw createBroken();
  }
  return count;
}
