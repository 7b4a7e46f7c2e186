import { elementAt } from '../../invariants/must.ts';
import { createCall, createField, createLiteral } from '../expression/create-expression.ts';
import { createSpotMeasure } from '../expression/create-measure.ts';
import type {
  AnyMeasureUse,
  KeyUse,
  OutputColumn,
  ResolvedFilter,
  ResolvedQuery,
  ResultUse,
  TypedExpression,
} from '../expression/expression.ts';
import type { ResultJoin, ResultStatement, StatementColumn } from '../expression/statement.ts';
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
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import {
  type CallSyntax,
  type ExpressionSyntax,
  listSyntaxParts,
  type QuerySyntax,
  type SelectSyntax,
} from '../syntax/syntax.ts';
import { findLevels, type Levels, readGrouping } from './levels.ts';
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
import type { EntityScope } from './names/entity-scope.ts';
import type { NameEnvironment } from './names/environment.ts';
import { splitAnd } from './names/list-joined.ts';
import { createNameScope, findColumn, isInScope, refuseUnknown } from './names/scope.ts';
import { createGrouping, type Groupings, isMeasure, uniteQueries } from './unite-queries.ts';
import { isAggregate, isGrouping } from './values/aggregates.ts';
import { findMeasure, translateAggregate } from './values/translate-aggregate.ts';
import { translateExpression } from './values/translate-expression.ts';
import { findTimezone, translateRow, translateWhere } from './values/translate-row.ts';
import { translateSubQuery } from './values/translate-sub-query.ts';
import { translateWindow } from './values/translate-window.ts';
import type { ExpressionReader } from './values/translation.ts';
import { wrapResult } from './wrap-result.ts';

/** A SELECT with resolved names. */
interface SelectContext {
  readonly scope: EntityScope;
  readonly select: SelectSyntax;
  readonly items: readonly NamedItem[];
  /** The grouping keys by `printExpressionKey`. */
  readonly keys: ReadonlyMap<string, KeyUse>;
  /** Null without levels. */
  readonly groupings: Groupings | null;
}

/**
 * Translates a SELECT over entities, with its ORDER BY and LIMIT (docs/reference/semantic-sql.md#what-a-select-means).
 * Throws a SemanticSqlError.
 */
export function translateSelect(
  environment: NameEnvironment,
  query: QuerySyntax,
  select: SelectSyntax,
): ResultStatement {
  const scope = createNameScope(environment, select.from, (joinScope, on) =>
    translateRow(joinScope, on, 'ON'),
  );
  const items = listItems(
    {
      ...scope,
      listStarred: (star) => listStarred(scope, star),
      nameColumn: (names) => nameField(scope, names),
    },
    select,
  );
  const { keys, levels, measured } = findKeys(scope, select, items);
  const groupings: Groupings | null = levels && new Map();
  const context: SelectContext = { scope, select, items, keys, groupings };
  const values = items.map(({ value }) => translateResult(context, value));
  const having = select.having === null ? [] : translateHaving(context, select.having);
  const uses = values.flatMap((value) => listExpressionFields(value)).filter(isMeasure);
  const measures = new Map(uses.map((use) => [use.key, use]));
  for (const { use, syntax } of measured) {
    if (!measures.has(use.key)) throw new SemanticSqlError(syntax, translationTexts.groupByUnselected());
  }
  const where = select.where === null ? [] : translateWhere(scope, select.where);
  const conditions = [...scope.views.flatMap((view) => view.conditions), ...where];
  if (levels === null && keys.size + measures.size === 0) return selectConstants(context, query, conditions);
  if (select.isDistinct && (levels !== null || !areDistinct(keys, values))) {
    const inner = { ...query, orderBy: [], limit: null, offset: 0 };
    const groups = translateSelect(environment, inner, { ...select, isDistinct: false });
    return wrapResult(query, groups, { distinct: true });
  }
  const shared = {
    root: findRootEntity(scope, measures.size),
    results: scope.views.flatMap((view) => view.results),
    conditions,
    having,
    orderBy: query.orderBy.map((order) =>
      readOrdering(order, context.items, values, (syntax) => translateResult(context, syntax)),
    ),
    limit: readLimit(query),
  };
  const columns = items.map(({ name }, at) => toColumn(name, elementAt(values, at), levels !== null));
  const [ownKeys, ownMeasures] = [[...keys.values()], [...measures.values()]];
  if (levels !== null && groupings !== null) {
    const parts = { keys: ownKeys, measures: ownMeasures, items, values };
    return { columns, body: uniteQueries({ ...scope, ...shared, ...parts, levels, groupings }) };
  }
  const resolved: ResolvedQuery = {
    ...shared,
    ...nameParts(items, values, ownKeys, ownMeasures),
    having: having.map((expression) => ({ kind: 'expression', expression })),
  };
  const isBare = measures.size === 0 && select.groupBy.length === 0 && !select.isDistinct;
  return { columns, body: { kind: 'entities', query: resolved, isBare, isLevel: false } };
}

