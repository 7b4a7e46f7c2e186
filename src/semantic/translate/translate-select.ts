import { elementAt } from '../../invariants/must.ts';
import { createField } from '../expression/create-expression.ts';
import type {
  AnyMeasureUse,
  Condition,
  Expression,
  KeyUse,
  Ordering,
  Output,
  ResolvedQuery,
  ResultUse,
} from '../expression/expression.ts';
import { listExpressionFields } from '../expression/walk-expression.ts';
import type { AskedModel } from '../model/index/asked-model.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { getDataType } from '../query/resolve-query.ts';
import type { Dialect } from '../sql/dialect.ts';
import { SqlRefusal } from '../syntax/sql-refusal.ts';
import type { ExpressionSyntax, OrderSyntax, QuerySyntax, SelectSyntax, SyntaxOf } from '../syntax/syntax.ts';
import { isAggregate } from './aggregates.ts';
import { printExpressionKey } from './expression-key.ts';
import { listItems, type NamedItem } from './list-items.ts';
import { listSyntaxParts } from './list-parts.ts';
import { createScope, findColumn, refuseUnknown, type Scope } from './scope.ts';
import { findMeasure, translateAggregate } from './translate-aggregate.ts';
import { translateExpression } from './translate-expression.ts';
import { findTimezone, translateRow } from './translate-row.ts';
import { translationTexts } from './translation-texts.ts';

/** A SELECT whose names are found. */
interface SelectContext {
  readonly scope: Scope;
  readonly items: readonly NamedItem[];
  /** What groups, by what `printExpressionKey` prints of it. */
  readonly keys: ReadonlyMap<string, KeyUse>;
}

/** What a query over entities asks (semantic SQL 2). Throws a SqlRefusal. */
export function translateQuery(asked: AskedModel, query: QuerySyntax, dialect: Dialect): ResolvedQuery {
  const select = readBody(query);
  const scope = createScope(asked, select.from);
  const items = listItems(scope, select, dialect);
  const context: SelectContext = { scope, items, keys: findKeys(scope, select, items) };
  const values = items.map(({ value }) => translateResult(context, value));
  const having = select.having === null ? [] : translateHaving(context, select.having);
  const measures = listMeasures(values);
  const { keys } = context;
  if (keys.size + measures.size === 0) throw new SqlRefusal(select, translationTexts.nothing());
  if (select.isDistinct) checkDistinct(select, keys, values);
  return {
    root: findRootEntity(scope, measures.size),
    ...nameParts(items, values, [...keys.values()], [...measures.values()]),
    conditions: select.where === null ? [] : translateWhere(scope, select.where),
    having,
    orderBy: query.orderBy.map((order) => translateOrder(context, values, order)),
    limit: readLimit(query),
  };
}

function readBody({ tables, body }: QuerySyntax): SelectSyntax {
  const [table] = tables;
  if (table !== undefined) throw new SqlRefusal(table.name, translationTexts.notYet('WITH'));
  if (body.kind !== 'select') {
    throw new SqlRefusal(body, translationTexts.notYet(body.kind.toUpperCase()));
  }
  if (body.from.length === 0) throw new SqlRefusal(body, translationTexts.noFrom());
  return body;
}

/** The one entity of FROM, whose rows a statement without measures lists; null where the keys say it. */
function findRootEntity({ entities }: Scope, measures: number): ResolvedQuery['root'] {
  const [only, ...others] = entities;
  if (measures > 0 || only === undefined || others.length > 0) return null;
  return only.place.start;
}

/** OFFSET alone would need a number for all rows. */
function readLimit({ limit, offset, body }: QuerySyntax): ResolvedQuery['limit'] {
  if (limit !== null) return { fetch: limit, skip: offset };
  if (offset > 0) throw new SqlRefusal(body, translationTexts.offset());
  return null;
}

