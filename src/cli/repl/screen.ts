import { toPrintable } from '../../text/printable.ts';

/** What the editor shows: a text after prompts, and the cursor. */
export interface ShownText {
  readonly text: string;
  /** Index in the text. */
  readonly cursor: number;
  readonly prompt: string;
  /** The prompt of every line but the first. */
  readonly continuation: string;
}

interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

interface Place {
  readonly row: number;
  readonly column: number;
}

/** Rows of the screen, and the place of the cursor in them. */
interface Layout {
  readonly rows: readonly string[];
  readonly cursor: Place;
}

/** Characters of a line that are laid out around the cursor, at most; longer lines are cut. */
const MAX_LINE = 8_000;

/** Shows a text on the terminal, and writes only what has changed. */
export class Screen {
  readonly #write: (text: string) => void;
  readonly #findSize: () => ScreenSize;
  #rows: readonly string[] = [];
  /** Where the cursor of the terminal is; the column is unknown after a full row. */
  #at: { row: number; column: number | null } = { row: 0, column: 0 };

  constructor(write: (text: string) => void, findSize: () => ScreenSize) {
    this.#write = write;
    this.#findSize = findSize;
  }

  draw(shown: ShownText): void {
    const { columns, rows: height } = this.#findSize();
    const { rows, cursor } = layOut(shown, Math.max(columns, 2), Math.max(height - 1, 1));
    const parts: string[] = [];
    const first = findFirstChange(this.#rows, rows);
    if (first !== null) this.#drawFrom(first, rows, parts);
    this.#rows = rows;
    this.#moveTo(cursor, parts);
    if (parts.length > 0) this.#write(parts.join(''));
  }

  /** Leaves the text, and continues on the next row. */
  leave(): void {
    const parts: string[] = [];
    this.#moveTo({ row: Math.max(this.#rows.length - 1, 0), column: 0 }, parts, false);
    this.#write(`${parts.join('')}\n`);
    this.forget();
  }

  /** The next text starts where the cursor is, in the first column. */
  forget(): void {
    this.#rows = [];
    this.#at = { row: 0, column: 0 };
  }

  /** Removes the text. */
  clear(): void {
    const parts: string[] = [];
    this.#moveTo({ row: 0, column: 0 }, parts);
    this.#write(`${parts.join('')}\x1b[J`);
    this.forget();
  }

  #drawFrom(first: number, rows: readonly string[], parts: string[]): void {
    const before = this.#rows;
    for (let row = first; row < rows.length; row += 1) this.#drawRow(row, rows[row] ?? '', parts);
    if (before.length <= rows.length) return;
    this.#moveTo({ row: rows.length, column: 0 }, parts);
    parts.push('\x1b[J');
  }

  #drawRow(row: number, text: string, parts: string[]): void {
    const old = this.#rows[row];
    if (old === text) return;
    const same = old === undefined ? 0 : countSame(old, text);
    if (old !== undefined) this.#moveTo({ row, column: toPrintable(text.slice(0, same), 0).width }, parts);
    else if (row > 0) {
      this.#moveTo({ row: row - 1, column: 0 }, parts, false);
      parts.push('\n');
    }
    const { width } = toPrintable(text, 0);
    const isFull = width >= this.#findSize().columns;
    parts.push(text.slice(same), (old?.length ?? 0) > same && !isFull ? '\x1b[K' : '');
    this.#at = { row, column: isFull ? null : width };
  }

  /** Moves the cursor to a row that was drawn. */
  #moveTo({ row, column }: Place, parts: string[], isExact = true): void {
    const rows = row - this.#at.row;
    if (rows !== 0) parts.push(`\x1b[${Math.abs(rows)}${rows < 0 ? 'A' : 'B'}`);
    const isThere = this.#at.column === column || !isExact;
    this.#at = { row, column: isExact ? column : this.#at.column };
    if (isThere) return;
    parts.push('\r');
    if (column > 0) parts.push(`\x1b[${column}C`);
  }
}

