/** A word of a shell, with quotes that may be open. */
const WORD = /(?:\\[\s\S]|'[^']*(?:'|$)|"(?:\\[\s\S]|[^"\\])*(?:"|$)|[^\s\\'"])+/g;
const PIECE = /\\([\s\S])|'([^']*)(?:'|$)|"((?:\\[\s\S]|[^"\\])*)(?:"|$)/g;

/**
 * The words of a shell's command line up to the cursor, without quotes and backslashes. The last one is the word to
 * complete, which may be empty.
 */
export function splitLine(line: string): readonly string[] {
  const words = [...line.matchAll(WORD)];
  const last = words.at(-1);
  const isOpen = last !== undefined && last.index + last[0].length === line.length;
  return [...words.map(([word]) => unquote(word)), ...(isOpen ? [] : [''])];
}

function unquote(word: string): string {
  return word.replaceAll(
    PIECE,
    (_, escaped: string | undefined, single: string | undefined, double = '') =>
      escaped ?? single ?? double.replaceAll(/\\([\s\S])/g, '$1'),
  );
}
