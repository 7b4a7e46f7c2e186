import { isKeyOf, listKeys } from '../../invariants/narrow.ts';
import { convertDate, createGrain } from './create-date.ts';
import { createCall, createCast, createDatePart, createInteger, createLiteral } from './create-expression.ts';
import type { TypedExpression } from './expression.ts';
import { foldConstant } from './fold-constant.ts';
import type { FunctionName } from './functions.ts';

/** Reads an INTEGER of a date or time. */
type Read = <Field>(of: TypedExpression<Field>) => TypedExpression<Field>;

const read =
  (part: FunctionName): Read =>
  (of) =>
    createDatePart(part, of, 'UTC');

/** Adds to a number, or divides it. */
const compute =
  (number: Read, name: '+' | '/' | '%', by: number): Read =>
  (of) =>
    createCall(name, [number(of), createInteger(by)]);

/** The Thursday of a week is in its ISO year. */
const readIsoYear: Read = (of) =>
  read('YEAR')(createCall('ADD_DAYS', [createGrain('week', of, 'UTC'), createInteger(3)]));

/** The numbers of a date or time, and their digits with the zeros before them. */
const NUMBERS = {
  YYYY: [read('YEAR'), 4],
  YY: [compute(read('YEAR'), '%', 100), 2],
  Q: [read('QUARTER'), 1],
  MM: [read('MONTH'), 2],
  D: [compute(read('DOW'), '+', 1), 1],
  ID: [read('ISODOW'), 1],
  DD: [read('DAY'), 2],
  DDD: [read('DOY'), 3],
  HH24: [read('HOUR'), 2],
  HH12: [compute(compute(compute(read('HOUR'), '+', 11), '%', 12), '+', 1), 2],
  MI: [read('MINUTE'), 2],
  SS: [read('SECOND'), 2],
  IYYY: [readIsoYear, 4],
  IW: [read('WEEK'), 2],
} as const satisfies Readonly<Record<string, readonly [number: Read, digits: number]>>;

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const shorten = (names: readonly string[]) => names.map((name) => name.slice(0, 3));

const HALVES = [compute(compute(read('HOUR'), '/', 12), '+', 1), ['AM', 'PM']] as const;

/** The names of a date or time, and the number of the name from 1. */
const NAMES = {
  Month: [read('MONTH'), MONTHS],
  Mon: [read('MONTH'), shorten(MONTHS)],
  MON: [read('MONTH'), shorten(MONTHS).map((name) => name.toUpperCase())],
  Day: [read('ISODOW'), DAYS],
  Dy: [read('ISODOW'), shorten(DAYS)],
  AM: HALVES,
  PM: HALVES,
} as const satisfies Readonly<Record<string, readonly [number: Read, names: readonly string[]]>>;

/** The digits of the fraction of a second. */
const FRACTIONS = { MS: 3, US: 6 } as const;

/** A part of a date or time in its text, by PostgreSQL's name. */
export type DatePart = keyof typeof NUMBERS | keyof typeof NAMES | keyof typeof FRACTIONS;

export const DATE_PARTS: readonly DatePart[] = [
  ...listKeys(NUMBERS),
  ...listKeys(NAMES),
  ...listKeys(FRACTIONS),
];

/** A piece of a text: a part of a date, without the zeros and blanks that fill it if `isTrimmed`, or plain text. */
export type DatePiece = string | { readonly part: DatePart; readonly isTrimmed: boolean };

/** A part of the text of a time, `2026-01-31 12:30:00.25`: its first and its last character, from 1. */
interface Slice {
  readonly first: number;
  readonly last: number;
}

const SLICES: Readonly<Partial<Record<DatePart, Slice>>> = {
  YYYY: { first: 1, last: 4 },
  YY: { first: 3, last: 4 },
  MM: { first: 6, last: 7 },
  DD: { first: 9, last: 10 },
  HH24: { first: 12, last: 13 },
  MI: { first: 15, last: 16 },
  SS: { first: 18, last: 19 },
};

/** The text of a time between its parts, by the last character of the part before. */
const SEPARATORS: Readonly<Record<number, string>> = { 4: '-', 7: '-', 10: ' ', 13: ':', 16: ':' };