function toColumn(name: string, value: TypedExpression<ResultUse>, hasLevels: boolean): StatementColumn {
  const { dataType, nullable } = value;
  const measure = findNonAdditive(value, hasLevels);
  return { name, dataType, nullable, isNull: isNullLiteral(value), measure };
}

/** The measure of a value, if finished groups of it cannot be summed; otherwise null. A row counts in each level. */
function findNonAdditive(value: TypedExpression<ResultUse>, hasLevels: boolean): string | null {
  const use = value.kind === 'field' ? value.field : null;
  if (use === null || !isMeasure(use)) return null;
  const aggregation = use.kind === 'measure' ? use.measure.aggregation : use.aggregate;
  const isAdditive = !hasLevels && (aggregation === 'SUM' || aggregation === 'COUNT');
  return isAdditive ? null : printUse(use);
}

/**
 * A SELECT of constants over entities: one row, if any row satisfies the conditions. Throws a SemanticSqlError for more
 * entities.
 */
function selectConstants(
  { scope, select, items }: SelectContext,
  query: QuerySyntax,
  conditions: readonly ResolvedFilter<DimensionUse>[],
): ResultStatement {
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
  const columns = items.map(({ name }, at) => toColumn(name, elementAt(values, at), false));
  const results = scope.views.flatMap((view) => view.results);
  const from = conditions.length === 0 ? [] : [createRowTest(place.owner, { results, conditions })];
  const clauses = { where: null, grouping: null, orderBy: [], limit: readLimit(query) };
  return { columns, body: { kind: 'select', distinct: false, values, from, ...clauses } };
}

