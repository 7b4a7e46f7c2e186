import { entryOf, present } from '../../invariants/must.ts';
import type { ColumnRef, Leg, Plan } from '../plan/plan.ts';
import { listFields } from '../query/condition.ts';
import { Names } from '../sql/names.ts';
import {
  createSelect,
  type Item,
  type Join,
  type Order,
  type Relation,
  type Select,
  type SqlExpr,
} from '../sql/nodes.ts';
import { compileCondition } from './compile-condition.ts';
import { type CompiledLeg, compileLeg } from './compile-leg.ts';
import type { CompileContext } from './sql-scope.ts';

type WriteColumn = (column: Pick<ColumnRef, 'kind' | 'name'>) => SqlExpr;

/** The SELECT of a plan: its legs become one table, of which conditions, order and limit are (semantic 3, point 4). */
export function combineLegs(plan: Plan, context: CompileContext): Select {
  const [only] = plan.legs;
  if (plan.legs.length === 1) return compileOnly(plan, present(only), context);
  return plan.dimensions.length === 0 ? crossLegs(plan, context) : uniteLegs(plan, context);
}

/** The conditions of whole groups. */
function compileConditions({ conditions }: Plan, write: WriteColumn): readonly SqlExpr[] {
  const toOperand = (column: ColumnRef) => ({ expr: write(column), caseSensitive: column.caseSensitive });
  return conditions.map((condition) => compileCondition(condition, toOperand));
}

function compileEnd(
  plan: Plan,
  write: WriteColumn,
  { dialect }: CompileContext,
): Pick<Select, 'orderBy' | 'limit'> {
  const selected = listNames(plan);
  const orderBy = plan.orderBy.map(({ column, desc }): Order => {
    const expr = write(column);
    // The order of bytes is the same on every platform.
    const isKey = dialect.textKeys?.toText != null && column.dataType === 'TEXT';
    if (isKey)
      return { alias: null, expr: expr.kind === 'key-text' ? expr.expr : { kind: 'text-key', expr }, desc };
    return { alias: selected.has(column.name) ? column.name : null, expr, desc };
  });
  return { orderBy, limit: plan.limit };
}

/** The names of the answer's columns. */
function listNames({ dimensions, measures }: Plan): ReadonlySet<string> {
  return new Set([...dimensions, ...measures].map(({ name }) => name));
}

/** The columns of the answer, in its order. */
function listItems({ dimensions, measures }: Plan, write: WriteColumn): readonly Item[] {
  return [
    ...dimensions.map(({ name }) => ({ alias: name, expr: write({ kind: 'dimension', name }) })),
    ...measures.map(({ name }) => ({ alias: name, expr: write({ kind: 'measure', name }) })),
  ];
}

/** One leg is the whole answer; another SELECT goes around it only where aliases could be taken for columns. */
function compileOnly(plan: Plan, leg: Leg, context: CompileContext): Select {
  const { conditions, orderBy } = plan;
  const { nullsLast, hidesRelations } = context.dialect;
  const selected = listNames(plan);
  const isCalculated =
    conditions.length > 0 || orderBy.some(({ column }) => nullsLast !== null || !selected.has(column.name));
  const compiled = compileLeg(leg, { isFinal: true, isQualified: isCalculated }, context);
  const isMixed = conditions.some((own) => listFields(own).some(({ kind }) => kind === 'dimension'));
  if (isMixed || (isCalculated && (hidesRelations || !compiled.isQualified)))
    return wrapLeg(plan, compiled, context);
  const exprs = new Map(
    [...compiled.dimensions, ...compiled.measures].map(({ alias, expr }) => [alias, expr]),
  );
  const write: WriteColumn = ({ name }) => entryOf(exprs, name);
  const end = compileEnd(plan, write, context);
  return {
    ...compiled.select,
    items: listItems(plan, write),
    having: compileConditions(plan, write),
    ...end,
  };
}

