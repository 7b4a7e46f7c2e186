import { type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import type { ChangingPart } from '../contract/connection.ts';

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

/** What begins a statement that the list lets through: its check, from the position of its first word. */
export type StatementCheck = (words: readonly SqlWord[], at: number) => ChangingPart | null;

/** A refusal that names the words at a position; those of the whole statement if there is no such word. */
export function refuseAt(words: readonly SqlWord[], at: number, count = 1): ChangingPart {
  const named = words.slice(at, at + count);
  const text = named.map((word) => word.text.toUpperCase()).join(' ');
  return { kind: text, offset: named[0]?.start ?? words[0]?.start ?? 0 };
}

/**
 * Refuses several statements in one text, and each statement whose first word has no check. A statement without words
 * is let through, and so are the parentheses around a query.
 */
export function findWriting(
  words: readonly SqlWord[],
  checks: ReadonlyMap<string, StatementCheck>,
  from = 0,
): ChangingPart | null {
  const semicolon = words.findIndex(({ text, isWord }) => text === ';' && !isWord);
  if (semicolon !== -1 && semicolon < words.length - 1) return refuseAt(words, semicolon + 1);
  let at = from;
  while (words[at]?.text === '(') at += 1;
  const first = words[at];
  if (first === undefined) return null;
  const check = first.isWord ? checks.get(first.text) : undefined;
  return check === undefined ? refuseAt(words, at) : check(words, at);
}

/**
 * A sequence of words without quotes anywhere in a statement, and whether it counts at its position; it never counts after
 * a dot or AS.
 */
export interface WritingWords {
  readonly words: readonly string[];
  readonly counts?: (words: readonly SqlWord[], at: number) => boolean;
}

/** The first of the given sequences of words in a statement. */
export function findWords(
  words: readonly SqlWord[],
  sequences: readonly WritingWords[],
): ChangingPart | null {
  for (const [at, word] of words.entries()) {
    if (!word.isWord || words[at - 1]?.text === '.' || isAt(words, at - 1, 'as')) continue;
    const match = sequences.find(
      (sequence) =>
        sequence.words.every((text, offset) => isAt(words, at + offset, text)) &&
        (sequence.counts === undefined || sequence.counts(words, at)),
    );
    if (match !== undefined) return refuseAt(words, at, match.words.length);
  }
  return null;
}

/** Whether a token other than a word, at a position, is one of `texts`. */
export function isMarkAt(words: readonly SqlWord[], at: number, ...texts: readonly string[]): boolean {
  const word = words[at];
  return word !== undefined && !word.isWord && texts.includes(word.text);
}
