import { elementAt, entryOf } from '../../../invariants/must.ts';
import { printCount } from '../../../invariants/print-count.ts';
import {
  createDecimal,
  type Decimal,
  isDecimal,
  MAX_DIGITS,
  parseNumber,
  toDecimalText,
} from '../../../text/decimal.ts';
import type { BinaryOperator, UnaryOperator } from '../syntax/ast.ts';
import { limitLength, limitSize } from './size.ts';
import {
  describeValue,
  isList,
  isMap,
  isSymbol,
  isTime,
  type MapValue,
  toText,
  type Value,
} from './value.ts';

/** An operation that its operands do not allow; the message gives the reason. */
export class OperationError extends Error {}

const MAX_INTEGER = 2n ** 63n - 1n;

type Operate = (left: Value, right: Value) => Value;
type Numeric = bigint | number | Decimal;
/** A number as units of a scale, which is 0 for an integer. */
type Scaled = Pick<Decimal, 'units' | 'scale'>;
type Arithmetic = {
  readonly integers: (a: bigint, b: bigint) => bigint;
  readonly floats: (a: number, b: number) => number;
  /** Null if the exact result has no end. */
  readonly decimals: ((a: Scaled, b: Scaled) => Scaled) | null;
};

const SUM: Arithmetic = {
  integers: (a, b) => a + b,
  floats: (a, b) => a + b,
  decimals: (a, b) => calculateUnits(a, b, (x, y) => x + y),
};
const DIFFERENCE: Arithmetic = {
  integers: (a, b) => a - b,
  floats: (a, b) => a - b,
  decimals: (a, b) => calculateUnits(a, b, (x, y) => x - y),
};
const PRODUCT: Arithmetic = {
  integers: (a, b) => a * b,
  floats: (a, b) => a * b,
  decimals: (a, b) => ({ units: a.units * b.units, scale: a.scale + b.scale }),
};
const QUOTIENT: Arithmetic = { integers: divide, floats: (a, b) => a / b, decimals: null };
const REMAINDER: Arithmetic = {
  integers: remainder,
  floats: (a, b) => a % b,
  decimals: (a, b) => calculateUnits(a, b, remainder),
};

/** The binary operators except `and` and `or`, which do not always evaluate their right side. */
export const BINARY: Readonly<Record<Exclude<BinaryOperator, 'and' | 'or'>, Operate>> = {
  '+': (left, right) => {
    if (isList(left) && isList(right)) return limitSize([...left, ...right]);
    if (typeof left === 'string' || typeof right === 'string') return concatenate(left, right);
    return calculate('+', left, right, SUM);
  },
  '-': (left, right) => calculate('-', left, right, DIFFERENCE),
  '*': (left, right) => calculate('*', left, right, PRODUCT),
  '/': (left, right) => calculate('/', left, right, QUOTIENT),
  '%': (left, right) => calculate('%', left, right, REMAINDER),
  '==': isEqual,
  '!=': (left, right) => !isEqual(left, right),
  '<': (left, right) => compare('<', left, right) < 0,
  '<=': (left, right) => compare('<=', left, right) <= 0,
  '>': (left, right) => compare('>', left, right) > 0,
  '>=': (left, right) => compare('>=', left, right) >= 0,
};

/** The unary operators. */
export const UNARY: Readonly<Record<UnaryOperator, (operand: Value) => Value>> = {
  '-': (operand) => {
    if (typeof operand === 'bigint') return withinRange(-operand);
    if (typeof operand === 'number') return -operand;
    if (isDecimal(operand)) return createDecimal(-operand.units, operand.scale);
    throw new OperationError(`\`-\` needs a number, not ${describeValue(operand)}`);
  },
  not: (operand) => !toCondition(operand, 'not'),
};

/** Converts a boolean; null is false. */
export function toCondition(value: Value, where: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null) return false;
  throw new OperationError(`\`${where}\` needs true or false, not ${describeValue(value)}`);
}

function concatenate(left: Value, right: Value): string {
  const [a, b] = [toText(left), toText(right)];
  if (a !== null && b !== null) {
    limitLength(a.length + b.length);
    return a + b;
  }
  throw new OperationError(`\`+\` cannot join a string and ${describeValue(a === null ? left : right)}`);
}

/**
 * Calculates with two numbers (docs/reference/expressions.md#operators): the result of two integers is a 64-bit integer,
 * with a decimal a decimal, else a float.
 */
