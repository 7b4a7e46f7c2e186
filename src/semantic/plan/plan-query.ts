// A plan is data: one leg for each entity whose rows measures count, with its joins, keys and conditions, and how the
// legs are combined. A leg never joins rows so that one is counted twice. Planning decides, and the compiler only
// writes.

import { entryOf } from '../../invariants/must.ts';
import { listConditionFields, mapFields } from '../expression/condition.ts';
import { createField } from '../expression/create-expression.ts';
import type {
  AnyMeasureUse,
  KeyUse,
  OutputColumn,
  ResolvedQuery,
  ResultUse,
} from '../expression/expression.ts';
import { listExpressionFields, mapExpression } from '../expression/walk-expression.ts';
import type { RolePath } from '../model/index/field-use.ts';
import type { IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import { findRoot } from '../query/find-root.ts';
import { getDataType, printUse } from '../query/resolve-query.ts';
import type { Dialect } from '../sql/dialect.ts';
import { Names } from '../sql/names.ts';
import type { ColumnRef, Plan, PlannedColumn, PlannedOutput } from './plan.ts';
import { type LegRequest, planLeg, type RequestedMeasure } from './plan-leg.ts';
import { listDimensionUses } from './sort-nodes.ts';
import { uncutDates } from './uncut-dates.ts';

interface Options {
  readonly dialect: Dialect;
  /** Whether to refuse dimensions with several values for one row. */
  readonly strict: boolean;
}

/** Plans a resolved query (docs/reference/semantic-numbers.md#legs). Throws a SemanticError `refused`. */
export function planQuery(index: ModelIndex, query: ResolvedQuery, { dialect, strict }: Options): Plan {
  const columns = nameColumns(query, dialect);
  const toName = ({ use, alias }: OutputColumn<ResultUse>) =>
    (query.items === null ? alias : null) ?? entryOf(columns, use.key).name;
  const keys = query.keys.map((key) => ({ use: key.use, alias: toName(key) }));
  const measures = query.measures.map((measure) => ({ use: measure.use, alias: toName(measure) }));
  const conditions = query.conditions.map(uncutDates);
  const context = { index, dialect, strict, dimensions: keys, conditions, results: query.results };
  const toColumn = (use: ResultUse): ColumnRef => ({
    kind: use.kind === 'dimension' || use.kind === 'computed' ? 'dimension' : 'measure',
    name: entryOf(columns, use.key).name,
    dataType: getDataType(use),
    caseSensitive: use.kind === 'dimension' && use.field.dimension.caseSensitive,
  });
  return {
    dimensions: keys.map(toPlannedColumn),
    measures: measures.map(toPlannedColumn),
    outputs: listOutputs(query, [...keys, ...measures], toColumn),
    legs: listLegs(index, { ...query, keys, measures }, columns).map((request) => planLeg(request, context)),
    conditions: query.having.map((condition) => mapFields(condition, toColumn)),
    orderBy: query.orderBy.map((order) => ({ ...order, value: mapExpression(order.value, toColumn) })),
    limit: query.limit,
  };
}

interface Column {
  readonly name: string;
  readonly use: ResultUse;
}

type Named<Use> = OutputColumn<Use, string>;

function toPlannedColumn({ use, alias }: Named<ResultUse>): PlannedColumn {
  return { name: alias, dataType: getDataType(use), description: findDescription(use) };
}

/** The description of a field in the model. */
function findDescription(use: ResultUse): string | undefined {
  if (use.kind === 'dimension') return use.field.dimension.description;
  return use.kind === 'measure' ? use.measure.description : undefined;
}

function listOutputs(
  { items }: ResolvedQuery,
  named: readonly Named<ResultUse>[],
  toColumn: (use: ResultUse) => ColumnRef,
): readonly PlannedOutput[] {
  if (items === null) {
    return named.map((output) => {
      const column = toPlannedColumn(output);
      const ref = { ...toColumn(output.use), name: output.alias };
      return { ...column, value: createField(ref, column.dataType) };
    });
  }
  return items.map(({ alias, value }) => ({
    name: alias,
    dataType: value.dataType,
    description: value.kind === 'field' ? findDescription(value.field) : undefined,
    value: mapExpression(value, toColumn),
  }));
}

/**
 * The columns of all keys and measures by the keys of their uses, including those used only in conditions above the
 * legs or in ORDER BY.
 */
function nameColumns(
  { keys, measures, having, orderBy, items }: ResolvedQuery,
  dialect: Dialect,
): ReadonlyMap<string, Column> {
  const outputs: readonly OutputColumn<ResultUse>[] = [...keys, ...measures];
  const usedNames = [
    ...outputs.flatMap(({ alias }) => alias ?? []),
    ...(items ?? []).map(({ alias }) => alias),
  ];
  const names = new Names(dialect, usedNames);
  const columns = new Map<string, Column>();
  const add = (use: ResultUse, name: string | null) => {
    if (!columns.has(use.key)) columns.set(use.key, { name: name ?? names.create(printUse(use)), use });
  };
  for (const { value, alias } of items ?? []) if (value.kind === 'field') add(value.field, alias);
  for (const { use, alias } of outputs) add(use, items === null ? alias : null);
  for (const use of having.flatMap((condition) => listConditionFields(condition))) add(use, null);
  for (const use of orderBy.flatMap(({ value }) => listExpressionFields(value))) add(use, null);
  return columns;
}

interface Draft extends Omit<LegRequest, 'measures' | 'addsGroups'> {
  readonly measures: RequestedMeasure[];
  addsGroups: boolean;
}

interface NamedQuery extends Pick<ResolvedQuery, 'root'> {
  readonly keys: readonly Named<KeyUse>[];
  readonly measures: readonly Named<AnyMeasureUse>[];
}

/**
 * The legs of a query: one for each entity that has measures in it, and one for each role of an entity. A CUSTOM
 * measure with a filter has its own leg, because the filter applies to all of its rows; the groups then come from the
 * entity's other leg.
 */
function listLegs(
  index: ModelIndex,
  { root: queryRoot, keys, measures }: NamedQuery,
  columns: ReadonlyMap<string, Column>,
): readonly LegRequest[] {
  const legs = new Map<string, Draft>();
  const find = (root: IndexedEntity, role: RolePath | null, rowFilter: string | null): Draft => {
    const path = role === null ? [] : [role.start.entity.name, ...role.steps.map(({ id }) => id)];
    const key = [root.entity.name, ...path, rowFilter ?? ''].join('\0');
    const leg = legs.get(key) ?? { root, role, rowFilter, measures: [], addsGroups: false };
    legs.set(key, leg);
    return leg;
  };
  if (measures.length === 0) {
    const root =
      queryRoot ??
      findRoot(
        index,
        keys.flatMap(({ use }) => listDimensionUses(use)),
      );
    find(root, null, null).addsGroups = true;
  }
  for (const { use } of measures) {
    if (keys.length > 0 || findOwnFilter(use) === null)
      find(use.owner, findRole(use), null).addsGroups = true;
  }
  const outputs = Map.groupBy(measures, ({ use }) => use.key);
  for (const [key, { name, use }] of columns) {
    if (use.kind !== 'measure' && use.kind !== 'spot') continue;
    const filter = findOwnFilter(use);
    const { measures: asked } = find(use.owner, findRole(use), filter);
    const aliases = new Set([name, ...(outputs.get(key) ?? []).map(({ alias }) => alias)]);
    for (const column of aliases) asked.push({ use, column, isFiltered: filter !== null });
  }
  return [...legs.values()];
}

function findRole(use: AnyMeasureUse): RolePath | null {
  return use.kind === 'measure' ? use.role : null;
}

function findOwnFilter(use: AnyMeasureUse): string | null {
  return use.kind === 'measure' && use.measure.aggregation === 'CUSTOM' ? use.measure.filter : null;
}
