/** Quotes a word for a POSIX shell. */
export function quoteArgument(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
