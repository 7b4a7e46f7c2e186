import type { QueryName } from '../../expression/expression.ts';
import type { NameSyntax, QuerySyntax } from '../../syntax/syntax.ts';
import type { Environment } from '../names/environment.ts';
import type { NamedQuery } from './translation.ts';

/**
 * Translates a sub-query in an expression, once for equal sub-queries; `isOwn` finds names of the surrounding SELECT.
 * Throws a SemanticSqlError.
 */
export function translateSubQuery(
  environment: Environment,
  query: QuerySyntax,
  isOwn: (names: readonly NameSyntax[]) => boolean,
): NamedQuery {
  const { queries, names } = environment.whole;
  const inner: Environment = {
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
