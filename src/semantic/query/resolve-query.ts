import { elementAt } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import { listConditionFields, mapFields } from '../expression/condition.ts';
import { createField } from '../expression/create-expression.ts';
import type { ResolvedFilter, ResolvedQuery, ResultUse } from '../expression/expression.ts';
import type { DimensionUse, FieldUse, MeasureUse } from '../model/index/field-use.ts';
import { hintEntity, hintField } from '../model/index/hints.ts';
import type { Edge, IndexedEntity, ModelIndex } from '../model/index/index-model.ts';
import type { ValueType } from '../model/model.ts';
import type { Dialect } from '../sql/dialect.ts';
import { nameOutputs } from './name-outputs.ts';
import { type FieldRef, MAX_FILTER_DEPTH, type SemanticFilter, type SemanticQuery } from './query.ts';
import { readTest } from './read-test.ts';

/**
 * Resolves the names of a query. Throws a SemanticError for unknown names and invalid values. Unless `now` is null,
 * dates can be words such as `yesterday`.
 */
export function resolveQuery(
  index: ModelIndex,
  query: SemanticQuery,
  dialect: Dialect,
  now: Date | null,
): ResolvedQuery {
  if (query.dimensions.length + query.measures.length === 0) throw semanticErrors.nothingAsked();
  const dimensions = query.dimensions.map((ref) => ({ ref, use: findDimension(index, ref) }));
  const measures = query.measures.map((ref) => ({ ref, use: findMeasure(index, ref) }));
  const aliases = nameOutputs([...query.dimensions, ...query.measures], dialect);
  const filters = query.filters.flatMap((filter) => flatten(resolveFilter(index, filter, now, 1)));
  const selected = new Set(dimensions.map(({ use }) => use.key));
  const orderBy = query.orderBy.map(({ field, desc }) => ({ use: findField(index, field), desc }));
  for (const { use } of orderBy) {
    if (use.kind === 'dimension' && !selected.has(use.key)) throw semanticErrors.orderGrain(printUse(use));
  }
  checkLimit(query.limit);
  return {
    root: null,
    results: [],
    keys: dimensions.map(({ use }, at) => ({ use, alias: elementAt(aliases, at) })),
    measures: measures.map(({ use }, at) => ({ use, alias: elementAt(aliases, dimensions.length + at) })),
    ...splitFilters(filters, selected),
    orderBy: orderBy.map(({ use, desc }) => ({
      value: createField<ResultUse>(use, getDataType(use)),
      desc,
      nullsFirst: false,
    })),
    limit: query.limit,
    items: null,
  };
}

/**
 * Conditions on dimensions apply to rows, those on measures to groups
 * (docs/reference/semantic-numbers.md#where-filters-apply).
 */
function splitFilters(
  filters: readonly ResolvedFilter<FieldUse>[],
  selected: ReadonlySet<string>,
): Pick<ResolvedQuery, 'conditions' | 'having'> {
  const conditions: ResolvedFilter<DimensionUse>[] = [];
  const having: ResolvedFilter<ResultUse>[] = [];
  for (const filter of filters) {
    const uses = listConditionFields(filter);
    const asked = uses.filter((use) => use.kind === 'dimension');
    if (asked.length === uses.length) {
      conditions.push(mapFields(filter, expectDimension));
      continue;
    }
    const missing = asked.find((use) => !selected.has(use.key));
    if (missing !== undefined) throw semanticErrors.mixedOr(printUse(missing));
    having.push(mapFields(filter, (use): ResultUse => use));
  }
  return { conditions, having };
}

function expectDimension(use: FieldUse): DimensionUse {
  if (use.kind === 'dimension') return use;
  throw new Error('a condition on rows uses a measure');
}

/** The type of a field's value. */
export function getDataType(use: ResultUse): ValueType {
  switch (use.kind) {
    case 'dimension':
      return use.field.dimension.dataType;
    case 'measure':
      return use.measure.dataType;
    case 'computed':
      return use.expression.dataType;
    case 'spot':
      return use.dataType;
  }
}

/** Prints a field as a query names it. */
export function printUse(use: ResultUse): string {
  if (use.kind === 'computed' || use.kind === 'spot') return use.name;
  return `${use.entity}.${use.kind === 'measure' ? use.measure.name : use.field.dimension.name}`;
}

