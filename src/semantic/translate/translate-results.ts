import { elementAt } from '../../invariants/must.ts';
import { createLiteral, createNull } from '../expression/create-expression.ts';
import { createAggregate } from '../expression/create-measure.ts';
import type { AggregateExpression, Ordering, TypedExpression } from '../expression/expression.ts';
import {
  mergesRows,
  type ResultField,
  type ResultGrouping,
  type ResultSelect,
  type ResultStatement,
  type StatementColumn,
} from '../expression/statement.ts';
import {
  hasPart,
  isNullLiteral,
  listExpressionFields,
  mapExpression,
  printExpressionKey,
} from '../expression/walk-expression.ts';
import type { AskedModel } from '../model/index/index-model.ts';
import type { AggregateFunction } from '../sql/nodes.ts';
import { SemanticSqlError } from '../syntax/semantic-sql-error.ts';
import {
  type CallSyntax,
  type ExpressionSyntax,
  listSyntaxParts,
  type QuerySyntax,
  type SelectSyntax,
} from '../syntax/syntax.ts';
import {
  createGroupField,
  findLevels,
  findLevelValue,
  type LevelColumn,
  type Levels,
  readGrouping,
  selectLevels,
} from './levels.ts';
import { findAlias, findOrdinal, listItems, type NamedItem, readLimit, readOrdering } from './list-items.ts';
import { translationTexts } from './messages/translation-texts.ts';
import { withPlace } from './messages/with-place.ts';
import type { NameEnvironment } from './names/environment.ts';
import { printNames } from './names/match-name.ts';
import {
  createResultScope,
  explainGroups,
  findResultColumn,
  isInResults,
  listStarredColumns,
  type ResultScope,
  readResultColumn,
} from './names/result-scope.ts';
import { findAggregate, isAggregate, isGrouping, isMeasureCall } from './values/aggregates.ts';
import { readFunctionName } from './values/translate-call.ts';
import { translateExpression } from './values/translate-expression.ts';
import { translateSubQuery } from './values/translate-sub-query.ts';
import { translateWindow } from './values/translate-window.ts';

/** The time zone of a model: UTC if its layers have several. */
export function findModelZone({ model }: AskedModel): string {
  const [zone = 'UTC', ...others] = new Set(model.layers.map(({ timezone }) => timezone));
  return others.length === 0 ? zone : 'UTC';
}

/** A SELECT over results with resolved names. */
interface ResultContext {
  readonly scope: ResultScope;
  readonly windows: SelectSyntax['windows'];
  readonly items: readonly NamedItem[];
  /** Null if rows are not grouped. */
  readonly groups: Groups | null;
}

interface Groups {
  /** By `printExpressionKey`. */
  readonly keys: ReadonlyMap<string, ResultGrouping['keys'][number]>;
  /** The keys of each level; null without levels. */
  readonly levels: Levels | null;
  /** The aggregates found so far, by `printExpressionKey`. */
  readonly aggregates: Map<string, ResultGrouping['aggregates'][number]>;
  /** The keys of each GROUPING found so far, by the name of its column. */
  readonly groupings: Map<string, readonly string[]>;
}

/**
 * Translates a SELECT over results or without FROM, with its ORDER BY and LIMIT
 * (docs/reference/semantic-sql.md#results). Throws a SemanticSqlError.
 */
export function translateResults(
  environment: NameEnvironment,
  query: QuerySyntax,
  select: SelectSyntax,
): ResultStatement {
  const scope = createResultScope(environment, select.from, (joinScope, on) =>
    translateRows(joinScope, on, 'ON'),
  );
  const items = listItems(
    { ...scope, listStarred: (star) => listStarredColumns(scope, star), nameColumn: () => null },
    select,
  );
  const isGrouped = hasGroups(select, query, items);
  const groups = isGrouped ? findGroups(scope, select, items) : null;
  const context: ResultContext = { scope, windows: select.windows, items, groups };
  const values = items.map(({ value }) => translateOver(context, value, []));
  const having = select.having === null ? null : translateHaving(context, select.having);
  const orderBy = query.orderBy.map((order) =>
    readOrdering(order, items, values, (syntax) => translateOver(context, syntax, [])),
  );
  if (select.isDistinct) checkOrder(query, values, orderBy);
  const columns = items.map(({ name }, at) => toColumn(scope, name, elementAt(values, at)));
  const source = {
    from: scope.joins,
    where: select.where === null ? null : translateCondition(scope, select.where),
  };
  const parts = { distinct: select.isDistinct, values, orderBy, limit: readLimit(query) };
  const grouping = groups && {
    keys: [...groups.keys.values()],
    aggregates: [...groups.aggregates.values()],
    having,
  };
  const { levels = null, groupings = new Map() } = groups ?? {};
  if (grouping !== null && levels !== null) {
    return { columns, body: uniteGroups({ ...source, ...grouping, levels, groupings }, parts) };
  }
  return { columns, body: { kind: 'select', ...source, grouping, ...parts } };
}

