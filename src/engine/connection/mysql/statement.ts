import { mysqlRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';

/** Statements whose counts are of rows that they changed; those of others are of something else. */
const CHANGING = new Set(['insert', 'replace', 'update', 'delete', 'load', 'with', 'call', 'execute']);

/** A word of a statement, or a mark; `name` is a quoted name without its quotes. */
export interface Word {
  readonly kind: 'word' | 'name' | 'mark' | 'string';
  readonly text: string;
  readonly start: number;
}

const KINDS = { word: 'word', 'quoted-name': 'name', string: 'string' } as const;

/** The words of a statement, without comments. */
export function* listWords(statement: string): Generator<Word, void, undefined> {
  for (const { kind, start, end } of scanSql(statement, mysqlRules)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = statement.slice(start, end);
    const isName = kind === 'quoted-name';
    yield {
      kind: kind in KINDS ? KINDS[kind as keyof typeof KINDS] : 'mark',
      text: isName ? text.slice(1, -1).replaceAll('``', '`') : text,
      start,
    };
  }
}

/** The word that a statement begins with, in lower case. */
export function findVerb(statement: string): string {
  for (const { kind, text } of listWords(statement)) if (kind === 'word') return text.toLowerCase();
  return '';
}

/** Whether the server's count of a statement that begins with a word is one of changed rows. */
export function mayHaveChanged(verb: string): boolean {
  return CHANGING.has(verb);
}
