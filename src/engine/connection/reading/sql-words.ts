import { type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';

/** A token of a statement except whitespace and comments. */
export interface SqlWord {
  /** A word in lower case, a quoted name without its quotes in lower case, any other token as it is. */
  readonly text: string;
  /** Whether it is a word without quotes. */
  readonly isWord: boolean;
  readonly start: number;
}

/** The words of a statement. `comments` receives the text of each comment. */
export function* readSqlWords(
  statement: string,
  lexicalRules: LexicalRules,
  onComment: (text: string, start: number) => void = () => undefined,
): Interruptible<readonly SqlWord[]> {
  const words: SqlWord[] = [];
  let count = 0;
  for (const { kind, start, end } of scanSql(statement, lexicalRules)) {
    count += 1;
    if (isPause(count)) yield;
    if (kind === 'space') continue;
    const text = statement.slice(start, end);
    if (kind === 'comment') onComment(text, start);
    else if (kind === 'quoted-name')
      words.push({ text: text.slice(1, -1).toLowerCase(), isWord: false, start });
    else words.push({ text: text.toLowerCase(), isWord: kind === 'word', start });
  }
  return words;
}

/** Whether the word at a position, without quotes, is one of `texts`. */
export function isAt(words: readonly SqlWord[], at: number, ...texts: readonly string[]): boolean {
  const word = words[at];
  return word?.isWord === true && texts.includes(word.text);
}