/** Translates a row of VALUES like a SELECT without FROM. Throws a SemanticSqlError for a reference to other rows. */
export function translateConstants(
  environment: NameEnvironment,
  row: readonly ExpressionSyntax[],
): readonly TypedExpression<never>[] {
  const scope: ResultScope = { ...environment, results: [], joins: [] };
  const context: ResultContext = { scope, windows: [], items: [], groups: null };
  return row.map((syntax) => {
    const refuse = () => {
      throw new SemanticSqlError(syntax, translationTexts.sameResults());
    };
    if (hasAggregate(syntax)) refuse();
    return mapExpression(translateOver(context, syntax, []), refuse);
  });
}

function toColumn(scope: ResultScope, name: string, value: TypedExpression<ResultField>): StatementColumn {
  const { dataType, nullable } = value;
  const column = value.kind === 'field' ? findResultColumn(scope, value.field) : undefined;
  return {
    name,
    dataType,
    nullable,
    isNull: isNullLiteral(value) || column?.isNull === true,
    measure: column?.measure ?? null,
  };
}

function hasGroups(
  { groupBy, levels, having }: SelectSyntax,
  { orderBy }: QuerySyntax,
  items: readonly NamedItem[],
): boolean {
  if (groupBy === 'all' || groupBy.length > 0 || levels !== null || having !== null) return true;
  return [...items, ...orderBy].some(({ value }) => hasAggregate(value));
}

function hasAggregate(syntax: ExpressionSyntax): boolean {
  return (syntax.kind === 'call' && isAggregate(syntax)) || listSyntaxParts(syntax).some(hasAggregate);
}

function findGroups(
  scope: ResultScope,
  { groupBy, levels }: SelectSyntax,
  items: readonly NamedItem[],
): Groups {
  const isListed = groupBy !== 'all';
  const listed = isListed
    ? groupBy.map((syntax) => findGrouped(scope, syntax, items))
    : items.map(({ value }) => value).filter((value) => !hasAggregate(value));
  const keys = new Map<string, ResultGrouping['keys'][number]>();
  const names = listed.map((syntax): string | null => {
    if (hasAggregate(syntax)) throw new SemanticSqlError(syntax, translationTexts.groupByMeasure());
    const value = translateRows(scope, syntax, 'GROUP BY');
    // A constant creates no groups.
    if (listExpressionFields(value).length === 0) return null;
    const key = printExpressionKey(value);
    const named = keys.get(key) ?? { name: `key_${keys.size + 1}`, value };
    keys.set(key, named);
    return named.name;
  });
  return { keys, levels: levels && findLevels(levels, names), aggregates: new Map(), groupings: new Map() };
}

/** Finds the value of a GROUP BY item: an ordinal, a column, an alias, or any expression. */
function findGrouped(
  scope: ResultScope,
  syntax: ExpressionSyntax,
  items: readonly NamedItem[],
): ExpressionSyntax {
  if (syntax.kind === 'literal' && syntax.type === 'integer') {
    return findOrdinal(syntax, items, 'GROUP BY').value;
  }
  const isInput = syntax.kind !== 'column' || isInResults(scope, syntax.names);
  return isInput ? syntax : (findAlias(syntax, items)?.value ?? syntax);
}

/** Translates an expression over the rows of results. */
function translateRows(
  scope: ResultScope,
  syntax: ExpressionSyntax,
  clause: string,
): TypedExpression<ResultField> {
  const readWhole = (part: ExpressionSyntax): TypedExpression<ResultField> | null => {
    if (part.kind === 'column') return readResultColumn(scope, part.names);
    if (part.kind !== 'call') return null;
    if (part.over !== null) throw new SemanticSqlError(part, translationTexts.windowInRow(clause));
    if (!isAggregate(part)) return null;
    throw new SemanticSqlError(part, translationTexts.aggregateInRow(readFunctionName(part), clause));
  };
  return translateExpression(syntax, {
    timezone: findModelZone(scope),
    clock: scope.whole.clock,
    readWhole,
    readQuery: readQueryOf(scope),
  });
}

function readQueryOf(scope: ResultScope) {
  return (query: QuerySyntax) => translateSubQuery(scope, query, (names) => isInResults(scope, names));
}

