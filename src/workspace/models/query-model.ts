import { compileQuery } from '../../semantic/compile/compile-query.ts';
import { SemanticError } from '../../semantic/errors.ts';
import { toMetadata } from '../../semantic/metadata/to-metadata.ts';
import type { AskedModel } from '../../semantic/model/index/index-model.ts';
import type { Model } from '../../semantic/model/model.ts';
import { findDialect } from '../../semantic/query/find-dialect.ts';
import { SemanticSqlError } from '../../semantic/syntax/semantic-sql-error.ts';
import { answerStatements } from '../../semantic/translate/answer-statements.ts';
import type { ModelQuestion, ModelStatements, QuestionAnswer, StatementsAnswer } from './semantic.ts';

// Reads and queries a model in the process of the caller: that of a command, or a separate one of a server.

/** The metadata response of a model, as JSON. */
export function printMetadata(model: Model): Uint8Array {
  return Buffer.from(JSON.stringify(toMetadata(model)));
}

/**
 * Translates a semantic query to the SQL of the platform of its layer (docs/reference/semantic-platforms.md); errors of
 * the query are an answer.
 */
export function queryModel(
  { model, index }: AskedModel,
  { query, strict, explain, now }: ModelQuestion,
): QuestionAnswer {
  try {
    const dialect = findDialect(model, query);
    const { sql, plan, paths, warnings } = compileQuery(index, query, { dialect, strict, now });
    return { status: 'done', answer: explain ? { sql, plan, paths, warnings } : { sql, warnings } };
  } catch (error) {
    if (!(error instanceof SemanticError)) throw error;
    const { kind, code, message, hint } = error;
    return { status: 'failed', error: { kind, code, message, hint } };
  }
}

/** Translates statements of Semantic SQL; errors in a statement are an answer. The first call loads the parser. */
export async function translateStatements(
  model: AskedModel,
  { text, strict, now }: ModelStatements,
): Promise<StatementsAnswer> {
  const { prepareParser } = await import('../../semantic/syntax/parse-statements.ts');
  const parse = await prepareParser();
  let isSyntax = true;
  try {
    const parsed = parse(text);
    isSyntax = false;
    return { status: 'done', statements: answerStatements(model, parsed, { strict, now }) };
  } catch (error) {
    if (!(error instanceof SemanticSqlError)) throw error;
    const { span, message } = error;
    return { status: 'refused', span, message, isSyntax };
  }
}
