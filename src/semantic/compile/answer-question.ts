import type { ModelIndex } from '../model/index/index-model.ts';
import type { Model } from '../model/model.ts';
import { findDialect } from '../query/find-dialect.ts';
import type { SemanticQuery } from '../query/query.ts';
import { type CompiledQuery, type CompileOptions, compileQuery } from './compile-query.ts';

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
