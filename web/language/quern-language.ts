import { syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { createHighlighting, highlightStyle } from './highlighting.ts';
import type { Dialect } from './sql-keywords.ts';

/** What an editor knows about its text. */
export interface LanguageOptions {
  /** In plain SQL, `#+` and `{{ }}` have no meaning. */
  readonly kind: 'sql' | 'script';
  /** The kind of database whose SQL it is; DuckDB if it is not known. */
  readonly dialect?: Dialect;
}

/** The language support of an editor. To change an option, reconfigure the compartment that contains it. */
export function quernLanguage({ kind, dialect = 'duckdb' }: LanguageOptions): Extension {
  return [createHighlighting(dialect, kind === 'script'), syntaxHighlighting(highlightStyle)];
}
