import type { DataType } from '../../../src/semantic/model/model.ts';
import type { FieldRef, Operator, SemanticFilter, SemanticQuery } from '../../../src/semantic/query/query.ts';
import type { Random } from './random.ts';
import { findEntity, type World } from './world.ts';

const COMPARED = {
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL: '>=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL: '<=',
} as const;
const NUMBERS: ReadonlySet<DataType> = new Set(['INTEGER', 'NUMBER', 'DECIMAL']);

/** The name of the entity at the end of a path. */
function findTarget(world: World, ref: string): string {
  const [first = '', ...steps] = ref.split('.');
  return steps.reduce(
    (name, step) => world.edges.find((edge) => edge.name === step && edge.from === name)?.to ?? step,
    first,
  );
}

/** A field of a world, as a measure or a dimension; null if a path leads to another entity. */
function findField(world: World, { entity, field }: FieldRef) {
  const { dimensions, measures } = findEntity(world, findTarget(world, entity));
  const measure = measures.find(({ name }) => name === field);
  if (measure !== undefined) return { isMeasure: true, type: measure.type };
  const dimension = dimensions.find(({ name }) => name === field);
  return dimension === undefined ? null : { isMeasure: false, type: dimension.type };
}

/** Whether SQL has a condition with the same meaning, independent of collation and clock. */
function isPlain(world: World, field: FieldRef, { type }: Operator): boolean {
  if (type === 'IS_NULL' || type === 'IS_NOT_NULL') return true;
  const found = findField(world, field);
  return (
    found !== null &&
    NUMBERS.has(found.type) &&
    (type === 'EQUALS' || type === 'NOT_EQUALS' || type in COMPARED)
  );
}

function listFields(filter: SemanticFilter): readonly FieldRef[] {
  return filter.type === 'CONDITION' ? [filter.field] : filter.filters.flatMap(listFields);
}

/** The filters of a query that SQL can express in WHERE or HAVING. */
export function keepPlain(world: World, query: SemanticQuery): SemanticQuery {
  const isKept = (filter: SemanticFilter): boolean =>
    filter.type === 'CONDITION'
      ? isPlain(world, filter.field, filter.operator)
      : filter.filters.every(isKept);
  const isWhole = (filter: SemanticFilter) =>
    new Set(listFields(filter).map((field) => findField(world, field)?.isMeasure)).size === 1;
  return { ...query, filters: query.filters.filter((filter) => isKept(filter) && isWhole(filter)) };
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Prints a query as Semantic SQL, in one of several spellings: entities in FROM with aliases, or one entity and paths;
 * bare measures or MEASURE; groups by number, by ALL, or left out.
 */
export function printStatement(world: World, query: SemanticQuery, random: Random): string {
  const { dimensions, measures, filters, orderBy, limit } = query;
  const refs = [
    ...dimensions,
    ...measures,
    ...filters.flatMap(listFields),
    ...orderBy.map(({ field }) => field),
  ];
  const entities = [...new Set(refs.map(({ entity }) => entity))];
  const [first = ''] = measures.length > 0 ? [measures[0]!.entity] : entities;
  const isList = measures.length === 0 || random.chance(0.5);
  const aliases = new Map(isList ? entities.map((entity, at) => [entity, `t${at}`]) : [[first, 't0']]);
  const from = [...aliases].map(([entity, alias]) => `${quote(entity)} AS ${alias}`);
  const printField = (field: FieldRef) => {
    const name = `${aliases.get(field.entity) ?? quote(field.entity)}.${quote(field.field)}`;
    return findField(world, field)?.isMeasure && random.chance(0.5) ? `MEASURE(${name})` : name;
  };
  const printOperator = (field: FieldRef, operator: Operator): string => {
    const name = printField(field);
    if (operator.type === 'IS_NULL') return `${name} IS NULL`;
    if (operator.type === 'IS_NOT_NULL') return `${name} IS NOT NULL`;
    if ('value' in operator)
      return `${name} ${COMPARED[operator.type as keyof typeof COMPARED]} ${operator.value}`;
    const list = `IN (${'values' in operator ? operator.values.join(', ') : ''})`;
    return operator.type === 'EQUALS' ? `${name} ${list}` : `(${name} NOT ${list} OR ${name} IS NULL)`;
  };
  const printFilter = (filter: SemanticFilter): string =>
    filter.type === 'CONDITION'
      ? printOperator(filter.field, filter.operator)
      : `(${filter.filters.map(printFilter).join(` ${filter.type} `)})`;
  const isHaving = (filter: SemanticFilter) =>
    listFields(filter).some((field) => findField(world, field)?.isMeasure);
  const where = filters.filter((filter) => !isHaving(filter)).map(printFilter);
  const having = filters.filter(isHaving).map(printFilter);
  const items = [...dimensions, ...measures].map((field, at) => `${printField(field)} AS c${at}`);
  const groups =
    dimensions.length === 0
      ? ['']
      : ['', 'GROUP BY ALL', `GROUP BY ${dimensions.map((_, at) => at + 1).join(', ')}`];
  const orders = orderBy.map(({ field, desc }) => `${printField(field)}${desc ? ' DESC' : ''}`);
  return [
    `SELECT ${items.join(', ')}`,
    `FROM ${from.join(', ')}`,
    ...(where.length === 0 ? [] : [`WHERE ${where.join(' AND ')}`]),
    random.pick(groups),
    ...(having.length === 0 ? [] : [`HAVING ${having.join(' AND ')}`]),
    ...(orders.length === 0 ? [] : [`ORDER BY ${orders.join(', ')}`]),
    ...(limit === null ? [] : [`LIMIT ${limit.fetch} OFFSET ${limit.skip}`]),
  ]
    .filter((line) => line !== '')
    .join('\n');
}
