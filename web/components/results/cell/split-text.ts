/** A part of a long text, which the browser lays out when it is visible. */
interface TextBlock {
  /** Its offset in the text. */
  readonly start: number;
  readonly block: string;
}

/** The usual UTF-16 units of a block. */
const BLOCK = 8_000;

/** Splits a text into blocks, after line breaks where there are some. */
export function splitText(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let start = 0; start < text.length; ) {
    const end = findEnd(text, start + BLOCK);
    // The break after a block ends its last line.
    const last = text[end - 1] === '\n' ? end - 1 : end;
    blocks.push({ start, block: text.slice(start, last) });
    start = end;
  }
  return blocks;
}

function findEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const line = text.lastIndexOf('\n', wanted);
  if (line > wanted - BLOCK / 2) return line + 1;
  // Both halves of a character stay together.
  return /[\udc00-\udfff]/.test(text[wanted] ?? '') ? wanted + 1 : wanted;
}
