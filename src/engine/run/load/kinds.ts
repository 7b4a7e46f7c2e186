import { quoteText } from '../../text/sql-quote.ts';

/** How numbers are written. */
export interface NumberStyle {
  readonly decimal?: string | undefined;
  readonly thousands?: string | undefined;
}

/** What a text may be, one bit each; the type of a column follows from the bits of all its values. */
export const KIND = {
  /** At most 15 digits. */
  integer: 1,
  /** At most 64 bits. */
  long: 2,
  /** At most 128 bits. */
  huge: 4,
  /** A fraction that a DOUBLE holds exactly. */
  fraction: 8,
  /** A fraction with more digits. */
  precise: 16,
  /** With an exponent; a DOUBLE holds it exactly. */
  exponent: 32,
  infinite: 64,
  /** `true` and `false`. */
  word: 128,
  /** `t` and `f`. */
  letter: 256,
  date: 512,
  timestamp: 1024,
  /** With an offset. */
  zoned: 2048,
  time: 4096,
  /** A date or timestamp in another order. */
  otherDate: 8192,
  /** A number with separators. */
  separated: 16384,
  text: 32768,
  /** A JSON array or object. */
  nested: 65536,
} as const;

const DIGITS = '(?:0|[1-9][0-9]*)';
const DATE = '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}';
const CLOCK = '(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,6}0*)?)?';
const OFFSET = '(?: ?(?:[Zz]|UTC|[+-][0-9]{2}(?::?[0-9]{2})?))';

const YEAR = '(?:[0-9]{4}|[0-9]{2})';
const DAY = '[0-9]{1,2}';
const OTHER_CLOCK = '[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\\.[0-9]+)?)?(?: ?[AaPp][Mm])?';

/** Patterns of whole texts. */
const SHAPE = {
  /** Texts with other characters are only text. */
  symbols: "[-0-9 \\t.,:/+'eETZzUCAaPpMm\u00a0\u202f]*",
  number: `[ \\t]*[+-]?(?:${DIGITS}(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \\t]*`,
  integer: '[ \\t]*(?:\\+?0|[+-]?[1-9][0-9]*)[ \\t]*',
  date: DATE,
  timestamp: `${DATE}[T ]${CLOCK}`,
  zoned: `${DATE}[T ]${CLOCK}${OFFSET}`,
  time: CLOCK,
  otherDate: `(?:${YEAR}[-/. ]${DAY}[-/. ]${DAY}|${DAY}[-/. ]${DAY}[-/. ]${YEAR})(?: ${OTHER_CLOCK})?`,
  separated: "[+-]?[0-9]{1,3}(?:(?:[.,' ]|\u00a0|\u202f)[0-9]{3})+(?:[.,][0-9]+)?|[+-]?[0-9]+,[0-9]+",
};

/** A condition that a whole text has a shape. */
function matches(text: string, pattern: string): string {
  return `regexp_full_match(${text}, ${quoteText(pattern)})`;
}

/** The significant digits of a number, as text: two texts of nearly equal numbers with the same digits are equal. */
export function printDigits(text: string): string {
  const mantissa = `split_part(lower(${text}), 'e', 1)`;
  return `trim(replace(translate(${mantissa}, '+- ', ''), '.', ''), '0')`;
}

/** A condition that a DOUBLE holds the number of a text. */
function printFitsDouble(text: string): string {
  return `(${printDigits(text)} = ${printDigits(`CAST(TRY_CAST(${text} AS DOUBLE) AS VARCHAR)`)})`;
}

