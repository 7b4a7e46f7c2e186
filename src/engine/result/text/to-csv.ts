import { ByteWriter } from '../columns/byte-writer.ts';
import type { BytesVector, ColumnType, NestedVector, Vector } from '../columns/column.ts';
import type { Encoder, EncoderOptions } from '../columns/encoder.ts';
import { toGeometryText } from '../columns/geometry-text.ts';
import { toDoubleText, toFloatText } from '../columns/number-text.ts';
import { toBinaryText } from '../columns/plain-text.ts';
import type { Sink } from '../columns/sink.ts';
import { isNumber } from '../columns/type-names.ts';
import { copyBytes, isMarked, markEqual } from './bytes.ts';
import {
  booleanCell,
  type Cell,
  createCell,
  nullCell,
  renderTexts,
  type TextColumn,
  toTextColumn,
  type WriteCell,
} from './cell.ts';
import type { RowShape } from './compile-rows.ts';
import { escapeFormula, escapeFormulas } from './formulas.ts';
import {
  createDecimalCell,
  createDoubleCell,
  createFloatCell,
  createIntegerCell,
  hugeintCell,
  uhugeintCell,
} from './number-cells.ts';
import { RowsWriter } from './rows-writer.ts';
import { createTimestampCell, dateCell, timeCell } from './time-cells.ts';

/** How the fields of a line are separated and quoted. */
interface Dialect {
  readonly row: RowShape;
  /** Matches names that need quotes. */
  readonly quoted: RegExp;
  readonly createCell: (type: ColumnType, prepare?: PrepareTexts) => Cell;
}

/** Changes the texts of a column before they are quoted. */
type PrepareTexts = (texts: TextColumn, rows: number, validity: Uint8Array | null) => TextColumn;

const QUOTE = 0x22;
const QUOTES = 0x22222222;
const HASHES = 0x23232323;
const COMMAS = 0x2c2c2c2c;
const BLANKS = 0x20202020;
const ONES = 0x01010101;

/** Bytes that require quotes around a text, as in DuckDB's COPY. */
const QUOTED = markBytes('",\n\r#');
const TAB_QUOTED = markBytes('"\t\n\r#');

function markBytes(characters: string): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    characters.includes(String.fromCharCode(byte)) ? 1 : 0,
  );
}

/** The maximum encoded bytes of one byte of text. */
const MAX_QUOTED = 2;

/**
 * CSV with a header row, `\n` line ends, NULL as an empty field and the empty string as `""`, quoted as in DuckDB's
 * COPY. Without a result set, it is empty. For spreadsheet programs, it can begin with a byte order mark, and have no
 * texts that are formulas there (docs/reference/results.md#csv-for-spreadsheets).
 */
export function createCsvEncoder(sink: Sink, options: EncoderOptions = {}): Encoder {
  return createEncoder(sink, CSV, options);
}

/** The same with tabs between fields: quotes are around a field with a tab, not around one with a comma. */
export function createTsvEncoder(sink: Sink, { header = true }: EncoderOptions = {}): Encoder {
  return createEncoder(sink, TSV, { header });
}

type CsvOptions = Pick<EncoderOptions, 'header' | 'bom' | 'escapeFormulas'>;

const BYTE_ORDER_MARK = '\ufeff';

function createEncoder(sink: Sink, dialect: Dialect, options: CsvOptions): Encoder {
  const { header = true, bom = false, escapeFormulas: escapes = false } = options;
  const out = new ByteWriter(sink);
  let rows: RowsWriter | null = null;
  return {
    async start(columns) {
      if (bom) out.text(BYTE_ORDER_MARK);
      const names = columns.map(({ name }) => toField(escapes ? escapeFormula(name) : name, dialect.quoted));
      if (header) out.text(`${names.join(dialect.row.between)}\n`);
      const cells = columns.map(({ type }) => dialect.createCell(type, escapes ? escapeFormulas : undefined));
      rows = new RowsWriter(out, dialect.row, cells);
    },
    chunk: (chunk) => rows!.write(chunk),
    end: () => out.flush(),
  };
}

