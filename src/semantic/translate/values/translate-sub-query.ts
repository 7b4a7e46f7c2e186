import type { QueryName } from '../../expression/expression.ts';
import type { NameSyntax, QuerySyntax } from '../../syntax/syntax.ts';
import type { NameEnvironment } from '../names/environment.ts';
import type { SubQuery } from './translation.ts';

/**
 * Translates a sub-query in an expression, once for equal sub-queries; `isOwn` finds names of the surrounding SELECT.
 * Throws a SemanticSqlError.
 */
export function translateSubQuery(
  environment: NameEnvironment,
  query: QuerySyntax,
  isOwn: (names: readonly NameSyntax[]) => boolean,
): SubQuery {
  const { queries, names } = environment.whole;
  const inner: NameEnvironment = {
    ...environment,
    isOutside: (outer) => isOwn(outer) || environment.isOutside(outer),
  };
  const text = JSON.stringify(query, (key, value: unknown) =>
    key === 'start' || key === 'end' ? undefined : value,
  );
  const known = names.get(environment) ?? new Map<string, QueryName>();
  names.set(environment, known);
  const name = known.get(text) ?? environment.whole.createName();
  known.set(text, name);
  const statement = queries.get(name) ?? environment.translate(inner, query);
  queries.set(name, statement);
  return { name, columns: statement.columns };
}
