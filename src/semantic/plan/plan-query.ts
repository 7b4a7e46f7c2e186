import { elementAt, entryOf, present } from '../../invariants/must.ts';
import { SemanticError, semanticErrors } from '../errors.ts';
import type { DimensionUse, FieldUse, MeasureUse } from '../model/index/field-use.ts';
import type { Edge, IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import { findToOnePath } from '../model/index/join-path.ts';
import { type Condition, listFields, mapFields } from '../query/condition.ts';
import { type Output, printUse, type ResolvedQuery } from '../query/resolve-query.ts';
import type { Dialect } from '../sql/dialect.ts';
import { Names } from '../sql/names.ts';
import type { ColumnRef, Plan, PlannedMeasure } from './plan.ts';
import { type LegRequest, planLeg } from './plan-leg.ts';
import { uncutDates } from './uncut-dates.ts';

interface Options {
  readonly dialect: Dialect;
  /** Whether dimensions of which a row may have several are refused. */
  readonly strict: boolean;
}

/** Plans how a resolved question is answered (semantic 3). Throws a SemanticError `refused`. */
export function planQuery(index: ModelIndex, query: ResolvedQuery, { dialect, strict }: Options): Plan {
  const { below, above } = splitFilters(query);
  const columns = nameColumns(query, above, dialect);
  const requests = listLegs(index, query, columns);
  const context = { index, dialect, strict, dimensions: query.dimensions, conditions: below };
  const toColumn = (use: FieldUse): ColumnRef => {
    const { dataType } = use.kind === 'measure' ? use.measure : use.field.dimension;
    const caseSensitive = use.kind === 'dimension' && use.field.dimension.caseSensitive;
    return { kind: use.kind, name: entryOf(columns, use.key).name, dataType, caseSensitive };
  };
  return {
    dimensions: query.dimensions.map(({ use, alias }) => ({
      name: alias,
      dataType: use.field.dimension.dataType,
      description: use.field.dimension.description,
    })),
    measures: query.measures.map(({ use, alias }) => ({
      name: alias,
      dataType: use.measure.dataType,
      description: use.measure.description,
    })),
    legs: requests.map((request) => planLeg(request, context)),
    conditions: above.map((condition) => mapFields(condition, toColumn)),
    orderBy: query.orderBy.map(({ use, desc }) => ({ column: toColumn(use), desc })),
    limit: query.limit,
  };
}

interface Column {
  readonly name: string;
  readonly use: FieldUse;
}

/** Conditions of dimensions go into the legs, those of measures above what they become (semantic 3, point 5). */
function splitFilters({ dimensions, filters }: ResolvedQuery): {
  readonly below: readonly Condition<DimensionUse>[];
  readonly above: readonly Condition<FieldUse>[];
} {
  const selected = new Set(dimensions.map(({ use }) => use.key));
  const below: Condition<DimensionUse>[] = [];
  const above: Condition<FieldUse>[] = [];
  for (const filter of filters) {
    const uses = listFields(filter);
    const asked = uses.filter((use) => use.kind === 'dimension');
    if (asked.length === uses.length) {
      below.push(uncutDates(filter as Condition<DimensionUse>));
      continue;
    }
    const missing = asked.find((use) => !selected.has(use.key));
    if (missing !== undefined) throw semanticErrors.mixedOr(printUse(missing));
    above.push(filter);
  }
  return { below, above };
}

/** A column for every field that is selected, asked about above the legs or ordered by, by the fields' keys. */
function nameColumns(
  { dimensions, measures, orderBy }: ResolvedQuery,
  above: readonly Condition<FieldUse>[],
  dialect: Dialect,
): ReadonlyMap<string, Column> {
  const outputs: readonly Output<FieldUse>[] = [...dimensions, ...measures];
  const names = new Names(
    dialect,
    outputs.map(({ alias }) => alias),
  );
  const columns = new Map<string, Column>();
  for (const { use, alias } of outputs) {
    if (!columns.has(use.key)) columns.set(use.key, { name: alias, use });
  }
  for (const use of [...above.flatMap(listFields), ...orderBy.map((order) => order.use)]) {
    if (!columns.has(use.key)) columns.set(use.key, { name: names.create(printUse(use)), use });
  }
  return columns;
}

interface Draft extends Omit<LegRequest, 'measures' | 'addsGroups'> {
  readonly measures: PlannedMeasure[];
  addsGroups: boolean;
}

/**
 * The legs of a question: one for each entity that has measures in it. A CUSTOM measure with a filter has its own, for
 * the filter is one of all of its rows; groups then come from the entity's other leg.
 */
function listLegs(
  index: ModelIndex,
  query: ResolvedQuery,
  columns: ReadonlyMap<string, Column>,
): readonly LegRequest[] {
  const legs = new Map<string, Draft>();
  const find = (root: IndexedEntity, rowFilter: string | null): Draft => {
    const key = `${root.entity.name}\0${rowFilter ?? ''}`;
    const leg = legs.get(key) ?? { root, rowFilter, measures: [], addsGroups: false };
    legs.set(key, leg);
    return leg;
  };
  if (query.measures.length === 0) find(findRoot(index, query.dimensions), null).addsGroups = true;
  for (const { use } of query.measures) {
    if (query.dimensions.length > 0 || findOwnFilter(use) === null) find(use.owner, null).addsGroups = true;
  }
  const outputs = Map.groupBy(query.measures, ({ use }) => use.key);
  for (const [key, { name, use }] of columns) {
    if (use.kind !== 'measure') continue;
    const own = findOwnFilter(use);
    const { measures: planned } = find(use.owner, own);
    for (const column of outputs.get(key)?.map(({ alias }) => alias) ?? [name]) {
      planned.push(planMeasure(use, column, own !== null));
    }
  }
  return [...legs.values()];
}

function findOwnFilter({ measure: { aggregation, filter } }: MeasureUse): string | null {
  return aggregation === 'CUSTOM' ? filter : null;
}

function planMeasure({ measure }: MeasureUse, column: string, isFiltered: boolean): PlannedMeasure {
  const { name, aggregation, dataType, expr, filter } = measure;
  return { column, name, aggregation, dataType, expr, filter: isFiltered ? null : filter };
}

/** The entity whose rows a question without measures lists: the one that has one row of each other (semantic 3, point 1). */
function findRoot(index: ModelIndex, dimensions: readonly Output<DimensionUse>[]): IndexedEntity {
  const starts = [...new Set(dimensions.map(({ use }) => use.start))];
  const [only] = starts;
  if (starts.length === 1) return present(only);
  const paths = starts.map((root) => dimensions.map(({ use }) => findDimensionPath(index, root, use)));
  const roots = starts.flatMap((root, at) => {
    const own = elementAt(paths, at).filter((path) => path !== null);
    if (own.length < dimensions.length) return [];
    // Had the relationship SQL, this one might be the answer: another one would give other rows.
    const refusal = own.find((path) => path instanceof SemanticError);
    if (refusal !== undefined) throw refusal;
    return [{ root, paths: own.filter((path): path is readonly Edge[] => !(path instanceof SemanticError)) }];
  });
  const names = starts.map(({ entity }) => entity.name);
  if (roots.length === 0) {
    throw paths.flat().find((path) => path instanceof SemanticError) ?? semanticErrors.noRoot(names);
  }
  if (roots.length === 1) return elementAt(roots, 0).root;
  // Of two that have one row of each other, the one that says so comes first.
  const declaring = roots.filter((own) => own.paths.flat().every(({ isInverse }) => !isInverse));
  if (declaring.length !== 1) throw semanticErrors.severalRoots(names);
  return elementAt(declaring, 0).root;
}

/** The to-one edges from an entity to a dimension; null where there is no such path or no single one. */
function findDimensionPath(index: ModelIndex, root: IndexedEntity, { start, steps }: DimensionUse) {
  return steps.some(({ toMany }) => toMany) ? null : findToOnePath(index, root, start);
}
