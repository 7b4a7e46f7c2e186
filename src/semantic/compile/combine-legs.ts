import { elementAt, entryOf, notNull, present } from '../../invariants/must.ts';
import { listConditionFields } from '../expression/condition.ts';
import type { TypedExpression } from '../expression/expression.ts';
import { hasPart, listExpressionFields } from '../expression/walk-expression.ts';
import type { AnyMeasure, ColumnRef, Leg, Plan, PlannedMeasure, PlannedOutput } from '../plan/plan.ts';
import { Names } from '../sql/names.ts';
import {
  createNoValue,
  createSelect,
  type Join,
  NEVER,
  ONE,
  type Order,
  type Relation,
  type Select,
  type SelectItem,
  type SqlExpr,
} from '../sql/nodes.ts';
import { compileCondition } from './compile-condition.ts';
import { type CompiledLeg, compileLeg, isCustom } from './compile-leg.ts';
import { type CompileContext, SqlScope } from './sql-scope.ts';
import { writeItem, writeValue } from './write-expression.ts';

type WriteColumn = (column: Pick<ColumnRef, 'kind' | 'name'>) => SqlExpr;

/**
 * Combines the legs of a plan into one SELECT, then applies conditions, order and limit
 * (docs/reference/semantic-numbers.md#combining-legs).
 */
export function combineLegs(plan: Plan, context: CompileContext): Select {
  const [only] = plan.legs;
  if (plan.legs.length === 1) return compileOnly(plan, present(only), context);
  return plan.dimensions.length === 0 ? crossLegs(plan, context) : uniteLegs(plan, context);
}

/** Compiles the conditions on finished groups (HAVING). */
function compileConditions(
  { conditions }: Plan,
  write: WriteColumn,
  context: CompileContext,
): readonly SqlExpr[] {
  const toOperand = (column: ColumnRef) => ({ expr: write(column), caseSensitive: column.caseSensitive });
  return conditions.map((condition) => compileCondition(condition, toOperand, context));
}

function compileEnd(
  plan: Plan,
  write: WriteColumn,
  { dialect, writeQuery }: CompileContext,
): Pick<Select, 'orderBy' | 'limit'> {
  const writing = { dialect, writeField: write, writeQuery };
  const orderBy = plan.orderBy.map(({ value, desc, nullsFirst }): Order => {
    const expr = writeValue(value, writing);
    const end = { desc, ...(nullsFirst ? { nullsFirst } : {}) };
    // The byte order of texts is the same on every platform.
    const isKey = dialect.textKeys?.toText != null && value.dataType === 'TEXT';
    if (isKey) {
      return { alias: null, expr: expr.kind === 'key-text' ? expr.expr : { kind: 'text-key', expr }, ...end };
    }
    return { alias: findOutput(plan, value)?.name ?? null, expr, ...end };
  });
  return { orderBy, limit: plan.limit };
}

/** Finds the result column that equals a value. */
function findOutput({ outputs }: Plan, value: TypedExpression<ColumnRef>): PlannedOutput | undefined {
  return outputs.find((output) => {
    if (value.kind !== 'field') return JSON.stringify(output.value) === JSON.stringify(value);
    return output.value.kind === 'field' && output.value.field.name === value.field.name;
  });
}

/** Lists the names of all group columns, selected or not. */
function listNames({ dimensions, measures, outputs }: Plan): ReadonlySet<string> {
  return new Set([...dimensions, ...measures, ...outputs].map(({ name }) => name));
}

/** The result columns, in their order. */
function listItems(
  { outputs }: Plan,
  write: WriteColumn,
  { dialect, writeQuery }: CompileContext,
): readonly SelectItem[] {
  return outputs.map(({ name, value }) => ({
    alias: name,
    expr: writeItem(value, { dialect, writeField: write, writeQuery }),
  }));
}

