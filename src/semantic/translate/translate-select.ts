import { elementAt } from '../../invariants/must.ts';
import { createCall, createField, createLiteral } from '../expression/create-expression.ts';
import { createSpotMeasure } from '../expression/create-measure.ts';
import type {
  AnyMeasureUse,
  Condition,
  Expression,
  KeyUse,
  Output,
  ResolvedQuery,
  ResultUse,
} from '../expression/expression.ts';
import type { ResultColumn, ResultJoin, Statement } from '../expression/statement.ts';
import {
  hasPart,
  isNullLiteral,
  listExpressionFields,
  mapExpression,
  printExpressionKey,
} from '../expression/walk-expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import type { IndexedEntity } from '../model/index/index-model.ts';
import { getDataType, printUse } from '../query/resolve-query.ts';
import { listSyntaxParts } from '../syntax/list-parts.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import type { ExpressionSyntax, QuerySyntax, SelectSyntax } from '../syntax/syntax.ts';
import {
  findAlias,
  findOrdinal,
  listItems,
  listStarred,
  type NamedItem,
  nameField,
  readLimit,
  readOrdering,
} from './list-items.ts';
import { translationTexts } from './messages/translation-texts.ts';
import type { Environment } from './names/environment.ts';
import { createScope, findColumn, isInScope, refuseUnknown, type Scope } from './names/scope.ts';
import { isAggregate } from './values/aggregates.ts';
import { findMeasure, translateAggregate } from './values/translate-aggregate.ts';
import { translateExpression } from './values/translate-expression.ts';
import { findTimezone, splitAnd, translateRow, translateWhere } from './values/translate-row.ts';
import { translateSubQuery } from './values/translate-sub-query.ts';
import { translateWindow } from './values/translate-window.ts';
import type { ExpressionReader } from './values/translation.ts';
import { wrapResult } from './wrap-result.ts';

/** A SELECT with resolved names. */
interface SelectContext {
  readonly scope: Scope;
  readonly select: SelectSyntax;
  readonly items: readonly NamedItem[];
  /** The grouping keys by `printExpressionKey`. */
  readonly keys: ReadonlyMap<string, KeyUse>;
}

/**
 * Translates a SELECT over entities, with its ORDER BY and LIMIT (docs/reference/semantic-sql.md#what-a-select-means).
 * Throws a SemanticSqlError.
 */
export function translateSelect(
  environment: Environment,
  query: QuerySyntax,
  select: SelectSyntax,
): Statement {
  const scope = createScope(environment, select.from);
  const items = listItems(
    {
      ...scope,
      listStarred: (star) => listStarred(scope, star),
      nameColumn: (names) => nameField(scope, names),
    },
    select,
  );
  const { keys, measured } = findKeys(scope, select, items);
  const context: SelectContext = { scope, select, items, keys };
  const values = items.map(({ value }) => translateResult(context, value));
  const having = select.having === null ? [] : translateHaving(context, select.having);
  const measures = listMeasures(values);
  for (const { use, syntax } of measured) {
    if (!measures.has(use.key)) throw new SemanticSqlError(syntax, translationTexts.groupByUnselected());
  }
  const where = select.where === null ? [] : translateWhere(scope, select.where);
  const conditions = [...scope.views.flatMap((view) => view.conditions), ...where];
  if (keys.size + measures.size === 0) return selectConstants(context, query, conditions);
  if (select.isDistinct && !areDistinct(keys, values)) {
    const inner = { ...query, orderBy: [], limit: null, offset: 0 };
    const groups = translateSelect(environment, inner, { ...select, isDistinct: false });
    return wrapResult(query, groups, { distinct: true });
  }
  const resolved: ResolvedQuery = {
    root: findRootEntity(scope, measures.size),
    ...nameParts(items, values, [...keys.values()], [...measures.values()]),
    conditions,
    having,
    orderBy: query.orderBy.map((order) =>
      readOrdering(order, context.items, values, (syntax) => translateResult(context, syntax)),
    ),
    limit: readLimit(query),
  };
  const columns = items.map(({ name }, at) => toColumn(name, elementAt(values, at)));
  const isBare = measures.size === 0 && select.groupBy.length === 0 && !select.isDistinct;
  return { columns, body: { kind: 'entities', query: resolved, isBare } };
}

