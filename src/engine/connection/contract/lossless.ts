/** What types mean in a database, where databases differ. */
export interface TypeRules {
  /** The type of bare NULLs. */
  readonly untyped: string;
  /** The type of texts of any length. */
  readonly text: string;
  /** The type of a timestamp with microseconds and without a time zone. */
  readonly stateType: string;
  /** Digits of a second of times and timestamps whose type does not say them. */
  readonly timeDigits: number;
  /** Other names of types, without numbers in parentheses. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** Whether the database refuses each row with a value that is too large or too long for its column. */
  readonly refusesRows: boolean;
}

/** The values of a type; `bits` and `isSigned` are about the digits without the sign. */
type Shape =
  | { readonly kind: 'integer'; readonly bits: number; readonly isSigned: boolean }
  | {
      readonly kind: 'decimal';
      readonly before: number;
      readonly after: number;
      readonly isSigned: boolean;
    }
  | { readonly kind: 'float'; readonly bits: number }
  | { readonly kind: 'text' | 'padded text' | 'bytes'; readonly length: number }
  | { readonly kind: 'date' }
  | { readonly kind: 'time'; readonly name: string; readonly digits: number };

/** Bits of integers, with the sign. */
const INTEGERS: Readonly<Record<string, number>> = {
  tinyint: 8,
  smallint: 16,
  mediumint: 24,
  int: 32,
  integer: 32,
  bigint: 64,
  hugeint: 128,
};
/** Bits of the digits of floats. */
const FLOATS: Readonly<Record<string, number>> = { real: 24, float: 24, double: 53, 'double precision': 53 };
const DECIMALS: readonly string[] = ['decimal', 'numeric'];
const ANY = Number.POSITIVE_INFINITY;
/** Texts and bytes, with their maximum length if the type does not say it. */
const LENGTHS: Readonly<Record<string, readonly [kind: 'text' | 'padded text' | 'bytes', length: number]>> = {
  varchar: ['text', ANY],
  'character varying': ['text', ANY],
  tinytext: ['text', 255],
  text: ['text', 65_535],
  mediumtext: ['text', 16_777_215],
  longtext: ['text', ANY],
  char: ['padded text', 1],
  character: ['padded text', 1],
  varbinary: ['bytes', ANY],
  tinyblob: ['bytes', 255],
  blob: ['bytes', 65_535],
  mediumblob: ['bytes', 16_777_215],
  longblob: ['bytes', ANY],
};
/** Timestamps of DuckDB, which have the digits of a second in their name. */
const STAMPS: Readonly<Record<string, number>> = { timestamp_s: 0, timestamp_ms: 3, timestamp_ns: 9 };
const TIMES: readonly string[] = ['time', 'time with time zone', 'timestamp', 'timestamp with time zone'];

/**
 * Whether a column of the type `to` stores each value of the type `from` unchanged, or the database refuses its row. Types are
 * written as the database prints them. A type that this does not know, such as a struct, fits itself alone.
 */
export function isLossless(from: string, to: string, rules: TypeRules): boolean {
  if (from === to || from === rules.untyped) return true;
  const [element, other] = [readElement(from), readElement(to)];
  if (element !== null && other !== null) return isLossless(element, other, rules);
  const [source, target] = [readShape(from, rules), readShape(to, rules)];
  return source !== null && target !== null && fits(source, target, rules);
}

/**
 * The maximum length of texts in a column of the type `to`, if texts of the type `from` can be longer; null for other
 * types. SQL lets a database cut blanks at the end of such a text, instead of refusing its row.
 */
export function readShorterLength(from: string, to: string, rules: TypeRules): number | null {
  const [source, target] = [readShape(from, rules), readShape(to, rules)];
  const isText = source?.kind === 'text' && target?.kind === 'text' && to.includes('(');
  return isText && source.length > target.length ? target.length : null;
}

type Kind<K extends Shape['kind']> = Extract<Shape, { readonly kind: K }>;

