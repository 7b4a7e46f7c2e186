import { present } from '../../invariants/must.ts';
import { isKeyOf } from '../../invariants/narrow.ts';
import { suggest } from '../../text/suggest.ts';
import type { ValueType } from '../model/model.ts';
import type { CallName } from '../sql/calls/create-calls.ts';

/** How a function treats NULL: NULL if any argument is NULL, or its own rule. */
type NullRule = 'strict' | 'own';

/** A portable function or operator (docs/reference/semantic-sql-functions.md). */
interface PortableFunction {
  /** The arguments that it accepts, for messages: `a TEXT and a count`. */
  readonly takes: string;
  /** The result type for argument types; null for types that it does not accept. */
  readonly type: (types: readonly ValueType[]) => ValueType | null;
  readonly nulls: NullRule;
  /**
   * Arguments, by index, that must be integer literals because platforms differ on other values. The value is the
   * minimum.
   */
  readonly constants?: Readonly<Record<number, number>>;
}

const NUMBERS: ReadonlySet<ValueType> = new Set<ValueType>(['INTEGER', 'NUMBER', 'DECIMAL', 'FLOAT']);
/** From the narrowest: a value of each type can be converted to the later ones. */
const DATES: readonly ValueType[] = ['DATE', 'TIMESTAMP', 'DATETIME'];

const isNumber = (type: ValueType | undefined) => type !== undefined && NUMBERS.has(type);

/** The common type of values; null without one. */
export function findCommonType(types: readonly ValueType[]): ValueType | null {
  const all = new Set(types);
  const [first] = types;
  if (first === undefined) return null;
  if (all.size === 1) return first;
  if (types.every(isNumber)) return all.has('FLOAT') ? 'FLOAT' : 'DECIMAL';
  const places = types.map((type) => DATES.indexOf(type));
  return places.includes(-1) ? null : (DATES[Math.max(...places)] ?? null);
}

type TypeRule = PortableFunction['type'];

/** A type rule for fixed arguments, one type each (`|` separates alternatives). */
function takes(wanted: readonly string[], result: ValueType | TypeRule): TypeRule {
  return (types) => {
    const fits =
      types.length === wanted.length && types.every((type, at) => wanted[at]?.split('|').includes(type));
    return fits ? (typeof result === 'string' ? result : result(types)) : null;
  };
}

const NUMBER = [...NUMBERS].join('|');
const DATE = DATES.join('|');
const TIME = 'TIMESTAMP|DATETIME';

const strict = (text: string, type: TypeRule, constants?: Readonly<Record<number, number>>) =>
  ({ takes: text, type, nulls: 'strict', ...(constants === undefined ? {} : { constants }) }) as const;
const withOwnNulls = (text: string, type: TypeRule) => ({ takes: text, type, nulls: 'own' }) as const;

const arithmetic = strict('two numbers', takes([NUMBER, NUMBER], findCommonType));
const oneNumber = strict('a number', takes([NUMBER], findCommonType));
const toFloat = strict('a number', takes([NUMBER], 'FLOAT'));
const oneText = strict('a TEXT', takes(['TEXT'], 'TEXT'));
const part = strict('a DATE, TIMESTAMP or DATETIME', takes([DATE], 'INTEGER'));
const time = strict('a TIMESTAMP or DATETIME', takes([TIME], 'INTEGER'));
const cut = strict('a TIMESTAMP or DATETIME', takes([TIME], 'TIMESTAMP'));
const addition = strict(
  'a DATE, TIMESTAMP or DATETIME and an INTEGER',
  takes([DATE, 'INTEGER'], ([type]) => type ?? null),
);
const comparison = strict('two values of one type', (types) =>
  types.length === 2 && findCommonType(types) !== null ? 'BOOLEAN' : null,
);
const logical = withOwnNulls('conditions', (types) =>
  types.length > 0 && types.every((type) => type === 'BOOLEAN') ? 'BOOLEAN' : null,
);
const like = strict('a TEXT and a literal pattern', takes(['TEXT', 'TEXT'], 'BOOLEAN'));
const common = withOwnNulls('values of one type', findCommonType);
const texts = (count: number): TypeRule => takes(Array(count).fill('TEXT'), 'TEXT');

/** ROUND has an optional count of digits. */
const rounding: TypeRule = (types) => {
  const both: readonly ValueType[] = [...types, 'INTEGER'];
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
  IN: withOwnNulls('a value and others of its type', (types) => {
    return types.length > 1 && findCommonType(types) !== null ? 'BOOLEAN' : null;
  }),
  BETWEEN: withOwnNulls('three values of one type', (types) => {
    return types.length === 3 && findCommonType(types) !== null ? 'BOOLEAN' : null;
  }),
  'IS NULL': withOwnNulls('a value', (types) => (types.length === 1 ? 'BOOLEAN' : null)),
  'IS TRUE': withOwnNulls('a condition', takes(['BOOLEAN'], 'BOOLEAN')),
  'IS FALSE': withOwnNulls('a condition', takes(['BOOLEAN'], 'BOOLEAN')),
  AND: logical,
  OR: logical,
  NOT: strict('a condition', takes(['BOOLEAN'], 'BOOLEAN')),
  LIKE: like,
  ILIKE: like,
} as const satisfies Readonly<Record<string, PortableFunction>>;