/** What groups: what GROUP BY lists, else every item without a measure; constants do not. */
function findKeys(
  scope: Scope,
  { groupBy }: SelectSyntax,
  items: readonly NamedItem[],
): ReadonlyMap<string, KeyUse> {
  const isListed = groupBy !== 'all' && groupBy.length > 0;
  const listed = isListed
    ? groupBy.map((syntax) => findGrouped(scope, syntax, items))
    : items.map(({ value }) => value).filter((value) => !hasMeasure(scope, value));
  const keys = new Map<string, KeyUse>();
  for (const syntax of listed) {
    if (isListed && hasMeasure(scope, syntax))
      throw new SqlRefusal(syntax, translationTexts.groupByMeasure());
    const expression = translateRow(scope, syntax, 'GROUP BY');
    if (listExpressionFields(expression).length === 0) continue;
    const key = printExpressionKey(expression);
    if (!keys.has(key)) keys.set(key, toKeyUse(expression, key));
  }
  return keys;
}

function toKeyUse(expression: Expression<DimensionUse>, key: string): KeyUse {
  if (expression.kind === 'field') return expression.field;
  return { kind: 'computed', key, name: 'key', expression };
}

/** What stands in GROUP BY: an ordinal, a column, an alias, or any expression. */
function findGrouped(scope: Scope, syntax: ExpressionSyntax, items: readonly NamedItem[]): ExpressionSyntax {
  if (syntax.kind === 'literal' && syntax.type === 'integer') {
    return findOrdinal(syntax, items, 'GROUP BY').value;
  }
  const isInput = syntax.kind !== 'column' || findColumn(scope, syntax.names) !== null;
  return isInput ? syntax : (findAlias(syntax, items)?.value ?? syntax);
}

function findOrdinal(syntax: SyntaxOf<'literal'>, items: readonly NamedItem[], clause: string): NamedItem {
  const item = items[Number(syntax.text) - 1];
  if (item === undefined) throw new SqlRefusal(syntax, translationTexts.ordinal(clause, items.length));
  return item;
}

/** The item that a bare name is the alias of; an unquoted one in any case. */
function findAlias(syntax: ExpressionSyntax, items: readonly NamedItem[]): NamedItem | undefined {
  const [name, ...others] = syntax.kind === 'column' ? syntax.names : [];
  if (name === undefined || others.length > 0) return undefined;
  const isNamed = ({ alias }: NamedItem) =>
    alias !== null && (name.isQuoted ? alias.text === name.text : alias.text.toLowerCase() === name.text);
  return items.find(isNamed);
}