/** A database that refuses rows finds values that are too large, but not what it would round or cut. */
function fits(from: Shape, to: Shape, { refusesRows }: TypeRules): boolean {
  switch (to.kind) {
    case 'integer':
      return from.kind === 'integer' && (refusesRows || (from.bits <= to.bits && fitsSign(from, to)));
    case 'decimal':
      return fitsDecimal(from.kind === 'integer' ? toDecimal(from) : from, to, refusesRows);
    case 'float':
      return (from.kind === 'float' || from.kind === 'integer') && from.bits <= to.bits;
    case 'time':
      return fitsTime(from, to);
    case 'date':
      return false;
    default:
      return fitsText(from, to, refusesRows);
  }
}

function fitsDecimal(from: Shape, to: Kind<'decimal'>, refusesRows: boolean): boolean {
  if (from.kind !== 'decimal' || from.after > to.after) return false;
  return refusesRows || (from.before <= to.before && fitsSign(from, to));
}

function fitsTime(from: Shape, to: Kind<'time'>): boolean {
  if (from.kind === 'date') return to.name === 'timestamp';
  return from.kind === 'time' && from.name === to.name && from.digits <= to.digits;
}

/** Padding is not a part of a text, but a text may end with blanks. */
function fitsText(from: Shape, to: Kind<'text' | 'padded text' | 'bytes'>, refusesRows: boolean): boolean {
  if (from.kind !== to.kind && !(from.kind === 'padded text' && to.kind === 'text')) return false;
  return refusesRows || from.length <= to.length;
}

function fitsSign(from: { readonly isSigned: boolean }, to: { readonly isSigned: boolean }): boolean {
  return to.isSigned || !from.isSigned;
}

function toDecimal({ bits, isSigned }: Kind<'integer'>): Shape {
  return { kind: 'decimal', before: Math.ceil(bits * Math.log10(2)), after: 0, isSigned };
}

/** The type of the elements of a list; null for other types. */
function readElement(type: string): string | null {
  return (/^(.+)\[\]$/s.exec(type) ?? /^array\((.+)\)$/is.exec(type))?.[1] ?? null;
}

/** Null for a type that is not known. */
function readShape(type: string, { timeDigits, synonyms = {} }: TypeRules): Shape | null {
  const match = /^([a-z_][a-z_ ]*?) ?(?:\(([\d, ]+)\))?((?: [a-z]+)*)$/.exec(type.toLowerCase());
  if (match === null) return null;
  const [, start = '', numbers = '', end = ''] = match;
  const [first, second] = numbers.split(',').filter(Boolean).map(Number);
  const typeText = `${start}${end}`.replace(/ without time zone$| zerofill$/, '');
  const plain = typeText.replace(/ unsigned$/, '').replace(/^u(?=\w+int)/, '');
  const isSigned = plain === typeText;
  const name = synonyms[plain] ?? plain;
  const bits = INTEGERS[name];
  if (bits !== undefined) return { kind: 'integer', bits: bits - (isSigned ? 1 : 0), isSigned };
  if (DECIMALS.includes(name)) return { kind: 'decimal', ...readDigits(first, second), isSigned };
  if (name in FLOATS && first === undefined && isSigned) return { kind: 'float', bits: FLOATS[name]! };
  const [kind, length] = LENGTHS[name] ?? [];
  if (kind !== undefined) return { kind, length: first ?? length! };
  if (name === 'date') return { kind: 'date' };
  const digits = STAMPS[name] ?? first ?? timeDigits;
  if (name in STAMPS) return { kind: 'time', name: 'timestamp', digits };
  return TIMES.includes(name) ? { kind: 'time', name, digits } : null;
}

/** A decimal without a precision has any number of digits. */
function readDigits(precision = ANY, scale = precision === ANY ? ANY : 0) {
  return { before: precision === ANY ? ANY : precision - scale, after: scale };
}