/** Whether the selected and ordered values can be written next to the groups, without an outer SELECT. */
function isFlat({ outputs, orderBy }: Plan, { dialect }: CompileContext): boolean {
  const values = [...outputs, ...orderBy].map(({ value }) => value);
  const isPlain = (value: TypedExpression<ColumnRef>) =>
    value.kind === 'field' || listExpressionFields(value).every(({ kind }) => kind === 'measure');
  if (values.some((value) => !isPlain(value) || hasPart(value, 'window'))) return false;
  const selected = outputs.flatMap(({ value }) => (value.kind === 'field' ? [value.field.name] : []));
  const isRepeated = new Set(selected).size < selected.length;
  return !isRepeated || dialect.groupsRepeatedly;
}

/** Replaces grouping items by their position among the selected items; other items keep their expression. */
function placeGroups(
  { outputs }: Plan,
  groupBy: Select['groupBy'],
  dimensions: readonly SelectItem[],
): Select['groupBy'] {
  return groupBy.map((group) => {
    if (typeof group !== 'number') return group;
    const { alias, expr } = elementAt(dimensions, group);
    const at = outputs.findIndex(({ value }) => value.kind === 'field' && value.field.name === alias);
    return at === -1 ? expr : at;
  });
}

/** Compiles a plan with one leg. An outer SELECT is added only where an alias could be read as a column. */
function compileOnly(plan: Plan, leg: Leg, context: CompileContext): Select {
  const { conditions, orderBy, outputs } = plan;
  const { nullsLast, hidesRelations } = context.dialect;
  const isCalculated =
    conditions.length > 0 ||
    orderBy.some(({ value }) => nullsLast !== null || findOutput(plan, value) === undefined);
  const compiled = compileLeg(leg, { isFinal: true, isQualified: isCalculated }, context);
  const isMixed = conditions.some((condition) =>
    listConditionFields(condition).some(({ kind }) => kind === 'dimension'),
  );
  const isHidden =
    compiled.select.distinct &&
    (plan.dimensions.some(({ name }) => !outputs.some(({ value }) => isColumn(value, name))) ||
      orderBy.some(({ value }) => findOutput(plan, value) === undefined));
  const isInside = isMixed || isHidden || !isFlat(plan, context);
  if (isInside || (isCalculated && (hidesRelations || !compiled.isQualified))) {
    return wrapLeg(plan, compiled, context);
  }
  const exprs = new Map(
    [...compiled.dimensions, ...compiled.measures].map(({ alias, expr }) => [alias, expr]),
  );
  const write: WriteColumn = ({ name }) => entryOf(exprs, name);
  const end = compileEnd(plan, write, context);
  return {
    ...compiled.select,
    items: listItems(plan, write, context),
    groupBy: placeGroups(plan, compiled.select.groupBy, compiled.dimensions),
    having: compileConditions(plan, write, context),
    ...end,
  };
}

function isColumn(value: TypedExpression<ColumnRef>, name: string): boolean {
  return value.kind === 'field' && value.field.name === name;
}

function wrapLeg(
  plan: Plan,
  { select, dimensions, measures }: Pick<CompiledLeg, 'select' | 'dimensions' | 'measures'>,
  context: CompileContext,
): Select {
  const alias = 'groups';
  const items = [...dimensions, ...measures];
  const inside = nameInside(items, plan.conditions.length > 0, context);
  const write: WriteColumn = ({ name }) => ({ kind: 'column', table: alias, name: entryOf(inside, name) });
  const inner: Select = {
    ...select,
    items: items.map((item) => ({ ...item, alias: entryOf(inside, item.alias) })),
  };
  return createSelect(
    { kind: 'select', selects: [inner], alias },
    {
      items: listItems(plan, write, context),
      where: compileConditions(plan, write, context),
      ...compileEnd(plan, write, context),
    },
  );
}

/**
 * Maps aliases to column names. If conditions can be pushed in among them, no name equals the column of another alias.
 */
function nameInside(
  items: readonly SelectItem[],
  hasConditions: boolean,
  { dialect }: CompileContext,
): ReadonlyMap<string, string> {
  const aliases = items.map(({ alias }) => alias);
  const names = new Names(dialect, aliases);
  const isMoved = hasConditions && !dialect.keepsConditions;
  const isRead = (name: string) =>
    isMoved && items.some(({ expr, alias }) => alias !== name && readsColumn(expr, name));
  return new Map(aliases.map((name) => [name, isRead(name) ? names.create(`#${name}`) : name]));
}

