import type { Platform } from '../../../src/semantic/model/model.ts';
import type { SemanticQuery } from '../../../src/semantic/query/query.ts';
import { type Condition, type Expression, printCondition, printExpression } from './expression.ts';
import { findField } from './fields.ts';
import { createJoinTree, isSelf, type Place } from './join-tree.ts';
import {
  type DimensionDef,
  type EntityDef,
  findEntity,
  type MeasureDef,
  printCustom,
  printSource,
  type World,
} from './world.ts';

const PLATFORM: Platform = 'duckdb';

/** The condition of a step, with the aliases of its two places instead of their entities' names. */
function rename(condition: Condition, aliases: ReadonlyMap<string, string>): Condition {
  const inner = (one: Expression): Expression => {
    if (one.kind === 'column') return { ...one, entity: aliases.get(one.entity!)! };
    if (one.kind === 'coalesce') return { ...one, of: inner(one.of) };
    return one.kind === 'arithmetic' ? { ...one, left: inner(one.left), right: inner(one.right) } : one;
  };
  switch (condition.kind) {
    case 'compare':
      return { ...condition, left: inner(condition.left), right: inner(condition.right) };
    case 'is null':
    case 'is not null':
      return { ...condition, of: inner(condition.of) };
    default:
      return { ...condition, parts: condition.parts.map((part) => rename(part, aliases)) };
  }
}

function printDimension({ expression, grain }: DimensionDef): string {
  const text = printExpression(expression, PLATFORM);
  return grain === null ? text : `date_trunc('${grain}', ${text}\n)::DATE`;
}

/** The rows of an entity with all its dimensions. */
function printEntity(entity: EntityDef): string {
  const dimensions = entity.dimensions.map((one, at) => `${printDimension(one)}\n AS dim_${at}`);
  const source = entity.where === null ? entity.table : `(${printSource(entity, PLATFORM)}\n)`;
  return `(SELECT *, ${dimensions.join(', ')}, row_number() OVER () AS rid FROM ${source} AS "${entity.name}")`;
}

function printMeasure({ aggregation, argument, custom, filter }: MeasureDef): string {
  const where = filter === null ? '' : ` FILTER (${printCondition(filter, PLATFORM)})`;
  if (custom !== null) {
    const text = printCustom(custom, PLATFORM);
    return text.replaceAll(/\b(SUM|MAX|MIN|COUNT)\(([^()]*(?:\([^()]*\))?[^()]*)\)/g, `$&${where}`);
  }
  const of = argument === null ? '*' : printExpression(argument, PLATFORM);
  const call = aggregation === 'COUNT_DISTINCT' ? `COUNT(DISTINCT ${of})` : `${aggregation}(${of})`;
  return call + where;
}

/**
 * SQL of a query with measures of one entity and no filters, written slowly and simply: it joins everything and keeps
 * one copy of each row in a group.
 */
export function printReference(world: World, query: SemanticQuery): string {
  const root = findEntity(world, query.measures[0]!.entity);
  const tree = createJoinTree(world, root.name, new Set(query.dimensions.map(({ entity }) => entity)));
  const aliasOf = (id: string) => `x${tree.places.findIndex((place) => place.id === id)}`;
  const joins = tree.places.map((place: Place) => {
    const source = `${printEntity(findEntity(world, place.entity))} AS ${aliasOf(place.id)}`;
    if (place.step === null) return `FROM ${source}`;
    const parent = tree.places.find(({ id }) => id === place.parent)!;
    const aliases = new Map([
      [parent.entity, aliasOf(parent.id)],
      [isSelf(place.step.edge) ? place.step.edge.name : place.entity, aliasOf(place.id)],
    ]);
    return `LEFT JOIN ${source} ON ${printCondition(rename(place.step.edge.on, aliases), PLATFORM)}`;
  });
  const dims = query.dimensions.map((ref) => {
    const place = tree.placeOf.get(ref.entity)!;
    const owner = findEntity(world, tree.places.find(({ id }) => id === place)!.entity);
    return `${aliasOf(place)}.dim_${owner.dimensions.indexOf(findField(world, ref) as DimensionDef)}`;
  });
  const named = dims.map((text, at) => `${text} AS own_${at}`);
  const measures = query.measures.map((ref) => printMeasure(findField(world, ref) as MeasureDef));
  const groups = dims.map((_, at) => `own_${at}`);
  return `SELECT ${[...groups, ...measures].join(', ')}
FROM (SELECT DISTINCT ON (${[...dims, 'x0.rid'].join(', ')}) ${[...named, 'x0.*'].join(', ')}
${joins.join('\n')})
${groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`}`;
}
