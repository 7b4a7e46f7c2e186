import type { AskedModel } from '../model/index/asked-model.ts';
import { findDialect } from '../query/find-dialect.ts';
import type { SemanticQuery } from '../query/query.ts';
import { type CompiledQuery, type CompileOptions, compileQuery } from './compile-query.ts';

/** The SQL of a question for the platform of the layer that it is about (interface 4.4). Throws a SemanticError. */
export function answerQuestion(
  { model, index }: AskedModel,
  query: SemanticQuery,
  options: Pick<CompileOptions, 'strict' | 'now'>,
): CompiledQuery {
  return compileQuery(index, query, { dialect: findDialect(model, query), ...options });
}
