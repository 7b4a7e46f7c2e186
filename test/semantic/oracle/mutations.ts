import type { JoinType } from '../../../src/semantic/model/model.ts';
import type { FieldRef, Operator, SemanticFilter, SemanticQuery } from '../../../src/semantic/query/query.ts';
import type { Compile, Question } from './ask.ts';
import type { EntityDef, MeasureDef, World } from './world.ts';

/** A mutation of the compiler: of the printed SQL, or of the model or the query that it reads. */
export type Mutation = { readonly name: string } & (
  | { readonly of: 'sql'; readonly alter: (sql: string) => string }
  | { readonly of: 'world'; readonly alter: (world: World) => World }
  | { readonly of: 'query'; readonly alter: (query: SemanticQuery) => SemanticQuery }
);

const inSql = (name: string, pattern: RegExp, text: string): Mutation => ({
  name,
  of: 'sql',
  alter: (sql) => sql.replaceAll(pattern, text),
});

/** Mutations of the printer: a part of the SQL is left out, or replaced by something similar. */
const SQL_MUTATIONS: readonly Mutation[] = [
  inSql('DISTINCT of a leg dropped', /SELECT DISTINCT\b/g, 'SELECT'),
  inSql('DISTINCT of a count dropped', /COUNT\(DISTINCT /g, 'COUNT('),
  inSql('left joins made inner', /LEFT JOIN/g, 'JOIN'),
  inSql('rows counted instead of values', /COUNT\((?!DISTINCT|\*)[^()]+\)(?! OVER)/g, 'COUNT(*)'),
  inSql('a required branch is excluded', /(?<=\S) IN \((?=\s+SELECT)/g, ' NOT IN ('),
  inSql('NULL not kept by a complement', / OR (?:"[^"]+"\.)?"?\w+"? IS NULL/g, ''),
  inSql('a condition without its equal end', / <= /g, ' < '),
  inSql('a condition with an equal end too many', / > (?=[-\d])/g, ' >= '),
  inSql('the day after a range counted in', / < (DATE|TIMESTAMP) /g, ' <= $1 '),
  inSql('NULLs first', /NULLS LAST(?=,|\n|$)/g, 'NULLS FIRST'),
  inSql('no order for NULLs', /^(ORDER BY .*) NULLS LAST/gm, '$1 NULLS FIRST'),
  inSql('descending order dropped', / DESC\b/g, ''),
  inSql('one row too many', /LIMIT (\d+)/g, 'LIMIT 1 + $1'),
  inSql('skipped rows given', / OFFSET \d+/g, ''),
  inSql('conditions of groups dropped', /^HAVING [\s\S]*?(?=^ORDER BY|^LIMIT|(?![\s\S]))/gm, ''),
  inSql('a condition of rows that is always true', /\bWHERE (?=")/g, 'WHERE TRUE OR '),
  inSql('the joins after a reduced branch dropped', /(?<=^\) AS [^\n]+ ON [^\n]+\n)WHERE .*\n/gm, ''),
  inSql('all parts required instead of one', /(?<=\)) OR /g, ' AND '),
  inSql('letters of one case only', /\bI?LIKE\b/g, 'LIKE'),
  inSql('escapes of no effect', / ESCAPE '!'/g, ''),
  inSql('an empty group without its 0', /COALESCE\((MAX\([^()]*\)), 0\)/g, '$1'),
  inSql('a second copy of a row', /"#copy" = 1/g, '"#copy" <= 2'),
  inSql(
    'one copy of a row for all groups',
    /(ROW_NUMBER\(\) OVER \(PARTITION BY [^,()]+), [^\n]*\) AS "#copy"/g,
    '$1) AS "#copy"',
  ),
  inSql('weeks for months', /'month'/g, "'week'"),
  inSql('years for quarters', /'quarter'/g, "'year'"),
  inSql('the lower middle for the median', /0\.50+1\]/g, '0.5]'),
  inSql('only the first key of a join', /(LEFT JOIN .* ON \S+ = \S+) AND \S+ = \S+$/gm, '$1'),
  inSql('NULL keys that match', /(LEFT JOIN .* ON \S+) = (\S+)$/gm, '$1 IS NOT DISTINCT FROM $2'),
  inSql('values of rows of no leg as 0', /NULL AS ("(?!#)[^"]+")/g, '0 AS $1'),
  inSql('the smallest for the largest', /\bMAX\(/g, 'MIN('),
  inSql('sums of averages', /\bAVG\(/g, 'SUM('),
];

const onEntities = (name: string, alter: (entity: EntityDef) => EntityDef): Mutation => ({
  name,
  of: 'world',
  alter: (world) => ({ ...world, entities: world.entities.map(alter) }),
});

const onMeasures = (name: string, alter: (measure: MeasureDef) => MeasureDef): Mutation =>
  onEntities(name, (entity) => ({ ...entity, measures: entity.measures.map(alter) }));

const onEdges = (name: string, from: readonly JoinType[], to: JoinType): Mutation => ({
  name,
  of: 'world',
  alter: (world) => ({
    ...world,
    edges: world.edges.map((edge) => (from.includes(edge.joinType) ? { ...edge, joinType: to } : edge)),
  }),
});

/** Mutations of the planner: it misreads the model. */
const WORLD_MUTATIONS: readonly Mutation[] = [
  onEdges('to-many read as to-one', ['ONE_TO_MANY', 'MANY_TO_ONE'], 'ONE_TO_ONE'),
  onEdges('only ONE_TO_MANY fans out', ['MANY_TO_ONE'], 'ONE_TO_ONE'),
  onEdges('inverses do not fan out', ['ONE_TO_MANY'], 'ONE_TO_ONE'),
  onEdges('everything fans out the other way', ['MANY_TO_ONE'], 'ONE_TO_MANY'),
  onEntities('rows identified by a column without unique values', (entity) => ({ ...entity, key: ['part'] })),
  onEntities('only the last column of a key', (entity) => ({
    ...entity,
    key: entity.key?.slice(-1) ?? null,
  })),
  onMeasures('the filter of a measure dropped', (measure) => ({ ...measure, filter: null })),
  onMeasures('COUNT_DISTINCT as COUNT', (measure) =>
    measure.aggregation === 'COUNT_DISTINCT' ? { ...measure, aggregation: 'COUNT' } : measure,
  ),
  onMeasures('COUNT of values as of rows', (measure) =>
    measure.aggregation === 'COUNT' ? { ...measure, argument: null } : measure,
  ),
  onMeasures('MEDIAN as AVG', (measure) =>
    measure.aggregation === 'MEDIAN' ? { ...measure, aggregation: 'AVG' } : measure,
  ),
  onEntities('no difference between letters of any case', (entity) => ({
    ...entity,
    dimensions: entity.dimensions.map((one) => ({ ...one, caseSensitive: false })),
  })),
  onEntities('grains ignored', (entity) => ({
    ...entity,
    dimensions: entity.dimensions.map((one) => ({ ...one, grain: one.grain === null ? null : 'day' })),
  })),
  onEntities('the query of an entity read as its table', (entity) => ({ ...entity, where: null })),
  {
    name: 'the first of several relationships picked',
    of: 'world',
    alter: (world) => ({
      ...world,
      edges: world.edges.filter(
        ({ from, to }, at) => world.edges.findIndex((edge) => edge.from === from && edge.to === to) === at,
      ),
    }),
  },
];

function mapConditions(filter: SemanticFilter, alter: (operator: Operator) => Operator): SemanticFilter {
  if (filter.type === 'CONDITION') return { ...filter, operator: alter(filter.operator) };
  return { ...filter, filters: filter.filters.map((part) => mapConditions(part, alter)) };
}

const onOperators = (name: string, alter: (operator: Operator) => Operator): Mutation => ({
  name,
  of: 'query',
  alter: (query) => ({ ...query, filters: query.filters.map((filter) => mapConditions(filter, alter)) }),
});

const swapType = (
  name: string,
  types: Readonly<Partial<Record<Operator['type'], Operator['type']>>>,
): Mutation =>
  onOperators(name, (operator) => ({ ...operator, type: types[operator.type] ?? operator.type }) as Operator);

const onReferences = (query: SemanticQuery, alter: (ref: FieldRef) => FieldRef): SemanticQuery => ({
  ...query,
  dimensions: query.dimensions.map(alter),
});

function joinAlternatives(filter: SemanticFilter): SemanticFilter {
  if (filter.type === 'CONDITION') return filter;
  return { type: 'AND', filters: filter.filters.map(joinAlternatives) };
}

/** Mutations of the planner: it misreads the query. */
const QUERY_MUTATIONS: readonly Mutation[] = [
  swapType('BEFORE_OR_ON_DATE as BEFORE_DATE', { BEFORE_OR_ON_DATE: 'BEFORE_DATE' }),
  swapType('AFTER_DATE as AFTER_OR_ON_DATE', { AFTER_DATE: 'AFTER_OR_ON_DATE' }),
  swapType('IS_NULL as IS_NOT_NULL', { IS_NULL: 'IS_NOT_NULL' }),
  swapType('STARTS_WITH as CONTAINS', { STARTS_WITH: 'CONTAINS', NOT_STARTS_WITH: 'NOT_CONTAINS' }),
  swapType('ENDS_WITH as CONTAINS', { ENDS_WITH: 'CONTAINS', NOT_ENDS_WITH: 'NOT_CONTAINS' }),
  swapType('GREATER_THAN as GREATER_THAN_OR_EQUAL', { GREATER_THAN: 'GREATER_THAN_OR_EQUAL' }),
  onOperators('only the first of several values', (operator) =>
    'values' in operator && !operator.type.endsWith('RANGE')
      ? { ...operator, values: operator.values.slice(0, 1) }
      : operator,
  ),
  onOperators('values trimmed', (operator) =>
    'values' in operator ? { ...operator, values: operator.values.map((value) => value.trim()) } : operator,
  ),
  {
    name: 'OR as AND',
    of: 'query',
    alter: (query) => ({ ...query, filters: query.filters.map(joinAlternatives) }),
  },
  {
    name: 'the last filter dropped',
    of: 'query',
    alter: (query) => ({ ...query, filters: query.filters.slice(0, -1) }),
  },
  {
    name: 'only the first of several orders',
    of: 'query',
    alter: (query) => ({ ...query, orderBy: query.orderBy.slice(0, 1) }),
  },
  {
    name: 'the path of a reference ignored',
    of: 'query',
    alter: (query) => onReferences(query, (ref) => ({ ...ref, entity: ref.entity.split('.')[0]! })),
  },
];

export const MUTATIONS: readonly Mutation[] = [...SQL_MUTATIONS, ...WORLD_MUTATIONS, ...QUERY_MUTATIONS];

const worlds = new Map<Mutation, WeakMap<World, World>>();

function alterWorld(mutation: Extract<Mutation, { of: 'world' }>, world: World): World {
  const known = worlds.get(mutation) ?? new WeakMap<World, World>();
  worlds.set(mutation, known);
  const altered = known.get(world) ?? mutation.alter(world);
  known.set(world, altered);
  return altered;
}

/** Adds a mutation to the compiler. */
export function addMutation(compile: Compile, mutation: Mutation): Compile {
  return (world, question, platform) => {
    if (mutation.of === 'world') return compile(alterWorld(mutation, world), question, platform);
    const asked: Question =
      mutation.of === 'query' ? { ...question, query: mutation.alter(question.query) } : question;
    const compiled = compile(world, asked, platform);
    return mutation.of === 'sql' ? { ...compiled, sql: mutation.alter(compiled.sql) } : compiled;
  };
}