function translateCondition(scope: ResultScope, syntax: ExpressionSyntax): TypedExpression<ResultField> {
  const condition = translateRows(scope, syntax, 'WHERE');
  if (condition.dataType === 'BOOLEAN') return condition;
  throw new SemanticSqlError(syntax, translationTexts.notCondition('WHERE', condition.dataType));
}

/** Translates an expression over rows, or over groups if rows are grouped; it can name the items in `aliased`. */
function translateOver(
  context: ResultContext,
  syntax: ExpressionSyntax,
  aliased: readonly NamedItem[],
): TypedExpression<ResultField> {
  const readWhole = (part: ExpressionSyntax): TypedExpression<ResultField> | null => {
    if (part.kind === 'call' && part.over !== null) {
      const translate = (inner: ExpressionSyntax) => translateOver(context, inner, aliased);
      return translateWindow(part, context.windows, translate, findModelZone(context.scope));
    }
    return context.groups === null
      ? readRow(context, part, aliased)
      : readGroup(context, context.groups, part, aliased);
  };
  return translateExpression(syntax, {
    timezone: findModelZone(context.scope),
    clock: context.scope.whole.clock,
    readWhole,
    readQuery: readQueryOf(context.scope),
  });
}

function readRow(
  context: ResultContext,
  syntax: ExpressionSyntax,
  aliased: readonly NamedItem[],
): TypedExpression<ResultField> | null {
  if (syntax.kind !== 'column') return null;
  const item = isInResults(context.scope, syntax.names) ? undefined : findAlias(syntax, aliased);
  return item === undefined
    ? readResultColumn(context.scope, syntax.names)
    : translateOver(context, item.value, []);
}

function readGroup(
  context: ResultContext,
  groups: Groups,
  syntax: ExpressionSyntax,
  aliased: readonly NamedItem[],
): TypedExpression<ResultField> | null {
  const { scope } = context;
  if (syntax.kind === 'literal' || syntax.kind === 'star') return null;
  if (syntax.kind === 'call' && isGrouping(syntax)) return translateGrouping(context, groups, syntax);
  if (syntax.kind === 'call' && isAggregate(syntax)) return readAggregate(scope, groups, syntax);
  if (hasAggregate(syntax) || hasWindow(syntax)) return null;
  if (syntax.kind === 'column' && !isInResults(scope, syntax.names)) {
    const item = findAlias(syntax, aliased);
    if (item !== undefined) return translateOver(context, item.value, []);
  }
  const row = translateRows(scope, syntax, 'SELECT');
  const key = groups.keys.get(printExpressionKey(row));
  if (key !== undefined) return createGroupField(key.name, row);
  if (syntax.kind !== 'column') return null;
  const name = syntax.names.map(({ text }) => text).join('.');
  throw new SemanticSqlError(syntax, translationTexts.notGrouped(name));
}

function hasWindow(syntax: ExpressionSyntax): boolean {
  return (syntax.kind === 'call' && syntax.over !== null) || listSyntaxParts(syntax).some(hasWindow);
}

/** As for entities: the column that stands for GROUPING in the union of levels; without levels, 0. */
function translateGrouping(
  { scope, items }: ResultContext,
  groups: Groups,
  call: CallSyntax,
): TypedExpression<ResultField> {
  const keys = readGrouping(call, (arg) => {
    if (hasAggregate(arg)) return null;
    const value = translateRows(
      scope,
      arg.kind === 'column' ? findGrouped(scope, arg, items) : arg,
      'GROUPING',
    );
    return groups.keys.get(printExpressionKey(value))?.name ?? null;
  });
  const zero = createLiteral({ kind: 'literal', type: 'number', text: '0' }, 'INTEGER');
  if (groups.levels === null) return zero;
  const name = `grouping_${keys.join('_')}`;
  groups.groupings.set(name, keys);
  return createGroupField(name, zero);
}

function readAggregate(scope: ResultScope, groups: Groups, call: CallSyntax): TypedExpression<ResultField> {
  const value = translateAggregateOf(scope, call);
  const key = printExpressionKey(value);
  const known = groups.aggregates.get(key);
  const name = known?.name ?? `value_${groups.aggregates.size + 1}`;
  groups.aggregates.set(key, { name, value });
  return createGroupField(name, value);
}

