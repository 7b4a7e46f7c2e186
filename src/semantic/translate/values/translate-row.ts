import { createField } from '../../expression/create-expression.ts';
import type { ResolvedFilter, TypedExpression } from '../../expression/expression.ts';
import type { DimensionUse } from '../../model/index/field-use.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { ExpressionSyntax, QuerySyntax, SyntaxOf } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import type { EntityScope } from '../names/entity-scope.ts';
import { splitAnd } from '../names/list-joined.ts';
import { findColumn, isInScope, refuseUnknown } from '../names/scope.ts';
import { isAggregate } from './aggregates.ts';
import { readFunctionName } from './translate-call.ts';
import { translateExpression } from './translate-expression.ts';
import { translateSubQuery } from './translate-sub-query.ts';

/**
 * Translates an expression over the rows of entities, without measures: for WHERE, a grouping key or the argument of an
 * aggregate. `clause` is its name in messages. Throws a SemanticSqlError.
 */
export function translateRow(
  scope: EntityScope,
  syntax: ExpressionSyntax,
  clause: string,
): TypedExpression<DimensionUse> {
  const readWhole = (part: ExpressionSyntax): TypedExpression<DimensionUse> | null => {
    if (part.kind === 'column') return readColumn(scope, part, clause);
    if (part.kind !== 'call') return null;
    if (part.over !== null) throw new SemanticSqlError(part, translationTexts.windowInRow(clause));
    if (!isAggregate(part)) return null;
    throw new SemanticSqlError(part, translationTexts.aggregateInRow(readFunctionName(part), clause));
  };
  const readQuery = (query: QuerySyntax) =>
    translateSubQuery(scope, query, (names) => isInScope(scope, names));
  return translateExpression(syntax, {
    timezone: findTimezone(scope),
    clock: scope.whole.clock,
    readWhole,
    readQuery,
  });
}

function readColumn(
  scope: EntityScope,
  { names }: SyntaxOf<'column'>,
  clause: string,
): TypedExpression<DimensionUse> {
  const [name] = names;
  const use = findColumn(scope, names);
  if (use === null || name === undefined) return refuseUnknown(scope, names);
  if (use.kind === 'measure') {
    throw new SemanticSqlError(name, translationTexts.measureInRow(use.measure.name, clause));
  }
  return createField(use, use.field.dimension.dataType);
}

/** The time zone of the entities in FROM, which are in one layer. */
export function findTimezone({ places }: EntityScope): string {
  return places[0]?.owner.timezone ?? 'UTC';
}

/** Translates the conditions of WHERE, which apply to the joined row. Throws a SemanticSqlError. */
export function translateWhere(
  scope: EntityScope,
  where: ExpressionSyntax,
): readonly ResolvedFilter<DimensionUse>[] {
  return splitAnd(where).map((part) => {
    const expression = translateRow(scope, part, 'WHERE');
    if (expression.dataType === 'BOOLEAN') return { kind: 'expression', expression };
    throw new SemanticSqlError(part, translationTexts.notCondition('WHERE', expression.dataType));
  });
}
