import { isValid } from '../columns/column.ts';
import { copyBytes, writeAscii } from './bytes.ts';
import type { Cell, WriteCell } from './cell.ts';

/** The ASCII text around the values of a row. */
export interface RowShape {
  readonly open: string;
  /** As `open`, for the very first row; it has the same length. */
  readonly first: string;
  readonly between: string;
  readonly close: string;
  /** The text of NULL. */
  readonly nullText: string;
}

/** A chunk as input of a row function: for each column its data, and its validity as in a vector. */
export interface LoadedChunk {
  readonly data: readonly unknown[];
  readonly validities: readonly (Uint8Array | null)[];
}

/**
 * Writes the rows from `from` to before `to` and returns their end. `names` has the text before the value of each
 * column, or is empty.
 */
export type WriteRows = (
  out: DataView,
  at: number,
  from: number,
  to: number,
  chunk: LoadedChunk,
  names: readonly DataView[],
) => number;

type BindRows = (writers: readonly WriteCell<unknown>[], copy: typeof copyBytes) => WriteRows;

/** Rows with more columns are written in a loop: V8 does not optimize larger functions well. */
const MAX_COLUMNS = 200;
const MAX_COMPILED = 200;
const compiled = new Map<string, WriteRows>();

/**
 * Compiles a function that writes rows of the given cells. It has one call for each column, so that V8 can optimize
 * each call; equal row shapes share a function. Its source contains no user input.
 */
export function compileRows(shape: RowShape, cells: readonly Cell[], named: boolean): WriteRows {
  if (cells.length > MAX_COLUMNS) return createLoop(shape, cells);
  const key = [JSON.stringify(shape), named, ...cells.map((cell) => cell.key)].join(' ');
  const cachedRows = compiled.get(key);
  if (cachedRows !== undefined) return cachedRows;
  const bind = new Function('writers', 'copy', printRows(shape, cells.length, named)) as BindRows;
  const rows = bind(
    cells.map(({ write }) => write),
    copyBytes,
  );
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(key, rows);
  return rows;
}

function printRows(shape: RowShape, columns: number, named: boolean): string {
  const printEach = (print: (i: number) => string) =>
    Array.from({ length: columns }, (_, i) => print(i)).join('\n');
  const nullText = printText(shape.nullText);
  return `
${printEach((i) => `const write${i} = writers[${i}];`)}
return (out, start, from, to, { data, validities }, names) => {
  let at = start;
  ${printEach((i) => `const data${i} = data[${i}], validity${i} = validities[${i}], name${i} = names[${i}];`)}
  for (let row = from; row < to; row += 1) {
    ${printText(shape.open)}
    ${printEach(
      (i) => `
    ${i === 0 ? '' : printText(shape.between)}
    ${named ? `at = copy(out, at, name${i}, 0, name${i}.byteLength);` : ''}
    if (validity${i} === null || (validity${i}[row >> 3] & (1 << (row & 7))) !== 0) {
      at = write${i}(out, at, data${i}, row);
    } else {
      ${nullText}
    }`,
    )}
    ${printText(shape.close)}
  }
  return at;
};`;
}

function printText(text: string): string {
  return Array.from(text, (character) => `out.setUint8(at++, ${character.charCodeAt(0)});`).join(' ');
}

/** Creates the row function as a loop over the columns. */
function createLoop(shape: RowShape, cells: readonly Cell[]): WriteRows {
  const writers = cells.map(({ write }) => write);
  const writeRow = (
    out: DataView,
    start: number,
    row: number,
    { data, validities }: LoadedChunk,
    names: readonly DataView[],
  ) => {
    let at = start;
    for (let i = 0; i < writers.length; i += 1) {
      if (i > 0) at = writeAscii(out, at, shape.between);
      if (names.length > 0) at = copyBytes(out, at, names[i]!, 0, names[i]!.byteLength);
      at = isValid(validities[i]!, row)
        ? writers[i]!(out, at, data[i], row)
        : writeAscii(out, at, shape.nullText);
    }
    return at;
  };
  return (out, start, from, to, chunk, names) => {
    let at = start;
    for (let row = from; row < to; row += 1) {
      at = writeRow(out, writeAscii(out, at, shape.open), row, chunk, names);
      at = writeAscii(out, at, shape.close);
    }
    return at;
  };
}
