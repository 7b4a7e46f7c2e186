import { elementAt } from '../../../invariants/must.ts';
import type { ValueType } from '../../model/model.ts';
import {
  byType,
  call,
  infix,
  minus,
  type Printed,
  type Spelling,
  type Spellings,
  template,
} from './spelling.ts';

const isWhole = (types: readonly ValueType[]) => types.every((type) => type === 'INTEGER');

/** Casts to an integer type of the platform; an integer literal needs no cast. */
const toWhole = ({ text, operand }: Printed, type: string) =>
  /^\d+$/.test(text) ? operand : `CAST(${text} AS ${type})`;

/** Division: integers truncate; other numbers are divided as floating-point numbers of a type. */
function divide(float: string, whole: Spelling): Spelling {
  return (args, types) =>
    isWhole(types) ? whole(args, types) : template(`CAST($1 AS ${float}) / #2`)(args, types);
}

/** Integer division that truncates, with both operands cast to a type of the platform. */
const cut =
  (type: string): Spelling =>
  ([left, right]) =>
    left === undefined || right === undefined ? '' : `${toWhole(left, type)} / ${toWhole(right, type)}`;

/** The remainder has the sign of the dividend. */
const cutExactly = template('CAST((#1 - MOD($1, $2)) / #2 AS NUMBER(38, 0))');

/** The remainder of a division: of integers, or of decimals with a given type. */
function remainder(decimal: string): Spelling {
  const exact = template(`CAST($1 AS ${decimal}) % CAST($2 AS ${decimal})`);
  return (args, types) => (isWhole(types) ? infix('%') : exact)(args, types);
}

/** An integer stays unchanged. */
const keepWhole = (spelling: Spelling) => byType({ INTEGER: ([arg]) => arg?.operand ?? '' }, spelling);

/** Rounds halves away from zero, also for floating-point numbers. */
const round = (float: Spelling): Spelling => {
  const exact = call('ROUND');
  return byType({ FLOAT: float }, exact);
};

/** The plain function would return an integer for a floating-point argument. */
const stayFloat = (name: string) => byType({ FLOAT: template(`CAST(${name}($1) AS DOUBLE)`) }, call(name));

const NUMERIC = template('CAST($1 AS NUMERIC)');
const BIGNUMERIC = template('CAST($1 AS BIGNUMERIC)');
const DECIMAL = template('#1 + 0.0');

/**
 * On some platforms, the result for integers would be floating-point. A field declared as a decimal can contain
 * integers.
 */
function exactly(name: string, toDecimal: Spelling): Spelling {
  const exact: Spelling = ([arg, ...more], types) => {
    const decimal = arg === undefined ? '' : toDecimal([arg], types);
    return `${name}(${[decimal, ...more.map(({ text }) => text)].join(', ')})`;
  };
  return byType({ DECIMAL: exact, NUMBER: exact }, call(name));
}

/** Rounds a floating-point number as a decimal. */
const roundAs =
  (decimal: string, float: string): Spelling =>
  ([arg, digits = { text: '0', operand: '0' }]) =>
    `CAST(ROUND(CAST(${arg?.text ?? ''} AS ${decimal}), ${digits.text}) AS ${float})`;

const withDigits =
  (spelling: Spelling): Spelling =>
  (args, types) =>
    spelling(args.length === 1 ? [...args, { text: '0', operand: '0' }] : args, types);