/** Whether an expression ends with a column of this name and can only be that column. */
function readsColumn(expr: SqlExpr, name: string): boolean {
  if (COMPUTED.has(expr.kind)) return true;
  if (expr.kind !== 'raw' && expr.kind !== 'column') return false;
  const text = (expr.kind === 'raw' ? expr.sql : expr.name).toLowerCase();
  return text.endsWith(name.toLowerCase()) || text.endsWith(`${name.toLowerCase()}\``);
}

/** Expressions that can read columns of any name. */
const COMPUTED: ReadonlySet<SqlExpr['kind']> = new Set<SqlExpr['kind']>([
  'call',
  'choice',
  'cast',
  'grain',
  'local',
  'moment',
  'date-text',
]);

/** Combines legs without dimensions: each has exactly one row. */
function crossLegs(plan: Plan, context: CompileContext): Select {
  const names = new Names(context.dialect);
  const owners = new Map<string, string>();
  const relations = plan.legs.map((leg): Relation => {
    const { select, measures } = compileLeg(leg, { isFinal: true, isQualified: false }, context);
    const alias = names.create(leg.root.alias);
    for (const item of measures) owners.set(item.alias, alias);
    return { kind: 'select', selects: [{ ...select, items: measures }], alias };
  });
  const [from, ...others] = relations;
  const write: WriteColumn = ({ name }) => ({ kind: 'column', table: entryOf(owners, name), name });
  return createSelect(present(from), {
    items: listItems(plan, write, context),
    joins: others.map((relation): Join => ({ type: 'CROSS', relation, on: null })),
    where: compileConditions(plan, write, context),
    ...compileEnd(plan, write, context),
  });
}

/**
 * Combines legs with UNION ALL: each leg has NULL for the measures of the others, then groups with equal dimensions
 * merge.
 */
function uniteLegs(plan: Plan, context: CompileContext): Select {
  const { legs } = plan;
  // A column with the same name would hide the alias in HAVING and ORDER BY.
  const alias = new Names(context.dialect, [...listNames(plan)]).create('groups');
  const measures = legs.flatMap((leg) => leg.measures);
  const names = new Names(context.dialect, [
    ...plan.dimensions.map(({ name }) => name),
    ...measures.map(({ column }) => column),
  ]);
  const marker = names.create('#shown');
  const marks = markLegs(plan, names, context);
  const isMarked = legs.some(({ addsGroups }) => !addsGroups);
  const selects = legs.map((leg): Select => {
    const compiled = compileLeg(leg, { isFinal: false, isQualified: false }, context);
    const measuresByAlias = new Map(compiled.measures.map((item) => [item.alias, item]));
    const padded = measures.map(
      ({ column, dataType }): SelectItem =>
        measuresByAlias.get(column) ?? { alias: column, expr: createNoValue(dataType) },
    );
    const shown: SelectItem = { alias: marker, expr: leg.addsGroups ? ONE : NO_NUMBER };
    const owned = [...marks].map(
      ([of, mark]): SelectItem => ({ alias: mark, expr: of === leg ? ONE : NO_NUMBER }),
    );
    const items = [...compiled.dimensions, ...padded, ...(isMarked ? [shown] : []), ...owned];
    return { ...compiled.select, items };
  });
  const counts = new Set(
    measures.filter(({ aggregation }) => COUNTS.has(aggregation)).map(({ column }) => column),
  );
  const keys = new Set(plan.dimensions.filter(({ dataType }) => dataType === 'TEXT').map(({ name }) => name));
  const column = (name: string): SqlExpr => ({ kind: 'column', table: alias, name });
  const noRows = compileMarked(marks, alias, context);
  const hasKeys = context.dialect.textKeys?.toText != null;
  const write: WriteColumn = ({ kind, name }) => {
    if (kind === 'dimension')
      return hasKeys && keys.has(name) ? { kind: 'key-text', expr: column(name) } : column(name);
    const value: SqlExpr = { kind: 'aggregate', type: 'MAX', arg: column(name) };
    const without = noRows.get(name);
    if (without !== undefined) {
      const { when, otherwise } = without;
      return { kind: 'choice', branches: [{ when, value }], otherwise };
    }
    return counts.has(name) ? { kind: 'coalesce', args: [value, { kind: 'number', text: '0' }] } : value;
  };
  const toItem =
    (kind: ColumnRef['kind']) =>
    (name: string): SelectItem => ({ alias: name, expr: write({ kind, name }) });
  const dimensions = plan.dimensions.map(({ name }) => name).map(toItem('dimension'));
  const select = createSelect(
    { kind: 'select', selects, alias },
    {
      groupBy: plan.dimensions.map(({ name }, at) => (hasKeys && keys.has(name) ? column(name) : at)),
      having: isMarked ? [isMarkedBy(alias, marker)] : [],
    },
  );
  if (!isFlat(plan, context)) {
    const columns = measures.map((measure) => measure.column).map(toItem('measure'));
    return wrapLeg(plan, { select, dimensions, measures: columns }, context);
  }
  return {
    ...select,
    items: listItems(plan, write, context),
    groupBy: placeGroups(plan, select.groupBy, dimensions),
    having: [...select.having, ...compileConditions(plan, write, context)],
    ...compileEnd(plan, write, context),
  };
}

