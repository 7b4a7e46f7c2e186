import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { sheetErrors } from './errors.ts';
import { printCell, readRows, type SheetRow } from './read-rows.ts';
import type { CellValue } from './serial-date.ts';
import { ColumnKinds } from './sheet-types.ts';
import { openWorkbook, type Workbook } from './workbook.ts';

/** How a sheet is read. */
export interface SheetSettings {
  /** Undefined: the first that is not hidden. */
  readonly sheet: string | undefined;
  /** Rows before the header. */
  readonly skip: number;
  /** Rows after the last one that is read. */
  readonly skipFooter: number;
  readonly hasHeader: boolean;
  /** Texts that mean NULL. */
  readonly nulls: readonly string[];
  /** The character before the fraction of numbers that are written. */
  readonly decimal: string;
}

/** What the csv of a sheet does not say. */
export interface SheetFacts {
  /** The type of each column; undefined where the loader chooses it. */
  readonly types: readonly (string | undefined)[];
  /** The number of a row in the sheet, by its number in the csv without the header; both are counted from 1. */
  readonly findRow: (row: number) => number;
}

interface SheetFile {
  readonly path: string;
  readonly name: string;
  /** The new file of csv, 0600. */
  readonly target: string;
}

/** Columns, both ends included. */
interface Bounds {
  readonly first: number;
  readonly last: number;
}

/** The maximum size of the csv, in UTF-16 units; few bytes of a workbook can repeat a long text. */
const MAX_TEXT = 4_000_000_000;
/** The size of a write, in UTF-16 units. */
const PART = 256 * 1024;

/**
 * Writes a sheet as csv: separated by commas, with texts in quotes, without rows and columns that have no values. Rejects
 * with a ServiceError for a workbook that cannot be read, and for cells without a value to load.
 */
export async function convertSheet(
  file: SheetFile,
  settings: SheetSettings,
  signal: AbortSignal,
): Promise<SheetFacts> {
  const workbook = await openWorkbook(file, settings.sheet);
  let writer = new SheetWriter(workbook, settings);
  await write(file, writer, signal);
  if (writer.isNarrow) {
    // Cells outside of the columns of the first row; their number must be known before it is written.
    writer = new SheetWriter(workbook, settings, writer.found);
    await write(file, writer, signal);
  }
  return writer.end();
}

async function write({ target }: SheetFile, writer: SheetWriter, signal: AbortSignal): Promise<void> {
  await pipeline(writer.printRows(), createWriteStream(target, { flags: 'w', mode: 0o600 }), { signal });
}

class SheetWriter {
  readonly #workbook: Workbook;
  readonly #settings: SheetSettings;
  readonly #kinds = new ColumnKinds();
  /** The rows of the csv where the difference to the numbers of the sheet changes. */
  readonly #steps: { readonly row: number; readonly difference: number }[] = [];
  readonly #waiting: SheetRow[] = [];
  #written: Bounds | undefined;
  #found: Bounds | undefined;
  #hasHeader: boolean;
  #rows = 0;
  #lastRow = 0;

  constructor(workbook: Workbook, settings: SheetSettings, bounds?: Bounds) {
    this.#workbook = workbook;
    this.#settings = settings;
    this.#hasHeader = settings.hasHeader;
    this.#written = bounds;
    this.#found = bounds;
  }

  get found(): Bounds | undefined {
    return this.#found;
  }

  /** Whether columns were written that are fewer than those with values. */
  get isNarrow(): boolean {
    return this.#written?.first !== this.#found?.first || this.#written?.last !== this.#found?.last;
  }

  async *printRows(): AsyncIterable<string> {
    let [text, size] = ['', 0];
    for await (const row of readRows(this.#workbook)) {
      text += this.#take(row);
      if (text.length < PART) continue;
      size += text.length;
      if (size > MAX_TEXT) throw sheetErrors.tooLarge(this.#workbook.name, MAX_TEXT);
      yield text;
      text = '';
    }
    yield text;
  }

  end(): SheetFacts {
    const { name, sheet } = this.#workbook;
    const { skip } = this.#settings;
    if (this.#lastRow === 0) throw sheetErrors.empty(name, sheet.name);
    if (this.#lastRow <= skip) throw sheetErrors.skippedAll(name, this.#lastRow, skip);
    const { first, last } = this.#found ?? { first: 0, last: -1 };
    const columns = Array.from({ length: last - first + 1 }, (_, at) => this.#kinds.typeOf(first + at));
    return {
      types: columns,
      findRow: (row) => row + (this.#steps.findLast((step) => step.row <= row)?.difference ?? 0),
    };
  }

  #take(row: SheetRow): string {
    const cells = row.cells.map((cell) => (this.#isNull(cell) ? undefined : cell));
    if (!cells.some((cell) => cell !== undefined)) return '';
    this.#lastRow = row.number;
    if (row.number <= this.#settings.skip) return '';
    this.#waiting.push({ number: row.number, cells });
    const next = this.#waiting.length > this.#settings.skipFooter ? this.#waiting.shift() : undefined;
    return next === undefined ? '' : this.#print(next);
  }

  /** Whether a cell has no value: an empty text, or one that means NULL. */
  #isNull(cell: CellValue | undefined): boolean {
    if (cell === undefined) return true;
    if (cell.kind === 'text' && cell.text === '') return true;
    return this.#settings.nulls.includes(cell.text);
  }

  #print({ number, cells }: SheetRow): string {
    const first = cells.findIndex((cell) => cell !== undefined);
    const last = cells.findLastIndex((cell) => cell !== undefined);
    this.#written ??= { first, last };
    this.#found = {
      first: Math.min(first, this.#found?.first ?? first),
      last: Math.max(last, this.#found?.last ?? last),
    };
    const isHeader = this.#hasHeader;
    if (!isHeader) this.#count(number);
    this.#hasHeader = false;
    const values: string[] = [];
    for (let column = this.#written.first; column <= this.#written.last; column++) {
      values.push(this.#printCell(cells[column], { column, row: number, isHeader }));
    }
    return `${values.join(',')}\n`;
  }

  #count(number: number): void {
    this.#rows += 1;
    const difference = number - this.#rows;
    if (difference !== (this.#steps.at(-1)?.difference ?? 0))
      this.#steps.push({ row: this.#rows, difference });
  }

  #printCell(
    cell: CellValue | undefined,
    { column, row, isHeader }: { readonly column: number; readonly row: number; readonly isHeader: boolean },
  ): string {
    if (cell === undefined) return '';
    const { kind, text } = cell;
    if (kind === 'error') throw sheetErrors.errorCell(this.#workbook.name, printCell(column, row), text);
    if (kind === 'noValue') throw sheetErrors.noValue(this.#workbook.name, printCell(column, row));
    if (!isHeader) this.#kinds.add(column, kind);
    const shown = kind === 'fraction' ? text.replace('.', this.#settings.decimal) : text;
    return `"${shown.replaceAll('"', '""')}"`;
  }
}