function toColumn(name: string, value: Expression<ResultUse>): ResultColumn {
  const { dataType, nullable } = value;
  return { name, dataType, nullable, isNull: isNullLiteral(value), measure: findNonAdditive(value) };
}

/** The measure of a value, if finished groups of it cannot be summed; otherwise null. */
function findNonAdditive(value: Expression<ResultUse>): string | null {
  const use = value.kind === 'field' ? value.field : null;
  if (use?.kind !== 'measure' && use?.kind !== 'spot') return null;
  const aggregation = use.kind === 'measure' ? use.measure.aggregation : use.aggregate;
  return aggregation === 'SUM' || aggregation === 'COUNT' ? null : printUse(use);
}

/**
 * A SELECT of constants over entities: one row, if any row satisfies the conditions. Throws a SemanticSqlError for more
 * entities.
 */
function selectConstants(
  { scope, select, items }: SelectContext,
  query: QuerySyntax,
  conditions: readonly Condition<DimensionUse>[],
): Statement {
  const [place, ...others] = scope.places;
  const isPlain =
    select.having === null &&
    query.orderBy.length === 0 &&
    select.groupBy.length === 0 &&
    !items.some(({ value }) => hasMeasure(scope, value));
  if (!isPlain || place === undefined || others.length > 0 || place.steps.length > 0) {
    throw new SemanticSqlError(select, translationTexts.nothing());
  }
  const values = items.map(({ value }) => translateConstant(scope, value));
  const columns = items.map(({ name }, at) => toColumn(name, elementAt(values, at)));
  const from = conditions.length === 0 ? [] : [createRowTest(place.owner, conditions)];
  const rest = { where: null, grouping: null, orderBy: [], limit: readLimit(query) };
  return { columns, body: { kind: 'select', distinct: false, values, from, ...rest } };
}

/** One row if the entity has a row that satisfies the conditions; otherwise no row. */
function createRowTest(owner: IndexedEntity, conditions: readonly Condition<DimensionUse>[]): ResultJoin {
  const rows = createSpotMeasure({ name: 'rows', owner, aggregate: 'COUNT', argument: null, filter: null });
  const zero: Expression<ResultUse> = createLiteral(
    { kind: 'literal', type: 'number', text: '0' },
    'INTEGER',
  );
  const isThere = createCall('>', [toField(rows), zero]);
  const query: ResolvedQuery = {
    root: null,
    keys: [],
    measures: [{ use: rows, alias: 'rows' }],
    conditions,
    having: [{ kind: 'expression', expression: isThere }],
    orderBy: [],
    limit: null,
    items: null,
  };
  const column = {
    name: 'rows',
    dataType: 'INTEGER',
    nullable: false,
    isNull: false,
    measure: null,
  } as const;
  const statement: Statement = { columns: [column], body: { kind: 'entities', query, isBare: false } };
  return { type: 'CROSS', relation: { statement, alias: 'found', table: null }, on: null };
}

function translateConstant(scope: Scope, syntax: ExpressionSyntax): Expression<never> {
  const expression = translateRow(scope, syntax, 'SELECT');
  return mapExpression(expression, () => {
    throw new SemanticSqlError(syntax, translationTexts.nothing());
  });
}

/** The only entity in FROM, whose rows a statement without measures lists; null if the keys define the root. */
function findRootEntity({ places }: Scope, measures: number): ResolvedQuery['root'] {
  const [only, ...others] = places;
  if (measures > 0 || only === undefined || others.length > 0) return null;
  return only.start;
}

/** What GROUP BY names. */
interface Grouped {
  /** By `printExpressionKey`. */
  readonly keys: ReadonlyMap<string, KeyUse>;
  /** The measures, which must be selected and create no groups. */
  readonly measured: readonly { readonly use: ResultUse; readonly syntax: ExpressionSyntax }[];
}

