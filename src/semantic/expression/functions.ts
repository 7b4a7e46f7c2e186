import { suggest } from '../../engine/text/suggest.ts';
import { present } from '../../invariants/must.ts';
import { isKeyOf } from '../../invariants/narrow.ts';
import type { DataType } from '../model/model.ts';
import type { CallName } from '../sql/calls/create-calls.ts';

/** How a function goes about NULL: NULL of any NULL, or by rules of its own. */
type NullRule = 'strict' | 'own';

/** A portable function or operator (semantic SQL 3). */
interface PortableFunction {
  /** What it takes, for messages: `a TEXT and a count`. */
  readonly takes: string;
  /** The type of its value for arguments of some types; null where it does not take them. */
  readonly type: (types: readonly DataType[]) => DataType | null;
  readonly nulls: NullRule;
  /** By their places, whole numbers that must be written out, because platforms differ on others; the least one. */
  readonly constants?: Readonly<Record<number, number>>;
}

const NUMBERS: ReadonlySet<DataType> = new Set<DataType>(['INTEGER', 'NUMBER', 'DECIMAL', 'FLOAT']);
const DATES: ReadonlySet<DataType> = new Set<DataType>(['DATE', 'DATETIME']);

const isNumber = (type: DataType | undefined) => type !== undefined && NUMBERS.has(type);

/** The common type of values; null if they have no common type. */
export function findCommonType(types: readonly DataType[]): DataType | null {
  const all = new Set(types);
  const [first] = types;
  if (first === undefined) return null;
  if (all.size === 1) return first;
  if (types.every(isNumber)) return all.has('FLOAT') ? 'FLOAT' : 'DECIMAL';
  return types.every((type) => DATES.has(type)) ? 'DATETIME' : null;
}

type TypeRule = PortableFunction['type'];

/** As many arguments as types are named, each of one of them (with `|` between). */
function takes(wanted: readonly string[], result: DataType | TypeRule): TypeRule {
  return (types) => {
    const fits =
      types.length === wanted.length && types.every((type, at) => wanted[at]?.split('|').includes(type));
    return fits ? (typeof result === 'string' ? result : result(types)) : null;
  };
}

const NUMBER = [...NUMBERS].join('|');
const DATE = [...DATES].join('|');

const strict = (text: string, type: TypeRule, constants?: Readonly<Record<number, number>>) =>
  ({ takes: text, type, nulls: 'strict', ...(constants === undefined ? {} : { constants }) }) as const;
const own = (text: string, type: TypeRule) => ({ takes: text, type, nulls: 'own' }) as const;

const arithmetic = strict('two numbers', takes([NUMBER, NUMBER], findCommonType));
const oneNumber = strict('a number', takes([NUMBER], findCommonType));
const toFloat = strict('a number', takes([NUMBER], 'FLOAT'));
const oneText = strict('a TEXT', takes(['TEXT'], 'TEXT'));
const part = strict('a DATE or DATETIME', takes([DATE], 'INTEGER'));
const time = strict('a DATETIME', takes(['DATETIME'], 'INTEGER'));
const cut = strict('a DATETIME', takes(['DATETIME'], 'DATETIME'));
const addition = strict(
  'a DATE or DATETIME and an INTEGER',
  takes([DATE, 'INTEGER'], ([type]) => type ?? null),
);
const comparison = strict('two values of one type', (types) =>
  types.length === 2 && findCommonType(types) !== null ? 'BOOLEAN' : null,
);
const logical = own('conditions', (types) =>
  types.length > 0 && types.every((type) => type === 'BOOLEAN') ? 'BOOLEAN' : null,
);
const like = strict('a TEXT and a pattern that is written out', takes(['TEXT', 'TEXT'], 'BOOLEAN'));
const common = own('values of one type', findCommonType);
const texts = (count: number): TypeRule => takes(Array(count).fill('TEXT'), 'TEXT');

/** Round takes a count of digits, which may be left out. */
const rounding: TypeRule = (types) => {
  const both: readonly DataType[] = [...types, 'INTEGER'];
  return takes([NUMBER, 'INTEGER'], findCommonType)(both.slice(0, 2)) && (types[0] ?? null);
};

const COMPARISONS = {
  '=': comparison,
  '<>': comparison,
  '<': comparison,
  '<=': comparison,
  '>': comparison,
  '>=': comparison,
  'IS DISTINCT FROM': { ...comparison, nulls: 'own' },
  IN: own('a value and others of its type', (types) => {
    return types.length > 1 && findCommonType(types) !== null ? 'BOOLEAN' : null;
  }),
  BETWEEN: own('three values of one type', (types) => {
    return types.length === 3 && findCommonType(types) !== null ? 'BOOLEAN' : null;
  }),
  'IS NULL': own('a value', (types) => (types.length === 1 ? 'BOOLEAN' : null)),
  'IS TRUE': own('a condition', takes(['BOOLEAN'], 'BOOLEAN')),
  'IS FALSE': own('a condition', takes(['BOOLEAN'], 'BOOLEAN')),
  AND: logical,
  OR: logical,
  NOT: strict('a condition', takes(['BOOLEAN'], 'BOOLEAN')),
  LIKE: like,
  ILIKE: like,
} as const satisfies Readonly<Record<string, PortableFunction>>;

const CONDITIONALS = {
  COALESCE: common,
  GREATEST: own('2 to 4 values of one type', (types) => (types.length > 4 ? null : findCommonType(types))),
  LEAST: own('2 to 4 values of one type', (types) => (types.length > 4 ? null : findCommonType(types))),
  CONCAT: own('values of TEXT', (types) =>
    types.length > 0 && types.every((type) => type === 'TEXT') ? 'TEXT' : null,
  ),
} as const satisfies Readonly<Record<string, PortableFunction>>;

