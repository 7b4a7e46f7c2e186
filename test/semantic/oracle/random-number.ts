import type { DataType } from '../../../src/semantic/model/model.ts';
import { DAY_PARTS, TIME_PARTS } from './dates.ts';
import { add, type Fraction, multiply, subtract, toDouble, toFraction } from './fraction.ts';
import { ceil, divideWhole, findRest, floor, round, toExact } from './rounding.ts';
import {
  convertNumber,
  createLiteralScalar,
  createStrict,
  findType,
  type Scalar,
  type Scalars,
  toFloat,
} from './scalar.ts';
import { compareValues, toDay, type Value } from './value.ts';

const points = (text: Value) => [...(text as string)];
const isFloat = (value: Value) => typeof value === 'number';

/** An operation on integers or decimals. */
const both =
  (exact: (a: Fraction, b: Fraction) => Fraction, float: (a: number, b: number) => number) =>
  (type: DataType) =>
  (a: Value, b: Value): Value =>
    type === 'FLOAT'
      ? float(convertNumber(a, type) as number, convertNumber(b, type) as number)
      : exact(a as Fraction, b as Fraction);
const OPERATIONS = {
  '+': both(add, (a, b) => a + b),
  '-': both(subtract, (a, b) => a - b),
  '*': both(multiply, (a, b) => a * b),
} as const;

function createArithmetic(own: Scalars, type: DataType, depth: number): Scalar {
  const { random } = own;
  const op = random.pick(['+', '-', '*'] as const);
  // Nested products would exceed the digits of some platforms.
  const right =
    op === '*' ? own.createLiteral(random.pick<DataType>(['INTEGER', type])) : own.create(type, depth);
  const left = own.create(op === '*' ? type : random.pick<DataType>(['INTEGER', type]), depth);
  const result = findType([left, right]);
  return createStrict(result, `($1 ${op} $2)`, [left, right], OPERATIONS[op](result));
}

export function createInteger(own: Scalars, depth: number): Scalar {
  const { random } = own;
  const exact = (run: (value: Fraction) => Fraction) => (value: Value) => run(value as Fraction);
  const divisor = () => createLiteralScalar('INTEGER', toFraction(random.pick([-3, -2, 2, 3, 7])));
  const day = () => own.create('DATE', depth);
  return random.pick<() => Scalar>([
    () => createArithmetic(own, 'INTEGER', depth),
    () =>
      createStrict('INTEGER', '($1 / $2)', [own.create('INTEGER', depth), divisor()], (a, b) =>
        divideWhole(a as Fraction, b as Fraction),
      ),
    () =>
      createStrict('INTEGER', '($1 % $2)', [own.create('INTEGER', depth), divisor()], (a, b) =>
        findRest(a as Fraction, b as Fraction),
      ),
    () =>
      createStrict(
        'INTEGER',
        'ABS($1)',
        [own.create('INTEGER', depth)],
        exact(({ n }) => toFraction(n < 0n ? -n : n)),
      ),
    () =>
      createStrict(
        'INTEGER',
        '(-$1)',
        [own.create('INTEGER', depth)],
        exact(({ n, d }) => ({ n: -n, d })),
      ),
    () =>
      createStrict(
        'INTEGER',
        'SIGN($1)',
        [own.create(random.pick<DataType>(['INTEGER', 'DECIMAL', 'FLOAT']), depth)],
        (value) => toFraction(compareValues(value, isFloat(value) ? 0 : toFraction(0))),
      ),
    () =>
      createStrict('INTEGER', 'LENGTH($1)', [own.create('TEXT', depth)], (value) =>
        toFraction(points(value).length),
      ),
    () =>
      createStrict(
        'INTEGER',
        'STRPOS($1, $2)',
        [own.create('TEXT', depth), own.createLeaf('TEXT')],
        (value, part) => {
          const at = (value as string).indexOf(part as string);
          return toFraction(at < 0 ? 0 : points((value as string).slice(0, at)).length + 1);
        },
      ),
    () =>
      createStrict(
        'INTEGER',
        'CAST($1 AS integer)',
        [own.create('DECIMAL', depth)],
        exact((value) => round(value, 0)),
      ),
    () =>
      createStrict('INTEGER', 'CAST($1 AS bigint)', [own.create('FLOAT', depth)], (value) =>
        round(toExact(value as number), 0),
      ),
    () =>
      createStrict('INTEGER', 'CAST(($1) AS integer)', [own.createCondition(depth)], (value) =>
        toFraction(value === true ? 1 : 0),
      ),
    () =>
      createStrict('INTEGER', '($1 - $2)', [day(), day()], (a, b) =>
        toFraction((a as bigint) - (b as bigint)),
      ),
    () => {
      const part = random.pick(Object.keys(DAY_PARTS));
      const isMoment = random.chance(0.4);
      return createStrict(
        'INTEGER',
        `EXTRACT(${part} FROM $1)`,
        [own.create(isMoment ? 'DATETIME' : 'DATE', depth)],
        (value) => toFraction(DAY_PARTS[part]!(isMoment ? toDay(value as bigint) : (value as bigint))),
      );
    },
    () => {
      const part = random.pick(Object.keys(TIME_PARTS));
      return createStrict('INTEGER', `EXTRACT(${part} FROM $1)`, [own.create('DATETIME', depth)], (value) =>
        toFraction(TIME_PARTS[part]!(value as bigint)),
      );
    },
  ])();
}