function findFirstChange(before: readonly string[], rows: readonly string[]): number | null {
  const first = rows.findIndex((row, at) => row !== before[at]);
  if (first !== -1) return first;
  return before.length === rows.length ? null : rows.length;
}

/** The number of UTF-16 units at the start of two rows that are the same, up to a whole character. */
function countSame(old: string, text: string): number {
  let same = 0;
  while (same < text.length && text.charAt(same) === old.charAt(same)) same += 1;
  while (same > 0 && /\p{M}|\u200d|[\udc00-\udfff]/u.test(text.charAt(same))) same -= 1;
  return same > 0 && /[\ud800-\udbff]/.test(text.charAt(same - 1)) ? same - 1 : same;
}

/** Lays out the lines around the cursor, at most `height` rows. */
function layOut({ text, cursor, prompt, continuation }: ShownText, columns: number, height: number): Layout {
  const lineStart = text.lastIndexOf('\n', cursor - 1) + 1;
  const before = listLinesBefore(text, lineStart, height);
  const promptOf = (start: number) => (start === 0 ? prompt : continuation);
  const rows: string[] = [];
  for (const { start, end } of before)
    rows.push(...wrap(promptOf(start), text.slice(start, end), columns).rows);
  const lineEnd = findLineEnd(text, lineStart);
  const current = cutLine(text, lineStart, lineEnd, cursor);
  const wrapped = wrap(promptOf(lineStart), current.text, columns, current.cursor);
  const at = { row: rows.length + wrapped.cursor.row, column: wrapped.cursor.column };
  rows.push(...wrapped.rows);
  for (let start = lineEnd + 1; start <= text.length && rows.length < at.row + height; ) {
    const end = findLineEnd(text, start);
    rows.push(...wrap(continuation, text.slice(start, Math.min(end, start + MAX_LINE)), columns).rows);
    start = end + 1;
  }
  const top = Math.max(0, Math.min(rows.length - height, at.row), at.row - height + 1);
  return { rows: rows.slice(top, top + height), cursor: { row: at.row - top, column: at.column } };
}

function findLineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The last lines before a position, at most `count`. */
function listLinesBefore(text: string, position: number, count: number) {
  const lines: { start: number; end: number }[] = [];
  for (let end = position - 1; end >= 0 && lines.length < count; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    lines.unshift({ start, end: Math.min(end, start + MAX_LINE) });
    end = start - 1;
  }
  return lines;
}

/** The part of a long line around the cursor. */
function cutLine(text: string, lineStart: number, lineEnd: number, cursor: number) {
  const from = Math.max(lineStart, cursor - MAX_LINE);
  return { text: text.slice(from, Math.min(lineEnd, cursor + MAX_LINE)), cursor: cursor - from };
}

/** Cuts a line after its prompt into rows, and finds the place of a cursor in them. */
function wrap(prompt: string, line: string, columns: number, cursor = -1): Layout {
  const rows: string[] = [];
  let place: Place = { row: 0, column: 0 };
  let [row, width, index] = ['', 0, 0];
  const add = (shown: string, size: number) => {
    if (width + size > columns) {
      rows.push(row);
      [row, width] = ['', 0];
    }
    row += shown;
    width += size;
  };
  for (const character of prompt) add(character, 1);
  for (const character of line) {
    const { text: shown, width: size } = toPrintable(character, width);
    if (index === cursor)
      place =
        width + size > columns ? { row: rows.length + 1, column: 0 } : { row: rows.length, column: width };
    add(shown, size);
    index += character.length;
  }
  if (index <= cursor) {
    // The cursor is never after the last column.
    if (width >= columns) add('', columns);
    place = { row: rows.length, column: width >= columns ? 0 : width };
  }
  rows.push(row);
  return { rows, cursor: place };
}
