import { notNull } from '../../invariants/must.ts';
import { pickByKind } from '../../invariants/narrow.ts';
import { semanticErrors } from '../errors.ts';
import type { ValueType } from '../model/model.ts';
import { LOOSE_CALLS } from './calls/create-calls.ts';
import type { Dialect } from './dialect.ts';
import type { FrameBound, Select, SqlExpr, WindowCall, WindowFrame } from './nodes.ts';

type PrintSelect = (select: Select) => string;
type Of<K extends SqlExpr['kind']> = Extract<SqlExpr, { kind: K }>;
type Printers = { readonly [K in SqlExpr['kind']]: (expr: Of<K>, in_: Context) => string };

interface Context {
  readonly dialect: Dialect;
  readonly print: (expr: SqlExpr) => string;
  /** Like `print`, in parentheses if an operator is next to it. */
  readonly operand: (expr: SqlExpr) => string;
  readonly printSelect: PrintSelect;
}

/**
 * Prints an expression in a dialect; `printSelect` prints a SELECT in parentheses. Throws a SemanticError `refused` for
 * one that is too long.
 */
export function printExpr(expr: SqlExpr, dialect: Dialect, printSelect: PrintSelect): string {
  const context: Context = {
    dialect,
    print: (inner) => printOne(inner, context),
    operand: (inner) => (isLoose(inner) ? `(${printOne(inner, context)})` : printOne(inner, context)),
    printSelect,
  };
  return printOne(expr, context);
}

function printOne(expr: SqlExpr, context: Context): string {
  const text = pickByKind<SqlExpr, [Context], string>(PRINTERS, expr)(expr, context);
  if (text.length > MAX_TEXT) throw semanticErrors.tooMuchSql();
  return text;
}

/** In characters: nested expressions that platforms write several times grow exponentially. */
const MAX_TEXT = 8_000_000;

const LOOSE: ReadonlySet<SqlExpr['kind']> = new Set<SqlExpr['kind']>([
  'sum',
  'between',
  'compare',
  'in',
  'null',
  'match',
  'like',
  'and',
  'or',
  'not',
]);

function isLoose(expr: SqlExpr): boolean {
  if (expr.kind === 'call') return LOOSE_CALLS.has(expr.name);
  return expr.kind === 'raw' ? !expr.atomic : LOOSE.has(expr.kind);
}

const PRINTERS: Printers = {
  literal: ({ type, text }, { dialect }) => dialect.literals[type](text),
  raw: ({ sql }) => sql,
  column: ({ table, name }, { dialect }) => `${dialect.quoteName(table)}.${dialect.quoteName(name)}`,
  number: ({ text }) => text,
  'no-number': (_, { dialect }) => dialect.noNumber,
  'no-value': ({ type }, { dialect }) =>
    type === null ? 'NULL' : `CAST(NULL AS ${printType(type, null, dialect)})`,
  half: ({ isExact }, { dialect }) => (isExact ? dialect.half.exact : dialect.half.float),
  aggregate: printAggregate,
  coalesce: ({ args }, { print }) => `COALESCE(${args.map(print).join(', ')})`,
  case: ({ when, value }, { print }) => `CASE WHEN ${print(when)} THEN ${print(value)} END`,
  choice: ({ branches, otherwise }, { print }) => {
    const texts = branches.map(({ when, value }) => `WHEN ${print(when)} THEN ${print(value)}`);
    return `CASE ${texts.join(' ')}${otherwise === null ? '' : ` ELSE ${print(otherwise)}`} END`;
  },
  call: ({ name, args, types }, { dialect, print }) => {
    return dialect.calls[name](
      args.map((arg) => printArgument(arg, print)),
      types,
    );
  },
  cast: ({ expr, type, digits }, { dialect, print }) =>
    `CAST(${print(expr)} AS ${printType(type, digits, dialect)})`,
  'date-text': ({ expr }, { dialect, print }) => dialect.toDateText(print(expr)),
  sum: ({ left, right }, { operand }) => `${operand(left)} + ${operand(right)}`,
  product: ({ left, right }, { operand }) => `${operand(left)} * ${operand(right)}`,
  between: ({ expr, from, to }, { operand, print }) =>
    `${operand(expr)} BETWEEN ${operand(from)} AND ${print(to)}`,
  compare: printComparison,
  in: printList,
  null: ({ expr, negated }, { operand }) => `${operand(expr)} IS ${negated ? 'NOT ' : ''}NULL`,
  match: ({ how, expr, text, caseSensitive, negated }, { dialect, operand }) =>
    dialect.match(how, operand(expr), text, { caseSensitive, negated }),
  like: ({ expr, pattern, caseSensitive, negated }, { dialect, operand }) =>
    dialect.like(operand(expr), pattern, { caseSensitive, negated }),
  and: ({ parts }, { print }) =>
    parts.map((part) => (needsOwn(part) ? `(${print(part)})` : print(part))).join(' AND '),
  or: ({ parts }, { print }) =>
    parts
      .map((part) => (part.kind === 'raw' && !part.atomic ? `(${print(part)})` : print(part)))
      .join(' OR '),
  not: ({ expr }, { print }) => `NOT (${print(expr)})`,
  exists: ({ keys, select }, { print, printSelect }) => {
    if (keys.length === 0) return `EXISTS ${printSelect(select)}`;
    const key = keys.map(print).join(', ');
    return `${keys.length === 1 ? key : `(${key})`} IN ${printSelect(select)}`;
  },
  query: ({ select }, { printSelect }) => printSelect(select),
  window: (expr, { dialect, print }) => printWindow(expr, dialect, print),
  grain: ({ unit, expr }, { dialect, print }) => dialect.grains[unit](print(expr)),
  local: printLocal,
  'quarter-hour': ({ expr }, { dialect, print }) => notNull(dialect.toQuarterHour)(print(expr)),
  moment: ({ expr, timezone }, { dialect, operand }) =>
    notNull(dialect.zones).toMoment(operand(expr), dialect.quoteText(timezone)),
  ordered: ({ expr }, { dialect, operand }) =>
    dialect.textKeys?.toKey(operand(expr)) ?? dialect.toOrdered(operand(expr)),
  partition: ({ expr }, { dialect, print }) => dialect.toPartition(print(expr)),
  'text-key': ({ expr }, { dialect, operand, print }) =>
    dialect.textKeys?.toKey(operand(expr)) ?? print(expr),
  identity: ({ expr }, { dialect, print }) => dialect.textKeys?.toIdentity(print(expr)) ?? print(expr),
  'key-text': ({ expr }, { dialect, print }) => dialect.textKeys?.toText?.(print(expr)) ?? print(expr),
};