function wrapLeg(plan: Plan, { select, dimensions, measures }: CompiledLeg, context: CompileContext): Select {
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
      items: listItems(plan, write),
      where: compileConditions(plan, write),
      ...compileEnd(plan, write, context),
    },
  );
}

/** The names of columns by their aliases: where conditions may be moved in among them, none is that of another's column. */
function nameInside(
  items: readonly Item[],
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

/** Whether an expression ends in a column of this name, and so may be nothing else. */
function readsColumn(expr: SqlExpr, name: string): boolean {
  if (expr.kind !== 'raw' && expr.kind !== 'column') return false;
  const text = (expr.kind === 'raw' ? expr.sql : expr.name).toLowerCase();
  return text.endsWith(name.toLowerCase()) || text.endsWith(`${name.toLowerCase()}\``);
}

/** Without dimensions every leg has one row. */
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
    items: listItems(plan, write),
    joins: others.map((relation): Join => ({ type: 'CROSS', relation, on: null })),
    where: compileConditions(plan, write),
    ...compileEnd(plan, write, context),
  });
}

/** Every leg gives its groups with NULL for the measures of others; groups with the same dimensions become one. */
function uniteLegs(plan: Plan, context: CompileContext): Select {
  const { legs } = plan;
  // A column of this name could hide it in HAVING and ORDER BY.
  const alias = new Names(context.dialect, [...listNames(plan)]).create('groups');
  const measures = legs.flatMap((leg) => leg.measures);
  const names = [...plan.dimensions.map(({ name }) => name), ...measures.map(({ column }) => column)];
  const marker = new Names(context.dialect, names).create('#shown');
  const isMarked = legs.some(({ addsGroups }) => !addsGroups);
  const selects = legs.map((leg): Select => {
    const compiled = compileLeg(leg, { isFinal: false, isQualified: false }, context);
    const own = new Map(compiled.measures.map((item) => [item.alias, item]));
    const padded = measures.map(({ column }): Item => own.get(column) ?? { alias: column, expr: NO_NUMBER });
    const shown: Item = { alias: marker, expr: leg.addsGroups ? ONE : NO_NUMBER };
    return { ...compiled.select, items: [...compiled.dimensions, ...padded, ...(isMarked ? [shown] : [])] };
  });
  const counts = new Set(
    measures.filter(({ aggregation }) => COUNTS.has(aggregation)).map(({ column }) => column),
  );
  const keys = new Set(plan.dimensions.filter(({ dataType }) => dataType === 'TEXT').map(({ name }) => name));
  const column = (name: string): SqlExpr => ({ kind: 'column', table: alias, name });
  const hasKeys = context.dialect.textKeys?.toText != null;
  const write: WriteColumn = ({ kind, name }) => {
    if (kind === 'dimension')
      return hasKeys && keys.has(name) ? { kind: 'key-text', expr: column(name) } : column(name);
    const value: SqlExpr = { kind: 'aggregate', type: 'MAX', arg: column(name) };
    return counts.has(name) ? { kind: 'coalesce', args: [value, { kind: 'number', text: '0' }] } : value;
  };
  const isShown: SqlExpr = {
    kind: 'compare',
    op: '=',
    left: { kind: 'aggregate', type: 'MAX', arg: column(marker) },
    right: ONE,
  };
  return createSelect(
    { kind: 'select', selects, alias },
    {
      items: listItems(plan, write),
      groupBy: plan.dimensions.map(({ name }, at) => (hasKeys && keys.has(name) ? column(name) : at)),
      having: [...(isMarked ? [isShown] : []), ...compileConditions(plan, write)],
      ...compileEnd(plan, write, context),
    },
  );
}

const ONE: SqlExpr = { kind: 'number', text: '1' };
const NO_NUMBER: SqlExpr = { kind: 'no-number' };
const COUNTS: ReadonlySet<string> = new Set(['COUNT', 'COUNT_DISTINCT']);
