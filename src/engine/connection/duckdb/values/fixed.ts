import duckdb from '@duckdb/node-bindings';

import type { ColumnType } from '../../../result/columns/column.ts';
import type { Decoder } from './decoder.ts';
import { readData, readValidity } from './raw-vector.ts';

/** Values whose bytes are ours already: `width` bytes each. */
export function createFixedDecoder(type: ColumnType, width: number): Decoder {
  return {
    type,
    holdsStrings: false,
    decode: (vector, from, to) => ({
      kind: 'fixed',
      validity: readValidity(vector, from, to),
      data: readData(vector, width, from, to),
    }),
  };
}

/** Unscaled, in as many bytes as the precision needs. */
export function createDecimalDecoder(logical: duckdb.LogicalType): Decoder {
  const precision = duckdb.decimal_width(logical);
  const type: ColumnType = { kind: 'decimal', precision, scale: duckdb.decimal_scale(logical) };
  return createFixedDecoder(type, findDecimalWidth(precision));
}

/** Bytes of an unscaled decimal. */
export function findDecimalWidth(precision: number): number {
  if (precision <= 4) return 2;
  if (precision <= 9) return 4;
  return precision <= 18 ? 8 : 16;
}

/** The type of a bare NULL: no row holds a value. */
export const nullDecoder: Decoder = {
  type: { kind: 'null' },
  holdsStrings: false,
  decode: (_vector, from, to) => ({
    kind: 'fixed',
    validity: new Uint8Array((to - from + 7) >> 3),
    data: new Uint8Array(0),
  }),
};
