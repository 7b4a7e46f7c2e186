import type { SessionState } from './exchange.ts';
import { listWords, type Word } from './statement.ts';

/** The qualified name of a table. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/**
 * Tracks the temporary tables that a session's statements create, because servers do not list them. Tables that a
 * procedure creates are not included.
 */
export class TemporaryTables {
  readonly #state: SessionState;
  #tables: readonly TableName[] = [];

  constructor(state: SessionState) {
    this.#state = state;
  }

  get all(): readonly TableName[] {
    return this.#tables;
  }

  /** Call this after a statement that starts with CREATE. */
  notice(statement: string): void {
    const name = findTemporary([...listWords(statement)]);
    const schema = name?.schema ?? this.#state.schema;
    if (name === null || schema === null) return;
    this.drop({ schema, name: name.name });
    this.#tables = [...this.#tables, { schema, name: name.name }];
  }

  /** Call this when a table is no longer a temporary one. */
  drop({ schema, name }: TableName): void {
    this.#tables = this.#tables.filter((table) => table.schema !== schema || table.name !== name);
  }
}

const BEFORE_NAME = new Set(['create', 'or', 'replace', 'temporary', 'table', 'if', 'not', 'exists']);

/** The name of the temporary table that a statement creates; null for other statements. */
function findTemporary(
  words: readonly Word[],
): { readonly schema: string | null; readonly name: string } | null {
  const at = words.findIndex(({ kind, text }) => kind !== 'word' || !BEFORE_NAME.has(text.toLowerCase()));
  const head = words.slice(0, at).map(({ text }) => text.toLowerCase());
  if (at === -1 || !head.includes('temporary') || !head.includes('table')) return null;
  const [first, dot, second] = words.slice(at);
  const isQualified = dot?.text === '.' && dot.kind === 'mark' && second !== undefined;
  return isQualified ? { schema: first!.text, name: second.text } : { schema: null, name: first!.text };
}
