/** The styles that commands print. */
export type Style = 'plain' | 'bold' | 'error' | 'success' | 'warning' | 'prompt' | 'cut';

/** A part of a line with one style. */
export interface Run {
  readonly style: Style;
  readonly text: string;
}

/** The style after each SGR code of a terminal; bold and colours are never combined. */
const STYLES: Readonly<Record<string, Style>> = {
  '0': 'plain',
  '1': 'bold',
  '22': 'plain',
  '31': 'error',
  '32': 'success',
  '33': 'warning',
  '39': 'plain',
};

/**
 * Parses a line of a terminal. Throws for a code that is not in the table, because the picture would not show
 * it.
 */
export function parseLine(line: string): readonly Run[] {
  let style: Style = 'plain';
  const runs: Run[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a code of a terminal
  for (const [index, part] of line.split(/\u001b\[(\d+)m/).entries()) {
    if (index % 2 === 0) {
      if (part !== '') runs.push({ style, text: part });
      continue;
    }
    const next = STYLES[part];
    if (next === undefined) throw new Error(`no style for the code ${part} in ${JSON.stringify(line)}`);
    style = next;
  }
  return runs;
}

/** Cuts a line that is longer than the given number of columns, and ends it with `…`. */
export function cutLine(runs: readonly Run[], columns: number): readonly Run[] {
  const length = runs.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= columns) return runs;
  const cut: Run[] = [];
  let left = columns - 1;
  for (const { style, text } of runs) {
    if (left > 0) cut.push({ style, text: text.slice(0, left) });
    left -= text.length;
  }
  return [...cut, { style: 'cut', text: '…' }];
}
