import type { Expression, KeyUse, ResultUse } from '../expression/expression.ts';
import { listExpressionFields, printExpressionKey } from '../expression/walk-expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { listSyntaxParts } from '../syntax/list-parts.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import type { ExpressionSyntax, SelectSyntax } from '../syntax/syntax.ts';
import { findLevels, type Levels } from './levels.ts';
import { findAlias, findOrdinal, type NamedItem } from './list-items.ts';
import { translationTexts } from './messages/translation-texts.ts';
import type { Scope } from './names/entity-scope.ts';
import { findColumn } from './names/scope.ts';
import { isAggregate } from './values/aggregates.ts';
import { findMeasure, translateAggregate } from './values/translate-aggregate.ts';
import { translateRow } from './values/translate-row.ts';

/** What GROUP BY names. */
export interface Grouped {
  /** By `printExpressionKey`. */
  readonly keys: ReadonlyMap<string, KeyUse>;
  /** The keys of each level; null without levels. */
  readonly levels: Levels | null;
  /** The measures, which must be selected and create no groups. */
  readonly measured: readonly { readonly use: ResultUse; readonly syntax: ExpressionSyntax }[];
}

/** The grouping keys: those of GROUP BY, otherwise every item without a measure, except constants. */
export function findKeys(
  scope: Scope,
  { groupBy, levels }: SelectSyntax,
  items: readonly NamedItem[],
): Grouped {
  const isListed = groupBy !== 'all' && (groupBy.length > 0 || levels !== null);
  const listed = isListed
    ? groupBy.map((syntax) => findGrouped(scope, syntax, items))
    : items.map(({ value }) => value).filter((value) => !hasMeasure(scope, value));
  const keys = new Map<string, KeyUse>();
  const measured: Grouped['measured'][number][] = [];
  const listedKeys = listed.map((syntax): string | null => {
    if (isListed && hasMeasure(scope, syntax)) {
      measured.push({ use: findGroupedMeasure(scope, syntax), syntax });
      return null;
    }
    const expression = translateRow(scope, syntax, 'GROUP BY');
    if (listExpressionFields(expression).length === 0) return null;
    const key = printExpressionKey(expression);
    const use = keys.get(key) ?? toKeyUse(expression, key);
    keys.set(key, use);
    return use.key;
  });
  return { keys, levels: levels && findLevels(levels, listedKeys), measured };
}

/** The measure of the model that GROUP BY names, alone or in its own aggregate. */
function findGroupedMeasure(scope: Scope, syntax: ExpressionSyntax): ResultUse {
  const isOwn = syntax.kind === 'call' && isAggregate(syntax);
  const value = isOwn ? translateAggregate(scope, syntax) : null;
  const use = value?.kind === 'field' ? value.field : findMeasure(scope, syntax);
  if (use?.kind === 'measure') return use;
  throw new SemanticSqlError(syntax, translationTexts.groupByMeasure());
}

function toKeyUse(expression: Expression<DimensionUse>, key: string): KeyUse {
  if (expression.kind === 'field') return expression.field;
  return { kind: 'computed', key, name: 'key', expression };
}

/** Finds the value of a GROUP BY item: an ordinal, a column, an alias, or any expression. */
export function findGrouped(
  scope: Scope,
  syntax: ExpressionSyntax,
  items: readonly NamedItem[],
): ExpressionSyntax {
  if (syntax.kind === 'literal' && syntax.type === 'integer') {
    return findOrdinal(syntax, items, 'GROUP BY').value;
  }
  const isInput = syntax.kind !== 'column' || findColumn(scope, syntax.names) !== null;
  return isInput ? syntax : (findAlias(syntax, items)?.value ?? syntax);
}

/** Whether an expression contains a measure, or an aggregate that creates one. */
export function hasMeasure(scope: Scope, syntax: ExpressionSyntax): boolean {
  const known = scope.measured.get(syntax);
  if (known !== undefined) return known;
  const isMeasure = syntax.kind === 'call' && (isAggregate(syntax) || syntax.over !== null);
  const found =
    isMeasure ||
    findMeasure(scope, syntax) !== null ||
    listSyntaxParts(syntax).some((part) => hasMeasure(scope, part));
  scope.measured.set(syntax, found);
  return found;
}
