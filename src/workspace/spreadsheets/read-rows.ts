import { printColumn, SHEET_LIMITS } from '../../engine/result/xlsx/sheet-format.ts';
import { sheetErrors } from './errors.ts';
import { type CellValue, toSerialValue } from './serial-date.ts';
import { decodeEscapes, readPart, TextCollector, type Workbook } from './workbook.ts';
import { decodeXml, readAttributes } from './xml-reader.ts';

/** A row of a sheet. */
export interface SheetRow {
  /** Counted from 1. */
  readonly number: number;
  /** By column; undefined for cells without content. */
  readonly cells: readonly (CellValue | undefined)[];
}

const MAX_INT64 = 2n ** 63n - 1n;

/** The name of a cell, such as `B7`. */
export function printCell(column: number, row: number): string {
  return `${printColumn(column)}${row}`;
}

/** The rows of a sheet that have cells. Rejects with a ServiceError 422 for a damaged sheet. */
export async function* readRows(workbook: Workbook): AsyncIterable<SheetRow> {
  const reader = new RowReader(workbook);
  for await (const _ of readPart(workbook, workbook.sheet.part, reader)) yield* reader.takeRows();
  yield* reader.takeRows();
}

class RowReader {
  readonly #workbook: Workbook;
  #rows: SheetRow[] = [];
  #cells: (CellValue | undefined)[] | undefined;
  #row = 0;
  #column = 0;
  #cell: Readonly<Record<string, string>> | undefined;
  #isValue = false;
  #hasFormula = false;
  #value = '';
  #inline: TextCollector | undefined;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  takeRows(): readonly SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  readonly open = (name: string, attributes: string): void => {
    if (name === 'row') this.#openRow(attributes);
    else if (this.#cells === undefined) return;
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'v') this.#isValue = true;
    else if (name === 'f') this.#hasFormula = true;
    else if (name === 'is') this.#inline = new TextCollector();
    else this.#inline?.open(name);
  };

  readonly text = (text: string): void => {
    if (this.#isValue) this.#value += decodeXml(text);
    else this.#inline?.take(text);
  };

  readonly close = (name: string): void => {
    if (name === 'v') this.#isValue = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
    else this.#inline?.close(name);
  };

  #openRow(attributes: string): void {
    const { r } = readAttributes(attributes);
    const row = r === undefined ? this.#row + 1 : Number(r);
    if (!Number.isInteger(row) || row <= this.#row || row > SHEET_LIMITS.rows) {
      throw sheetErrors.damaged(this.#workbook.name, `the row ${r ?? row} is out of order`);
    }
    this.#row = row;
    this.#column = -1;
    this.#cells = [];
  }

  #closeRow(): void {
    if (this.#cells !== undefined && this.#cells.length > 0) {
      this.#rows.push({ number: this.#row, cells: this.#cells });
    }
    this.#cells = undefined;
  }

  #openCell(attributes: string): void {
    const cell = readAttributes(attributes);
    const { r } = cell;
    this.#column = r === undefined ? this.#column + 1 : readColumn(r);
    if (this.#column < 0 || this.#column >= SHEET_LIMITS.columns) {
      throw sheetErrors.damaged(this.#workbook.name, `the cell ${r ?? ''} is outside of a sheet`);
    }
    this.#cell = cell;
    this.#value = '';
    this.#hasFormula = false;
    this.#inline = undefined;
  }

  #closeCell(): void {
    if (this.#cell === undefined || this.#cells === undefined) return;
    const value = this.#toValue(this.#cell);
    if (value !== undefined) this.#cells[this.#column] = value;
    this.#cell = undefined;
    this.#inline = undefined;
  }

  #toValue({ t: type = 'n', s: style }: Readonly<Record<string, string>>): CellValue | undefined {
    const text = this.#value;
    switch (type) {
      case 's':
        return { kind: 'text', text: this.#findString(text) };
      case 'inlineStr':
        return { kind: 'text', text: decodeEscapes(this.#inline?.text ?? '') };
      case 'str':
        return { kind: 'text', text: decodeEscapes(text) };
      case 'e':
        return { kind: 'error', text };
      default:
        if (text.trim() === '') return this.#hasFormula ? { kind: 'noValue', text: '' } : undefined;
        return this.#toTyped(type, text.trim(), style);
    }
  }

  #findString(text: string): string {
    const found = this.#workbook.strings[Number(text)];
    if (text === '' || found === undefined) return this.#refuse(text, 'shared text');
    return found;
  }

  #toTyped(type: string, text: string, style: string | undefined): CellValue {
    if (type === 'b') return { kind: 'boolean', text: text === '1' || text === 'true' ? 'true' : 'false' };
    if (type === 'd') return toIsoValue(text) ?? this.#refuse(text, 'date');
    const number = Number(text);
    if (!Number.isFinite(number)) return this.#refuse(text, 'number');
    const kind = style === undefined ? undefined : this.#workbook.styles[Number(style)];
    if (kind === undefined) return toNumber(text, number);
    return toSerialValue(number, kind, this.#workbook.is1904) ?? this.#refuse(text, 'date');
  }

  #refuse(text: string, type: string): never {
    const { name } = this.#workbook;
    throw sheetErrors.invalidCell(name, printCell(this.#column, this.#row), text, type);
  }
}

function readColumn(reference: string): number {
  const [, letters] = /^\$?([A-Z]{1,3})\$?\d+$/i.exec(reference) ?? [];
  if (letters === undefined) return -1;
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** A date or a time of ISO 8601. */
function toIsoValue(text: string): CellValue | undefined {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d:\d\d(?:\.\d{1,6})?)?Z?$/.exec(text) ?? [];
  if (date === undefined) return time === undefined ? undefined : { kind: 'time', text: time };
  return time === undefined ? { kind: 'date', text: date } : { kind: 'timestamp', text: `${date} ${time}` };
}

/** A number without an exponent where it is whole. */
function toNumber(text: string, number: number): CellValue {
  if (/^-?\d{1,15}$/.test(text)) return { kind: 'whole', text: String(number === 0 ? 0 : number) };
  const isDigits = /^-?\d+$/.test(text);
  if (!isDigits && !Number.isInteger(number)) return { kind: 'fraction', text: String(number) };
  const whole = BigInt(isDigits ? text : number);
  if (!isDigits && (whole > MAX_INT64 || whole < -MAX_INT64))
    return { kind: 'fraction', text: String(number) };
  const isLarge = whole > BigInt(Number.MAX_SAFE_INTEGER) || whole < BigInt(Number.MIN_SAFE_INTEGER);
  return { kind: isLarge ? 'large' : 'whole', text: whole.toString() };
}