/** Whether an expression has a measure, or an aggregate that makes one. */
function hasMeasure(scope: Scope, syntax: ExpressionSyntax): boolean {
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

/** An expression over the result: measures, keys, and what is made of them; `aliased` are items that it may name. */
function translateResult(
  context: SelectContext,
  syntax: ExpressionSyntax,
  aliased: readonly NamedItem[] = [],
): Expression<ResultUse> {
  const { scope } = context;
  return translateExpression<ResultUse>(syntax, {
    timezone: findTimezone(scope),
    readWhole: (part) => readResult(context, part, aliased),
  });
}

function readResult(
  context: SelectContext,
  syntax: ExpressionSyntax,
  aliased: readonly NamedItem[],
): Expression<ResultUse> | null {
  const { scope, keys } = context;
  if (syntax.kind === 'literal' || syntax.kind === 'star') return null;
  if (syntax.kind === 'call' && syntax.over !== null) {
    throw new SqlRefusal(syntax, translationTexts.notYet('a window function'));
  }
  if (syntax.kind === 'call' && isAggregate(syntax)) return toField(translateAggregate(scope, syntax));
  const measure = findMeasure(scope, syntax);
  if (measure !== null) return toField(measure);
  if (hasMeasure(scope, syntax)) return null;
  if (syntax.kind === 'column' && findColumn(scope, syntax.names) === null) {
    const item = findAlias(syntax, aliased);
    if (item === undefined) return refuseUnknown(scope, syntax.names);
    return translateResult(context, item.value);
  }
  const row = translateRow(scope, syntax, 'SELECT');
  const key = keys.get(printExpressionKey(row));
  if (key !== undefined) return toField(key);
  if (syntax.kind !== 'column') return null;
  const name = syntax.names.map(({ text }) => text).join('.');
  throw new SqlRefusal(syntax, translationTexts.notGrouped(name));
}

function toField(use: ResultUse): Expression<ResultUse> {
  return createField<ResultUse>(use, getDataType(use));
}

function translateWhere(scope: Scope, where: ExpressionSyntax): readonly Condition<DimensionUse>[] {
  return splitAnd(where).map((part) => {
    const expression = translateRow(scope, part, 'WHERE');
    if (expression.dataType === 'BOOLEAN') return { kind: 'expression', expression };
    throw new SqlRefusal(part, translationTexts.notCondition('WHERE', expression.dataType));
  });
}

function translateHaving(context: SelectContext, having: ExpressionSyntax): readonly Condition<ResultUse>[] {
  return splitAnd(having).map((part) => {
    const expression = translateResult(context, part, context.items);
    if (expression.dataType === 'BOOLEAN') return { kind: 'expression', expression };
    throw new SqlRefusal(part, translationTexts.notCondition('HAVING', expression.dataType));
  });
}

function splitAnd(syntax: ExpressionSyntax): readonly ExpressionSyntax[] {
  return syntax.kind === 'and' ? syntax.parts.flatMap(splitAnd) : [syntax];
}

/** An ordinal, an alias before anything else, or an expression over the result. */
function translateOrder(
  context: SelectContext,
  values: readonly Expression<ResultUse>[],
  { value, isDescending, nulls }: OrderSyntax,
): Ordering<ResultUse> {
  const { items } = context;
  const isOrdinal = value.kind === 'literal' && value.type === 'integer';
  const item = isOrdinal ? findOrdinal(value, items, 'ORDER BY') : findAlias(value, items);
  const expression =
    item === undefined ? translateResult(context, value) : elementAt(values, items.indexOf(item));
  return { value: expression, desc: isDescending, nullsFirst: nulls === 'first' };
}

/** The measures of the answer, by their keys. */
function listMeasures(values: readonly Expression<ResultUse>[]): ReadonlyMap<string, AnyMeasureUse> {
  const measures = new Map<string, AnyMeasureUse>();
  for (const use of values.flatMap((value) => listExpressionFields(value))) {
    if (use.kind === 'measure' || use.kind === 'spot') measures.set(use.key, use);
  }
  return measures;
}

/** Groups are distinct already, unless what tells them apart is not selected. */
function checkDistinct(
  select: SelectSyntax,
  keys: ReadonlyMap<string, KeyUse>,
  values: readonly Expression<ResultUse>[],
): void {
  const selected = new Set(values.flatMap((value) => (value.kind === 'field' ? value.field.key : [])));
  if ([...keys.values()].some(({ key }) => !selected.has(key))) {
    throw new SqlRefusal(select, translationTexts.distinctKeys());
  }
}

/** Keys and measures by the names of the columns that they are; what is computed of them stands in `items`. */
function nameParts(
  items: readonly NamedItem[],
  values: readonly Expression<ResultUse>[],
  keys: readonly KeyUse[],
  measures: readonly AnyMeasureUse[],
): Pick<ResolvedQuery, 'keys' | 'measures' | 'items'> {
  const names = new Map<string, string>();
  for (const [at, value] of values.entries()) {
    if (value.kind === 'field' && !names.has(value.field.key)) {
      names.set(value.field.key, elementAt(items, at).name);
    }
  }
  const toOutput = <Use extends ResultUse>(use: Use): Output<Use> => ({
    use,
    alias: names.get(use.key) ?? null,
  });
  const parts = { keys: keys.map(toOutput), measures: measures.map(toOutput) };
  const order = [...keys, ...measures].map(({ key }) => key);
  const isPlain =
    values.length === order.length &&
    values.every((value, at) => value.kind === 'field' && value.field.key === order[at]);
  if (isPlain) return { ...parts, items: null };
  return { ...parts, items: values.map((value, at) => ({ alias: elementAt(items, at).name, value })) };
}
