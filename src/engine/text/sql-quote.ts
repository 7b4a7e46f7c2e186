/** An identifier in standard quotes: `a"b` becomes `"a""b"`. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A string literal in standard quotes: `it's` becomes `'it''s'`. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Whether a name needs no quotes in SQL, unless it is a reserved word. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_$]*$/.test(name);
}
