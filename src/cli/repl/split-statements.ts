/** A quoted or commented part of SQL, which may be open at the end, or one other character. */
const PART =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$)|[\s\S]/g;

/** A text that is split at the semicolons outside of quotes and comments. */
interface Split {
  /** Complete statements with their semicolons. */
  readonly statements: readonly string[];
  /** The start of the next statement; can be blank. */
  readonly rest: string;
}

/** Splits what was typed into complete statements and the start of the next one. */
export function splitStatements(text: string): Split {
  const statements: string[] = [];
  let from = 0;
  for (const { 0: part, index } of text.matchAll(PART)) {
    if (part !== ';') continue;
    statements.push(text.slice(from, index + 1).trim());
    from = index + 1;
  }
  return { statements: statements.filter((statement) => statement !== ';'), rest: text.slice(from) };
}