function translateAggregateOf(scope: ResultScope, call: CallSyntax): AggregateExpression<ResultField> {
  const name = readFunctionName(call);
  const aggregate = findAggregate(call);
  const [arg, ...others] = call.args;
  if (isMeasureCall(call) || aggregate === undefined) throw refuseMeasure(scope, call);
  if (arg?.kind === 'star') throw new SemanticSqlError(arg, translationTexts.starOfRows());
  if (others.length > 0 || (arg === undefined) !== call.isStar) {
    throw new SemanticSqlError(call, translationTexts.oneArgument(name));
  }
  if (call.isDistinct && aggregate !== 'COUNT_DISTINCT') {
    throw new SemanticSqlError(call, translationTexts.distinct(name));
  }
  const of = arg === undefined ? null : translateRows(scope, arg, 'an aggregate');
  const filter = call.filter === null ? null : translateRows(scope, call.filter, 'FILTER');
  if (aggregate === 'SUM' && of?.kind === 'field') warnOfSum(scope, of.field);
  if (COUNTING.has(aggregate)) warnOfMerged(scope);
  return withPlace(call, () => createAggregate(aggregate, of, filter));
}

function refuseMeasure(scope: ResultScope, call: CallSyntax): SemanticSqlError {
  const [arg] = call.args;
  const names = arg?.kind === 'column' ? arg.names : [call.name];
  const message = translationTexts.measureOfResult(printNames(names));
  return new SemanticSqlError(call, message + explainGroups(scope, names));
}

/** Aggregates that depend on repeated rows. */
const COUNTING: ReadonlySet<AggregateFunction> = new Set<AggregateFunction>([
  'COUNT',
  'SUM',
  'AVG',
  'MEDIAN',
]);

function warnOfMerged({ joins, whole }: ResultScope): void {
  for (const { relation } of joins) {
    if (mergesRows(relation.statement)) whole.warnings.add(translationTexts.merged(relation.alias));
  }
}

function warnOfSum(scope: ResultScope, field: ResultField): void {
  const measure = findResultColumn(scope, field)?.measure ?? null;
  if (measure !== null) scope.whole.warnings.add(translationTexts.summed(measure));
}

function translateHaving(context: ResultContext, syntax: ExpressionSyntax): TypedExpression<ResultField> {
  const having = translateOver(context, syntax, context.items);
  if (hasPart(having, 'window')) throw new SemanticSqlError(syntax, translationTexts.windowInRow('HAVING'));
  if (having.dataType === 'BOOLEAN') return having;
  throw new SemanticSqlError(syntax, translationTexts.notCondition('HAVING', having.dataType));
}

/** After DISTINCT, ORDER BY can use only the columns. */
function checkOrder(
  { orderBy }: QuerySyntax,
  values: readonly TypedExpression<ResultField>[],
  orders: readonly Ordering<ResultField>[],
): void {
  const selected = new Set(values.map(printExpressionKey));
  for (const [at, { value }] of orders.entries()) {
    if (selected.has(printExpressionKey(value))) continue;
    throw new SemanticSqlError(elementAt(orderBy, at).value, translationTexts.distinctOrder());
  }
}

/** A grouped SELECT over results with levels. */
interface LeveledGroups extends ResultGrouping, Pick<ResultSelect, 'from' | 'where'> {
  readonly levels: Levels;
  /** The keys of each GROUPING, by the name of its column. */
  readonly groupings: ReadonlyMap<string, readonly string[]>;
}

/**
 * The union of one grouped SELECT for each level, on every platform: some have no grouping sets, and a median is found
 * by its rank in each level. The grouped results are computed once, in WITH.
 */
function uniteGroups(
  { from, where, keys, aggregates, having, levels, groupings }: LeveledGroups,
  select: Omit<ResultSelect, 'kind' | 'from' | 'where' | 'grouping'>,
): ResultSelect {
  const toColumn = (
    name: string,
    value: TypedExpression<ResultField>,
    kind: LevelColumn['kind'],
  ): LevelColumn => {
    return { name, key: name, kind, dataType: value.dataType, measure: null };
  };
  const zero = createNull('INTEGER');
  const columns = [
    ...keys.map(({ name, value }) => toColumn(name, value, 'key')),
    ...aggregates.map(({ name, value }) => toColumn(name, value, 'measure')),
    ...[...groupings].map(([name, grouping]) => toColumn(name, zero, { grouping })),
  ];
  const shared = from.map((join) => {
    const { relation } = join;
    return { ...join, relation: { ...relation, table: relation.table ?? relation.alias } };
  });
  return selectLevels(
    levels,
    columns,
    (level) => ({
      kind: 'select',
      distinct: false,
      values: columns.map(
        (column) =>
          findLevelValue(column, level) ?? createGroupField(column.name, { ...column, nullable: true }),
      ),
      from: shared,
      where,
      grouping: { keys: keys.filter(({ name }) => level.has(name)), aggregates, having: null },
      orderBy: [],
      limit: null,
    }),
    { ...select, where: having },
  );
}
