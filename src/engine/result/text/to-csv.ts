import { ByteWriter } from '../columns/byte-writer.ts';
import type { BytesVector, ColumnType, NestedVector } from '../columns/column.ts';
import type { Encoder } from '../columns/encoder.ts';
import { toGeometryText } from '../columns/geometry-text.ts';
import { toDoubleText, toFloatText } from '../columns/number-text.ts';
import { toBinaryText } from '../columns/plain-text.ts';
import type { Sink } from '../columns/sink.ts';
import { type Cell, createCell } from './cell.ts';
import type { RowShape } from './compile-rows.ts';
import { MAX_QUOTED, measureCsvString, writeCsvString } from './csv-strings.ts';
import {
  createDecimalCell,
  createDoubleCell,
  createFloatCell,
  createIntegerCell,
  hugeintCell,
  uhugeintCell,
} from './number-cells.ts';
import { booleanCell, nullCell } from './plain-cells.ts';
import { RowsWriter } from './rows-writer.ts';
import { renderTexts, type TextColumn, toTextColumn } from './text-column.ts';
import { createTimestampCell, dateCell, timeCell } from './time-cells.ts';

const ROW: RowShape = { open: '', first: '', between: ',', close: '\n', nullText: '' };

/**
 * CSV with a header row, `\n` line ends, NULL as an empty field and the empty string as `""`, quoted as in DuckDB's
 * COPY. Without a result set, it is empty.
 */
export function createCsvEncoder(sink: Sink): Encoder {
  const out = new ByteWriter(sink);
  let rows: RowsWriter | null = null;
  return {
    async start(columns) {
      out.text(`${columns.map(({ name }) => toField(name)).join(',')}\n`);
      const cells = columns.map(({ type }) => createCsvCell(type));
      rows = new RowsWriter(out, ROW, cells);
    },
    chunk: (chunk) => rows!.write(chunk),
    end: () => out.flush(),
  };
}

function toField(name: string): string {
  return name === '' || /[",\n\r#]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;

/** Creates the cell for a column of this type in CSV (docs/reference/results.md#types); NULL is written elsewhere. */
function createCsvCell(type: ColumnType): Cell {
  const create = FACTORIES[type.kind] as (type: ColumnType) => Cell;
  return create(type);
}

const FACTORIES: { readonly [K in ColumnType['kind']]: (type: KindOf<K>) => Cell } = {
  boolean: () => booleanCell,
  integer: createIntegerCell,
  hugeint: () => hugeintCell,
  uhugeint: () => uhugeintCell,
  // Omits the zero before the point if the type has no digits there.
  decimal: (type) => createDecimalCell(type, type.precision > type.scale),
  float: () => createFloatCell('float', toFloatText, false),
  double: () => createDoubleCell('double', toDoubleText, false),
  date: () => dateCell,
  time: () => timeCell,
  timestamp: ({ unit, utc }) => createTimestampCell(unit, utc),
  null: () => nullCell,
  text: () => textCell,
  json: () => textCell,
  binary: () => createBytesCell(toBinaryText),
  geometry: () => createBytesCell(toGeometryText),
  list: () => nestedCell,
  struct: () => nestedCell,
  map: () => nestedCell,
  union: () => nestedCell,
  variant: () => nestedCell,
};

const textCell = createTextCell(toTextColumn);

/** A cell for bytes that are printed value by value. */
function createBytesCell(print: (bytes: Uint8Array) => string): Cell {
  return createTextCell((vector, rows) => {
    const { validity, bytes, starts, lengths } = vector as BytesVector;
    const toText = (row: number) => print(bytes.subarray(starts[row]!, starts[row]! + lengths[row]!));
    return renderTexts(rows, validity, toText);
  });
}

const nestedCell = createTextCell((vector, rows) => {
  const { validity, texts } = vector as NestedVector;
  return renderTexts(rows, validity, (row) => texts[row]!);
});

function createTextCell(load: Cell<TextColumn>['load']): Cell {
  const size = { factor: MAX_QUOTED, measure: measureCsvString };
  return createCell<TextColumn>({ key: 'text', maxBytes: 2, load, write: writeCsvString, size });
}
