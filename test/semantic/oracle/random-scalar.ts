import type { DataType } from '../../../src/semantic/model/model.ts';
import type { FieldRef } from '../../../src/semantic/query/query.ts';
import { toFraction } from './fraction.ts';
import type { Random } from './random.ts';
import { createCondition } from './random-condition.ts';
import { createDate, createMoment } from './random-date.ts';
import { createDecimal, createFloat, createInteger } from './random-number.ts';
import { createText } from './random-text.ts';
import {
  createFieldScalar,
  createLiteralScalar,
  createScalar,
  findType,
  type Scalar,
  type Scalars,
} from './scalar.ts';
import { compareValues, parseDay, parseMoment, toKey, type Value } from './value.ts';

/** A dimension that an expression can use. */
export interface TypedField {
  readonly ref: FieldRef;
  readonly type: DataType;
}

const TEXTS = [
  'red',
  'Red',
  '',
  'e',
  "it's",
  'a%b',
  'a_b',
  'back\\slash',
  ' red',
  'É',
  '💛',
  'two\nlines',
  'x!y',
];
const DAYS = ['2023-12-31', '2024-01-31', '2024-02-29', '2024-03-31'];

/** Random expressions over dimensions, with their values. */
export class RandomScalars implements Scalars {
  readonly random: Random;
  readonly #fields: readonly TypedField[];

  constructor(random: Random, fields: readonly TypedField[]) {
    this.random = random;
    this.#fields = fields;
  }

  /** An expression of a type, with a maximum depth. */
  create(type: DataType, depth: number): Scalar {
    const random = this.random;
    if (depth <= 0 || random.chance(0.15)) return this.createLeaf(type);
    const makers: Readonly<Record<DataType, () => Scalar>> = {
      TEXT: () => createText(this, depth - 1),
      INTEGER: () => createInteger(this, depth - 1),
      NUMBER: () => createDecimal(this, depth - 1),
      DECIMAL: () => createDecimal(this, depth - 1),
      FLOAT: () => createFloat(this, depth - 1),
      DATE: () => createDate(this, depth - 1),
      DATETIME: () => createMoment(this, depth - 1),
      BOOLEAN: () => this.createCondition(depth - 1),
    };
    return random.chance(0.25) ? this.#createConditional(type, depth - 1) : makers[type]();
  }

  createLeaf(type: DataType): Scalar {
    const random = this.random;
    const wanted = type === 'DECIMAL' ? ['DECIMAL', 'NUMBER'] : [type];
    const fields = this.#fields.filter((field) => wanted.includes(field.type));
    if (fields.length === 0 || random.chance(0.15)) return this.createLiteral(type);
    const { ref, type: own } = random.pick(fields);
    return createFieldScalar(ref, own);
  }

  createLiteral(type: DataType): Scalar {
    const random = this.random;
    const values: Readonly<Record<DataType, () => Value>> = {
      TEXT: () => random.pick(TEXTS),
      INTEGER: () => toFraction(random.int(9) - 3),
      NUMBER: () => toFraction(BigInt(random.int(900) - 100), 100n),
      DECIMAL: () => toFraction(BigInt(random.int(900) - 100), 100n),
      FLOAT: () => (random.int(16) - 6) / 4,
      DATE: () => parseDay(random.pick(DAYS)),
      DATETIME: () => parseMoment(`${random.pick(DAYS)}T12:30:00`),
      BOOLEAN: () => random.chance(0.5),
    };
    return createLiteralScalar(type, values[type]());
  }

  createWhole(least: number, most: number): Scalar {
    return createLiteralScalar('INTEGER', toFraction(least + this.random.int(most - least + 1)));
  }

  /** Two values that can be compared or have a common type. */
  createPair(
    depth: number,
    type = this.random.pick<DataType>(['TEXT', 'INTEGER', 'DECIMAL', 'FLOAT', 'DATE', 'DATETIME']),
  ) {
    const random = this.random;
    const isNumber = ['INTEGER', 'DECIMAL', 'FLOAT'].includes(type);
    const other =
      isNumber && random.chance(0.4) ? random.pick<DataType>(['INTEGER', 'DECIMAL', 'FLOAT']) : type;
    return [this.create(type, depth), this.create(other, depth)] as const;
  }

  /** A condition, which can be unknown. */
  createCondition(depth: number): Scalar {
    return createCondition(this, depth);
  }

  /** CASE, COALESCE, NULLIF, GREATEST and LEAST; numbers only of one type, so that the result has it. */
  #createConditional(type: DataType, depth: number): Scalar {
    const random = this.random;
    const [a, b] = [this.create(type, depth), this.create(type, depth)];
    const own = findType([a, b]);
    const choose = (name: string, sign: number) =>
      createScalar(own, `${name}($1, $2)`, [a, b], (x, y) => {
        if (x === null || y === null) return x ?? y;
        return compareValues(x, y) * sign >= 0 ? x : y;
      });
    return random.pick<() => Scalar>([
      () => {
        const when = this.createCondition(depth);
        return createScalar(own, 'CASE WHEN $1 THEN $2 ELSE $3 END', [when, a, b], (test, x, y) =>
          test === true ? x! : y!,
        );
      },
      () => {
        const when = this.createCondition(depth);
        return createScalar(a.type, 'CASE WHEN $1 THEN $2 END', [when, a], (test, x) =>
          test === true ? x! : null,
        );
      },
      () => createScalar(own, 'COALESCE($1, $2)', [a, b], (x, y) => x ?? y!),
      () =>
        createScalar(a.type, 'NULLIF($1, $2)', [a, b], (x, y) =>
          x !== null && toKey(x!) === toKey(y!) ? null : x!,
        ),
      ...(type === 'BOOLEAN' ? [] : [() => choose('GREATEST', 1), () => choose('LEAST', -1)]),
    ])();
  }
}
