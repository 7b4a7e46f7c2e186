import { toPrintable } from '../../text/printable.ts';

/**
 * Rows of text in aligned columns, one row per line, with two spaces between columns; control characters are made
 * visible.
 */
export function printAligned(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => toPrintable(cell, 0)));
  const widths = cells.reduce<number[]>(
    (widths, row) => row.map(({ width }, i) => Math.max(widths[i] ?? 0, width)),
    [],
  );
  return cells
    .map((row) => {
      const line = row.map(({ text, width }, i) => text + ' '.repeat((widths[i] ?? width) - width));
      return `${line.join('  ').trimEnd()}\n`;
    })
    .join('');
}
