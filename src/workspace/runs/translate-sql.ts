import { connectionErrors } from '../../connections/errors.ts';
import type { Warning } from '../../engine/text/diagnostic.ts';
import type { Source } from '../../engine/text/source.ts';
import type { CodegenBody, SemanticText, TranslatedSql } from '../api/semantic-api.ts';

/**
 * Translates what is sent to a connection, if that is a semantic one; null for any other. Rejects with a ServiceError, and
 * with a DiagnosticError for a text that is refused.
 */
export type TranslateSql = (
  connection: { readonly name: string; readonly overrides: Readonly<Record<string, string>> },
  text: SemanticText,
) => Promise<TranslatedSql | null>;

/**
 * Translates by the models of a principal. Overrides are those of databases: the connection behind a model has what its
 * SQL is for, and a semantic one has none.
 */
export function createTranslateSql(
  findKind: (name: string) => string,
  prepareSql: (name: string, text: SemanticText) => Promise<TranslatedSql>,
): TranslateSql {
  return async ({ name, overrides }, text) => {
    if (findKind(name) !== 'semantic') return null;
    const [key] = Object.keys(overrides);
    if (key !== undefined) throw connectionErrors.overrideNotAllowed(key);
    return prepareSql(name, text);
  };
}

/** Statements as one text, for whoever runs them. */
export function joinStatements(name: string, statements: readonly CodegenBody[]): Source {
  return { name, text: statements.map(({ sql }) => sql).join(';\n') };
}

/** What may surprise about the answers of some statements. */
export function listWarnings(statements: readonly CodegenBody[]): readonly Warning[] {
  return statements.flatMap(({ warnings }) =>
    warnings.map((message) => ({ severity: 'warning', code: 'model', message, suggestion: null }) as const),
  );
}
