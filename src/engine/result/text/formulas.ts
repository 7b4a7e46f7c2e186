import { isValid } from '../columns/column.ts';
import type { TextColumn } from './cell.ts';

/** The first characters of texts that spreadsheet programs read as formulas. */
const STARTS = '=+-@\t\r';
const START_BYTES: ReadonlySet<number> = new Set(Buffer.from(STARTS));
const APOSTROPHE = "'";

/** A text that spreadsheet programs show unchanged: with `'` before it if they would read it as a formula. */
export function escapeFormula(text: string): string {
  return text !== '' && STARTS.includes(text.charAt(0)) ? APOSTROPHE + text : text;
}

/** As `escapeFormula`, for the texts of a column. */
export function escapeFormulas(texts: TextColumn, rows: number, validity: Uint8Array | null): TextColumn {
  const found = findFormulas(texts, rows, validity);
  if (found.length === 0) return texts;
  const { bytes } = texts;
  const old = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [starts, lengths] = [texts.starts.slice(0, rows), texts.lengths.slice(0, rows)];
  // The texts that change follow the others.
  const more = found.reduce((sum, row) => sum + lengths[row]! + 1, 0);
  const grown = Buffer.allocUnsafeSlow(old.length + more);
  let end = old.copy(grown);
  for (const row of found) {
    const start = starts[row]!;
    starts[row] = end;
    end += grown.write(APOSTROPHE, end);
    end += old.copy(grown, end, start, start + lengths[row]!);
    lengths[row]! += 1;
  }
  return { ...texts, bytes: new DataView(grown.buffer, grown.byteOffset, grown.length), starts, lengths };
}

function findFormulas(
  { bytes, starts, lengths }: TextColumn,
  rows: number,
  validity: Uint8Array | null,
): readonly number[] {
  const found: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    if (!isValid(validity, row) || lengths[row] === 0) continue;
    if (START_BYTES.has(bytes.getUint8(starts[row]!))) found.push(row);
  }
  return found;
}