const CONDITIONALS = {
  COALESCE: common,
  GREATEST: withOwnNulls('2 to 4 values of one type', (types) =>
    types.length > 4 ? null : findCommonType(types),
  ),
  LEAST: withOwnNulls('2 to 4 values of one type', (types) =>
    types.length > 4 ? null : findCommonType(types),
  ),
  CONCAT: withOwnNulls('values of TEXT, INTEGER, DATE or TIMESTAMP', (types) =>
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
    'two numbers other than FLOAT',
    takes([NUMBER, NUMBER], (types) => (types.includes('FLOAT') ? null : findCommonType(types))),
  ),
  NULLIF: withOwnNulls('two values of one type', (types) =>
    types.length === 2 && findCommonType(types) !== null ? (types[0] ?? null) : null,
  ),
  NEGATE: oneNumber,
  ABS: oneNumber,
  CEIL: oneNumber,
  FLOOR: oneNumber,
  SIGN: strict('a number', takes([NUMBER], 'INTEGER')),
  ROUND: strict('a number and optionally a literal count of digits', rounding, { 1: 0 }),
  SQRT: toFloat,
  EXP: toFloat,
  LN: toFloat,
  POWER: strict('two numbers', takes([NUMBER, NUMBER], 'FLOAT')),
  '||': strict('a TEXT, and a TEXT, INTEGER, DATE or TIMESTAMP', texts(2)),
  LOWER: oneText,
  UPPER: oneText,
  TRIM: oneText,
  LTRIM: oneText,
  RTRIM: oneText,
  LENGTH: strict('a TEXT', takes(['TEXT'], 'INTEGER')),
  SUBSTRING: strict(
    'a TEXT, a literal start position, and optionally a literal length',
    (types) => takes(['TEXT', 'INTEGER', ...(types.length > 2 ? ['INTEGER'] : [])], 'TEXT')(types),
    { 1: 1, 2: 0 },
  ),
  /** SUBSTRING from a computed position, which is at least 1. */
  'SUBSTRING AT': strict(
    'a TEXT, a start position and a length',
    takes(['TEXT', 'INTEGER', 'INTEGER'], 'TEXT'),
  ),
  LEFT: strict('a TEXT and a literal count', takes(['TEXT', 'INTEGER'], 'TEXT'), { 1: 0 }),
  RIGHT: strict('a TEXT and a literal count', takes(['TEXT', 'INTEGER'], 'TEXT'), { 1: 0 }),
  REPLACE: strict('three values of TEXT', texts(3)),
  REVERSE: oneText,
  STRPOS: strict('a TEXT and a substring', takes(['TEXT', 'TEXT'], 'INTEGER')),
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
  EPOCH: strict('a TIMESTAMP or DATETIME', takes([TIME], 'FLOAT')),
  'DATE_TRUNC HOUR': cut,
  'DATE_TRUNC MINUTE': cut,
  'DATE_TRUNC SECOND': cut,
  ADD_DAYS: addition,
  ADD_MONTHS: addition,
  ADD_SECONDS: { ...addition, type: takes([TIME, 'INTEGER'], ([type]) => type ?? null) },
  DAYS_BETWEEN: strict('two DATEs', takes(['DATE', 'DATE'], 'INTEGER')),
  'TEXT OF TIME': strict('a TIMESTAMP', takes(['TIMESTAMP'], 'TEXT')),
  'DATE OF TEXT': strict('a TEXT', takes(['TEXT'], 'DATE')),
  'TIME OF TEXT': strict('a TEXT', takes(['TEXT'], 'TIMESTAMP')),
} as const satisfies Readonly<Record<CallName, PortableFunction>>;

/**
 * Every portable function and operator (docs/reference/semantic-sql-functions.md). Each dialect defines the spelling of
 * those in `CallName`.
 */
const FUNCTIONS = { ...COMPARISONS, ...CONDITIONALS, ...CALLS };

export type FunctionName = keyof typeof FUNCTIONS;

/** The rules of a function. */
export function getFunction(name: FunctionName): PortableFunction {
  return FUNCTIONS[name];
}

/** Other names of functions in PostgreSQL. */
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

/** Operators and functions with their own syntax, which cannot be called by name. */
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
    'EPOCH',
  ] as const),
]);

const CALLABLE: ReadonlySet<string> = new Set(
  [...Object.keys(FUNCTIONS), ...Object.keys(SYNONYMS)].filter(
    (name) => /^\w+$/.test(name) && !UNCALLED.has(name),
  ),
);

/** Finds a portable function by its name, in any case; otherwise the nearest name, if there is one. */
export function findPortableFunction(
  name: string,
): { readonly name: FunctionName } | { readonly suggestion: string | undefined } {
  const upper = name.toUpperCase();
  if (!CALLABLE.has(upper)) return { suggestion: suggest(upper, CALLABLE) };
  return { name: isKeyOf(FUNCTIONS, upper) ? upper : present(SYNONYMS[upper]) };
}

/** The portable functions that can be called by name, with the arguments that each takes. */
export function listPortableFunctions(): readonly { readonly name: string; readonly takes: string }[] {
  return [...CALLABLE].map((name) => {
    const own = isKeyOf(FUNCTIONS, name) ? name : present(SYNONYMS[name]);
    return { name, takes: getFunction(own).takes };
  });
}