/** One row if the entity has a row that satisfies the conditions; otherwise no row. */
function createRowTest(
  owner: IndexedEntity,
  parts: Pick<ResolvedQuery, 'results' | 'conditions'>,
): ResultJoin {
  const rows = createSpotMeasure({ name: 'rows', owner, aggregate: 'COUNT', argument: null, filter: null });
  const zero: TypedExpression<ResultUse> = createLiteral(
    { kind: 'literal', type: 'number', text: '0' },
    'INTEGER',
  );
  const isThere = createCall('>', [toField(rows), zero]);
  const query: ResolvedQuery = {
    root: null,
    keys: [],
    measures: [{ use: rows, alias: 'rows' }],
    ...parts,
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
  const statement: ResultStatement = {
    columns: [column],
    body: { kind: 'entities', query, isBare: false, isLevel: false },
  };
  return { type: 'CROSS', relation: { statement, alias: 'found', table: null }, on: null };
}

function translateConstant(scope: EntityScope, syntax: ExpressionSyntax): TypedExpression<never> {
  const expression = translateRow(scope, syntax, 'SELECT');
  return mapExpression(expression, () => {
    throw new SemanticSqlError(syntax, translationTexts.nothing());
  });
}

/** The only entity in FROM, whose rows a statement without measures lists; null if the keys define the root. */
function findRootEntity({ places }: EntityScope, measures: number): ResolvedQuery['root'] {
  const [only, ...others] = places;
  if (measures > 0 || only === undefined || others.length > 0) return null;
  return only.start;
}

/**
 * Translates an expression over the result: measures, keys, and expressions over them; it can name the items in
 * `aliased`.
 */
function translateResult(
  context: SelectContext,
  syntax: ExpressionSyntax,
  aliased: readonly NamedItem[] = [],
): TypedExpression<ResultUse> {
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
): TypedExpression<ResultUse> | null {
  const { scope, keys } = context;
  if (syntax.kind === 'literal' || syntax.kind === 'star') return null;
  const call = syntax.kind === 'call' ? readGroupCall(context, syntax, aliased) : null;
  if (call !== null) return call;
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

/** A window function, GROUPING or an aggregate; null for any other call. */
function readGroupCall(
  context: SelectContext,
  call: CallSyntax,
  aliased: readonly NamedItem[],
): TypedExpression<ResultUse> | null {
  const { scope, select } = context;
  if (call.over !== null) {
    const translate = (part: ExpressionSyntax) => translateResult(context, part, aliased);
    return translateWindow(call, select.windows, translate, findTimezone(scope));
  }
  if (isGrouping(call)) return translateGrouping(context, call);
  return isAggregate(call) ? translateAggregate(scope, call) : null;
}

/** GROUPING: 0 for each key that has groups, 1 for one that the level leaves out, as the bits of an integer. */
function translateGrouping(
  { scope, items, keys, groupings }: SelectContext,
  call: CallSyntax,
): TypedExpression<ResultUse> {
  const names = readGrouping(call, (arg) => {
    if (hasMeasure(scope, arg)) return null;
    const row = translateRow(scope, arg.kind === 'column' ? findGrouped(scope, arg, items) : arg, 'GROUPING');
    return keys.get(printExpressionKey(row))?.key ?? null;
  });
  return createGrouping(names, groupings);
}

function toField(use: ResultUse): TypedExpression<ResultUse> {
  return createField<ResultUse>(use, getDataType(use));
}

function translateHaving(
  context: SelectContext,
  having: ExpressionSyntax,
): readonly TypedExpression<ResultUse>[] {
  return splitAnd(having).map((part) => {
    const expression = translateResult(context, part, context.items);
    if (hasPart(expression, 'window')) {
      throw new SemanticSqlError(part, translationTexts.windowInRow('HAVING'));
    }
    if (expression.dataType === 'BOOLEAN') return expression;
    throw new SemanticSqlError(part, translationTexts.notCondition('HAVING', expression.dataType));
  });
}

/** Groups are already distinct, unless one of their keys is not selected. */
function areDistinct(
  keys: ReadonlyMap<string, KeyUse>,
  values: readonly TypedExpression<ResultUse>[],
): boolean {
  const selected = new Set(values.flatMap((value) => (value.kind === 'field' ? value.field.key : [])));
  return [...keys.values()].every(({ key }) => selected.has(key));
}

/** Names keys and measures after the columns that equal them; expressions over them go to `items`. */
function nameParts(
  items: readonly NamedItem[],
  values: readonly TypedExpression<ResultUse>[],
  keys: readonly KeyUse[],
  measures: readonly AnyMeasureUse[],
): Pick<ResolvedQuery, 'keys' | 'measures' | 'items'> {
  const names = new Map<string, string>();
  for (const [at, value] of values.entries()) {
    if (value.kind === 'field' && !names.has(value.field.key)) {
      names.set(value.field.key, elementAt(items, at).name);
    }
  }
  const toOutput = <Use extends ResultUse>(use: Use): OutputColumn<Use> => ({
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

/** What GROUP BY names. */
interface Grouped {
  /** By `printExpressionKey`. */
  readonly keys: ReadonlyMap<string, KeyUse>;
  /** The keys of each level; null without levels. */
  readonly levels: Levels | null;
  /** The measures, which must be selected and create no groups. */
  readonly measured: readonly { readonly use: ResultUse; readonly syntax: ExpressionSyntax }[];
}

/** The grouping keys: those of GROUP BY, otherwise every item without a measure, except constants. */
function findKeys(
  scope: EntityScope,
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
function findGroupedMeasure(scope: EntityScope, syntax: ExpressionSyntax): ResultUse {
  const isOwn = syntax.kind === 'call' && isAggregate(syntax);
  const value = isOwn ? translateAggregate(scope, syntax) : null;
  const use = value?.kind === 'field' ? value.field : findMeasure(scope, syntax);
  if (use?.kind === 'measure') return use;
  throw new SemanticSqlError(syntax, translationTexts.groupByMeasure());
}

function toKeyUse(expression: TypedExpression<DimensionUse>, key: string): KeyUse {
  if (expression.kind === 'field') return expression.field;
  return { kind: 'computed', key, name: 'key', expression };
}

/** Finds the value of a GROUP BY item: an ordinal, a column, an alias, or any expression. */
function findGrouped(
  scope: EntityScope,
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
function hasMeasure(scope: EntityScope, syntax: ExpressionSyntax): boolean {
  const known = scope.measured.get(syntax);
  if (known !== undefined) return known;
  const isMeasure = syntax.kind === 'call' && (isAggregate(syntax) || syntax.over !== null);
  const measure =
    isMeasure ||
    findMeasure(scope, syntax) !== null ||
    listSyntaxParts(syntax).some((part) => hasMeasure(scope, part));
  scope.measured.set(syntax, measure);
  return measure;
}