function calculate(operator: string, left: Value, right: Value, arithmetic: Arithmetic): Value {
  const { integers, floats, decimals } = arithmetic;
  if (typeof left === 'bigint' && typeof right === 'bigint') return withinRange(integers(left, right));
  if (!isNumber(left) || !isNumber(right)) {
    const wrong = isNumber(left) ? right : left;
    throw new OperationError(`\`${operator}\` needs numbers, not ${describeValue(wrong)}`);
  }
  const scaled = decimals === null ? null : toScaledPair(left, right);
  return decimals === null || scaled === null
    ? finite(floats(toFloat(left), toFloat(right)))
    : withinDigits(decimals(...scaled));
}

function isNumber(value: Value): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || isDecimal(value);
}

/** Two numbers with at least one decimal; null for other numbers, and if one is not finite. */
function toScaledPair(left: Numeric, right: Numeric): readonly [Scaled, Scaled] | null {
  if (!isDecimal(left) && !isDecimal(right)) return null;
  const [a, b] = [toScaled(left), toScaled(right)];
  return a === null || b === null ? null : [a, b];
}

/** A float is the number that its text shows. */
function toScaled(value: Numeric): Scaled | null {
  const exact = typeof value === 'number' ? parseNumber(String(value)) : value;
  return typeof exact === 'bigint' ? { units: exact, scale: 0n } : exact;
}

function toFloat(value: Numeric): number {
  return Number(isDecimal(value) ? toDecimalText(value.units, Number(value.scale)) : value);
}

/** Calculates with the units of two numbers on the larger of their scales. */
function calculateUnits(a: Scaled, b: Scaled, work: (x: bigint, y: bigint) => bigint): Scaled {
  const [x, y] = align(a, b);
  return { units: work(x, y), scale: a.scale > b.scale ? a.scale : b.scale };
}

/** The units of two numbers on the larger of their scales. */
function align(a: Scaled, b: Scaled): readonly [bigint, bigint] {
  const shift = a.scale - b.scale;
  return shift < 0n ? [a.units * 10n ** -shift, b.units] : [a.units, b.units * 10n ** shift];
}

function withinDigits({ units, scale }: Scaled): Decimal {
  if (toDecimalText(units, Number(scale)).replaceAll(/\D/g, '').length <= MAX_DIGITS)
    return createDecimal(units, scale);
  throw new OperationError(`the result has more than ${printCount(MAX_DIGITS)} digits`);
}

function withinRange(value: bigint): bigint {
  if (value <= MAX_INTEGER && value >= -MAX_INTEGER - 1n) return value;
  throw new OperationError(`the result ${value} exceeds 64 bits`);
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new OperationError(
    'the result is not a finite number: a division by zero, or out of the range of a float',
  );
}

/** Integer division, rounded towards zero. */
function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new OperationError('a division by zero');
  return a / b;
}

function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new OperationError('a division by zero');
  return a % b;
}

/** Whether two values are equal: numbers by value, lists and maps element by element. */
export function isEqual(left: Value, right: Value): boolean {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((item, i) => isEqual(item, elementAt(right, i)));
  }
  if (isMap(left) && isMap(right)) return isEqualMap(left, right);
  if (isTime(left) && isTime(right)) return left.millis === right.millis;
  if (isSymbol(left) && isSymbol(right)) return left.name === right.name;
  return left === right;
}

function isEqualMap({ entries }: MapValue, { entries: others }: MapValue): boolean {
  if (entries.size !== others.size) return false;
  return entries.entries().every(([key, value]) => others.has(key) && isEqual(value, entryOf(others, key)));
}

function compare(operator: string, left: Value, right: Value): number {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return order(left, right);
  if (isTime(left) && isTime(right)) return order(left.millis, right.millis);
  throw new OperationError(
    `\`${operator}\` compares two numbers, two strings or two times, not ${describeValue(left)} and ${describeValue(right)}`,
  );
}

function compareNumbers(left: Numeric, right: Numeric): number {
  const scaled = toScaledPair(left, right);
  if (scaled !== null) return order(...align(...scaled));
  return order(toPlain(left), toPlain(right));
}

function toPlain(value: Numeric): bigint | number {
  return isDecimal(value) ? toFloat(value) : value;
}

function order<T extends bigint | number | string>(a: T, b: T): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
