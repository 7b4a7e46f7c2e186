/** The lines of a text, for a view that draws only some of them. */
export interface TextLines {
  /** All lines of the text. */
  readonly count: number;
  /** The lines that can be shown, from the first. */
  readonly shown: number;
  /** A line without its line end, cut after `MAX_LENGTH` UTF-16 units. `index` starts at 0. */
  readonly get: (index: number) => Line;
}

interface Line {
  readonly text: string;
  /** The UTF-16 units that are cut off. */
  readonly cut: number;
}

/** The maximum of lines to show: browsers limit the height of elements. */
const MAX_LINES = 500_000;
/** The maximum UTF-16 units of a line to show: very long lines make browsers slow. */
const MAX_LENGTH = 5_000;

/** Finds the lines of a text. A line end at the end of the text does not start another line. */
export function indexLines(text: string): TextLines {
  const starts: number[] = [];
  let count = 0;
  for (let start = 0; start >= 0 && (start < text.length || count === 0); ) {
    if (count <= MAX_LINES) starts.push(start);
    count += 1;
    const end = text.indexOf('\n', start);
    start = end < 0 ? -1 : end + 1;
  }
  const get = (index: number): Line => {
    const start = starts[index] ?? text.length;
    const next = starts[index + 1];
    const end = next === undefined ? endOf(text) : next - 1;
    const full = end > start && text[end - 1] === '\r' ? end - 1 : end;
    const cut = Math.max(0, full - start - MAX_LENGTH);
    return { text: text.slice(start, full - cut), cut };
  };
  return { count, shown: Math.min(count, MAX_LINES), get };
}

function endOf(text: string): number {
  return text.endsWith('\n') ? text.length - 1 : text.length;
}
