import {
  type ColumnType,
  type ColumnValue,
  isValid,
  type NestedVector,
} from '../../result/columns/column.ts';
import { createReader } from '../../result/columns/read-value.ts';
import { readFieldText, type TextDecoder, type TextField, UnreadableError } from './field.ts';

const SEVERAL =
  'has an array of several dimensions, or one that does not begin at 1: cast it to text or JSON';

/** One-dimensional arrays in PostgreSQL's format: `{1,2,NULL,"a b"}`. */
export function createListDecoder(element: TextDecoder): TextDecoder {
  const type: ColumnType = { kind: 'list', element: element.type };
  return { type, decode: (field) => createListVector(field, element) };
}

function createListVector(field: TextField, element: TextDecoder): NestedVector {
  const texts = Array.from({ length: field.rows }, (_, row) =>
    isValid(field.validity, row) ? readFieldText(field, row) : '',
  );
  let values: readonly ColumnValue[] | undefined;
  return {
    kind: 'nested',
    validity: field.validity,
    texts,
    get values() {
      values ??= readLists(texts, field.validity, element);
      return values;
    },
  };
}

/** Reads the elements of all lists at once. */
function readLists(
  texts: readonly string[],
  validity: Uint8Array | null,
  element: TextDecoder,
): readonly ColumnValue[] {
  const lists = texts.map((text, row) => (isValid(validity, row) ? splitList(text) : []));
  const read = createReader(element.type, element.decode(toField(lists.flat())));
  let at = 0;
  return lists.map((list, row) => {
    const from = at;
    at += list.length;
    return isValid(validity, row) ? list.map((_, i) => read(from + i)) : null;
  });
}

function toField(elements: readonly (string | null)[]): TextField {
  const parts = elements.map((text) => Buffer.from(text ?? ''));
  const starts = new Int32Array(parts.length);
  const lengths = new Int32Array(parts.length);
  const validity = new Uint8Array((parts.length + 7) >> 3);
  let at = 0;
  parts.forEach((part, i) => {
    starts[i] = at;
    lengths[i] = elements[i] === null ? -1 : part.length;
    if (elements[i] !== null) validity[i >> 3]! |= 1 << (i & 7);
    at += part.length;
  });
  return { bytes: Buffer.concat(parts), starts, lengths, rows: parts.length, validity };
}

/** The elements of `{…}`, without their quotes; null for NULL. Throws an UnreadableError. */
function splitList(text: string): (string | null)[] {
  if (text === '{}') return [];
  if (!text.startsWith('{') || !text.endsWith('}') || text.startsWith('{{'))
    throw new UnreadableError(SEVERAL);
  const elements: (string | null)[] = [];
  const pattern = /"((?:[^"\\]|\\.)*)"|([^,"]*)/gsy;
  for (pattern.lastIndex = 1; pattern.lastIndex < text.length; pattern.lastIndex += 1) {
    const match = pattern.exec(text.slice(0, -1));
    if (match === null) throw new UnreadableError(SEVERAL);
    const [, quoted, bare] = match;
    if (quoted !== undefined) elements.push(quoted.replace(/\\(.)/gs, '$1'));
    else elements.push(bare === 'NULL' ? null : bare!.replace(/\\(.)/gs, '$1'));
  }
  return elements;
}
