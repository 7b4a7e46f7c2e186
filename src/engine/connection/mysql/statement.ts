import { mysqlRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';

/** Statements whose row count is the number of changed rows. */
const CHANGING = new Set(['insert', 'replace', 'update', 'delete', 'load', 'with', 'call', 'execute']);

/** A word of a statement, or a symbol; `name` is a quoted name without its quotes. */
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

/** The first word of a statement, in lower case. */
export function findVerb(statement: string): string {
  for (const { kind, text } of listWords(statement)) if (kind === 'word') return text.toLowerCase();
  return '';
}

/** Whether the row count of a statement with this first word is the number of changed rows. */
export function mayHaveChanged(verb: string): boolean {
  return CHANGING.has(verb);
}
