/** Narrowest column of a table. */
const MIN_COLUMN = 8;
const GAP = 2;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches colours of a terminal
const COLOUR = /\x1b\[[\d;]*m/g;

/** Columns of a text on a terminal, without its colours. */
function widthOf(text: string): number {
  return [...text.replaceAll(COLOUR, '')].length;
}

/** Breaks a text between words into lines of at most `width` columns; a longer word is a line. */
export function wrap(text: string, width: number): string {
  const lines: string[] = [];
  for (const paragraph of text.split('\n\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/** Rows in aligned columns; cells of wide columns are broken into lines. The first row is the header. */
export function layOutTable(rows: readonly (readonly string[])[], width: number): string {
  const widths = fitColumns(rows, width);
  const [header = [], ...others] = rows.map((row) => printRow(row, widths));
  const rule = widths.map((columns) => '─'.repeat(columns)).join(' '.repeat(GAP));
  return [...header, rule, ...others.flat()].join('\n');
}

/** The widths of columns: as their cells need, or less in the widest ones. */
function fitColumns(rows: readonly (readonly string[])[], width: number): readonly number[] {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const room = width - GAP * (count - 1);
  for (let sum = total(widths); sum > room; sum -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= MIN_COLUMN) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

const total = (widths: readonly number[]) => widths.reduce((sum, columns) => sum + columns, 0);

function printRow(row: readonly string[], widths: readonly number[]): readonly string[] {
  const cells = widths.map((columns, at) => wrap(row[at] ?? '', columns).split('\n'));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, at) => {
        const text = lines[line] ?? '';
        return text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)));
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}