function checkLimit(limit: SemanticQuery['limit']): void {
  if (limit === null) return;
  if (!Number.isSafeInteger(limit.fetch) || limit.fetch <= 0) throw semanticErrors.fetch();
  if (!Number.isSafeInteger(limit.skip) || limit.skip < 0) throw semanticErrors.skip();
}

function flatten(condition: ResolvedFilter<FieldUse>): readonly ResolvedFilter<FieldUse>[] {
  return condition.kind === 'and' ? condition.parts.flatMap(flatten) : [condition];
}

function resolveFilter(
  index: ModelIndex,
  filter: SemanticFilter,
  now: Date | null,
  depth: number,
): ResolvedFilter<FieldUse> {
  if (depth > MAX_FILTER_DEPTH) throw semanticErrors.nesting(MAX_FILTER_DEPTH);
  const type: string = filter.type;
  switch (filter.type) {
    case 'CONDITION': {
      const field = findField(index, filter.field);
      return { kind: 'test', field, ...readTest(field, filter.operator, now) };
    }
    case 'AND':
    case 'OR': {
      if (filter.filters.length === 0) throw semanticErrors.emptyFilters();
      const parts = filter.filters.map((part) => resolveFilter(index, part, now, depth + 1));
      return { kind: filter.type === 'AND' ? 'and' : 'or', parts };
    }
    default:
      throw semanticErrors.filterType(type);
  }
}

interface EntityPath {
  readonly start: IndexedEntity;
  readonly steps: readonly Edge[];
  readonly owner: IndexedEntity;
}

/** Finds an entity, or a path: an entity and relationship names, joined with dots. */
function resolveEntity(index: ModelIndex, name: string): EntityPath {
  const { entities } = index;
  const entity = entities.get(name);
  if (entity !== undefined) return { start: entity, steps: [], owner: entity };
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const start = entities.get(name.slice(0, dot));
    const entityPath = start && walk(start, name.slice(dot + 1).split('.'));
    if (entityPath !== undefined) return entityPath;
  }
  throw semanticErrors.entityNotFound(name, hintEntity(index, name));
}

function walk(start: IndexedEntity, names: readonly string[]): EntityPath | undefined {
  const steps: Edge[] = [];
  let owner = start;
  for (const name of names) {
    const edge = owner.steps.get(name);
    if (edge === undefined) return undefined;
    steps.push(edge);
    owner = edge.to;
  }
  return { start, steps, owner };
}

/** Finds a dimension, otherwise a measure. */
export function findField(index: ModelIndex, ref: FieldRef): FieldUse {
  const entityPath = resolveEntity(index, ref.entity);
  if (entityPath.owner.dimensions.has(ref.field)) return toDimension(index, ref, entityPath);
  if (entityPath.owner.measures.has(ref.field)) return toMeasure(index, ref, entityPath);
  throw semanticErrors.fieldNotFound(
    ref.field,
    ref.entity,
    hintField(index, entityPath.owner, ref.field, 'field'),
  );
}

function findDimension(index: ModelIndex, ref: FieldRef): DimensionUse {
  return toDimension(index, ref, resolveEntity(index, ref.entity));
}

function findMeasure(index: ModelIndex, ref: FieldRef): MeasureUse {
  return toMeasure(index, ref, resolveEntity(index, ref.entity));
}

function toDimension(
  index: ModelIndex,
  { entity, field: name }: FieldRef,
  entityPath: EntityPath,
): DimensionUse {
  const field = entityPath.owner.dimensions.get(name);
  if (field === undefined) {
    throw semanticErrors.fieldNotFound(name, entity, hintField(index, entityPath.owner, name, 'dimension'));
  }
  const path = entityPath.steps.map(({ id }) => id).join('>');
  return {
    kind: 'dimension',
    key: `${entityPath.start.entity.name}>${path}|${name}`,
    entity,
    ...entityPath,
    field,
  };
}

function toMeasure(
  index: ModelIndex,
  { entity, field: name }: FieldRef,
  { start, owner, steps }: EntityPath,
): MeasureUse {
  const measure = owner.measures.get(name);
  if (measure === undefined) {
    throw semanticErrors.fieldNotFound(name, entity, hintField(index, owner, name, 'measure'));
  }
  const role = steps.length === 0 ? null : { start, steps };
  const path = steps.map(({ id }) => id).join('>');
  return { kind: 'measure', key: `${start.entity.name}|${path}|${name}`, entity, owner, role, measure };
}
