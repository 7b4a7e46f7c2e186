import type { Dialect } from './dialect.ts';
import type { Frame, FrameBound, SqlExpr, WindowCall } from './nodes.ts';

type Window = Extract<SqlExpr, { kind: 'window' }>;
type Print = (expr: SqlExpr) => string;

/** Calls that read a previous or following row. */
const SHIFTS: ReadonlySet<WindowCall> = new Set<WindowCall>(['LAG', 'LEAD']);
const ALL_ROWS: Frame = {
  unit: 'ROWS',
  from: { side: 'preceding', rows: null },
  to: { side: 'following', rows: null },
};

/** Prints a window function that the dialect supports. */
export function printWindow(
  { call, args, partitionBy, orderBy, frame }: Window,
  dialect: Dialect,
  print: Print,
): string {
  const { names, framesShifts } = dialect.windows;
  const all = frame ?? (framesShifts && SHIFTS.has(call) ? ALL_ROWS : null);
  const parts = [
    ...(partitionBy.length > 0 ? [`PARTITION BY ${partitionBy.map(print).join(', ')}`] : []),
    ...printOrder({ call, orderBy, frame: all }, dialect, print),
    ...(all === null ? [] : [printFrame(all)]),
  ];
  const given = call === 'COUNT' && args.length === 0 ? '*' : args.map(print).join(', ');
  return `${names[call] ?? call}(${given}) OVER (${parts.join(' ')})`;
}

function printOrder(
  { call, orderBy, frame }: Pick<Window, 'call' | 'orderBy' | 'frame'>,
  dialect: Dialect,
  print: Print,
): readonly string[] {
  const { anyOrder } = dialect;
  if (orderBy.length === 0) return call === 'ROW_NUMBER' && anyOrder !== '' ? [`ORDER BY ${anyOrder}`] : [];
  const isKey = dialect.windows.ordersNulls && frame?.unit === 'RANGE';
  const texts = orderBy.map(({ expr, desc, nullsFirst }) => {
    const by = `${print(expr)}${desc ? ' DESC' : ''}`;
    const toKey = dialect.nullsLast ?? (isKey ? (isNull: string) => isNull : null);
    if (toKey === null) return `${by} NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`;
    const isNull = toKey(print({ kind: 'null', expr, negated: false }));
    return `${isNull}${nullsFirst ? ' DESC' : ''}, ${by}`;
  });
  return [`ORDER BY ${texts.join(', ')}`];
}

function printFrame({ unit, from, to }: Frame): string {
  return `${unit} BETWEEN ${printBound(from)} AND ${printBound(to)}`;
}

function printBound(bound: FrameBound): string {
  if (bound.side === 'current') return 'CURRENT ROW';
  return `${bound.rows ?? 'UNBOUNDED'} ${bound.side.toUpperCase()}`;
}
