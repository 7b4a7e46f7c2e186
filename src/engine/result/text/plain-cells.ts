import type { FixedVector } from '../columns/column.ts';
import { copyBytes, packFour } from './bytes.ts';
import { type Cell, createCell, createFixedCell, type TextColumn } from './cell.ts';

const FALSE = packFour('fals');
const TRUE = packFour('true');
const LETTER_E = 0x65;

/** `true` or `false`. */
export const booleanCell: Cell = createFixedCell(
  'boolean',
  5,
  (vector) => (vector as FixedVector).data,
  (out, at, values, row) => {
    const isTrue = values[row] !== 0;
    out.setInt32(at, isTrue ? TRUE : FALSE, true);
    out.setUint8(at + 4, LETTER_E);
    return isTrue ? at + 4 : at + 5;
  },
);

/** A column that contains only NULL. */
export const nullCell: Cell = createFixedCell(
  'null',
  0,
  () => null,
  (_out, at) => at,
);

/** Text without quotes or escapes. */
export function createRawCell(load: Cell<TextColumn>['load']): Cell {
  return createCell<TextColumn>({
    key: 'raw',
    maxBytes: 0,
    load,
    write: (out, at, { bytes, starts, lengths }, row) =>
      copyBytes(out, at, bytes, starts[row]!, lengths[row]!),
    size: { factor: 1, measure: ({ lengths }, row) => lengths[row]! },
  });
}
