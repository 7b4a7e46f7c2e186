import { notNull } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import type { TypedExpression } from '../expression/expression.ts';
import { isUtc } from '../model/local-time.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createSqlCast, type SqlExpr } from '../sql/nodes.ts';

type ZoneExpression = Extract<TypedExpression<unknown>, { kind: 'local' | 'moment' }>;

/** In seconds: longer than the longest gap, a day. */
const DISTANCE = 129_600;

/** Null for UTC. Throws a SemanticError `refused` for another time zone on a platform that does not convert safely. */
function findZone({ timezone }: ZoneExpression, { zones, platform }: Dialect): string | null {
  if (isUtc(timezone)) return null;
  if (zones === null) throw semanticErrors.momentZone(timezone, platform);
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
 * Writes the DATETIME of a TIMESTAMP or DATE in a time zone. Of two equal local times, a TIMESTAMP is the later one and a
 * DATE is the first midnight; one in a gap keeps the offset before it. At a distance before and after it, the local
 * time is certain.
 */
export function writeMoment(expression: ZoneExpression, value: SqlExpr, dialect: Dialect): SqlExpr {
  const isDate = expression.of.dataType === 'DATE';
  const timezone = findZone(expression, dialect);
  if (timezone === null) return isDate ? createSqlCast(value, 'DATETIME') : value;
  const toMoment = (expr: SqlExpr): SqlExpr => ({ kind: 'moment', expr, timezone });
  const isResolved = notNull(dialect.zones).resolvesTimes;
  if (!isDate && isResolved) return toMoment(value);
  const time = isDate ? createSqlCast(value, 'TIMESTAMP') : value;
  const near = (seconds: number) => addSeconds(toMoment(addSeconds(time, seconds)), -seconds);
  const ifEqual = (moment: SqlExpr) => {
    const local: SqlExpr = { kind: 'local', expr: moment, timezone, isValue: true };
    return { when: { kind: 'compare', op: '=', left: local, right: time } as const, value: moment };
  };
  const [earlier, later] = [near(-DISTANCE), near(DISTANCE)];
  const branches = (isDate ? [earlier, later] : [later]).map(ifEqual);
  if (isResolved) return { kind: 'choice', branches: branches.slice(0, 1), otherwise: toMoment(time) };
  return { kind: 'choice', branches, otherwise: earlier };
}

function addSeconds(time: SqlExpr, count: number): SqlExpr {
  return {
    kind: 'call',
    name: 'ADD_SECONDS',
    args: [time, { kind: 'number', text: String(count) }],
    types: ['TIMESTAMP', 'INTEGER'],
  };
}
