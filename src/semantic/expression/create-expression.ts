import { elementAt } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import { findDay } from '../model/local-time.ts';
import type { ValueType } from '../model/model.ts';
import type { Literal } from '../sql/nodes.ts';
import { convertDate, createAddition, isDateType, isLocalTime, readDate } from './create-date.ts';
import type { CaseExpression, Digits, FieldExpression, TypedExpression, TypedLiteral } from './expression.ts';
import { foldConstant } from './fold-constant.ts';
import { type FunctionName, findCommonType, getFunction } from './functions.ts';
import { readLiteral } from './read-literal.ts';

/** A field; nullable by default. */
export function createField<Field>(
  field: Field,
  dataType: ValueType,
  nullable = true,
): FieldExpression<Field> {
  return { kind: 'field', field, dataType, nullable };
}

/** A literal value from the caller. */
export function createLiteral(value: Literal, dataType: ValueType): TypedLiteral {
  return { kind: 'literal', value, dataType, nullable: false };
}

/** An INTEGER. */
export function createInteger(value: number | bigint): TypedLiteral {
  return createLiteral({ kind: 'literal', type: 'number', text: String(value) }, 'INTEGER');
}

/** A NULL with a type. */
export function createNull(dataType: ValueType): TypedLiteral {
  return { kind: 'literal', value: null, dataType, nullable: true };
}

/** Functions that never return NULL. */
const NEVER_NULL: ReadonlySet<FunctionName> = new Set<FunctionName>([
  ...(['IS NULL', 'IS TRUE', 'IS FALSE', 'IS DISTINCT FROM', 'CONCAT'] as const),
]);
/** Functions that are NULL only if all arguments are NULL. */
const ANY: ReadonlySet<FunctionName> = new Set<FunctionName>(['COALESCE', 'GREATEST', 'LEAST']);

function mayBeNull<Field>(name: FunctionName, args: readonly TypedExpression<Field>[]): boolean {
  if (NEVER_NULL.has(name)) return false;
  if (name === 'NULLIF') return true;
  const isNullable = ({ nullable }: TypedExpression<Field>) => nullable;
  return ANY.has(name) ? args.every(isNullable) : args.some(isNullable);
}

/**
 * Creates a call of a portable function or operator. As in PostgreSQL, text literals and NULL take the type of the
 * other arguments, and dates and times have a common type. `timezone` is the time zone of DATETIME values. Throws a SemanticError `refused` for argument types
 * that the function does not accept.
 */
export function createCall<Field>(
  name: FunctionName,
  operands: readonly TypedExpression<Field>[],
  timezone = 'UTC',
): TypedExpression<Field> {
  const { takes, type, constants = {} } = getFunction(name);
  const args = ALIKE.has(name)
    ? align(operands, timezone)
    : JOINING.has(name)
      ? toTexts(name, operands)
      : operands;
  const types = args.map(({ dataType }) => dataType);
  const ofDates =
    createDateArithmetic(name, args) ??
    createAddition(name, args, timezone, (dateOperands) => createCall(name, dateOperands, timezone));
  if (ofDates !== null) return ofDates;
  const dataType = type(types);
  const isWritten = Object.entries(constants).every(([at, min]) => {
    const arg = args[Number(at)];
    return arg === undefined || isWhole(arg, min);
  });
  if (dataType === null || !isWritten) throw semanticErrors.functionTypes(name, types, takes);
  return { kind: 'call', name, args, dataType, nullable: mayBeNull(name, args) };
}

/** Date subtraction and addition of days, which PostgreSQL writes as arithmetic; null for any other call. */
function createDateArithmetic<Field>(
  name: FunctionName,
  args: readonly TypedExpression<Field>[],
): TypedExpression<Field> | null {
  const [left, right] = args;
  if (left === undefined || right === undefined || (name !== '+' && name !== '-')) return null;
  switch (`${left.dataType} ${name} ${right.dataType}`) {
    case 'DATE - DATE':
      return createCall('DAYS_BETWEEN', args);
    case 'DATE + INTEGER':
      return createCall('ADD_DAYS', [left, foldConstant(right)]);
    case 'INTEGER + DATE':
      return createCall('ADD_DAYS', [right, foldConstant(left)]);
    case 'DATE - INTEGER':
      return createCall('ADD_DAYS', [left, foldConstant(createCall('NEGATE', [right]))]);
    default:
      return null;
  }
}

