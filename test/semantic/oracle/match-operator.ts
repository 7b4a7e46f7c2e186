import type { DataType } from '../../../src/semantic/model/model.ts';
import type {
  ListOperator,
  Operator,
  RangeOperator,
  ValueOperator,
} from '../../../src/semantic/query/query.ts';
import { parseFraction } from './fraction.ts';
import { compareValues, parseDay, parseMoment, toKey, type Value } from './value.ts';

interface Field {
  readonly type: DataType;
  readonly caseSensitive: boolean;
}

const DAY_US = 86_400_000_000n;

/** Parses an operand as a value of the field's type. */
function parseOperand(text: string, type: DataType): Value {
  switch (type) {
    case 'TEXT':
      return text;
    case 'INTEGER':
    case 'NUMBER':
    case 'DECIMAL':
      return parseFraction(text);
    case 'FLOAT':
      return Number(text);
    case 'BOOLEAN':
      return text === 'true';
    case 'DATE':
      return parseDay(text);
    case 'DATETIME':
      return parseMoment(text);
  }
}

const FINDS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  CONTAINS: (text, part) => text.includes(part),
  STARTS_WITH: (text, part) => text.startsWith(part),
  ENDS_WITH: (text, part) => text.endsWith(part),
};

function matchesOne(type: ListOperator, operand: string, value: Value, field: Field): boolean {
  const find = FINDS[type];
  if (find === undefined) return toKey(value) === toKey(parseOperand(operand, field.type));
  const fold = (text: string) => (field.caseSensitive ? text : text.toLowerCase());
  return find(fold(value as string), fold(operand));
}

/** The start and end of an operand; a date means its whole day. */
function toSpan(operand: string, type: DataType): readonly [start: bigint, end: bigint] {
  if (type === 'DATE') return [parseDay(operand), parseDay(operand) + 1n];
  const start = parseMoment(operand);
  return [start, operand.length === 10 ? start + DAY_US : start + 1n];
}

function isInRange([from = '', to = '']: readonly string[], value: bigint, type: DataType): boolean {
  return value >= toSpan(from, type)[0] && value < toSpan(to, type)[1];
}

function compares(type: ValueOperator, operand: string, value: Value, field: DataType): boolean {
  switch (type) {
    case 'BEFORE_DATE':
      return (value as bigint) < toSpan(operand, field)[0];
    case 'AFTER_DATE':
      return (value as bigint) >= toSpan(operand, field)[1];
    case 'BEFORE_OR_ON_DATE':
      return (value as bigint) < toSpan(operand, field)[1];
    case 'AFTER_OR_ON_DATE':
      return (value as bigint) >= toSpan(operand, field)[0];
  }
  const order = compareValues(value, parseOperand(operand, field));
  if (type === 'GREATER_THAN') return order > 0;
  if (type === 'GREATER_THAN_OR_EQUAL') return order >= 0;
  return type === 'LESS_THAN' ? order < 0 : order <= 0;
}

/**
 * Whether a value satisfies an operator (docs/reference/semantic-queries.md#operators): complements keep NULL, all
 * other operators drop it.
 */
export function matchesOperator(operator: Operator, value: Value, field: Field): boolean {
  if (operator.type === 'IS_NULL') return value === null;
  if (operator.type === 'IS_NOT_NULL') return value !== null;
  if (!('values' in operator)) {
    if (!('value' in operator)) throw new Error(`no operand: ${operator.type}`);
    return value !== null && compares(operator.type, operator.value, value, field.type);
  }
  const { type, values } = operator;
  const isComplement = /^NOT_/.test(type);
  if (value === null) return isComplement;
  const positive = type.replace(/^NOT_/, '') as ListOperator | RangeOperator;
  const found =
    positive === 'IN_DATE_RANGE'
      ? isInRange(values, value as bigint, field.type)
      : values.some((operand) => matchesOne(positive as ListOperator, operand, value, field));
  return found !== isComplement;
}