/** Prints an argument once, however often it is written. */
function printArgument(arg: SqlExpr, print: Context['print']) {
  const text = print(arg);
  return { text, operand: isLoose(arg) ? `(${text})` : text };
}

function printLocal({ expr, timezone, isValue }: Of<'local'>, { dialect, operand, print }: Context): string {
  const zone = dialect.hasSessionTime ? (timezone ?? 'UTC') : timezone;
  if (zone === null) return print(expr);
  const { toLocal, toTimestamp } = notNull(dialect.zones);
  return (isValue && timezone !== null ? toTimestamp : toLocal)(operand(expr), dialect.quoteText(zone));
}

/** The name of a type in CAST, with the digits of a decimal. */
function printType(type: ValueType, digits: Of<'cast'>['digits'], { types }: Dialect): string {
  if (type !== 'DECIMAL' || digits === null) return types[type === 'DECIMAL' ? 'NUMBER' : type];
  return types.DECIMAL.replace('#', `${digits.precision}, ${digits.scale}`);
}

function needsOwn(part: SqlExpr): boolean {
  return part.kind === 'or' || (part.kind === 'raw' && !part.atomic);
}

function printAggregate({ type, arg, measure }: Of<'aggregate'>, { dialect, print }: Context): string {
  const text = arg === null ? '*' : print(arg);
  const keys = type === 'COUNT_DISTINCT' ? dialect.textKeys : null;
  return dialect.aggregates[type](keys?.toIdentity(text) ?? text, measure ?? null);
}

function printComparison({ op, left, right }: Of<'compare'>, { dialect, operand }: Context): string {
  if (right.kind !== 'literal' || right.type !== 'text') return `${operand(left)} ${op} ${operand(right)}`;
  const text = operand(right);
  if (dialect.textKeys !== null) {
    return `${dialect.textKeys.toKey(operand(left))} ${op} ${dialect.textKeys.literal(text)}`;
  }
  const isOrder = op !== '=' && op !== '<>';
  return `${isOrder ? dialect.toOrdered(operand(left)) : operand(left)} ${op} ${text}`;
}

function printList({ expr, values, negated }: Of<'in'>, { dialect, operand, print }: Context): string {
  const word = negated ? 'NOT IN' : 'IN';
  const [first] = values;
  if (dialect.textKeys === null || first?.kind !== 'literal' || first.type !== 'text') {
    return `${operand(expr)} ${word} (${values.map(print).join(', ')})`;
  }
  const { toKey, literal } = dialect.textKeys;
  return `${toKey(operand(expr))} ${word} (${values.map((value) => literal(print(value))).join(', ')})`;
}

type Window = Extract<SqlExpr, { kind: 'window' }>;
type Print = (expr: SqlExpr) => string;

/** Calls that read a previous or following row. */
const SHIFTS: ReadonlySet<WindowCall> = new Set<WindowCall>(['LAG', 'LEAD']);
const WHOLE_WINDOW: WindowFrame = {
  unit: 'ROWS',
  from: { side: 'preceding', rows: null },
  to: { side: 'following', rows: null },
};

/** Prints a window function that the dialect supports. */
function printWindow(
  { call, args, partitionBy, orderBy, frame }: Window,
  dialect: Dialect,
  print: Print,
): string {
  const { names, framesShifts } = dialect.windows;
  const all = frame ?? (framesShifts && SHIFTS.has(call) ? WHOLE_WINDOW : null);
  const parts = [
    ...(partitionBy.length > 0 ? [`PARTITION BY ${partitionBy.map(print).join(', ')}`] : []),
    ...printOrder({ call, orderBy, frame: all }, dialect, print),
    ...(all === null ? [] : [printFrame(all)]),
  ];
  const argumentList = call === 'COUNT' && args.length === 0 ? '*' : args.map(print).join(', ');
  return `${names[call] ?? call}(${argumentList}) OVER (${parts.join(' ')})`;
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

function printFrame({ unit, from, to }: WindowFrame): string {
  return `${unit} BETWEEN ${printBound(from)} AND ${printBound(to)}`;
}

function printBound(bound: FrameBound): string {
  if (bound.side === 'current') return 'CURRENT ROW';
  return `${bound.rows ?? 'UNBOUNDED'} ${bound.side.toUpperCase()}`;
}