/** The grouping keys: those of GROUP BY, otherwise every item without a measure, except constants. */
function findKeys(scope: Scope, { groupBy }: SelectSyntax, items: readonly NamedItem[]): Grouped {
  const isListed = groupBy !== 'all' && groupBy.length > 0;
  const listed = isListed
    ? groupBy.map((syntax) => findGrouped(scope, syntax, items))
    : items.map(({ value }) => value).filter((value) => !hasMeasure(scope, value));
  const keys = new Map<string, KeyUse>();
  const measured: Grouped['measured'][number][] = [];
  for (const syntax of listed) {
    if (isListed && hasMeasure(scope, syntax)) {
      measured.push({ use: findGroupedMeasure(scope, syntax), syntax });
      continue;
    }
    const expression = translateRow(scope, syntax, 'GROUP BY');
    if (listExpressionFields(expression).length === 0) continue;
    const key = printExpressionKey(expression);
    if (!keys.has(key)) keys.set(key, toKeyUse(expression, key));
  }
  return { keys, measured };
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
function findGrouped(scope: Scope, syntax: ExpressionSyntax, items: readonly NamedItem[]): ExpressionSyntax {
  if (syntax.kind === 'literal' && syntax.type === 'integer') {
    return findOrdinal(syntax, items, 'GROUP BY').value;
  }
  const isInput = syntax.kind !== 'column' || findColumn(scope, syntax.names) !== null;
  return isInput ? syntax : (findAlias(syntax, items)?.value ?? syntax);
}

/** Whether an expression contains a measure, or an aggregate that creates one. */
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

/**
 * Translates an expression over the result: measures, keys, and expressions over them; it can name the items in
 * `aliased`.
 */
function translateResult(
  context: SelectContext,
  syntax: ExpressionSyntax,
  aliased: readonly NamedItem[] = [],
): Expression<ResultUse> {
  return translateExpression<ResultUse>(syntax, createReader(context, aliased));
}

function createReader(context: SelectContext, aliased: readonly NamedItem[]): ExpressionReader<ResultUse> {
  const { scope } = context;
  return {
    timezone: findTimezone(scope),
    clock: scope.whole.clock,
    readWhole: (part) => readResult(context, part, aliased),
    readQuery: (query) => translateSubQuery(scope, query, (names) => isInScope(scope, names)),
  };
}

function readResult(
  context: SelectContext,
  syntax: ExpressionSyntax,
  aliased: readonly NamedItem[],
): Expression<ResultUse> | null {
  const { scope, keys } = context;
  if (syntax.kind === 'literal' || syntax.kind === 'star') return null;
  if (syntax.kind === 'call' && syntax.over !== null) {
    const translate = (part: ExpressionSyntax) => translateResult(context, part, aliased);
    return translateWindow(syntax, context.select.windows, translate, findTimezone(scope));
  }
  if (syntax.kind === 'call' && isAggregate(syntax)) return translateAggregate(scope, syntax);
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
  throw new SemanticSqlError(syntax, translationTexts.notGrouped(name));
}

function toField(use: ResultUse): Expression<ResultUse> {
  return createField<ResultUse>(use, getDataType(use));
}

function translateHaving(context: SelectContext, having: ExpressionSyntax): readonly Condition<ResultUse>[] {
  return splitAnd(having).map((part) => {
    const expression = translateResult(context, part, context.items);
    if (hasPart(expression, 'window')) {
      throw new SemanticSqlError(part, translationTexts.windowInRow('HAVING'));
    }
    if (expression.dataType === 'BOOLEAN') return { kind: 'expression', expression };
    throw new SemanticSqlError(part, translationTexts.notCondition('HAVING', expression.dataType));
  });
}

/** The measures of the result, by their keys. */
function listMeasures(values: readonly Expression<ResultUse>[]): ReadonlyMap<string, AnyMeasureUse> {
  const measures = new Map<string, AnyMeasureUse>();
  for (const use of values.flatMap((value) => listExpressionFields(value))) {
    if (use.kind === 'measure' || use.kind === 'spot') measures.set(use.key, use);
  }
  return measures;
}

/** Groups are already distinct, unless one of their keys is not selected. */
function areDistinct(keys: ReadonlyMap<string, KeyUse>, values: readonly Expression<ResultUse>[]): boolean {
  const selected = new Set(values.flatMap((value) => (value.kind === 'field' ? value.field.key : [])));
  return [...keys.values()].every(({ key }) => selected.has(key));
}

/** Names keys and measures after the columns that equal them; expressions over them go to `items`. */
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
