import { type Aggregate, printAggregate } from '../../model/aggregate-functions.ts';
import type { AggregationType } from '../../model/model.ts';
import type { MeasureDocument } from '../../model/model-schema.ts';
import { toFieldKeys, toMeasureType, toName } from '../draft/draft.ts';
import { importMessages } from '../draft/errors.ts';
import { hasWindow, readAggregate, unwrapSql, wrapSql } from '../draft/foreign-sql.ts';
import type { AggregateReading, Cube, CubeMember, CubeScope, SqlReading } from './cube-scope.ts';
import {
  dropQualifiers,
  fillCubeSql,
  isOwnPath,
  readCubeFilters,
  resolveDimension,
  resolveRowSql,
  resolveSelf,
} from './resolve-cube-sql.ts';

const AGGREGATIONS: Readonly<Record<string, AggregationType>> = {
  count: 'COUNT',
  count_distinct: 'COUNT_DISTINCT',
  count_distinct_approx: 'COUNT_DISTINCT',
  sum: 'SUM',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
};
const NO_NUMBERS: readonly string[] = ['string', 'time', 'boolean'];

/** Keys that change what a measure computes, besides its aggregation. */
const OTHER_GRAINS = [
  ...['rolling_window', 'multi_stage', 'time_shift', 'group_by', 'reduce_by', 'add_group_by', 'order_by'],
  ...['case', 'grain', 'filter', 'mask', 'cumulative'],
];

/** Reads the aggregate of a cube's measure, or the reason why it cannot be imported. */
function readCubeAggregate(
  member: CubeMember,
  cube: Cube,
  scope: CubeScope,
  open: readonly string[] = [member.name],
): AggregateReading {
  const known = scope.aggregates.get(member);
  if (known !== undefined) return known;
  const made = readUncached(member, cube, scope, open);
  scope.aggregates.set(member, made);
  return made;
}

function readUncached(
  member: CubeMember,
  cube: Cube,
  scope: CubeScope,
  open: readonly string[],
): AggregateReading {
  const { map, type, sql } = member;
  const other = OTHER_GRAINS.find((key) => map.has(key) && map.flagOf(key) !== false);
  if (other !== undefined) return { why: importMessages.otherGrain(other) };
  if (type === 'running_total') return { why: importMessages.noTime('a running total') };
  if (NO_NUMBERS.includes(type)) return { why: importMessages.noMeasureType(`a ${type}`) };
  const filters = readCubeFilters(member, cube, scope);
  if ('why' in filters) return filters;
  const filter = filters.sql;
  if (type === 'number' || type === 'number_agg') {
    if (filter !== null) return { why: importMessages.filteredNumber() };
    const read = resolveAggregateSql(sql ?? '', cube, scope, open);
    return 'why' in read ? read : toCustom(read.sql, scope);
  }
  return readPlain(member, filter, cube, scope);
}

/** One aggregation of an expression over the cube's columns. */
function readPlain(
  { type, sql }: CubeMember,
  filter: string | null,
  cube: Cube,
  scope: CubeScope,
): AggregateReading {
  const aggregation = Object.hasOwn(AGGREGATIONS, type) ? AGGREGATIONS[type] : undefined;
  if (aggregation === undefined) return { why: importMessages.unknownType(type) };
  if (sql === undefined) {
    return aggregation === 'COUNT'
      ? { aggregation, expr: '*', filter }
      : { why: importMessages.missing('sql') };
  }
  const read = resolveRowSql(sql, cube, scope);
  if ('why' in read) return read;
  return { aggregation, expr: unwrapSql(read.sql, scope.lexicalRules), filter };
}

/** An expression over aggregates; references to other measures are replaced by their SQL. */
function resolveAggregateSql(
  template: string,
  cube: Cube,
  scope: CubeScope,
  open: readonly string[],
): SqlReading {
  const made = fillCubeSql(template, scope, (path, isQualifier) => {
    if (!isOwnPath(path, cube)) return { why: importMessages.otherMember(path.text) };
    if (path.member === null) return resolveSelf(path, isQualifier, cube, scope);
    const measure = cube.measures.get(path.member);
    if (measure === undefined) return resolveDimension(path.member, cube, scope, []);
    if (open.includes(path.member)) return { why: importMessages.circle(path.member) };
    const read = readCubeAggregate(measure, cube, scope, [...open, path.member]);
    return 'why' in read ? { why: importMessages.lostMember(path.member) } : printPart(read);
  });
  return dropQualifiers(made, cube, scope);
}

function printPart(aggregate: Aggregate): SqlReading {
  const sql = printAggregate(aggregate);
  if (sql === null) return { why: importMessages.nothingLike() };
  return { sql: aggregate.aggregation === 'CUSTOM' ? wrapSql(sql) : sql };
}

function toCustom(sql: string, { lexicalRules }: CubeScope): AggregateReading {
  if (hasWindow(sql, lexicalRules)) return { why: importMessages.window() };
  const read = readAggregate(sql, lexicalRules);
  return read === null ? { why: importMessages.noAggregate() } : { ...read, filter: null };
}

/** Reads a measure of a cube; undefined, with a warning, if it is left out. */
export function readCubeMeasure(
  member: CubeMember,
  cube: Cube,
  scope: CubeScope,
): MeasureDocument | undefined {
  const { map, name, type } = member;
  const aggregate = readCubeAggregate(member, cube, scope);
  if ('why' in aggregate) return map.drop(aggregate.why);
  if (type === 'count_distinct_approx') map.approximate(importMessages.exactly('COUNT_DISTINCT'));
  const label = map.text('title');
  const isHidden = map.flag('public') === false || map.flag('shown') === false || cube.isHidden;
  const description = map.text('description');
  map.finish({
    format: importMessages.forReadersOnly(),
    drill_members: importMessages.forReadersOnly(),
  });
  const { aggregation, expr, filter } = aggregate;
  return {
    name: toName(name, map.origin),
    ...toFieldKeys({ label, description, hidden: isHidden }),
    data_type: toMeasureType(aggregation),
    expr,
    aggregation_type: aggregation,
    ...(filter === null ? {} : { x_filter: filter }),
  };
}