export function createDecimal(own: Scalars, depth: number): Scalar {
  const { random } = own;
  const one = (template: string, run: (value: Fraction) => Fraction) => () =>
    createStrict('DECIMAL', template, [createExact(own, depth)], (value) => run(value as Fraction));
  return random.pick<() => Scalar>([
    () => createArithmetic(own, 'DECIMAL', depth),
    one('ABS($1)', ({ n, d }) => ({ n: n < 0n ? -n : n, d })),
    one('(-$1)', ({ n, d }) => ({ n: -n, d })),
    one('CEIL($1)', ceil),
    one('FLOOR($1)', floor),
    one('ROUND($1)', (value) => round(value, 0)),
    one('ROUND($1, 1)', (value) => round(value, 1)),
    one('CAST($1 AS numeric(22, 1))', (value) => round(value, 1)),
    () =>
      createStrict(
        'DECIMAL',
        '($1 % $2)',
        [
          createExact(own, depth),
          createLiteralScalar('DECIMAL', toFraction(random.pick([150n, -70n, 300n]), 100n)),
        ],
        (a, b) => findRest(a as Fraction, b as Fraction),
      ),
    () =>
      createStrict('DECIMAL', 'CAST($1 AS numeric(22, 2))', [own.create('INTEGER', depth)], (value) => value),
  ])();
}

/** A decimal that does not come from INTEGER values only. */
function createExact(own: Scalars, depth: number): Scalar {
  const value = own.create('DECIMAL', depth);
  return value.type === 'INTEGER' ? own.createLiteral('DECIMAL') : value;
}

/** Floating-point numbers with few digits, whose sum does not depend on the order. */
export function createFloat(own: Scalars, depth: number): Scalar {
  const float = () => own.create('FLOAT', depth);
  const one = (template: string, run: (value: number) => number) => () =>
    createStrict('FLOAT', template, [float()], (value) => run(value as number));
  return own.random.pick<() => Scalar>([
    () => createStrict('FLOAT', '($1 + $2)', [float(), float()], (a, b) => (a as number) + (b as number)),
    () => createStrict('FLOAT', '($1 - $2)', [float(), float()], (a, b) => (a as number) - (b as number)),
    () =>
      createStrict(
        'FLOAT',
        '($1 * $2)',
        [float(), own.createLiteral('FLOAT')],
        (a, b) => (a as number) * (b as number),
      ),
    one('ABS($1)', Math.abs),
    one('(-$1)', (value) => 0 - value),
    one('CEIL($1)', (value) => Math.ceil(value) + 0),
    one('FLOOR($1)', Math.floor),
    one('ROUND($1)', (value) => toDouble(round(toExact(value), 0))),
  ])();
}

/** A floating-point number with many digits, which only a comparison or a key can use. */
export function createLongFloat(own: Scalars, depth: number): Scalar {
  if (own.random.chance(0.3)) {
    return createStrict('FLOAT', 'ROUND($1, 1)', [own.create('FLOAT', depth)], (value) =>
      toDouble(round(toExact(value as number), 1)),
    );
  }
  const left = createExact(own, depth);
  const right = own.create('INTEGER', depth);
  return createStrict('FLOAT', '($1 / NULLIF($2, 0))', [left, right], (a, b) =>
    (b as Fraction).n === 0n ? null : toFloat(a as Fraction) / toFloat(b as Fraction),
  );
}
