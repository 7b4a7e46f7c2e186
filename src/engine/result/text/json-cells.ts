import type { ColumnType } from '../columns/column.ts';
import { createJsonText, type JsonNumbers } from '../columns/json-text.ts';
import { toJsonDouble, toJsonFloat } from '../columns/number-text.ts';
import { createReader } from '../columns/read-value.ts';
import { type Cell, createCell, createEnclosedCell } from './cell.ts';
import { createExactCell } from './exact-cells.ts';
import { MAX_ESCAPED, measureJsonString, writeJsonString } from './json-strings.ts';
import {
  createDecimalCell,
  createDoubleCell,
  createFloatCell,
  createIntegerCell,
  hugeintCell,
  uhugeintCell,
} from './number-cells.ts';
import { booleanCell, createRawCell, nullCell } from './plain-cells.ts';
import { renderTexts, type TextColumn, toTextColumn } from './text-column.ts';
import { createIsoCell, dateCell, timeCell } from './time-cells.ts';

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;

const QUOTE = 0x22;

/** The style of JSON: `numbers` as in the encoder's options; `oneLine` writes no line ends. */
export interface JsonStyle {
  readonly numbers: JsonNumbers;
  readonly oneLine: boolean;
}

/** Creates the cell for a column of this type in JSON (docs/reference/results.md#types); NULL is written elsewhere. */
export function createJsonCell(type: ColumnType, style: JsonStyle): Cell {
  const create = FACTORIES[type.kind] as ((type: ColumnType) => Cell) | null;
  const isNumber = type.kind === 'text' && type.label === 'DECIMAL';
  if (create === null || isNumber) return createRenderedCell(type, style);
  const cell = create(type);
  return style.numbers === 'string' ? createExactCell(type, cell) : cell;
}

/** Null: written value by value, as inside nested values. */
const FACTORIES: { readonly [K in ColumnType['kind']]: ((type: KindOf<K>) => Cell) | null } = {
  boolean: () => booleanCell,
  integer: createIntegerCell,
  hugeint: () => hugeintCell,
  uhugeint: () => uhugeintCell,
  decimal: (type) => createDecimalCell(type, true),
  float: () => createFloatCell('json-float', orNull(toJsonFloat), true),
  double: () => createDoubleCell('json-double', orNull(toJsonDouble), true),
  date: () => createEnclosedCell(dateCell, QUOTE),
  time: () => createEnclosedCell(timeCell, QUOTE),
  timestamp: ({ unit, utc }) => createEnclosedCell(createIsoCell(unit, utc), QUOTE),
  null: () => nullCell,
  text: ({ label }) => (label === 'INTEGER' ? createRawCell(toTextColumn) : stringCell),
  json: null,
  binary: null,
  geometry: null,
  list: null,
  struct: null,
  map: null,
  union: null,
  variant: null,
};

const stringCell = createCell<TextColumn>({
  key: 'string',
  maxBytes: 2,
  load: toTextColumn,
  write: writeJsonString,
  size: { factor: MAX_ESCAPED, measure: measureJsonString },
});

function orNull(toText: (value: number) => string): (value: number) => string {
  return (value) => (Number.isFinite(value) ? toText(value) : 'null');
}

function createRenderedCell(type: ColumnType, { numbers, oneLine }: JsonStyle): Cell {
  const toText = createJsonText(type, numbers);
  return createRawCell((vector, rows) => {
    const read = createReader(type, vector);
    return renderTexts(rows, vector.validity, (row) => {
      const text = toText(read(row));
      // Line ends between the tokens of embedded JSON; inside strings they are escaped.
      return oneLine ? text.replace(/[\r\n]/g, ' ') : text;
    });
  });
}
