import { elementAt, entryOf } from '../../../invariants/must.ts';
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
type Arithmetic = {
  readonly integers: (a: bigint, b: bigint) => bigint;
  readonly floats: (a: number, b: number) => number;
};

/** The binary operators except `and` and `or`, which do not always evaluate their right side. */
export const BINARY: Readonly<Record<Exclude<BinaryOperator, 'and' | 'or'>, Operate>> = {
  '+': (left, right) => {
    if (isList(left) && isList(right)) return limitSize([...left, ...right]);
    if (typeof left === 'string' || typeof right === 'string') return concatenate(left, right);
    return calculate('+', left, right, { integers: (a, b) => a + b, floats: (a, b) => a + b });
  },
  '-': (left, right) => calculate('-', left, right, { integers: (a, b) => a - b, floats: (a, b) => a - b }),
  '*': (left, right) => calculate('*', left, right, { integers: (a, b) => a * b, floats: (a, b) => a * b }),
  '/': (left, right) => calculate('/', left, right, { integers: divide, floats: (a, b) => a / b }),
  '%': (left, right) => calculate('%', left, right, { integers: remainder, floats: (a, b) => a % b }),
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

/** Calculates with two numbers: the result of two integers is a 64-bit integer, else a float. */
function calculate(operator: string, left: Value, right: Value, { integers, floats }: Arithmetic): Value {
  if (typeof left === 'bigint' && typeof right === 'bigint') return withinRange(integers(left, right));
  if (isNumber(left) && isNumber(right)) return finite(floats(Number(left), Number(right)));
  const wrong = isNumber(left) ? right : left;
  throw new OperationError(`\`${operator}\` needs numbers, not ${describeValue(wrong)}`);
}

function isNumber(value: Value): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
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
  if (isNumber(left) && isNumber(right)) return !(left < right) && !(left > right);
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
  const [a, b] = [toOrdered(left), toOrdered(right)];
  if (a === null || b === null || (typeof a === 'string') !== (typeof b === 'string')) {
    throw new OperationError(
      `\`${operator}\` compares two numbers, two strings or two times, not ${describeValue(left)} and ${describeValue(right)}`,
    );
  }
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function toOrdered(value: Value): bigint | number | string | null {
  if (isNumber(value) || typeof value === 'string') return value;
  return isTime(value) ? value.millis : null;
}