/**
 * The text of a DATE, TIMESTAMP or DATETIME, as TO_CHAR of PostgreSQL prints it in a session with the time zone; at least
 * one piece.
 */
export function createDateText<Field>(
  of: TypedExpression<Field>,
  pieces: readonly DatePiece[],
  timezone: string,
): TypedExpression<Field> {
  const local = of.dataType === 'DATETIME' ? convertDate(of, 'TIMESTAMP', timezone) : of;
  const texts = joinSlices(pieces).map((piece) => createPiece(piece, local));
  return foldConstant(texts.reduce((left, right) => createCall('||', [left, right])));
}

/** Joins parts that follow each other as in the text of a time. */
function joinSlices(pieces: readonly DatePiece[]): readonly (DatePiece | Slice)[] {
  const joined: (DatePiece | Slice)[] = [];
  for (const piece of pieces) {
    const slice = typeof piece === 'string' || piece.isTrimmed ? undefined : SLICES[piece.part];
    const [before, separator] = joined.slice(-2);
    const isNext =
      slice !== undefined &&
      typeof before === 'object' &&
      'last' in before &&
      before.last + 2 === slice.first &&
      separator === SEPARATORS[before.last];
    if (isNext) joined.splice(-2, 2, { first: before.first, last: slice.last });
    else joined.push(slice ?? piece);
  }
  return joined;
}

/** The text of a piece; `of` is not a DATETIME. */
function createPiece<Field>(piece: DatePiece | Slice, of: TypedExpression<Field>): TypedExpression<Field> {
  if (typeof piece === 'string') return createText(piece);
  if ('last' in piece) return cutSlice(piece, of);
  const { part, isTrimmed } = piece;
  if (isKeyOf(NUMBERS, part)) {
    const [number, digits] = NUMBERS[part];
    const text = toText(number(of));
    return isTrimmed || digits === 1 ? text : fill(text, digits);
  }
  if (isKeyOf(NAMES, part)) {
    const [number, names] = NAMES[part];
    return chooseName(names, number(of), isTrimmed);
  }
  const fraction = createCall('SUBSTRING', [toText(convertDate(of, 'TIMESTAMP', 'UTC')), createInteger(21)]);
  const zeros = createText('000000');
  return cut(createCall('||', [fraction, zeros]), 1, FRACTIONS[part]);
}

const createText = (text: string) => createLiteral({ kind: 'literal', type: 'text', text }, 'TEXT');

const toText = <Field>(of: TypedExpression<Field>) => createCast(of, 'TEXT');

function cut<Field>(text: TypedExpression<Field>, first: number, length: number): TypedExpression<Field> {
  return createCall('SUBSTRING', [text, createInteger(first), createInteger(length)]);
}

function cutSlice<Field>({ first, last }: Slice, of: TypedExpression<Field>): TypedExpression<Field> {
  const text = toText(convertDate(of, last > 10 ? 'TIMESTAMP' : 'DATE', 'UTC'));
  return first === 1 && last === 10 ? text : cut(text, first, last - first + 1);
}

/** Puts zeros before a number. */
function fill<Field>(number: TypedExpression<Field>, digits: number): TypedExpression<Field> {
  const filled = createCall('||', [createText('0'.repeat(digits - 1)), number]);
  return createCall('RIGHT', [filled, createInteger(digits)]);
}

/** Chooses one of several names, which are filled with blanks to the same length. */
function chooseName<Field>(
  names: readonly string[],
  number: TypedExpression<Field>,
  isTrimmed: boolean,
): TypedExpression<Field> {
  const length = Math.max(...names.map((name) => name.length));
  const list = createText(names.map((name) => name.padEnd(length)).join(''));
  const end = createCall('*', [number, createInteger(length)]);
  const start = createCall('-', [end, createInteger(length - 1)]);
  const name = createCall('SUBSTRING AT', [list, start, createInteger(length)]);
  return isTrimmed && names.some((item) => item.length < length) ? createCall('RTRIM', [name]) : name;
}