function toField(name: string, quoted: RegExp): string {
  return name === '' || quoted.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

type KindOf<K extends ColumnType['kind']> = Extract<ColumnType, { readonly kind: K }>;

/** The cells of columns in CSV (docs/reference/results.md#types), except texts; NULL is written elsewhere. */
const FACTORIES: { readonly [K in Exclude<ColumnType['kind'], TextKind>]: (type: KindOf<K>) => Cell } = {
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
};

/** Reads the texts of columns whose values can need quotes. */
const LOADERS = {
  text: toTextColumn,
  json: toTextColumn,
  binary: createBytesLoader(toBinaryText),
  geometry: createBytesLoader(toGeometryText),
  list: loadNested,
  struct: loadNested,
  map: loadNested,
  union: loadNested,
  variant: loadNested,
} as const satisfies Partial<Record<ColumnType['kind'], LoadTexts>>;

type LoadTexts = Cell<TextColumn>['load'];
type TextKind = keyof typeof LOADERS;

/** A loader for bytes that are printed value by value. */
function createBytesLoader(print: (bytes: Uint8Array) => string): LoadTexts {
  return (vector, rows) => {
    const { validity, bytes, starts, lengths } = vector as BytesVector;
    const toText = (row: number) => print(bytes.subarray(starts[row]!, starts[row]! + lengths[row]!));
    return renderTexts(rows, validity, toText);
  };
}

function loadNested(vector: Vector, rows: number): TextColumn {
  const { validity, texts } = vector as NestedVector;
  return renderTexts(rows, validity, (row) => texts[row]!);
}

/** Returns the creator of the cells of a dialect, whose texts `write` writes; `key` names that writer. */
function createCells(key: string, write: WriteCell<TextColumn>): Dialect['createCell'] {
  const size = { factor: MAX_QUOTED, measure: measureCsvString };
  return (type, prepare) => {
    if (isTextKind(type.kind)) {
      const load =
        prepare === undefined || isNumber(type)
          ? LOADERS[type.kind]
          : prepareTexts(LOADERS[type.kind], prepare);
      return createCell<TextColumn>({ key, maxBytes: 2, load, write, size });
    }
    const create = FACTORIES[type.kind] as (type: ColumnType) => Cell;
    return create(type);
  };
}

function prepareTexts(load: LoadTexts, prepare: PrepareTexts): LoadTexts {
  return (vector, rows) => prepare(load(vector, rows), rows, vector.validity);
}

function isTextKind(kind: ColumnType['kind']): kind is TextKind {
  return kind in LOADERS;
}

const LINE = { open: '', first: '', close: '\n', nullText: '' };
const CSV: Dialect = {
  row: { ...LINE, between: ',' },
  quoted: /[",\n\r#]/,
  createCell: createCells('text', writeCsvString),
};
const TSV: Dialect = {
  row: { ...LINE, between: '\t' },
  quoted: /["\t\n\r#]/,
  createCell: createCells('tab-text', writeTsvString),
};

/** Writes a text as a field between tabs. */
function writeTsvString(out: DataView, at: number, column: TextColumn, row: number): number {
  const start = column.starts[row]!;
  const end = start + column.lengths[row]!;
  return needsQuotes(column.bytes, start, end, TAB_QUOTED)
    ? writeQuotedBytes(out, at, column.bytes, start, end)
    : copyBytes(out, at, column.bytes, start, end - start);
}

/**
 * Writes a text as a CSV field. Texts of a column are mostly similar, so it first tries the style of the last text,
 * with or without quotes, and starts again if that is wrong.
 */
function writeCsvString(out: DataView, at: number, column: TextColumn, row: number): number {
  const start = column.starts[row]!;
  const length = column.lengths[row]!;
  if (length < 4) return writeShort(out, at, column.bytes, start, start + length);
  if (!column.quoted) {
    const end = writeBare(out, at, column.bytes, start, start + length);
    if (end !== -1) return end;
    column.quoted = true;
  }
  const end = writeQuoted(out, at, column.bytes, start, start + length);
  if (end !== -1) return end;
  column.quoted = false;
  return copyBytes(out, at, column.bytes, start, length);
}

function writeShort(out: DataView, at: number, source: DataView, start: number, end: number): number {
  return needsQuotes(source, start, end)
    ? writeQuotedBytes(out, at, source, start, end)
    : copyBytes(out, at, source, start, end - start);
}

/** Whether a text needs quotes. */
function needsQuotes(source: DataView, start: number, end: number, quoted = QUOTED): boolean {
  for (let at = start; at < end; at += 1) if (quoted[source.getUint8(at)] === 1) return true;
  return start === end;
}

/** Writes a text of at least four bytes unchanged; -1 if it needs quotes. */
function writeBare(out: DataView, at: number, source: DataView, start: number, end: number): number {
  const shift = at - start;
  const last = end - 4;
  let control = 0;
  for (let from = start; from < last; from += 4) {
    const word = source.getInt32(from, true);
    out.setInt32(from + shift, word, true);
    if (isMarked(markSpecial(word))) return -1;
    control |= markControl(word);
  }
  // The last word can overlap the one before.
  const word = source.getInt32(last, true);
  out.setInt32(last + shift, word, true);
  control |= markControl(word);
  if (isMarked(markSpecial(word))) return -1;
  return isMarked(control) && needsQuotes(source, start, end) ? -1 : end + shift;
}

/** Writes a text of at least four bytes in quotes; -1 if it needs no quotes. */
function writeQuoted(out: DataView, at: number, source: DataView, start: number, end: number): number {
  out.setUint8(at, QUOTE);
  let to = at + 1;
  let from = start;
  let special = 0;
  for (; from <= end - 4; from += 4) {
    const word = source.getInt32(from, true);
    special |= markSpecial(word);
    if (isMarked(markEqual(word, QUOTES))) {
      to = doubleQuotes(out, to, source, from, from + 4);
    } else {
      out.setInt32(to, word, true);
      to += 4;
    }
  }
  to = doubleQuotes(out, to, source, from, end);
  special |= markSpecial(source.getInt32(end - 4, true));
  if (!isMarked(special) && !hasLineEnd(source, start, end)) return -1;
  out.setUint8(to, QUOTE);
  return to + 1;
}

function hasLineEnd(source: DataView, start: number, end: number): boolean {
  let control = markControl(source.getInt32(end - 4, true));
  for (let at = start; at <= end - 4; at += 4) control |= markControl(source.getInt32(at, true));
  return isMarked(control) && needsQuotes(source, start, end);
}

function writeQuotedBytes(out: DataView, at: number, source: DataView, start: number, end: number): number {
  out.setUint8(at, QUOTE);
  const to = doubleQuotes(out, at + 1, source, start, end);
  out.setUint8(to, QUOTE);
  return to + 1;
}

function doubleQuotes(out: DataView, at: number, source: DataView, start: number, end: number): number {
  let to = at;
  for (let from = start; from < end; from += 1) {
    const byte = source.getUint8(from);
    out.setUint8(to, byte);
    to += 1;
    if (byte !== QUOTE) continue;
    out.setUint8(to, QUOTE);
    to += 1;
  }
  return to;
}

/** Marks quotes and hashes, which differ in their lowest bit, and commas. */
function markSpecial(word: number): number {
  return markEqual(word | ONES, HASHES) | markEqual(word, COMMAS);
}

/** Marks bytes below the space character, including line ends. */
function markControl(word: number): number {
  return (word - BLANKS) & ~word;
}

/** The maximum bytes of a text as a CSV field. */
function measureCsvString({ bytes, starts, lengths }: TextColumn, row: number): number {
  const start = starts[row]!;
  let size = lengths[row]! + 2;
  for (let at = start; at < start + lengths[row]!; at += 1) if (bytes.getUint8(at) === QUOTE) size += 1;
  return size;
}
