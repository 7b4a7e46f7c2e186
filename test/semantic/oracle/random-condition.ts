import type { DataType } from '../../../src/semantic/model/model.ts';
import { createLongFloat } from './random-number.ts';
import {
  convertNumber,
  createLiteralScalar,
  createScalar,
  createStrict,
  type Scalar,
  type Scalars,
} from './scalar.ts';
import { compareValues, type Value } from './value.ts';

const DAY_US = 86_400_000_000n;

const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Compares two values that are not NULL; with a DATETIME, a date is its midnight. */
function order(a: Value, b: Value, types: readonly [DataType, DataType]): number {
  const isFloating = types.includes('FLOAT');
  const isMoment = types.includes('DATETIME');
  const convert = (value: Value, type: DataType) =>
    isMoment && type === 'DATE'
      ? (value as bigint) * DAY_US
      : isFloating
        ? convertNumber(value, 'FLOAT')
        : value;
  return compareValues(convert(a, types[0]), convert(b, types[1]));
}

/** True, false, or NULL if it is unknown. */
type Truth = boolean | null;
const not = (value: Truth) => (value === null ? null : !value);
function combine(parts: readonly Truth[], decisive: boolean): Truth {
  if (parts.includes(decisive)) return decisive;
  return parts.includes(null) ? null : !decisive;
}
const isEqual = (a: Value, b: Value, types: readonly [DataType, DataType]): Truth =>
  a === null || b === null ? null : order(a, b, types) === 0;

function createLike(own: Scalars, depth: number): Scalar {
  const { random } = own;
  const escapedBy = random.chance(0.3) ? '!' : '\\';
  const pieces = Array.from({ length: random.int(5) }, () =>
    random.pick([
      '%',
      '_',
      '%',
      'e',
      'r',
      'Red',
      `${escapedBy}%`,
      `${escapedBy}_`,
      `${escapedBy}${escapedBy}`,
      "'",
      ' ',
    ]),
  );
  const [ignoresCase, isNegated] = [random.chance(0.4), random.chance(0.3)];
  const source = pieces.map((piece) =>
    piece === '%'
      ? '.*'
      : piece === '_'
        ? '.'
        : piece.slice(piece.startsWith(escapedBy) ? 1 : 0).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const pattern = new RegExp(`^${fold(source.join(''))}$`, 'su');
  const written = pieces.join('').replaceAll("'", "''");
  const word = `${isNegated ? 'NOT ' : ''}${ignoresCase ? 'ILIKE' : 'LIKE'}`;
  const given = escapedBy === '!' ? " ESCAPE '!'" : '';
  return createStrict(
    'BOOLEAN',
    `($1 ${word} '${written.replaceAll('$', '$$$$')}'${given})`,
    [own.create('TEXT', depth)],
    (value) => pattern.test(fold(value as string)) !== isNegated,
  );
}

/** A condition, which can be unknown. */
export function createCondition(own: Scalars, depth: number): Scalar {
  const { random } = own;
  const condition = () => (depth > 0 ? own.createCondition(depth - 1) : own.createLeaf('BOOLEAN'));
  const logical = (word: string, decisive: boolean) => () =>
    createScalar('BOOLEAN', `($1 ${word} $2)`, [condition(), condition()], (a, b) =>
      combine([a as Truth, b as Truth], decisive),
    );
  const is = (words: string, run: (value: Value) => boolean) => () =>
    createScalar('BOOLEAN', `(($1) ${words})`, [condition()], (value) => run(value!));
  const isNull = (words: string, wanted: boolean) => () =>
    createScalar(
      'BOOLEAN',
      `($1 ${words})`,
      [own.createPair(depth)[0]],
      (value) => (value === null) === wanted,
    );
  const compared = () => {
    const op = random.pick(Object.keys(HOLDS));
    const isLong = random.chance(0.1);
    const [a, b] = isLong
      ? [createLongFloat(own, depth), own.create('DECIMAL', depth)]
      : own.createPair(depth);
    const other = a.type === 'DATE' && random.chance(0.2) ? own.create('DATETIME', depth) : b;
    return createStrict('BOOLEAN', `($1 ${op} $2)`, [a, other], (x, y) =>
      HOLDS[op]!(order(x, y, [a.type, other.type])),
    );
  };
  return random.pick<() => Scalar>([
    compared,
    compared,
    compared,
    () => createLike(own, depth),
    () => createLike(own, depth),
    logical('AND', false),
    logical('OR', true),
    () => createScalar('BOOLEAN', '(NOT $1)', [condition()], (value) => not(value as Truth)),
    isNull('IS NULL', true),
    isNull('IS NOT NULL', false),
    is('IS TRUE', (value) => value === true),
    is('IS NOT TRUE', (value) => value !== true),
    is('IS FALSE', (value) => value === false),
    () => createList(own, depth),
    () => {
      const [a, b] = own.createPair(depth);
      const c = own.create(b.type, depth);
      return createScalar('BOOLEAN', '($1 BETWEEN $2 AND $3)', [a, b, c], (x, low, high) => {
        const [above, below] = [low, high].map((bound, at) =>
          x === null || bound === null ? null : order(x!, bound!, [a.type, (at === 0 ? b : c).type]),
        );
        return combine([above === null ? null : above! >= 0, below === null ? null : below! <= 0], false);
      });
    },
    () => {
      const [a, b] = own.createPair(depth);
      const isNegated = random.chance(0.5);
      return createScalar('BOOLEAN', `($1 IS ${isNegated ? 'NOT ' : ''}DISTINCT FROM $2)`, [a, b], (x, y) => {
        const isSame = x === null || y === null ? x === y : order(x!, y!, [a.type, b.type]) === 0;
        return isSame === isNegated;
      });
    },
  ])();
}

/** IN with literals, other values and NULL. */
function createList(own: Scalars, depth: number): Scalar {
  const { random } = own;
  const [first] = own.createPair(depth);
  const others = Array.from({ length: 1 + random.int(3) }, () =>
    random.chance(0.6)
      ? own.createLiteral(first.type)
      : random.chance(0.3)
        ? createLiteralScalar(first.type, null)
        : own.create(first.type, depth),
  );
  const isNegated = random.chance(0.4);
  const list = others.map((_, at) => `$${at + 2}`).join(', ');
  return createScalar(
    'BOOLEAN',
    `($1 ${isNegated ? 'NOT ' : ''}IN (${list}))`,
    [first, ...others],
    (value, ...values) => {
      const found = combine(
        values.map((one, at) => isEqual(value!, one, [first.type, others[at]!.type])),
        true,
      );
      return isNegated ? not(found) : found;
    },
  );
}
