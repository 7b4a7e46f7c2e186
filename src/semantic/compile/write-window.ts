import { elementAt } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import type { TypedExpression, WindowExpression } from '../expression/expression.ts';
import type { ValueType } from '../model/model.ts';
import type { Dialect } from '../sql/dialect.ts';
import { createSqlCast, type SqlExpr, type WindowCall, type WindowFrame } from '../sql/nodes.ts';

type Window = Extract<SqlExpr, { kind: 'window' }>;

/** Calls that read the rows of a frame. */
const FRAMED: ReadonlySet<WindowCall> = new Set<WindowCall>([
  ...(['SUM', 'COUNT', 'MIN', 'MAX', 'FIRST_VALUE', 'LAST_VALUE'] as const),
]);

/** The default frame differs between platforms, so it is always written. */
const UP_TO_HERE: WindowFrame = {
  unit: 'RANGE',
  from: { side: 'preceding', rows: null },
  to: { side: 'current' },
};

/**
 * Writes a window function (docs/reference/semantic-sql-functions.md#window-functions). Throws a SemanticError
 * `refused` if the platform does not support it.
 */
export function writeWindow<Field>(
  expression: WindowExpression<Field>,
  { dialect }: { readonly dialect: Dialect },
  write: (part: TypedExpression<Field>) => SqlExpr,
): SqlExpr {
  const { call, args, partitionBy, orderBy, frame } = expression;
  const over = {
    partitionBy: partitionBy.map((part) => toPart(part, write(part))),
    orderBy: orderBy.map(({ value, desc, nullsFirst }) => ({
      expr: toOrder(value, write(value), dialect),
      desc,
      nullsFirst,
    })),
  };
  const create = (name: WindowCall, operands: readonly SqlExpr[]): Window => {
    const isFramed = FRAMED.has(name) && orderBy.length > 0;
    const all = frame ?? (isFramed ? UP_TO_HERE : null);
    if (dialect.windows.names[name] === null) throw semanticErrors.windowCall(name);
    if (all?.unit === 'RANGE' && !dialect.windows.hasRanges) throw semanticErrors.windowRange();
    return { kind: 'window', call: name, args: operands, ...over, frame: all };
  };
  const operands = args.map((arg, at) => (at === 0 ? toTyped(arg, write(arg)) : write(arg)));
  if (call === 'AVG') {
    return createAverage(elementAt(args, 0).dataType, create('SUM', operands), create('COUNT', operands));
  }
  const isText = args[0]?.dataType === 'TEXT';
  if (!isText || (call !== 'MIN' && call !== 'MAX')) return create(call, operands);
  return { kind: 'key-text', expr: create(call, [{ kind: 'ordered', expr: elementAt(operands, 0) }]) };
}

/** The mean as a FLOAT, also for integers, from the sum and the number of its values. */
export function createAverage(type: ValueType, sum: SqlExpr, values: SqlExpr): SqlExpr {
  const total: SqlExpr = type === 'FLOAT' ? sum : createSqlCast(sum, 'FLOAT');
  const zero: SqlExpr = { kind: 'number', text: '0' };
  const count: SqlExpr = {
    kind: 'call',
    name: 'NULLIF',
    args: [values, zero],
    types: ['INTEGER', 'INTEGER'],
  };
  return { kind: 'call', name: '/', args: [total, count], types: ['FLOAT', 'INTEGER'] };
}

function toPart<Field>({ dataType }: TypedExpression<Field>, expr: SqlExpr): SqlExpr {
  if (dataType === 'FLOAT') return { kind: 'partition', expr };
  return dataType === 'TEXT' ? { kind: 'text-key', expr } : expr;
}

/** The byte order of texts is the same on every platform. */
function toOrder<Field>({ dataType }: TypedExpression<Field>, expr: SqlExpr, { textKeys }: Dialect): SqlExpr {
  return dataType === 'TEXT' && textKeys?.toText != null ? { kind: 'text-key', expr } : expr;
}

/** On some platforms a text literal and NULL have no type. */
function toTyped<Field>({ kind, dataType }: TypedExpression<Field>, expr: SqlExpr): SqlExpr {
  const isOpen = kind === 'literal' && dataType === 'TEXT';
  return isOpen ? createSqlCast(expr, dataType) : expr;
}