/** Names a mark for each leg with CUSTOM measures that can lack rows of a group. */
function markLegs({ legs }: Plan, names: Names, context: CompileContext): ReadonlyMap<Leg, string> {
  const shown = legs.filter(({ addsGroups }) => addsGroups);
  const lacking = legs.filter((leg) => {
    const isComplete = leg.addsGroups && shown.length === 1;
    return !isComplete && leg.measures.some((measure) => hasNoRows(measure, context));
  });
  return new Map(lacking.map((leg) => [leg, names.create(`#${leg.root.alias}`)]));
}

/**
 * Whether the SQL computes the value of a measure over no rows. Where unused sub-queries run, a division by a count would
 * always fail, so the value is NULL.
 */
function hasNoRows(measure: AnyMeasure, { dialect }: CompileContext): measure is PlannedMeasure {
  return isCustom(measure) && !(dialect.runsUnusedQueries && /[/%]|div|mod/i.test(measure.expr));
}

function isMarkedBy(table: string, mark: string): SqlExpr {
  const left: SqlExpr = { kind: 'aggregate', type: 'MAX', arg: { kind: 'column', table, name: mark } };
  return { kind: 'compare', op: '=', left, right: ONE };
}

interface Marked {
  /** Whether the group has rows. */
  readonly when: SqlExpr;
  /** The value without rows. */
  readonly otherwise: SqlExpr;
}

/** The values of CUSTOM measures in groups without rows of their leg, by column. */
function compileMarked(
  marks: ReadonlyMap<Leg, string>,
  table: string,
  context: CompileContext,
): ReadonlyMap<string, Marked> {
  const values = new Map<string, Marked>();
  for (const [leg, mark] of marks) {
    for (const measure of leg.measures) {
      if (!hasNoRows(measure, context)) continue;
      const otherwise: SqlExpr = { kind: 'query', select: compileNoRows(leg, measure, context) };
      values.set(measure.column, { when: isMarkedBy(table, mark), otherwise });
    }
  }
  return values;
}

const NO_NUMBER: SqlExpr = { kind: 'no-number' };
const COUNTS: ReadonlySet<string> = new Set(['COUNT', 'COUNT_DISTINCT']);

/** The value of a CUSTOM measure over no rows, such as 0 for `COUNT(*) + COUNT(x)`, as a SELECT of one row. */
function compileNoRows({ root }: Leg, measure: PlannedMeasure, context: CompileContext): Select {
  const scope = new SqlScope(root, [], true, context);
  const expr = notNull(scope.writeArgument({ ...measure, filter: null }));
  return createSelect(scope.relate(root.alias), { items: [{ alias: measure.column, expr }], where: [NEVER] });
}
