import { notNull } from '../../invariants/must.ts';
import type { Bound, Condition, Test } from '../expression/expression.ts';
import { toDate, toDayStart } from '../expression/read-literal.ts';
import type { DimensionUse } from '../model/index/field-use.ts';
import { findDay, findUnitStart } from '../model/local-time.ts';
import type { Grain } from '../model/model.ts';

/**
 * Replaces bounds on truncated dates, such as months, by bounds on the dates themselves. The SQL is easier to read, and
 * a database can use indexes and partitions for it.
 */
export function uncutDates(condition: Condition<DimensionUse>): Condition<DimensionUse> {
  if (condition.kind === 'expression') return condition;
  if (condition.kind !== 'test') return { kind: condition.kind, parts: condition.parts.map(uncutDates) };
  const { field: use, tests } = condition;
  const { dimension, base } = use.field;
  if (dimension.grain === null) return condition;
  const uncut = tests.map((test) => uncutTest(test, notNull(dimension.grain), use));
  const known = uncut.filter((test) => test !== null);
  if (known.length < uncut.length) return condition;
  const field = { ...use, key: `${use.key}|uncut`, field: { dimension: base, base } };
  return { ...condition, field, tests: known };
}

/** Null for a test without bounds. */
function uncutTest(test: Test, grain: Grain, use: DimensionUse): Test | null {
  if (test.kind !== 'bounds') return null;
  const bounds = test.bounds.map((bound) => uncutBound(bound, grain, use));
  const known = bounds.filter((bound) => bound !== null);
  return known.length < bounds.length ? null : { kind: 'bounds', bounds: known };
}

/**
 * A truncated date is before a day if and only if the date itself is before the first start of a unit from that day on.
 */
function uncutBound({ op, value }: Bound, grain: Grain, { field, owner }: DimensionUse): Bound | null {
  const day = findDay(value.text);
  if (day === null || (op !== '<' && op !== '>=')) return null;
  const start = findUnitStart(grain, day, 0);
  const first = start === day ? day : findUnitStart(grain, day, 1);
  const isDate = field.base.dataType === 'DATE';
  const moment = isDate ? toDate(first) : toDayStart(first, owner.timezone);
  return moment && { op, value: moment };
}