/** Functions whose arguments have one common type. */
const ALIKE: ReadonlySet<FunctionName> = new Set<FunctionName>([
  ...(['=', '<>', '<', '<=', '>', '>=', 'IS DISTINCT FROM', 'IN', 'BETWEEN'] as const),
  ...(['COALESCE', 'NULLIF', 'GREATEST', 'LEAST', '+', '-', '*', '/', '%'] as const),
]);

/** Functions that join texts. */
const JOINING: ReadonlySet<FunctionName> = new Set<FunctionName>(['||', 'CONCAT']);
/** The types whose values have one text on all platforms. */
const PRINTED: ReadonlySet<ValueType> = new Set<ValueType>(['INTEGER', 'DATE', 'TIMESTAMP']);

/** Converts values to texts; as in PostgreSQL, `||` requires one TEXT. */
function toTexts<Field>(
  name: FunctionName,
  args: readonly TypedExpression<Field>[],
): readonly TypedExpression<Field>[] {
  if (name === '||' && args.every(({ dataType }) => dataType !== 'TEXT')) return args;
  return args.map((arg) => (PRINTED.has(arg.dataType) ? createCast(arg, 'TEXT') : arg));
}

function isWhole<Field>(arg: TypedExpression<Field>, min: number): boolean {
  if (arg.kind !== 'literal' || arg.value?.type !== 'number') return false;
  return /^\d{1,9}$/.test(arg.value.text) && Number(arg.value.text) >= min;
}

/** Converts text literals, NULLs, dates and times to the type of the other values. */
function align<Field>(
  args: readonly TypedExpression<Field>[],
  timezone: string,
): readonly TypedExpression<Field>[] {
  const wanted = findCommonType(args.filter((arg) => !isOpenLiteral(arg)).map(({ dataType }) => dataType));
  if (wanted === null) return args;
  return args.map((arg) => {
    if (isOpenLiteral(arg)) return convertLiteral(arg, wanted, timezone);
    return convertDate(arg, wanted, timezone);
  });
}

/** Whether an expression is a text literal or NULL, whose type comes from the other values. */
function isOpenLiteral<Field>(expression: TypedExpression<Field>): boolean {
  return expression.kind === 'literal' && (expression.value === null || expression.value.type === 'text');
}

/** Converts a literal to another type. Throws a SemanticError `invalid` if the text is not a value of that type. */
function convertLiteral<Field>(
  literal: TypedExpression<Field>,
  dataType: ValueType,
  timezone: string,
): TypedExpression<Field> {
  if (literal.kind !== 'literal' || literal.dataType === dataType) return literal;
  if (literal.value === null) return createNull(dataType);
  if (isDateType(dataType)) return readDate(literal.value.text, dataType, timezone);
  const value = readLiteral(dataType, literal.value.text, timezone);
  if (value === null) throw semanticErrors.literal(literal.value.text, dataType);
  return createLiteral(value, dataType);
}

/** Creates a CASE expression. Throws a SemanticError `refused` if the types have no common type. */
export function createCase<Field>(
  branches: CaseExpression<Field>['branches'],
  otherwise: TypedExpression<Field> | null,
  timezone = 'UTC',
): TypedExpression<Field> {
  const values = [...branches.map(({ value }) => value), ...(otherwise === null ? [] : [otherwise])];
  const aligned = align(values, timezone);
  const types = aligned.map(({ dataType }) => dataType);
  const dataType = findCommonType(types);
  const isBoolean = branches.every(({ when }) => when.dataType === 'BOOLEAN');
  if (dataType === null || !isBoolean) {
    throw semanticErrors.functionTypes('CASE', types, 'conditions, and values of one type');
  }
  return {
    kind: 'case',
    branches: branches.map(({ when }, at) => ({ when, value: elementAt(aligned, at) })),
    otherwise: otherwise === null ? null : elementAt(aligned, -1),
    dataType,
    nullable: otherwise === null || aligned.some(({ nullable }) => nullable),
  };
}

/** Allowed casts by source type, other than those between dates: those with the same result on every platform. */
const CASTS: Readonly<Record<ValueType, readonly ValueType[]>> = {
  TEXT: ['TEXT', 'DATE', 'TIMESTAMP'],
  INTEGER: ['INTEGER', 'DECIMAL', 'NUMBER', 'FLOAT', 'TEXT'],
  NUMBER: ['INTEGER', 'DECIMAL', 'NUMBER', 'FLOAT'],
  DECIMAL: ['INTEGER', 'DECIMAL', 'NUMBER', 'FLOAT'],
  FLOAT: ['INTEGER', 'DECIMAL', 'NUMBER', 'FLOAT'],
  DATE: ['TEXT'],
  TIMESTAMP: ['TEXT'],
  DATETIME: [],
  BOOLEAN: ['BOOLEAN', 'INTEGER', 'TEXT'],
};

