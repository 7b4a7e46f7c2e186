import { elementAt, entryOf, notNull } from '../../invariants/must.ts';
import { createCall, createField, createLiteral } from '../expression/create-expression.ts';
import type {
  AnyMeasureUse,
  ComputedKeyUse,
  KeyUse,
  ResolvedQuery,
  ResultUse,
  TypedExpression,
} from '../expression/expression.ts';
import type { ResultField, ResultStatement } from '../expression/statement.ts';
import { listExpressionFields, mapExpression } from '../expression/walk-expression.ts';
import { getDataType, printUse } from '../query/resolve-query.ts';
import type { Dialect } from '../sql/dialect.ts';
import { Names } from '../sql/names.ts';
import { createGroupField, findLevelValue, type LevelColumn, type Levels, selectLevels } from './levels.ts';
import type { NamedItem } from './list-items.ts';

/** The parts of a SELECT over entities with levels. */
interface LeveledQuery extends Pick<ResolvedQuery, 'root' | 'results' | 'conditions' | 'orderBy' | 'limit'> {
  readonly dialect: Dialect;
  readonly levels: Levels;
  readonly keys: readonly KeyUse[];
  /** The measures that are selected. */
  readonly measures: readonly AnyMeasureUse[];
  readonly groupings: Groupings;
  readonly items: readonly NamedItem[];
  readonly values: readonly TypedExpression<ResultUse>[];
  readonly having: readonly TypedExpression<ResultUse>[];
}

/** The keys of each GROUPING, by the key of the field that stands for it. */
export type Groupings = Map<string, readonly string[]>;

/** GROUPING of keys, a field of the union of levels; 0 without levels. */
export function createGrouping(
  keys: readonly string[],
  groupings: Groupings | null,
): TypedExpression<ResultUse> {
  if (groupings === null) return ZERO;
  return createField<ResultUse>(createGroupingUse(keys, groupings), 'INTEGER', false);
}

const ZERO = createLiteral({ kind: 'literal', type: 'number', text: '0' }, 'INTEGER');

/** Stands for GROUPING until the levels are united: no level computes its expression. */
function createGroupingUse(keys: readonly string[], groupings: Groupings): ComputedKeyUse {
  const key = JSON.stringify(['grouping', ...keys]);
  groupings.set(key, keys);
  return { kind: 'computed', key, name: 'grouping', expression: ZERO };
}

/** Whether a use is a measure, not a key. */
export function isMeasure(use: ResultUse): use is AnyMeasureUse {
  return use.kind === 'measure' || use.kind === 'spot';
}

type Column = LevelColumn & { readonly use: ResultUse };

/**
 * The union of one query for each level, from which everything else is selected: HAVING, ORDER BY and window functions
 * apply to the rows of all levels.
 */
export function uniteQueries(query: LeveledQuery): ResultStatement['body'] {
  const columns = nameColumns(query);
  const toField = (use: ResultUse) => {
    const { name } = entryOf(columns, use.key);
    return createGroupField(name, { dataType: getDataType(use), nullable: true }).field;
  };
  const toResult = (value: TypedExpression<ResultUse>): TypedExpression<ResultField> =>
    mapExpression(value, toField);
  const all = [...columns.values()];
  return selectLevels(query.levels, all, (level) => createLevel(query, all, level), {
    distinct: false,
    values: query.values.map(toResult),
    where: query.having.length === 0 ? null : createCall('AND', query.having.map(toResult)),
    orderBy: query.orderBy.map((order) => ({ ...order, value: toResult(order.value) })),
    limit: query.limit,
  });
}

/** The keys and measures of all levels by their keys, named after the columns that equal them. */
function nameColumns({
  dialect,
  items,
  values,
  having,
  orderBy,
  groupings,
}: LeveledQuery): ReadonlyMap<string, Column> {
  const names = new Names(
    dialect,
    items.map(({ name }) => name),
  );
  const columns = new Map<string, Column>();
  const add = (use: ResultUse, name: string | null) => {
    if (columns.has(use.key)) return;
    const grouping = groupings.get(use.key);
    columns.set(use.key, {
      name: name ?? names.create(printUse(use)),
      dataType: getDataType(use),
      kind: isMeasure(use) ? 'measure' : grouping === undefined ? 'key' : { grouping },
      // A row counts once in each level.
      measure: isMeasure(use) ? printUse(use) : null,
      key: use.key,
      use,
    });
  };
  for (const [at, value] of values.entries()) {
    if (value.kind === 'field') add(value.field, elementAt(items, at).name);
  }
  const others = [...values, ...having, ...orderBy.map(({ value }) => value)];
  for (const use of others.flatMap((value) => listExpressionFields(value))) add(use, null);
  if (columns.size === 0) add(createGroupingUse([], groupings), null);
  return columns;
}

function createLevel(
  { root, results, conditions, keys, measures }: LeveledQuery,
  columns: readonly Column[],
  level: ReadonlySet<string>,
): ResultStatement['body'] {
  const values = columns.map((column): TypedExpression<ResultUse> => {
    return findLevelValue(column, level) ?? createField(column.use, column.dataType);
  });
  const levelKeys = keys.filter(({ key }) => level.has(key));
  // Without keys there is one row: the measures of HAVING and ORDER BY add no groups to it.
  const all = levelKeys.length > 0 ? measures : columns.flatMap(({ use }) => (isMeasure(use) ? [use] : []));
  if (levelKeys.length + all.length === 0) return createRow(columns, level);
  const query: ResolvedQuery = {
    root,
    results,
    keys: levelKeys.map((use) => ({ use, alias: null })),
    measures: all.map((use) => ({ use, alias: null })),
    conditions,
    having: [],
    orderBy: [],
    limit: null,
    items: columns.map(({ name }, at) => ({ alias: name, value: elementAt(values, at) })),
  };
  return { kind: 'entities', query, isBare: false, isLevel: true };
}

/** The one row of a level without keys and measures. */
function createRow(columns: readonly Column[], level: ReadonlySet<string>): ResultStatement['body'] {
  const values = columns.map((column) => notNull(findLevelValue(column, level)));
  const clauses = { where: null, grouping: null, orderBy: [], limit: null };
  return { kind: 'select', distinct: false, values, from: [], ...clauses };
}