/** The text of a number in the style of SQL; NULL for other texts. */
export function printPlainNumber(text: string, { decimal = '.', thousands }: NumberStyle): string {
  if (decimal === '.' && thousands === undefined) return text;
  const [point, group] = [
    escapePattern(decimal),
    thousands === undefined ? undefined : escapePattern(thousands),
  ];
  const whole = group === undefined ? '[0-9]*' : `(?:[0-9]*|[0-9]{1,3}(?:${group}[0-9]{3})+)`;
  const shape = `[ \\t]*[+-]?${whole}(?:${point}[0-9]*)?(?:[eE][+-]?[0-9]+)?[ \\t]*`;
  const joined = thousands === undefined ? text : `replace(${text}, ${quoteText(thousands)}, '')`;
  return `CASE WHEN ${matches(text, shape)} THEN replace(${joined}, ${quoteText(decimal)}, '.') END`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** An expression for the kind of a text; 0 for NULL. */
export function printKind(text: string, style: NumberStyle): string {
  const number = printPlainNumber(text, style);
  const isPlain = number === text;
  const cases: readonly (readonly [condition: string, kind: string])[] = [
    [`${text} IS NULL`, '0'],
    [`${text} >= ':' AND NOT ${startsWithSpace(text)}`, printWord(text)],
    ...(isPlain
      ? ([
          [`CAST(TRY_CAST(${text} AS BIGINT) AS VARCHAR) = ${text}`, printLong(text)],
          [`NOT ${matches(text, SHAPE.symbols)}`, printWord(text)],
          [`CAST(TRY_CAST(${text} AS DOUBLE) AS VARCHAR) = ${text}`, printDouble(text)],
        ] as const)
      : []),
    [matches(isPlain ? text : `coalesce(${number}, '')`, SHAPE.number), printNumber(number)],
    [`${matches(text, SHAPE.date)} AND TRY_CAST(${text} AS DATE) IS NOT NULL`, `${KIND.date}`],
    [`${matches(text, SHAPE.timestamp)} AND TRY_CAST(${text} AS TIMESTAMP) IS NOT NULL`, `${KIND.timestamp}`],
    [`${matches(text, SHAPE.zoned)} AND TRY_CAST(${text} AS TIMESTAMPTZ) IS NOT NULL`, `${KIND.zoned}`],
    [`${matches(text, SHAPE.time)} AND TRY_CAST(${text} AS TIME) IS NOT NULL`, `${KIND.time}`],
    [matches(text, SHAPE.otherDate), `${KIND.otherDate}`],
    ...(isPlain ? [[matches(text, SHAPE.separated), `${KIND.separated}`] as const] : []),
  ];
  return printCase(cases, `(${printWord(text)})`);
}

function startsWithSpace(text: string): string {
  return `${text} < '!'`;
}

function printCase(cases: readonly (readonly [string, string])[], other: string): string {
  return `CASE ${cases.map(([condition, kind]) => `WHEN ${condition} THEN ${kind}`).join(' ')} ELSE ${other} END`;
}

function printWord(text: string): string {
  const word = `lower(${text})`;
  return printCase(
    [
      [`length(${text}) > 9`, `${KIND.text}`],
      [`${word} IN ('true', 'false')`, `${KIND.word}`],
      [`${word} IN ('t', 'f')`, `${KIND.letter}`],
      [`${word} IN ('nan', 'inf', 'infinity', '-inf', '-infinity', '+inf', '+infinity')`, `${KIND.infinite}`],
    ],
    `${KIND.text}`,
  );
}

function printLong(text: string): string {
  return `CASE WHEN length(${text}) <= 15 THEN ${KIND.integer} ELSE ${KIND.long} END`;
}

function printDouble(text: string): string {
  return printCase(
    [
      [`contains(${text}, 'n')`, `${KIND.infinite}`],
      [`contains(${text}, 'e')`, `${KIND.exponent}`],
    ],
    `${KIND.fraction}`,
  );
}

function printNumber(number: string): string {
  const isInteger = matches(number, SHAPE.integer);
  return printCase(
    [
      [`${isInteger} AND length(trim(${number})) <= 15`, `${KIND.integer}`],
      [`${isInteger} AND TRY_CAST(${number} AS BIGINT) IS NOT NULL`, `${KIND.long}`],
      [`${isInteger} AND TRY_CAST(${number} AS HUGEINT) IS NOT NULL`, `${KIND.huge}`],
      [isInteger, `${KIND.text}`],
      [
        `contains(lower(${number}), 'e')`,
        printCase([[printFitsDouble(number), `${KIND.exponent}`]], `${KIND.text}`),
      ],
      [`length(${number}) <= 16 OR ${printFitsDouble(number)}`, `${KIND.fraction}`],
    ],
    `${KIND.precise}`,
  );
}
