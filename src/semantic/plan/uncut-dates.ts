import { elementAt } from '../../invariants/must.ts';
import { createCall, createField, createLiteral } from '../expression/create-expression.ts';
import type {
  FieldExpression,
  RangeBound,
  ResolvedFilter,
  Test,
  TypedCall,
  TypedExpression,
  TypedLiteral,
} from '../expression/expression.ts';
import type { FunctionName } from '../expression/functions.ts';
import { toDate, toTime } from '../expression/read-literal.ts';
import { mapParts } from '../expression/walk-expression.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { addDay, findDayStart, findUnitStart, listStarts, readMoment, toLocal } from '../model/local-time.ts';
import type { Grain } from '../model/model.ts';
import type { Literal, RelationalOperator } from '../sql/nodes.ts';

type DateExpression = TypedExpression<DimensionUse>;

/** With more ranges, truncating each value is faster. Adjacent values have one range. */
const MAX_RANGES = 100;
const MAX_VALUES = 1000;

/**
 * Replaces conditions on truncated dates, such as months, by ranges of the dates themselves
 * (docs/reference/semantic-numbers.md#where-filters-apply). The SQL is easier to read, and a database can use indexes and
 * partitions for it.
 */
export function uncutDates(condition: ResolvedFilter<DimensionUse>): ResolvedFilter<DimensionUse> {
  if (condition.kind === 'expression') {
    return { kind: 'expression', expression: uncutExpression(condition.expression) };
  }
  if (condition.kind !== 'test') return { kind: condition.kind, parts: condition.parts.map(uncutDates) };
  const { field: use, tests } = condition;
  if (use.field.dimension.grain === null) return condition;
  const of = createField(use, 'DATE');
  const sets = tests.map((test) => findTestSet(of, test));
  const ranges = sets.map((set) => set && findRanges(set));
  const [first] = sets;
  if (first == null || ranges.includes(null)) return condition;
  const uncut = ranges.flatMap((range) => range ?? []).map((bounds): Test => ({ kind: 'bounds', bounds }));
  return { ...condition, field: first.column.field, tests: uncut };
}

function findTestSet(of: DateExpression, test: Test): DateSet | null {
  if (test.kind === 'in') return test.values.length > MAX_VALUES ? null : findDateSet(of, '=', test.values);
  if (test.kind !== 'bounds') return null;
  const sets = test.bounds.map(({ op, value }) => findDateSet(of, op, [value]));
  const known = sets.filter((set) => set !== null);
  return known.length < sets.length ? null : intersect(known);
}

function findRanges(set: DateSet): ReturnType<typeof listRanges> {
  const ranges = listRanges(set);
  return ranges !== null && ranges.length > MAX_RANGES ? null : ranges;
}

/** Like `uncutDates`, for all conditions in an expression; unknown stays unknown. */
export function uncutExpression(expression: DateExpression): DateExpression {
  if (expression.kind === 'field') return expression;
  const uncut = expression.kind === 'call' ? uncutCall(expression) : null;
  return uncut ?? mapParts(expression, uncutExpression);
}

const FLIPPED = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function isComparison(name: FunctionName): name is RelationalOperator {
  return Object.hasOwn(FLIPPED, name);
}

/** A comparison, IN or BETWEEN with constants; null for any other call. */
function uncutCall({ name, args }: TypedCall<DimensionUse>): DateExpression | null {
  const [left, right] = [elementAt(args, 0), elementAt(args, -1)];
  if (isComparison(name)) {
    return isConstant(left) ? compare(right, FLIPPED[name], [left]) : compare(left, name, [right]);
  }
  if (name === 'IN') return compare(left, '=', args.slice(1));
  if (name !== 'BETWEEN') return null;
  const [from, to] = [compare(left, '>=', [elementAt(args, 1)]), compare(left, '<=', [right])];
  return from && to && createCall('AND', [from, to]);
}

type Constant = TypedLiteral & { readonly value: Literal };

function isConstant(expression: DateExpression): expression is Constant {
  return expression.kind === 'literal' && expression.value !== null;
}

/** Whether a value compares with one of several constants, as ranges of the column behind it; null without such ranges. */
function compare(
  of: DateExpression,
  op: RelationalOperator,
  args: readonly DateExpression[],
): DateExpression | null {
  const constants = args.filter((arg) => isConstant(arg));
  if (constants.length < args.length || constants.length > MAX_VALUES) return null;
  const set = findDateSet(
    of,
    op,
    constants.map(({ value }) => value),
  );
  const ranges = set && findRanges(set);
  if (set === null || ranges === null) return null;
  const { column } = set;
  const parts = ranges.map((bounds) => {
    const comparisons = bounds.map((bound) =>
      createCall(bound.op, [column, createLiteral(bound.value, column.dataType)]),
    );
    return comparisons.length === 1 ? elementAt(comparisons, 0) : createCall('AND', comparisons);
  });
  return parts.length === 1 ? elementAt(parts, 0) : createCall('OR', parts);
}

/** The points of a column at which a truncated date reaches a time, falls below it again, and so on. */
interface Points {
  /** A DATE or DATETIME without a grain. */
  readonly column: FieldExpression<DimensionUse>;
  /** Ascending, in milliseconds. */
  readonly points: readonly number[];
}

/** The values of a column for which a condition on its truncation holds: they change sides at each point. */
interface DateSet extends Points {
  /** Whether the condition holds before the first point. */
  readonly isInside: boolean;
}

