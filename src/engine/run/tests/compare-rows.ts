import { elementAt } from '../../../invariants/must.ts';
import { isDecimal, parseNumber, toDecimalText } from '../../../text/decimal.ts';
import type { StatementResult } from '../../connection/contract/connection.ts';
import type { Column, ColumnType } from '../../result/columns/column.ts';
import { createReader } from '../../result/columns/read-value.ts';
import { isList, isMap, type MapValue, toText, type Value } from '../../script/values/value.ts';
import { toScriptValue } from '../blocks/to-script-value.ts';

/** The columns and rows of a small result. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

type TextRow = readonly (string | null)[];

/** Reads all rows of a result. */
export async function readTable(result: StatementResult): Promise<Table> {
  if (result.kind === 'done') return { columns: [], rows: [] };
  const { columns, chunks } = result;
  const rows: Value[][] = [];
  for await (const chunk of chunks) {
    const readers = columns.map(({ type }, i) => createReader(type, chunk.vector(i)));
    for (let row = 0; row < chunk.rows; row += 1) {
      rows.push(columns.map(({ type }, i) => toScriptValue(type, elementAt(readers, i)(row))));
    }
  }
  return { columns, rows };
}

/** Compares rows in any order, on some columns: two values are equal if the column prints both with one text. */
export function compareRows(
  { columns, rows }: Table,
  expected: readonly MapValue[],
  keys: readonly string[],
): { readonly missing: readonly TextRow[]; readonly surplus: readonly TextRow[] } {
  const places = keys.map((key) => columns.findIndex(({ name }) => name.toLowerCase() === key.toLowerCase()));
  const typeOf = (at: number) => elementAt(columns, elementAt(places, at)).type;
  const actualRows = rows.map((row) =>
    places.map((place, at) => printCanonical(elementAt(row, place), typeOf(at))),
  );
  const expectedRows = expected.map(({ entries }) =>
    keys.map((key, at) => printCanonical(entries.get(key) ?? null, typeOf(at))),
  );
  const left = Map.groupBy(actualRows, (row) => JSON.stringify(row));
  const missing = expectedRows.filter((row) => left.get(JSON.stringify(row))?.pop() === undefined);
  return { missing, surplus: [...left.values()].flat() };
}

/** A row for a message. */
export function printRow(row: TextRow, keys: readonly string[]): string {
  return `{ ${keys.map((key, at) => `:${key} ${row[at] ?? 'null'}`).join(', ')} }`;
}

const NUMBERS: readonly ColumnType['kind'][] = [
  'integer',
  'hugeint',
  'uhugeint',
  'decimal',
  'float',
  'double',
];

/** Whether a column has numbers, also as text. */
export function hasNumbers(type: ColumnType): boolean {
  if (type.kind === 'text') return type.label === 'INTEGER' || type.label === 'DECIMAL';
  return NUMBERS.includes(type.kind);
}

/** The text of a value in a column of this type; equal values have one text. */
function printCanonical(value: Value, type: ColumnType): string | null {
  if (value === null) return null;
  if (isList(value)) {
    const element = type.kind === 'list' ? type.element : type;
    return `[${value.map((item) => printCanonical(item, element) ?? 'null').join(', ')}]`;
  }
  if (isMap(value)) {
    const entries = [...value.entries].map(
      ([key, item]) => `${key}: ${printCanonical(item, type) ?? 'null'}`,
    );
    return `{${entries.join(', ')}}`;
  }
  if (hasNumbers(type)) return printNumber(value);
  const text = isDecimal(value) ? printNumber(value) : (toText(value) ?? '');
  return type.kind === 'date' || type.kind === 'time' || type.kind === 'timestamp'
    ? printTime(text, type)
    : text;
}

/** A number without needless zeros; MySQL has integers for booleans. */
function printNumber(value: Value): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  const read = typeof value === 'string' ? (parseNumber(value.trim()) ?? value) : value;
  const text = isDecimal(read) ? toDecimalText(read.units, Number(read.scale)) : String(read);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** A time without needless zeros and without the zone UTC. */
function printTime(text: string, { kind }: ColumnType): string {
  const plain = text.replace('T', ' ').replace(/(?: UTC|Z|[+-]00(?::?00)?)$/, '');
  const full = kind === 'timestamp' && /^\d{4,}-\d\d-\d\d$/.test(plain) ? `${plain} 00:00:00` : plain;
  return full.replace(/(:\d\d)\.(\d*?)0+$/, (_, seconds: string, digits: string) =>
    digits === '' ? seconds : `${seconds}.${digits}`,
  );
}
