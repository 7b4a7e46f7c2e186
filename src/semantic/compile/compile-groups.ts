import { elementAt, entryOf } from '../../invariants/must.ts';
import type { AggregateExpression, TypedExpression } from '../expression/expression.ts';
import { GROUP_RELATION, type ResultField, type ResultGrouping } from '../expression/statement.ts';
import { hasSubQuery } from '../expression/walk-expression.ts';
import {
  createCount,
  createRowNumber,
  createSelect,
  ONE,
  type Relation,
  type Select,
  type SelectItem,
  type SqlExpr,
} from '../sql/nodes.ts';
import { createMiddleMean, isInMiddle, isRanked, toPresence } from './rank-values.ts';
import { type Writing, writeCondition, writeValue } from './write-expression.ts';

/** The result rows before grouping. */
type Source = Pick<Select, 'from' | 'joins' | 'where'>;

/** The rows to group, with the SQL of their keys and of the aggregate arguments. */
interface Rows extends Source {
  readonly keys: readonly SqlExpr[];
  /** The argument of each aggregate by its name; null for the rows themselves (COUNT(*)). */
  readonly args: ReadonlyMap<string, SqlExpr | null>;
  readonly medians: ReadonlyMap<string, { readonly place: SqlExpr; readonly count: SqlExpr }>;
}

const ROWS = 'rows';

/** Compiles the groups of result rows as a relation called `GROUP_RELATION`. Text keys hold their comparison keys. */
export function compileGroups(
  source: Source,
  grouping: ResultGrouping,
  writing: Writing<ResultField>,
): Relation {
  const { keys, aggregates } = grouping;
  const rows = needsRows(grouping, writing)
    ? listRows(source, grouping, writing)
    : writeRows(source, grouping, writing);
  const items = keys.map(({ name }, at): SelectItem => ({ alias: name, expr: elementAt(rows.keys, at) }));
  const counted = aggregates.map(
    ({ name, value }): SelectItem => ({ alias: name, expr: aggregate(name, value, rows) }),
  );
  // Without any column, every row would be its own group.
  const only: SelectItem = { alias: 'rows', expr: { kind: 'aggregate', type: 'COUNT', arg: null } };
  const all = [...items, ...counted];
  const { from, joins, where } = rows;
  const select = createSelect(from, {
    joins,
    where,
    items: all.length === 0 ? [only] : all,
    groupBy: items.map((_, at) => at),
  });
  return { kind: 'select', selects: [select], alias: GROUP_RELATION };
}

/** The SQL of a column of groups. */
export function writeGroupField({ column }: ResultField, { keys }: ResultGrouping): SqlExpr {
  const expr: SqlExpr = { kind: 'column', table: GROUP_RELATION, name: column };
  const key = keys.find(({ name }) => name === column);
  return key?.value.dataType === 'TEXT' ? { kind: 'key-text', expr } : expr;
}

function needsRows({ keys, aggregates }: ResultGrouping, { dialect }: Writing<ResultField>): boolean {
  if (aggregates.some(({ value }) => isMedian(value, dialect))) return true;
  const parts: readonly TypedExpression<ResultField>[] = [...keys, ...aggregates].map(({ value }) => value);
  return parts.some(hasSubQuery);
}

function isMedian(
  { aggregate, dataType }: AggregateExpression<ResultField>,
  dialect: Writing<ResultField>['dialect'],
) {
  return isRanked({ aggregation: aggregate, dataType }, { dialect });
}

/** Writes the keys and arguments directly over the source rows. */
function writeRows(
  source: Source,
  { keys, aggregates }: ResultGrouping,
  writing: Writing<ResultField>,
): Rows {
  return {
    ...source,
    keys: keys.map(({ value }) => writeKey(value, writing)),
    args: new Map(aggregates.map(({ name, value }) => [name, writeArgument(value, writing)])),
    medians: new Map(),
  };
}

/** Writes the keys and arguments as columns of a derived table, which ranks the values of medians. */
function listRows(source: Source, grouping: ResultGrouping, writing: Writing<ResultField>): Rows {
  const written = writeRows(source, grouping, writing);
  const column = (name: string): SqlExpr => ({ kind: 'column', table: ROWS, name });
  const keys = grouping.keys.map(
    ({ name }, at): SelectItem => ({ alias: name, expr: elementAt(written.keys, at) }),
  );
  const args = [...written.args].flatMap(([alias, expr]) => (expr === null ? [] : [{ alias, expr }]));
  const inner = createSelect(source.from, { ...source, items: [...keys, ...args] });
  const relation: Relation = { kind: 'select', selects: [inner], alias: ROWS };
  const medians = grouping.aggregates.filter(({ value }) => isMedian(value, writing.dialect));
  const partitionBy = grouping.keys.map(({ name, value }): SqlExpr => {
    const expr = column(name);
    return value.dataType === 'FLOAT' ? { kind: 'partition', expr } : expr;
  });
  const ranks = medians.flatMap(({ name }): readonly SelectItem[] => {
    const value = column(name);
    const counted = writing.dialect.countsColumnsInWindows ? value : toPresence(value);
    return [
      { alias: `#place_${name}`, expr: createRowNumber(partitionBy, value) },
      { alias: `#count_${name}`, expr: createCount(counted, partitionBy) },
    ];
  });
  const ranked = createSelect(relation, { star: ROWS, items: ranks });
  const from: Relation = ranks.length === 0 ? relation : { kind: 'select', selects: [ranked], alias: ROWS };
  return {
    from,
    joins: [],
    where: [],
    keys: keys.map(({ alias }) => column(alias)),
    args: new Map([...written.args].map(([name, expr]) => [name, expr === null ? null : column(name)])),
    medians: new Map(
      medians.map(({ name }) => [name, { place: column(`#place_${name}`), count: column(`#count_${name}`) }]),
    ),
  };
}

function writeKey(value: TypedExpression<ResultField>, writing: Writing<ResultField>): SqlExpr {
  const expr = writeValue(value, writing);
  return value.dataType === 'TEXT' ? { kind: 'text-key', expr } : expr;
}

/** The argument of an aggregate for each row; null for the row itself. */
function writeArgument(
  { of, filter }: AggregateExpression<ResultField>,
  writing: Writing<ResultField>,
): SqlExpr | null {
  const value = of && writeValue(of, writing);
  if (filter === null) return value;
  return { kind: 'case', when: writeCondition(filter, writing), value: value ?? ONE };
}

function aggregate(
  name: string,
  { aggregate: type, dataType, of }: AggregateExpression<ResultField>,
  { args, medians }: Rows,
): SqlExpr {
  const arg = entryOf(args, name);
  const rank = medians.get(name);
  if (rank !== undefined && arg !== null) {
    return createMiddleMean({ dataType }, { kind: 'case', when: isInMiddle(rank), value: arg });
  }
  const isText = of?.dataType === 'TEXT' && (type === 'MIN' || type === 'MAX');
  if (!isText || arg === null) return { kind: 'aggregate', type, arg, measure: dataType };
  return { kind: 'key-text', expr: { kind: 'aggregate', type, arg: { kind: 'ordered', expr: arg } } };
}
