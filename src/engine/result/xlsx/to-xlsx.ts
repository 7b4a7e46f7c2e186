import { ByteWriter } from '../columns/byte-writer.ts';
import { type Chunk, type Column, isValid } from '../columns/column.ts';
import type { Encoder } from '../columns/encoder.ts';
import type { Sink } from '../columns/sink.ts';
import { createSheetCell, printTextCell } from './cells.ts';
import { printColumn } from './sheet-format.ts';
import { checkColumns, checkRows } from './sheet-limits.ts';
import { STYLES } from './styles.ts';
import { listWorkbookParts, SHEET_NAMESPACE, SHEET_PART, XML_HEAD } from './workbook-parts.ts';
import { type OpenFile, ZipWriter } from './zip-writer.ts';

/** Characters of a row that are written at once. */
const PIECE = 32 * 1024;
/** The widths of columns, in characters. */
const WIDTHS = { least: 10, date: 12, timestamp: 24, most: 60 } as const;

/**
 * A workbook of Excel with one sheet (docs/reference/results.md#workbooks): a first row with the names of the columns,
 * bold and frozen, and cells with numbers, dates, texts and booleans, without formulas. A NULL has no cell. A result that
 * exceeds a limit of sheets makes `start` or `chunk` reject with a SheetLimitError. Without a result set, the sheet is
 * empty.
 */
export function createXlsxEncoder(sink: Sink): Encoder {
  const book = new BookWriter(sink);
  return {
    start: async (columns) => book.start(columns),
    chunk: (chunk) => book.append(chunk),
    end: () => book.end(),
  };
}

/** The parts of a book that is open. */
interface OpenBook {
  readonly file: OpenFile;
  readonly out: ByteWriter;
}

class BookWriter {
  readonly #zip: ZipWriter;
  #columns: readonly Column[] = [];
  #letters: readonly string[] = [];
  /** Opened with the first rows, so that a script that fails earlier writes no bytes. */
  #book: OpenBook | null = null;
  #rows = 0;

  constructor(sink: Sink) {
    this.#zip = new ZipWriter(sink);
  }

  start(columns: readonly Column[]): void {
    checkColumns(columns);
    this.#columns = columns;
    this.#letters = columns.map((_, i) => printColumn(i));
  }

  async append(chunk: Chunk): Promise<void> {
    checkRows(this.#rows + chunk.rows);
    const { out } = await this.#open();
    const cells = this.#columns.map((column, i) => {
      const vector = chunk.vector(i);
      return {
        validity: vector.validity,
        letters: this.#letters[i]!,
        print: createSheetCell(column, vector),
      };
    });
    for (let row = 0; row < chunk.rows; row += 1) {
      this.#rows += 1;
      // The names are the first row.
      const number = this.#rows + 1;
      let text = `<row r="${number}">`;
      for (const { validity, letters, print } of cells) {
        if (isValid(validity, row)) text += print(row, `${letters}${number}`);
        if (text.length > PIECE) text = await writePiece(out, text);
      }
      await writePiece(out, `${text}</row>`);
    }
  }

  async end(): Promise<void> {
    const { file, out } = await this.#open();
    out.text('</sheetData></worksheet>');
    await out.flush();
    await file.close();
    await this.#zip.end();
  }

  async #open(): Promise<OpenBook> {
    if (this.#book !== null) return this.#book;
    for (const [name, xml] of listWorkbookParts()) {
      const part = await this.#zip.open(name);
      await part.write(Buffer.from(xml));
      await part.close();
    }
    const file = await this.#zip.open(SHEET_PART);
    const out = new ByteWriter(file);
    this.#book = { file, out };
    await writePiece(out, printSheetHead(this.#columns));
    if (this.#columns.length > 0) await this.#writeNames(out);
    return this.#book;
  }

  async #writeNames(out: ByteWriter): Promise<void> {
    await writePiece(out, '<row r="1">');
    for (const [i, { name }] of this.#columns.entries()) {
      await writePiece(out, printTextCell(name, `${this.#letters[i]!}1`, name, ` s="${STYLES.name}"`));
    }
    await writePiece(out, '</row>');
  }
}

/** Writes a text, and returns the empty text. */
async function writePiece(out: ByteWriter, text: string): Promise<''> {
  out.text(text);
  if (out.isFull) await out.flush();
  return '';
}

function printSheetHead(columns: readonly Column[]): string {
  const widths = columns.map(
    (column, i) => `<col min="${i + 1}" max="${i + 1}" width="${findWidth(column)}" customWidth="1"/>`,
  );
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return [
    `${XML_HEAD}<worksheet xmlns="${SHEET_NAMESPACE}">`,
    `<sheetViews><sheetView workbookViewId="0">${columns.length > 0 ? frozen : ''}</sheetView></sheetViews>`,
    widths.length > 0 ? `<cols>${widths.join('')}</cols>` : '',
    '<sheetData>',
  ].join('');
}

/** Wide enough for the name, and for dates, which are shown as `###` otherwise. */
function findWidth({ name, type: { kind } }: Column): number {
  const least = kind === 'date' || kind === 'timestamp' ? WIDTHS[kind] : WIDTHS.least;
  return Math.min(WIDTHS.most, Math.max(least, name.length + 2));
}
