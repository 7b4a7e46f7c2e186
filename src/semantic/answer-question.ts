import { type CompiledQuery, type CompileOptions, compileQuery } from './compile-query.ts';
import { findDialect } from './find-dialect.ts';
import type { ModelIndex } from './index-model.ts';
import type { Model } from './model.ts';
import type { SemanticQuery } from './query.ts';

/** What a question is put to. */
export interface AskedModel {
  readonly model: Model;
  readonly index: ModelIndex;
}

/** The SQL of a question for the platform of the layer that it is about (interface 4.4). Throws a SemanticError. */
export function answerQuestion(
  { model, index }: AskedModel,
  query: SemanticQuery,
  options: Pick<CompileOptions, 'strict' | 'now'>,
): CompiledQuery {
  return compileQuery(index, query, { dialect: findDialect(model, query), ...options });
}
