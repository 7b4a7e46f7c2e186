import type { SessionState } from './exchange.ts';
import { listWords, type Word } from './statement.ts';

/** A table by its whole name. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/**
 * The temporary tables that the statements of a session have made: servers do not list them. Those that a
 * procedure makes are not among them.
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

  /** To be called when a statement has run that begins with CREATE. */
  notice(statement: string): void {
    const name = findTemporary([...listWords(statement)]);
    const schema = name?.schema ?? this.#state.schema;
    if (name === null || schema === null) return;
    this.drop({ schema, name: name.name });
    this.#tables = [...this.#tables, { schema, name: name.name }];
  }

  /** To be called when a table is known to be none of them any more. */
  drop({ schema, name }: TableName): void {
    this.#tables = this.#tables.filter((own) => own.schema !== schema || own.name !== name);
  }
}

const BEFORE_NAME = new Set(['create', 'or', 'replace', 'temporary', 'table', 'if', 'not', 'exists']);

/** The name of the temporary table that a statement makes; null for any other statement. */
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
