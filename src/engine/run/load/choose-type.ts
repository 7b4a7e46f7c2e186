import { KIND } from './kinds.ts';

/**
 * What a column becomes by the kinds of all its values: a type; `decimal` or `otherDate` where more must be counted;
 * `text` where the values do not have one kind.
 */
export type TypeChoice =
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'decimal' | 'otherDate' | 'separated' | 'text' };

const { integer, long, huge, fraction, precise, exponent, infinite } = KIND;

/** The first row whose kinds include all kinds of a column, and whose `one` occurs, decides. */
const TYPES: readonly (readonly [kinds: number, one: number, type: string])[] = [
  [integer | long, integer | long, 'BIGINT'],
  [integer | long | huge, huge, 'HUGEINT'],
  [integer | fraction | exponent | infinite, integer | fraction | exponent, 'DOUBLE'],
  [KIND.word, KIND.word, 'BOOLEAN'],
  [KIND.letter, KIND.letter, 'BOOLEAN'],
  [KIND.date, KIND.date, 'DATE'],
  [KIND.timestamp, KIND.timestamp, 'TIMESTAMP'],
  [KIND.zoned, KIND.zoned, 'TIMESTAMP WITH TIME ZONE'],
  [KIND.time, KIND.time, 'TIME'],
  [KIND.nested, KIND.nested, 'JSON'],
];

/** Chooses the type of a column from the bits of KIND that its values have. */
export function chooseType(kinds: number): TypeChoice {
  const found = TYPES.find(([all, one]) => isWithin(kinds, all) && (kinds & one) !== 0);
  if (found !== undefined) return { kind: 'type', type: found[2] };
  if ((kinds & (fraction | precise)) !== 0 && isWithin(kinds, integer | long | huge | fraction | precise)) {
    return { kind: 'decimal' };
  }
  if ((kinds & KIND.otherDate) !== 0 && isWithin(kinds, KIND.otherDate | KIND.date | KIND.timestamp)) {
    return { kind: 'otherDate' };
  }
  const numbers = integer | long | huge | fraction | precise | KIND.separated;
  if ((kinds & KIND.separated) !== 0 && isWithin(kinds, numbers)) return { kind: 'separated' };
  return { kind: 'text' };
}

function isWithin(kinds: number, all: number): boolean {
  return (kinds & ~all) === 0;
}

/** The maximum of digits of a DECIMAL, and of those that need 64 bits. */
const [MAX_DIGITS, SHORT_DIGITS] = [38, 18];

/** The DECIMAL for numbers with so many digits before and after the point; undefined if it has too many. */
export function chooseDecimal(before: number, after: number): string | undefined {
  const digits = Math.max(before, 1) + after;
  if (digits > MAX_DIGITS) return undefined;
  return `DECIMAL(${digits <= SHORT_DIGITS ? SHORT_DIGITS : MAX_DIGITS},${after})`;
}

const DATE_ORDERS = ['%y-%m-%d', '%Y-%m-%d', '%d-%m-%y', '%d-%m-%Y', '%m-%d-%y', '%m-%d-%Y'];
const CLOCKS = ['', ' %H:%M:%S', ' %I:%M:%S %p'];
const SEPARATORS = ['-', '/', '.', ' '];

/** Formats of dates and timestamps, as the engine prefers them. */
export const DATE_FORMATS: readonly string[] = CLOCKS.flatMap((clock) =>
  SEPARATORS.flatMap((separator) => DATE_ORDERS.map((order) => order.replaceAll('-', separator) + clock)),
);
