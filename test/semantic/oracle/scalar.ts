import type { DataType } from '../../../src/semantic/model/model.ts';
import type { FieldRef } from '../../../src/semantic/query/query.ts';
import { type Fraction, printDecimal, toDouble } from './fraction.ts';
import { NoAnswer } from './join-tree.ts';
import type { Random } from './random.ts';
import { printDay, printMoment, type Value } from './value.ts';

/** Reads a dimension in a joined row. */
export type ReadField = (ref: FieldRef) => Value;

/** An expression of Semantic SQL over the dimensions of a world, with its value. */
export interface Scalar {
  readonly type: DataType;
  /** The dimensions in it. */
  readonly fields: readonly FieldRef[];
  print(printField: (ref: FieldRef) => string): string;
  evaluate(read: ReadField): Value;
}

/** Creates random expressions with a maximum `depth`. */
export interface Scalars {
  readonly random: Random;
  create(type: DataType, depth: number): Scalar;
  createLeaf(type: DataType): Scalar;
  createLiteral(type: DataType): Scalar;
  /** A literal integer. */
  createWhole(least: number, most: number): Scalar;
  /** Two values that can be compared or have a common type. */
  createPair(depth: number): readonly [Scalar, Scalar];
  createCondition(depth: number): Scalar;
}

/** Computes a result from several values, including NULLs: some functions are not NULL if one of them is. */
type Run = (...values: Value[]) => Value;

export function createFieldScalar(ref: FieldRef, type: DataType): Scalar {
  return { type, fields: [ref], print: (printField) => printField(ref), evaluate: (read) => read(ref) };
}

/** A function with its template (`$1` is the first argument) and its implementation, which can receive NULLs. */
export function createScalar(type: DataType, template: string, parts: readonly Scalar[], run: Run): Scalar {
  return {
    type,
    fields: parts.flatMap(({ fields }) => fields),
    print(printField) {
      return template.replaceAll(/\$(\d)/g, (_, place: string) =>
        parts[Number(place) - 1]!.print(printField),
      );
    },
    evaluate: (read) => run(...parts.map((part) => part.evaluate(read))),
  };
}

type Known = Exclude<Value, null>;

/** Like `createScalar`, for a function that is NULL if any argument is NULL. */
export function createStrict(
  type: DataType,
  template: string,
  parts: readonly Scalar[],
  run: (...values: Known[]) => Value,
): Scalar {
  return createScalar(type, template, parts, (...values) =>
    values.includes(null) ? null : run(...(values as Known[])),
  );
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

const LITERALS: Readonly<Record<DataType, (value: Value) => string>> = {
  TEXT: (value) => quote(String(value)),
  INTEGER: (value) => printDecimal(value as Fraction, 0),
  NUMBER: (value) => printDecimal(value as Fraction, 2),
  DECIMAL: (value) => printDecimal(value as Fraction, 2),
  FLOAT: (value) => `CAST(${value} AS double precision)`,
  DATE: (value) => `DATE '${printDay(value as bigint)}'`,
  DATETIME: (value) => `TIMESTAMP '${printMoment(value as bigint).replace('T', ' ')}'`,
  BOOLEAN: (value) => String(value).toUpperCase(),
};

/** A literal. */
export function createLiteralScalar(type: DataType, value: Value): Scalar {
  const text = value === null ? 'NULL' : LITERALS[type](value);
  const printed = text.startsWith('-') ? `(${text})` : text;
  return { type, fields: [], print: () => printed, evaluate: () => value };
}

const NUMBERS: ReadonlySet<DataType> = new Set(['INTEGER', 'NUMBER', 'DECIMAL', 'FLOAT']);

/** Converts a number to floating-point; platforms differ in the last digit of numbers with too many digits. */
export function toFloat(value: Fraction): number {
  if (value.n > MAX_EXACT || value.n < -MAX_EXACT) throw new NoAnswer('unspecified', 'too many digits');
  return toDouble(value);
}

const MAX_EXACT = 2n ** 53n;

/** Converts a number to a type that can hold it. */
export function convertNumber(value: Value, type: DataType): Value {
  return type === 'FLOAT' && value !== null && typeof value === 'object' ? toFloat(value) : value;
}

/** The common type of numbers, or the type of values of one type. */
export function findType(scalars: readonly Scalar[]): DataType {
  const types = scalars.map(({ type }) => type);
  if (!types.every((type) => NUMBERS.has(type)) || new Set(types).size === 1) return types[0]!;
  return types.includes('FLOAT') ? 'FLOAT' : 'DECIMAL';
}
