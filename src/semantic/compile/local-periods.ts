import { elementAt } from '../../invariants/must.ts';
import { isUtc } from '../model/local-time.ts';
import { Names } from '../sql/names.ts';
import {
  type AggregateFunction,
  createSelect,
  createSqlCast,
  type Literal,
  type Select,
  type SelectItem,
  type SqlExpr,
} from '../sql/nodes.ts';
import type { CompileContext } from './sql-scope.ts';
import { createAverage } from './write-window.ts';

type CallName = Extract<SqlExpr, { kind: 'call' }>['name'];
type AggregateCall = Extract<SqlExpr, { kind: 'aggregate' }>;

/** Parts of a local time that are the same for each quarter of an hour. */
const HOURLY: ReadonlySet<CallName> = new Set<CallName>([
  ...(['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'DOW', 'ISODOW', 'DOY', 'HOUR'] as const),
  'DATE_TRUNC HOUR',
]);

/**
 * Since then, clocks change only at quarters of an hour, to offsets of whole quarters. St John's changed its clocks at one
 * minute past midnight until 2011.
 */
const REGULAR_SINCE: Literal = { kind: 'literal', type: 'timestamp', text: '2012-01-01 00:00:00' };

/** Time zones with a change at another time since then: at one minute past midnight, in 2022. */
const IRREGULAR: ReadonlySet<string> = new Set(['Antarctica/Casey']);

/** Groups of rows: `select` has the source and the number of each key in `dimensions`. */
interface Groups {
  readonly select: Select;
  readonly dimensions: readonly SelectItem[];
  readonly measures: readonly SelectItem[];
}

/**
 * Groups rows by quarters of an hour in UTC first, and converts only these to local times
 * (docs/reference/semantic-platforms-queries.md#local-days-and-months). Null unless every key is a local day or longer, or an hour, of
 * the same DATETIME, and every measure can be computed from parts of its rows.
 */
export function groupLocalPeriods(
  { select, dimensions, measures }: Groups,
  table: string,
  { dialect }: CompileContext,
): Groups | null {
  if (dialect.toQuarterHour === null) return null;
  const keys = dimensions.map(({ expr }) => readLocalKey(expr)).filter((key) => key !== null);
  const moments = new Set(keys.map(({ moment }) => JSON.stringify(moment)));
  if (keys.length < dimensions.length || moments.size !== 1 || !keys.some(({ isMoved }) => isMoved))
    return null;

  const names = new Names(dialect);
  const inner: SelectItem[] = [];
  const take = (wish: string, expr: SqlExpr): SqlExpr => {
    const alias = names.create(wish);
    inner.push({ alias, expr });
    return { kind: 'column', table, name: alias };
  };
  const { moment } = elementAt(keys, 0);
  const compare = (op: '<' | '>='): SqlExpr => ({ kind: 'compare', op, left: moment, right: REGULAR_SINCE });
  const quarter: SqlExpr = { kind: 'quarter-hour', expr: createSqlCast(moment, 'DATETIME') };
  const period = take('#quarter', { kind: 'case', when: compare('>='), value: quarter });
  const outer = dimensions.map(({ alias, expr }, at): SelectItem => {
    const earlier = take(alias, { kind: 'case', when: compare('<'), value: expr });
    return { alias, expr: { kind: 'coalesce', args: [elementAt(keys, at).write(period), earlier] } };
  });
  const keyCount = inner.length;
  const whole: SelectItem[] = [];
  for (const { alias, expr } of measures) {
    const joined = expr.kind === 'aggregate' ? splitAggregate(expr, (part) => take(alias, part)) : null;
    if (joined === null) return null;
    whole.push({ alias, expr: joined });
  }
  const { from, joins, where } = select;
  const groupBy = inner.slice(0, keyCount).map((_, at) => at);
  const parts = createSelect(from, { joins, where, items: inner, groupBy });
  return {
    select: { ...select, from: { kind: 'select', selects: [parts], alias: table }, joins: [], where: [] },
    dimensions: outer,
    measures: whole,
  };
}

/** A key that is the same for all moments of a quarter of an hour. */
interface LocalKey {
  readonly moment: SqlExpr;
  /** Whether its time zone is not UTC. */
  readonly isMoved: boolean;
  /** The key of another moment. */
  readonly write: (moment: SqlExpr) => SqlExpr;
}

function readLocalKey(expr: SqlExpr): LocalKey | null {
  if (expr.kind === 'grain') {
    const of = readCut(expr.expr);
    return of && { ...of, write: (moment) => ({ ...expr, expr: of.write(moment) }) };
  }
  if (expr.kind !== 'call' || !HOURLY.has(expr.name)) return null;
  const of = readCut(elementAt(expr.args, 0));
  return of && { ...of, write: (moment) => ({ ...expr, args: [of.write(moment)] }) };
}

/** Reads what a key cuts: a local time, or another key. */
function readCut(expr: SqlExpr): LocalKey | null {
  if (expr.kind !== 'local') return readLocalKey(expr);
  const { timezone } = expr;
  if (timezone !== null && IRREGULAR.has(timezone)) return null;
  const isMoved = timezone !== null && !isUtc(timezone);
  return { moment: expr.expr, isMoved, write: (moment) => ({ ...expr, expr: moment }) };
}

/** Writes an aggregate as one of parts of its rows; null if parts are not enough. `take` adds the aggregate of a part. */
function splitAggregate(whole: AggregateCall, take: (part: SqlExpr) => SqlExpr): SqlExpr | null {
  const join = (part: AggregateFunction, type: AggregateFunction): SqlExpr => ({
    ...whole,
    type,
    arg: take({ ...whole, type: part }),
  });
  switch (whole.type) {
    case 'SUM':
    case 'MIN':
    case 'MAX':
      return join(whole.type, whole.type);
    case 'COUNT':
      return createSqlCast(join('COUNT', 'SUM'), 'INTEGER');
    case 'AVG':
      return createAverage('DECIMAL', join('SUM', 'SUM'), join('COUNT', 'SUM'));
    default:
      return null;
  }
}