const CALLS = {
  '+': arithmetic,
  '-': arithmetic,
  '*': arithmetic,
  '/': strict(
    'two numbers',
    takes([NUMBER, NUMBER], (types) => (findCommonType(types) === 'INTEGER' ? 'INTEGER' : 'FLOAT')),
  ),
  '%': strict(
    'two numbers that are no FLOAT',
    takes([NUMBER, NUMBER], (types) => (types.includes('FLOAT') ? null : findCommonType(types))),
  ),
  NULLIF: own('two values of one type', (types) =>
    types.length === 2 && findCommonType(types) !== null ? (types[0] ?? null) : null,
  ),
  NEGATE: oneNumber,
  ABS: oneNumber,
  CEIL: oneNumber,
  FLOOR: oneNumber,
  SIGN: strict('a number', takes([NUMBER], 'INTEGER')),
  ROUND: strict('a number and, if any, a count of digits that is written out', rounding, { 1: 0 }),
  SQRT: toFloat,
  EXP: toFloat,
  LN: toFloat,
  POWER: strict('two numbers', takes([NUMBER, NUMBER], 'FLOAT')),
  '||': strict('two values of TEXT', texts(2)),
  LOWER: oneText,
  UPPER: oneText,
  TRIM: oneText,
  LTRIM: oneText,
  RTRIM: oneText,
  LENGTH: strict('a TEXT', takes(['TEXT'], 'INTEGER')),
  SUBSTRING: strict(
    'a TEXT, and a first place and a count that are written out',
    takes(['TEXT', 'INTEGER', 'INTEGER'], 'TEXT'),
    { 1: 1, 2: 0 },
  ),
  LEFT: strict('a TEXT and a count that is written out', takes(['TEXT', 'INTEGER'], 'TEXT'), { 1: 0 }),
  RIGHT: strict('a TEXT and a count that is written out', takes(['TEXT', 'INTEGER'], 'TEXT'), { 1: 0 }),
  REPLACE: strict('three values of TEXT', texts(3)),
  STRPOS: strict('a TEXT and a part of it', takes(['TEXT', 'TEXT'], 'INTEGER')),
  YEAR: part,
  QUARTER: part,
  MONTH: part,
  WEEK: part,
  DAY: part,
  DOW: part,
  ISODOW: part,
  DOY: part,
  HOUR: time,
  MINUTE: time,
  SECOND: time,
  'DATE_TRUNC HOUR': cut,
  'DATE_TRUNC MINUTE': cut,
  'DATE_TRUNC SECOND': cut,
  ADD_DAYS: addition,
  ADD_MONTHS: addition,
  ADD_SECONDS: strict('a DATETIME and an INTEGER', takes(['DATETIME', 'INTEGER'], 'DATETIME')),
  DAYS_BETWEEN: strict('two DATEs', takes(['DATE', 'DATE'], 'INTEGER')),
} as const satisfies Readonly<Record<CallName, PortableFunction>>;

/** Every portable function and operator (semantic SQL 3); how those that `CallName` lists are spelled, each dialect says. */
const FUNCTIONS = { ...COMPARISONS, ...CONDITIONALS, ...CALLS };

export type FunctionName = keyof typeof FUNCTIONS;

/** What is said of a function. */
export function getFunction(name: FunctionName): PortableFunction {
  return FUNCTIONS[name];
}

/** Other names by which PostgreSQL has some. */
const SYNONYMS: Readonly<Record<string, FunctionName>> = {
  CEILING: 'CEIL',
  POW: 'POWER',
  MOD: '%',
  BTRIM: 'TRIM',
  CHAR_LENGTH: 'LENGTH',
  CHARACTER_LENGTH: 'LENGTH',
  SUBSTR: 'SUBSTRING',
  POSITION: 'STRPOS',
};

/** Operators, and functions that PostgreSQL has a syntax for: their names cannot be called. */
const UNCALLED: ReadonlySet<string> = new Set<FunctionName>([
  ...(['NEGATE', 'ADD_DAYS', 'ADD_MONTHS', 'ADD_SECONDS', 'DAYS_BETWEEN', 'IN', 'BETWEEN'] as const),
  ...(['AND', 'OR', 'NOT', 'LIKE', 'ILIKE', 'IS NULL', 'IS TRUE', 'IS FALSE', 'IS DISTINCT FROM'] as const),
  ...([
    'YEAR',
    'QUARTER',
    'MONTH',
    'WEEK',
    'DAY',
    'DOW',
    'ISODOW',
    'DOY',
    'HOUR',
    'MINUTE',
    'SECOND',
  ] as const),
]);

const CALLABLE: ReadonlySet<string> = new Set(
  [...Object.keys(FUNCTIONS), ...Object.keys(SYNONYMS)].filter(
    (name) => /^\w+$/.test(name) && !UNCALLED.has(name),
  ),
);

/** The portable function that a statement calls by a name, in any case; else the nearest name, if one is near. */
export function findFunction(
  name: string,
): { readonly name: FunctionName } | { readonly suggestion: string | undefined } {
  const upper = name.toUpperCase();
  if (!CALLABLE.has(upper)) return { suggestion: suggest(upper, CALLABLE) };
  return { name: isKeyOf(FUNCTIONS, upper) ? upper : present(SYNONYMS[upper]) };
}
