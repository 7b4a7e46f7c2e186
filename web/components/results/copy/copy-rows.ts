import { toMarkdownCell } from '../../../../src/engine/result/columns/markdown-text.ts';
import { isNumber } from '../../../../src/engine/result/columns/type-names.ts';
import type { ResultColumn, ResultSource } from '../source/result-source.ts';

/** The formats in which cells are copied. */
export const COPY_FORMATS = ['TSV', 'CSV', 'Markdown', 'SQL INSERT'] as const;

export type CopyFormat = (typeof COPY_FORMATS)[number];

/** The cells to copy: rows and columns of a source, in this order. */
export interface CopiedCells {
  readonly source: ResultSource;
  readonly rows: ArrayLike<number>;
  readonly columns: readonly number[];
}

/** The maximum cells and UTF-16 units that are copied at once; a download has no limit. */
export const MAX_CELLS = 500_000;
const MAX_LENGTH = 64 * 1024 * 1024;

/** Thrown for a copy that would be too large. */
export class CopyLimitError extends Error {
  constructor() {
    super('The selection is too large to copy. Select fewer cells, or download the result.');
  }
}

/** Prints cells in a format. Markdown always has a header, and SQL names the columns, whatever `withHeader` is. */
export function printCells(format: CopyFormat, cells: CopiedCells, withHeader: boolean): string {
  const { rows, columns } = cells;
  if (rows.length * columns.length > MAX_CELLS) throw new CopyLimitError();
  switch (format) {
    case 'TSV':
      return printSeparated(cells, withHeader, '\t', toTsvCell);
    case 'CSV':
      return printSeparated(cells, withHeader, ',', toCsvCell);
    case 'Markdown':
      return printMarkdown(cells);
    case 'SQL INSERT':
      return printInsert(cells);
  }
}

/** Collects lines up to the limit. */
class Lines {
  readonly #lines: string[] = [];
  #length = 0;

  add(line: string): void {
    this.#length += line.length + 1;
    if (this.#length > MAX_LENGTH) throw new CopyLimitError();
    this.#lines.push(line);
  }

  join(separator = '\n'): string {
    return this.#lines.join(separator);
  }
}

type PrintCell = (text: string | null) => string;

function printSeparated(
  cells: CopiedCells,
  withHeader: boolean,
  separator: string,
  print: PrintCell,
): string {
  const lines = new Lines();
  if (withHeader)
    lines.add(
      listColumns(cells)
        .map(({ name }) => print(name))
        .join(separator),
    );
  forEachRow(cells, (texts) => lines.add(texts.map(print).join(separator)));
  return `${lines.join()}\n`;
}

/** Spreadsheets read quotes around a cell as they do in CSV; NULL is an empty cell. */
function toTsvCell(text: string | null): string {
  if (text === null) return '';
  return /["\t\r\n]/.test(text) ? quoteDouble(text) : text;
}

/** Quotes as in downloads: an empty text has them, and NULL is an empty cell. */
function toCsvCell(text: string | null): string {
  if (text === null) return '';
  return text === '' || /["#,\r\n]/.test(text) ? quoteDouble(text) : text;
}

function quoteDouble(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function printMarkdown(cells: CopiedCells): string {
  const lines = new Lines();
  const columns = listColumns(cells);
  const add = (texts: readonly string[]) => lines.add(`| ${texts.join(' | ')} |`);
  add(columns.map(({ name }) => toMarkdownCell(name)));
  add(columns.map(({ valueType }) => (isNumber(valueType) ? '---:' : '---')));
  forEachRow(cells, (texts) => add(texts.map((text) => (text === null ? '' : toMarkdownCell(text)))));
  return `${lines.join()}\n`;
}

/** One statement for all rows; the name of the table is to be replaced. */
function printInsert(cells: CopiedCells): string {
  const columns = listColumns(cells);
  const lines = new Lines();
  forEachRow(cells, (texts) => {
    const values = texts.map((text, i) => toLiteral(text, columns[i]));
    lines.add(`  (${values.join(', ')})`);
  });
  const names = columns.map(({ name }, i) => quoteDouble(name === '' ? `column${i + 1}` : name));
  return `INSERT INTO table_name (${names.join(', ')}) VALUES\n${lines.join(',\n')};\n`;
}

/** Databases convert a text to the type of the column; numbers and truth values need no quotes. */
function toLiteral(text: string | null, column: ResultColumn | undefined): string {
  if (text === null) return 'NULL';
  const isBare = column !== undefined && (isNumber(column.valueType) || column.type === 'BOOLEAN');
  // Not a number, and infinity, need quotes.
  return isBare && (column.type === 'BOOLEAN' || /\d/.test(text)) ? text : `'${text.replaceAll("'", "''")}'`;
}

function listColumns({ source, columns }: CopiedCells): readonly ResultColumn[] {
  return columns.flatMap((column) => source.columns[column] ?? []);
}

function forEachRow(
  { source, rows, columns }: CopiedCells,
  visit: (texts: readonly (string | null)[]) => void,
) {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? 0;
    visit(columns.map((column) => source.getText(row, column)));
  }
}