/** Arithmetic and numeric functions. */
export const NUMBER_CALLS = {
  '+': { all: infix('+') },
  '-': { all: infix('-') },
  '*': { all: infix('*') },
  '/': {
    all: divide('DOUBLE PRECISION', cut('BIGINT')),
    duckdb: divide('DOUBLE', infix('//')),
    snowflake: divide('DOUBLE', cutExactly),
    bigquery: divide('FLOAT64', call('DIV')),
    databricks: divide('DOUBLE', infix('DIV')),
    trino: divide('DOUBLE', cut('BIGINT')),
    mysql: divide('DOUBLE', infix('DIV')),
    sqlserver: divide('FLOAT', cut('BIGINT')),
    clickhouse: divide('Nullable(Float64)', call('intDiv')),
  },
  '%': {
    all: infix('%'),
    snowflake: call('MOD'),
    bigquery: call('MOD'),
    // Decimals with too many digits become floating-point; with a precision of 38, no digits would be left for the
    // other operand.
    duckdb: remainder('DECIMAL(28, 9)'),
    // The result depends on the digits of the decimals, unless both have the same scale.
    clickhouse: remainder('Nullable(Decimal(38, 9))'),
  },
  NULLIF: { all: call('NULLIF') },
  NEGATE: { all: (args) => minus(elementAt(args, 0)) },
  ABS: { all: call('ABS') },
  CEIL: {
    all: keepWhole(call('CEIL')),
    postgresql: keepWhole(exactly('CEIL', NUMERIC)),
    duckdb: keepWhole(exactly('CEIL', DECIMAL)),
    databricks: keepWhole(stayFloat('CEIL')),
    bigquery: keepWhole(exactly('CEIL', BIGNUMERIC)),
    sqlserver: keepWhole(call('CEILING')),
  },
  FLOOR: {
    all: keepWhole(call('FLOOR')),
    postgresql: keepWhole(exactly('FLOOR', NUMERIC)),
    duckdb: keepWhole(exactly('FLOOR', DECIMAL)),
    databricks: keepWhole(stayFloat('FLOOR')),
    bigquery: keepWhole(exactly('FLOOR', BIGNUMERIC)),
  },
  SIGN: {
    all: template('CAST(SIGN($1) AS BIGINT)'),
    bigquery: template('CAST(SIGN($1) AS INT64)'),
    mysql: call('SIGN'),
    clickhouse: call('sign'),
    snowflake: call('SIGN'),
  },
  ROUND: {
    all: round(roundAs('NUMERIC(38, 9)', 'DOUBLE PRECISION')),
    postgresql: byType({ FLOAT: roundAs('NUMERIC', 'DOUBLE PRECISION') }, exactly('ROUND', NUMERIC)),
    duckdb: call('ROUND'),
    redshift: round(call('ROUND')),
    snowflake: call('ROUND'),
    bigquery: exactly('ROUND', BIGNUMERIC),
    databricks: call('ROUND'),
    trino: call('ROUND'),
    mysql: round(roundAs('DECIMAL(65, 15)', 'DOUBLE')),
    sqlserver: withDigits(call('ROUND')),
    // ROUND of a Float64 rounds halves to even.
    clickhouse: round(withDigits(template('sign($1) * floor(abs($1) * pow(10, $2) + 0.5) / pow(10, $2)'))),
  },
  SQRT: { all: template('SQRT(CAST($1 AS DOUBLE PRECISION))'), ...floats('SQRT') },
  EXP: { all: template('EXP(CAST($1 AS DOUBLE PRECISION))'), ...floats('EXP') },
  LN: {
    all: template('LN(CAST($1 AS DOUBLE PRECISION))'),
    ...floats('LN'),
    sqlserver: template('LOG(CAST($1 AS FLOAT))'),
    clickhouse: template('log(CAST($1 AS Nullable(Float64)))'),
  },
  POWER: {
    all: template('POWER(CAST($1 AS DOUBLE PRECISION), $2)'),
    ...floats('POWER', ', $2'),
  },
} as const satisfies Readonly<Record<string, Spellings>>;

/** A floating-point function on platforms where the type has another name. */
function floats(name: string, more = ''): Omit<Spellings, 'all'> {
  const of = (type: string) => template(`${name}(CAST($1 AS ${type})${more})`);
  const double = of('DOUBLE');
  return {
    duckdb: double,
    snowflake: double,
    bigquery: of('FLOAT64'),
    databricks: double,
    trino: double,
    mysql: double,
    sqlserver: of('FLOAT'),
    clickhouse: of('Nullable(Float64)'),
  };
}
