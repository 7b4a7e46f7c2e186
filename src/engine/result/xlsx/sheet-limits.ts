import { printCount } from '../../../invariants/print-count.ts';
import { createCellText } from '../columns/cell-text.ts';
import { type Chunk, type Column, isValid, type Vector } from '../columns/column.ts';
import { SHEET_LIMITS } from './sheet-format.ts';
import { MAX_UNPACKED } from './zip-format.ts';

/** A result that exceeds a limit of sheets. */
export class SheetLimitError extends Error {
  constructor(subject: string, problem: string) {
    super(`${subject} cannot be written as xlsx: ${problem}. Choose another format, such as csv`);
    this.name = 'SheetLimitError';
  }

  static ofBytes(): SheetLimitError {
    return new SheetLimitError('The result', `its sheet has more than ${printCount(MAX_UNPACKED)} bytes`);
  }
}

/** The maximum of rows below the names of the columns. */
const MAX_ROWS = SHEET_LIMITS.rows - 1;

/** The maximum bytes of a UTF-16 unit. */
const UNIT_BYTES = 3;
/** The maximum of UTF-16 units that stand for one byte of a value: `\xAA` for bytes, and digits for coordinates. */
const UNITS_OF_BYTE = 4;

/** Throws a SheetLimitError for too many columns, or too long a name. */
export function checkColumns(columns: readonly Column[]): void {
  if (columns.length > SHEET_LIMITS.columns) {
    const counted = `${printCount(columns.length)} columns, more than ${printCount(SHEET_LIMITS.columns)}`;
    throw new SheetLimitError('The result', `it has ${counted}`);
  }
  for (const { name } of columns) checkCellText(name, name);
}

/** Throws a SheetLimitError for too many rows. */
export function checkRows(rows: number): void {
  if (rows > MAX_ROWS)
    throw new SheetLimitError('The result', `it has more than ${printCount(MAX_ROWS)} rows`);
}

/** Throws a SheetLimitError for a text that is too long for a cell. */
export function checkCellText(text: string, column: string): void {
  if (text.length <= SHEET_LIMITS.characters) return;
  const counted = `${printCount(text.length)} characters, more than ${printCount(SHEET_LIMITS.characters)}`;
  throw new SheetLimitError(`The column "${column.slice(0, 200)}"`, `a text has ${counted}`);
}

/** The maximum bytes of a cell without its text, and of one byte of a text: `_x0001_`. */
const [CELL_BYTES, ESCAPED_BYTES] = [128, 7];

/**
 * Looks through a whole result. Resolves with the maximum of bytes that its sheet can have; rejects with a
 * SheetLimitError for too many columns or rows, or too long a text. Decodes only texts that can be too long.
 */
export async function checkResult(columns: readonly Column[], chunks: AsyncIterable<Chunk>): Promise<number> {
  checkColumns(columns);
  let [rows, bytes] = [0, 0];
  for await (const chunk of chunks) {
    rows += chunk.rows;
    checkRows(rows);
    for (const [i, column] of columns.entries()) {
      bytes += chunk.rows * CELL_BYTES + checkTexts(column, chunk.vector(i), chunk.rows) * ESCAPED_BYTES;
    }
  }
  return bytes;
}

/** Returns the maximum of UTF-16 units of all texts. Throws a SheetLimitError for one that is too long. */
function checkTexts({ name, type }: Column, vector: Vector, rows: number): number {
  if (vector.kind === 'fixed') return 0;
  const measure = createMeasure(vector, type.kind === 'binary' || type.kind === 'geometry');
  const toText = createCellText(type, vector);
  let units = 0;
  for (let row = 0; row < rows; row += 1) {
    if (!isValid(vector.validity, row)) continue;
    const most = measure(row);
    units += most;
    if (most > SHEET_LIMITS.characters) checkCellText(toText(row), name);
  }
  return units;
}

/** Returns the maximum of UTF-16 units, and of bytes, that the text of a row can have. */
function createMeasure(
  vector: Exclude<Vector, { kind: 'fixed' }>,
  isBytes: boolean,
): (row: number) => number {
  if (vector.kind === 'nested') return (row) => vector.texts[row]!.length * UNIT_BYTES;
  const factor = isBytes ? UNITS_OF_BYTE : 1;
  return (row) => vector.lengths[row]! * factor;
}