/**
 * Creates a cast; `digits` are those of a DECIMAL. Dates and times are converted in `timezone`. Throws a SemanticError
 * `refused` for types that platforms convert differently.
 */
export function createCast<Field>(
  of: TypedExpression<Field>,
  dataType: ValueType,
  digits: Digits | null = null,
  timezone = 'UTC',
): TypedExpression<Field> {
  const value = foldConstant(of);
  const from: TypedExpression<Field> = isOpenLiteral(value) ? readOpen(value, dataType, timezone) : value;
  if (isDateType(from.dataType) && isDateType(dataType)) {
    return isOpenLiteral(value) ? from : convertDate(from, dataType, timezone);
  }
  const isOpen = dataType === 'DECIMAL' && from.dataType === 'FLOAT' && digits === null;
  if (!CASTS[from.dataType].includes(dataType) || isOpen) {
    throw semanticErrors.cast(from.dataType, dataType);
  }
  if (from.dataType === dataType && digits === null) return from;
  return (
    createConversion(from, dataType) ?? { kind: 'cast', of: from, digits, dataType, nullable: of.nullable }
  );
}

/** Converts between texts and dates; null for other types. A constant is converted at once. */
function createConversion<Field>(
  from: TypedExpression<Field>,
  dataType: ValueType,
): TypedExpression<Field> | null {
  if (from.dataType === 'TEXT') {
    if (dataType === 'DATE') return createCall('DATE OF TEXT', [from]);
    return dataType === 'TIMESTAMP' ? createCall('TIME OF TEXT', [from]) : null;
  }
  if (dataType !== 'TEXT' || !PRINTED.has(from.dataType)) return null;
  if (from.kind === 'literal' && from.value !== null) {
    return createLiteral({ kind: 'literal', type: 'text', text: from.value.text }, 'TEXT');
  }
  return from.dataType === 'TIMESTAMP' ? createCall('TEXT OF TIME', [from]) : null;
}

/** A TIMESTAMP that is written with an offset is a DATETIME. */
function readOpen<Field>(
  of: TypedExpression<Field>,
  dataType: ValueType,
  timezone: string,
): TypedExpression<Field> {
  const text = of.kind === 'literal' ? of.value?.text : undefined;
  const isMoment =
    dataType === 'TIMESTAMP' && text !== undefined && findDay(text) === null && !isLocalTime(text);
  return convertLiteral(of, isMoment ? 'DATETIME' : dataType, timezone);
}

/**
 * Creates a LIKE whose pattern uses `escape` before a literal `%` or `_`. Throws a SemanticError `refused` for a value
 * that is not TEXT.
 */
export function createLike<Field>(
  of: TypedExpression<Field>,
  pattern: string,
  { caseSensitive, escapedBy = '\\' }: { readonly caseSensitive: boolean; readonly escapedBy?: string },
): TypedExpression<Field> {
  const text = createLiteral(
    { kind: 'literal', type: 'text', text: normalizePattern(pattern, escapedBy) },
    'TEXT',
  );
  return createCall(caseSensitive ? 'LIKE' : 'ILIKE', [of, text]);
}

/** Rewrites a pattern to escape with a backslash. Throws a SemanticError `invalid` if it ends with an escape. */
function normalizePattern(pattern: string, escapedBy: string): string {
  let text = '';
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at += 1) {
    const character = elementAt(characters, at);
    const isEscape = character === escapedBy;
    if (isEscape) at += 1;
    if (at === characters.length) throw semanticErrors.pattern(pattern);
    const literal = elementAt(characters, at);
    const isWild = !isEscape && (literal === '%' || literal === '_');
    text += isWild || !/[%_\\]/.test(literal) ? literal : `\\${literal}`;
  }
  return text;
}

/** A part of a date, such as `YEAR`, or the start of the hour. For a DATETIME it is that of a time zone. */
export function createDatePart<Field>(
  part: FunctionName,
  of: TypedExpression<Field>,
  timezone: string,
): TypedExpression<Field> {
  // Only times have hours, and a DATE is its midnight.
  const isTime = of.dataType === 'DATE' && getFunction(part).type(['DATE']) === null;
  // The seconds since 1970 of a moment depend on no time zone.
  const isConverted = isTime || (of.dataType === 'DATETIME' && part !== 'EPOCH');
  return createCall(part, [isConverted ? convertDate(of, 'TIMESTAMP', timezone) : of]);
}
