import { isKeyOf } from '../../invariants/narrow.ts';
import { findUnitStart, readMoment } from '../model/local-time.ts';
import type { TypedExpression, TypedLiteral } from './expression.ts';
import type { FunctionName } from './functions.ts';

const DAY_MS = 86_400_000;
/** The maximum of an INTEGER, exclusive. */
const MAX_INTEGER = 2n ** 63n;

/** Computes a function from the texts of its arguments; null for a value that only the database knows. */
type Fold = (...texts: readonly string[]) => bigint | string | null;

/** A part of a date or time. */
const part =
  (read: (time: Date) => number): Fold =>
  (text = '') =>
    BigInt(read(new Date(readMoment(text).ms)));

const arithmetic =
  (compute: (left: bigint, right: bigint) => bigint | null): Fold =>
  (left = '', right = '') =>
    compute(BigInt(left), BigInt(right));

/** Databases convert other letters than those of ASCII by the rules of their collations. */
const ofAscii =
  (convert: (text: string) => string): Fold =>
  (text = '') =>
    /[\u0080-\uffff]/.test(text) ? null : convert(text);

/** The whole days since the start of the year. */
function countDays(ms: number): number {
  return Math.floor((ms - findUnitStart('year', ms, 0)) / DAY_MS);
}

/** A part of a text, by its first character and its length. */
const cut: Fold = (text = '', first = '', length = `${text.length}`) => {
  const start = Number(first) - 1;
  return [...text].slice(start, start + Number(length)).join('');
};

const FOLDS = {
  NEGATE: (text = '') => -BigInt(text),
  '+': arithmetic((left, right) => left + right),
  '-': arithmetic((left, right) => left - right),
  '*': arithmetic((left, right) => left * right),
  '/': arithmetic((left, right) => (right === 0n ? null : left / right)),
  '%': arithmetic((left, right) => (right === 0n ? null : left % right)),
  YEAR: part((time) => time.getUTCFullYear()),
  QUARTER: part((time) => Math.floor(time.getUTCMonth() / 3) + 1),
  MONTH: part((time) => time.getUTCMonth() + 1),
  // The number of the Thursday in its year.
  WEEK: part((time) => {
    const thursday = findUnitStart('week', time.getTime(), 0) + 3 * DAY_MS;
    return Math.floor(countDays(thursday) / 7) + 1;
  }),
  DAY: part((time) => time.getUTCDate()),
  DOW: part((time) => time.getUTCDay()),
  ISODOW: part((time) => ((time.getUTCDay() + 6) % 7) + 1),
  DOY: part((time) => countDays(time.getTime()) + 1),
  HOUR: part((time) => time.getUTCHours()),
  MINUTE: part((time) => time.getUTCMinutes()),
  SECOND: part((time) => time.getUTCSeconds()),
  '||': (left = '', right = '') => left + right,
  CONCAT: (...texts) => texts.join(''),
  LOWER: ofAscii((text) => text.toLowerCase()),
  UPPER: ofAscii((text) => text.toUpperCase()),
  TRIM: (text = '') => text.replace(/^ +| +$/g, ''),
  LTRIM: (text = '') => text.replace(/^ +/, ''),
  RTRIM: (text = '') => text.replace(/ +$/, ''),
  REVERSE: (text = '') => [...text].reverse().join(''),
  RIGHT: (text = '', count = '') => (count === '0' ? '' : [...text].slice(-Number(count)).join('')),
  SUBSTRING: cut,
  'SUBSTRING AT': cut,
  DAYS_BETWEEN: (left = '', right = '') =>
    BigInt(findUnitStart('day', readMoment(left).ms - readMoment(right).ms, 0) / DAY_MS),
} as const satisfies Partial<Record<FunctionName, Fold>>;

/**
 * The value of an expression of constants, by PostgreSQL's rules. An expression that is not constant, or that the
 * database computes, stays unchanged.
 */
export function foldConstant<Field>(expression: TypedExpression<Field>): TypedExpression<Field> {
  if (expression.kind !== 'call') return expression;
  const { name, dataType } = expression;
  const isComputed = isKeyOf(FOLDS, name) && (dataType === 'INTEGER' || dataType === 'TEXT');
  const args = isComputed ? expression.args.map(foldConstant).filter((arg) => arg.kind === 'literal') : [];
  if (!isComputed || args.length < expression.args.length) return expression;
  if (name !== 'CONCAT' && args.some(({ value }) => value === null))
    return { kind: 'literal', value: null, dataType, nullable: true };
  const result = FOLDS[name](...args.map(({ value }) => value?.text ?? ''));
  return createResult(result) ?? expression;
}

function createResult(result: ReturnType<Fold>): TypedLiteral | null {
  if (result === null) return null;
  const isText = typeof result === 'string';
  if (!isText && (result >= MAX_INTEGER || result < -MAX_INTEGER)) return null;
  const value = { kind: 'literal', type: isText ? 'text' : 'number', text: String(result) } as const;
  return { kind: 'literal', value, dataType: isText ? 'TEXT' : 'INTEGER', nullable: false };
}