/**
 * Finds the values of a column for which its truncation, such as its month, compares with one of several dates. Null for
 * any other expression.
 */
function findDateSet(of: DateExpression, op: RelationalOperator, values: readonly Literal[]): DateSet | null {
  if (!isTruncation(of)) return null;
  const texts = [...new Set(values.map(({ text }) => text))];
  const sets = texts.map((text) => findPoints(of, op, text));
  const [first] = sets;
  if (first == null) return null;
  const points = combine(sets.map((set) => set?.points ?? []));
  return { ...first, points, isInside: op.startsWith('<') };
}

/** The values that belong to each set: of one set, or of one with a lower and one with a higher bound. */
function intersect(sets: readonly DateSet[]): DateSet {
  const points = combine(sets.map((set) => set.points));
  return { ...elementAt(sets, 0), points, isInside: sets.every(({ isInside }) => isInside) };
}

/** The ranges of a set, each with one or two bounds. Null if a bound is outside the years 1 to 9999. */
function listRanges({ column, points, isInside }: DateSet): readonly (readonly RangeBound[])[] | null {
  const toLiteral = (ms: number) =>
    column.dataType === 'DATE' ? toDate(ms) : toTime('timestamp', { ms, micros: 0 });
  const values = points.map(toLiteral).filter((value) => value !== null);
  if (values.length < points.length) return null;
  const bounds = values.map(
    (value, at): RangeBound => ({ op: (at % 2 === 0) === isInside ? '<' : '>=', value }),
  );
  const first = isInside ? bounds.slice(0, 1) : [];
  const ranges: (readonly RangeBound[])[] = isInside ? [first] : [];
  for (let at = first.length; at < bounds.length; at += 2) ranges.push(bounds.slice(at, at + 2));
  return ranges;
}

/** In milliseconds. */
const TIME_UNITS: Readonly<Partial<Record<FunctionName, number>>> = {
  'DATE_TRUNC HOUR': 3_600_000,
  'DATE_TRUNC MINUTE': 60_000,
  'DATE_TRUNC SECOND': 1000,
};

/** Whether an expression is not a column as it is, and its values are whole seconds. */
function isTruncation(of: DateExpression): boolean {
  return of.kind === 'field' ? of.field.field.dimension.grain !== null : of.kind !== 'local';
}

function findPoints(of: DateExpression, op: RelationalOperator, text: string): Points | null {
  const { ms, micros } = readMoment(text);
  const above = ms + 1;
  if (op === '>' || op === '<=') return findStarts(of, above);
  const from = findStarts(of, micros === 0 ? ms : above);
  if (op === '>=' || op === '<') return from;
  const end = findStarts(of, above);
  return from && end && { ...from, points: combine([from.points, end.points]) };
}

/**
 * The points of the union of separate sets, or of a set without another set that it contains. Adjacent ranges become one.
 * At least one range stays, which can be empty.
 */
function combine(all: readonly (readonly number[])[]): readonly number[] {
  const sorted = all.flat().sort((left, right) => left - right);
  const points: number[] = [];
  for (const point of sorted) {
    if (points.at(-1) === point) points.pop();
    else points.push(point);
  }
  return points.length === 0 ? sorted.slice(0, 2) : points;
}

/** Finds the points at which an expression, which has whole seconds, reaches a local time; for a DATETIME, a moment. */
function findStarts(of: DateExpression, time: number): Points | null {
  switch (of.kind) {
    case 'field':
      return findFieldStarts(of, time);
    case 'grain':
      return findStarts(of.of, findGrainFrom(of.unit, time));
    case 'call': {
      const unit = TIME_UNITS[of.name];
      return unit === undefined ? null : findStarts(elementAt(of.args, 0), Math.ceil(time / unit) * unit);
    }
    case 'cast': {
      const isTime = of.of.dataType === 'DATE' && of.dataType === 'TIMESTAMP';
      return isTime ? findStarts(of.of, findGrainFrom('day', time)) : null;
    }
    case 'moment':
      return of.of.dataType === 'DATE' ? findStarts(of.of, findDayFrom(time, of.timezone)) : null;
    case 'local':
      return of.of.kind === 'field' ? { column: of.of, points: listStarts(time, of.timezone) } : null;
    default:
      return null;
  }
}

function findFieldStarts(of: FieldExpression<DimensionUse>, time: number): Points | null {
  const { field: use } = of;
  const { dimension, base } = use.field;
  if (dimension.grain === null) return of.dataType === 'DATE' ? { column: of, points: [time] } : null;
  const from = findGrainFrom(dimension.grain, time);
  const uncut = { ...use, key: `${use.key}|uncut`, field: { dimension: base, base } };
  const points = base.dataType === 'DATE' ? [from] : listStarts(from, use.owner.timezone);
  return { column: createField(uncut, base.dataType, of.nullable), points };
}

/** The first start of a unit at or after a time. */
function findGrainFrom(unit: Grain, time: number): number {
  const day = findUnitStart('day', time, 0);
  const start = findUnitStart(unit, day, 0);
  return start === time ? start : findUnitStart(unit, day, 1);
}

/** The first day whose first moment is at or after a moment. */
function findDayFrom(moment: number, timezone: string): number {
  let day = findUnitStart('day', toLocal(moment, timezone), -1);
  while (findDayStart(day, timezone) < moment) day = addDay(day);
  return day;
}
