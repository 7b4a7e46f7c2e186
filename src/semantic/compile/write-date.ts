import { semanticErrors } from '../errors.ts';
import type { Expression } from '../expression/expression.ts';
import { isUtc } from '../model/local-time.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createSqlCast, type SqlExpr } from '../sql/nodes.ts';

type ZoneExpression = Extract<Expression<unknown>, { kind: 'local' | 'moment' }>;

/** In seconds. */
const HALF_DAY = 43_200;

/** Null for UTC. Throws a SemanticError `refused` for another time zone on a platform that does not convert safely. */
function findZone({ timezone }: ZoneExpression, { zones }: Dialect): string | null {
  if (isUtc(timezone)) return null;
  if (zones === null) throw semanticErrors.momentZone(timezone);
  return timezone;
}

/** Writes a DATETIME as the TIMESTAMP of a time zone: as a value, or as the argument of a part or of a truncation. */
export function writeLocal(
  expression: ZoneExpression,
  moment: SqlExpr,
  dialect: Dialect,
  isValue: boolean,
): SqlExpr {
  return { kind: 'local', expr: moment, timezone: findZone(expression, dialect), isValue };
}

/**
 * Writes the DATETIME of a TIMESTAMP or DATE in a time zone. A DATE is the first of its midnights: the offset at the noon
 * before it gives that midnight, if it exists.
 */
export function writeMoment(expression: ZoneExpression, value: SqlExpr, dialect: Dialect): SqlExpr {
  const isDate = expression.of.dataType === 'DATE';
  const timezone = findZone(expression, dialect);
  if (timezone === null) return isDate ? createSqlCast(value, 'DATETIME') : value;
  const toMoment = (expr: SqlExpr): SqlExpr => ({ kind: 'moment', expr, timezone });
  if (!isDate) return toMoment(value);
  const midnight = createSqlCast(value, 'TIMESTAMP');
  const first = addSeconds(toMoment(addSeconds(midnight, -HALF_DAY)), HALF_DAY);
  const local: SqlExpr = { kind: 'local', expr: first, timezone, isValue: true };
  const when: SqlExpr = { kind: 'compare', op: '=', left: local, right: midnight };
  return { kind: 'choice', branches: [{ when, value: first }], otherwise: toMoment(midnight) };
}

function addSeconds(time: SqlExpr, count: number): SqlExpr {
  return {
    kind: 'call',
    name: 'ADD_SECONDS',
    args: [time, { kind: 'number', text: String(count) }],
    types: ['TIMESTAMP', 'INTEGER'],
  };
}
