import type { FieldRef, SemanticFilter, SemanticQuery } from '../../../src/semantic/query/query.ts';
import type { Question } from './ask.ts';
import { findOwner } from './join-tree.ts';
import type { EntityDef, World } from './world.ts';

/** A query to a world. */
export interface Case {
  readonly world: World;
  readonly question: Question;
}

/** The list without each of its values in turn. */
function listShorter<T>(values: readonly T[]): (readonly T[])[] {
  return values.map((_, at) => values.toSpliced(at, 1));
}

function listSimplerFilters(filter: SemanticFilter): SemanticFilter[] {
  if (filter.type === 'CONDITION') {
    const { operator } = filter;
    if (!('values' in operator) || operator.type.endsWith('RANGE') || operator.values.length < 2) return [];
    return listShorter(operator.values).map((values) => ({ ...filter, operator: { ...operator, values } }));
  }
  const inner = filter.filters.flatMap((one, at) =>
    listSimplerFilters(one).map(
      (simpler): SemanticFilter => ({ ...filter, filters: filter.filters.with(at, simpler) }),
    ),
  );
  const shorter = filter.filters.length > 1 ? listShorter(filter.filters) : [];
  return [...filter.filters, ...shorter.map((filters): SemanticFilter => ({ ...filter, filters })), ...inner];
}

function listSimplerQueries(query: SemanticQuery): SemanticQuery[] {
  const bare = ({ entity, field }: FieldRef): FieldRef => ({ entity, field });
  const hasAlias = [...query.dimensions, ...query.measures].some(({ alias }) => alias !== undefined);
  return [
    ...(query.limit === null ? [] : [{ ...query, limit: null }]),
    ...listShorter(query.orderBy).map((orderBy) => ({ ...query, orderBy })),
    ...listShorter(query.filters).map((filters) => ({ ...query, filters })),
    ...listShorter(query.measures).map((measures) => ({ ...query, measures })),
    ...listShorter(query.dimensions).map((dimensions) => ({ ...query, dimensions })),
    ...query.filters.flatMap((filter, at) =>
      listSimplerFilters(filter).map((simpler) => ({ ...query, filters: query.filters.with(at, simpler) })),
    ),
    ...(hasAlias
      ? [{ ...query, dimensions: query.dimensions.map(bare), measures: query.measures.map(bare) }]
      : []),
  ].filter(({ dimensions, measures }) => dimensions.length + measures.length > 0);
}

/** The references of a query's fields, as one string each. */
function listReferences(query: SemanticQuery): string[] {
  const ofFilter = (filter: SemanticFilter): FieldRef[] =>
    filter.type === 'CONDITION' ? [filter.field] : filter.filters.flatMap(ofFilter);
  const refs = [
    ...query.dimensions,
    ...query.measures,
    ...query.orderBy.map(({ field }) => field),
    ...query.filters.flatMap(ofFilter),
  ];
  return refs.map(({ entity, field }) => `${entity}\0${field}`);
}

function keepUsedFields(entity: EntityDef, world: World, query: SemanticQuery): EntityDef {
  const used = new Set(
    listReferences(query).map((text) => {
      const [reference = '', field] = text.split('\0');
      return `${findOwner(world, reference)}\0${field}`;
    }),
  );
  const isUsed = ({ name }: { readonly name: string }) => used.has(`${entity.name}\0${name}`);
  return {
    ...entity,
    dimensions: entity.dimensions.filter(isUsed),
    measures: entity.measures.filter(isUsed),
  };
}

function listShorterRows({ rows }: EntityDef): EntityDef['rows'][] {
  const half = Math.floor(rows.length / 2);
  const halves = rows.length > 3 ? [rows.slice(0, half), rows.slice(half)] : [];
  return [...halves, ...listShorter(rows)];
}

function listSimplerEntities(entity: EntityDef): EntityDef[] {
  return [
    ...listShorterRows(entity).map((rows) => ({ ...entity, rows })),
    ...(entity.where === null ? [] : [{ ...entity, where: null }]),
    ...(entity.key === null ? [] : [{ ...entity, key: null }]),
    ...(entity.measures.some(({ filter }) => filter !== null)
      ? [{ ...entity, measures: entity.measures.map((measure) => ({ ...measure, filter: null })) }]
      : []),
  ];
}

function listSimplerWorlds({ world, question }: Case): World[] {
  const { entities, edges } = world;
  const fewer = listShorter(entities).map((rest) => {
    const names = rest.map(({ name }) => name);
    return {
      entities: rest,
      edges: edges.filter(({ from, to }) => names.includes(from) && names.includes(to)),
    };
  });
  const bare = {
    edges,
    entities: entities.map((entity) => keepUsedFields(entity, world, question.query)),
  };
  const hasMore = entities.some(
    (entity, at) =>
      bare.entities[at]!.measures.length < entity.measures.length ||
      bare.entities[at]!.dimensions.length < entity.dimensions.length,
  );
  return [
    ...fewer,
    ...(hasMore ? [bare] : []),
    ...listShorter(edges).map((rest) => ({ entities, edges: rest })),
    ...entities.flatMap((entity, at) =>
      listSimplerEntities(entity).map((simpler) => ({ edges, entities: entities.with(at, simpler) })),
    ),
  ];
}

/** The smallest case that still fails, found by leaving out one part after another. */
export async function shrink(start: Case, stillFails: (one: Case) => Promise<boolean>): Promise<Case> {
  let best = start;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    const queries = listSimplerQueries(best.question.query).map(
      (query): Case => ({ world: best.world, question: { ...best.question, query } }),
    );
    const worlds = listSimplerWorlds(best).map((world): Case => ({ world, question: best.question }));
    for (const simpler of [...queries, ...worlds]) {
      if (!(await stillFails(simpler).catch(() => false))) continue;
      best = simpler;
      isSmaller = true;
      break;
    }
  }
  return best;
}
