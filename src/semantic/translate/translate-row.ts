import { createField } from '../expression/create-expression.ts';
import type { Expression } from '../expression/expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { SqlRefusal } from '../syntax/sql-refusal.ts';
import type { ExpressionSyntax, SyntaxOf } from '../syntax/syntax.ts';
import { isAggregate } from './aggregates.ts';
import { findColumn, refuseUnknown, type Scope } from './scope.ts';
import { readFunctionName } from './translate-call.ts';
import { translateExpression } from './translate-expression.ts';
import { translationTexts } from './translation-texts.ts';

/**
 * An expression over the rows of entities, as of WHERE, a grouping key or an aggregate's argument: without measures.
 * `clause` is what messages call its place. Throws a SqlRefusal.
 */
export function translateRow(
  scope: Scope,
  syntax: ExpressionSyntax,
  clause: string,
): Expression<DimensionUse> {
  const readWhole = (part: ExpressionSyntax): Expression<DimensionUse> | null => {
    if (part.kind === 'column') return readColumn(scope, part, clause);
    if (part.kind !== 'call' || !isAggregate(part)) return null;
    throw new SqlRefusal(part, translationTexts.aggregateInRow(readFunctionName(part), clause));
  };
  return translateExpression(syntax, { timezone: findTimezone(scope), readWhole });
}

function readColumn(scope: Scope, { names }: SyntaxOf<'column'>, clause: string): Expression<DimensionUse> {
  const [name] = names;
  const use = findColumn(scope, names);
  if (use === null || name === undefined) return refuseUnknown(scope, names);
  if (use.kind === 'measure') {
    throw new SqlRefusal(name, translationTexts.measureInRow(use.measure.name, clause));
  }
  return createField(use, use.field.dimension.dataType);
}

/** The time zone of the entities in FROM, which are of one layer. */
export function findTimezone({ entities }: Scope): string {
  return entities[0]?.place.owner.timezone ?? 'UTC';
}
