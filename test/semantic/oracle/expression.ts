import type { DataType, Platform } from '../../../src/semantic/model/model.ts';
import { add, type Fraction, multiply, printDecimal, subtract } from './fraction.ts';
import { compareValues, printDay, printMoment, type Value } from './value.ts';

/** The SQL that the oracle understands, which the models of the tests use. */
export type Expression =
  | { readonly kind: 'column'; readonly name: string; readonly entity?: string }
  | { readonly kind: 'literal'; readonly type: DataType; readonly value: Value }
  | {
      readonly kind: 'arithmetic';
      readonly op: '+' | '-' | '*';
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'coalesce'; readonly of: Expression; readonly otherwise: Expression }
  | {
      readonly kind: 'case';
      readonly when: Condition;
      readonly result: Expression;
      readonly otherwise: Expression | null;
    }
  | { readonly kind: 'upper'; readonly of: Expression }
  /** A condition as a value, which can be NULL. */
  | { readonly kind: 'test'; readonly of: Condition }
  /** With a comment up to the end of the line. */
  | { readonly kind: 'commented'; readonly of: Expression };

export type Condition =
  | {
      readonly kind: 'compare';
      readonly op: '=' | '<' | '<=' | '>' | '>=' | '<>';
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'is null' | 'is not null'; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] };

/** Returns the value of a column, of an entity if the expression names one. */
type Lookup = (name: string, entity: string | undefined) => Value;

export const column = (name: string, entity?: string): Expression =>
  entity === undefined ? { kind: 'column', name } : { kind: 'column', name, entity };

export const literal = (type: DataType, value: Value): Expression => ({ kind: 'literal', type, value });

export const equal = (left: Expression, right: Expression): Condition => ({
  kind: 'compare',
  op: '=',
  left,
  right,
});

function calculate(op: '+' | '-' | '*', left: Value, right: Value): Value {
  if (left === null || right === null) return null;
  if (typeof left === 'number' && typeof right === 'number') {
    return op === '+' ? left + right : op === '-' ? left - right : left * right;
  }
  const run = { '+': add, '-': subtract, '*': multiply }[op];
  return run(left as Fraction, right as Fraction);
}

/** Evaluates an expression. */
export function evaluate(expression: Expression, lookup: Lookup): Value {
  switch (expression.kind) {
    case 'column':
      return lookup(expression.name, expression.entity);
    case 'literal':
      return expression.value;
    case 'arithmetic':
      return calculate(expression.op, evaluate(expression.left, lookup), evaluate(expression.right, lookup));
    case 'coalesce':
      return evaluate(expression.of, lookup) ?? evaluate(expression.otherwise, lookup);
    case 'case':
      if (isTrue(expression.when, lookup)) return evaluate(expression.result, lookup);
      return expression.otherwise === null ? null : evaluate(expression.otherwise, lookup);
    case 'upper':
      return (evaluate(expression.of, lookup) as string | null)?.toUpperCase() ?? null;
    case 'test':
      return decide(expression.of, lookup);
    case 'commented':
      return evaluate(expression.of, lookup);
  }
}

const HOLDS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Whether a condition is true; null if that is unknown. */
function decide(condition: Condition, lookup: Lookup): boolean | null {
  switch (condition.kind) {
    case 'compare': {
      const [left, right] = [evaluate(condition.left, lookup), evaluate(condition.right, lookup)];
      return left === null || right === null ? null : HOLDS[condition.op]!(compareValues(left, right));
    }
    case 'is null':
      return evaluate(condition.of, lookup) === null;
    case 'is not null':
      return evaluate(condition.of, lookup) !== null;
    default: {
      const parts = condition.parts.map((part) => decide(part, lookup));
      const decisive = condition.kind === 'or';
      if (parts.includes(decisive)) return decisive;
      return parts.includes(null) ? null : !decisive;
    }
  }
}

/** Whether a condition is known to be true. */
export const isTrue = (condition: Condition, lookup: Lookup) => decide(condition, lookup) === true;

const LITERALS: Readonly<Record<DataType, (value: Value) => string>> = {
  TEXT: (value) => `'${String(value).replaceAll("'", "''")}'`,
  INTEGER: (value) => printDecimal(value as Fraction, 0),
  NUMBER: (value) => printDecimal(value as Fraction, 2),
  DECIMAL: (value) => printDecimal(value as Fraction, 2),
  FLOAT: (value) => `${value}e0`,
  DATE: (value) => `DATE '${printDay(value as bigint)}'`,
  DATETIME: (value) => `TIMESTAMP '${printMoment(value as bigint).replace('T', ' ')}'`,
  BOOLEAN: (value) => String(value).toUpperCase(),
};

/** Prints a value as SQL. Where a backslash escapes, as on MariaDB, texts must not contain one. */
export function printLiteral(type: DataType, value: Value, platform: Platform): string {
  if (value === null) return 'NULL';
  const isClickHouse = platform === 'clickhouse';
  // A plain number with a decimal point is floating-point.
  if (isClickHouse && type === 'DECIMAL') return `toDecimal64('${LITERALS[type](value)}', 2)`;
  if (type !== 'TEXT' || !['bigquery', 'clickhouse', 'databricks'].includes(platform))
    return LITERALS[type](value);
  return `'${String(value).replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

/** A name, in quotes if needed. */
export function printName(name: string, platform: Platform): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return name;
  return ['mysql', 'bigquery', 'databricks'].includes(platform) ? `\`${name}\`` : `"${name}"`;
}

/** An entity's name before a column: capitals need no quotes in a model. */
const printQualifier = (name: string, platform: Platform) =>
  /^\w+$/.test(name) ? name : printName(name, platform);

/** Prints an expression as a model author writes it. */
export function printExpression(expression: Expression, platform: Platform): string {
  const print = (part: Expression) => printExpression(part, platform);
  switch (expression.kind) {
    case 'column': {
      const name = printName(expression.name, platform);
      return expression.entity === undefined
        ? name
        : `${printQualifier(expression.entity, platform)}.${name}`;
    }
    case 'literal':
      return printLiteral(expression.type, expression.value, platform);
    case 'arithmetic':
      return `${print(expression.left)} ${expression.op} ${print(expression.right)}`;
    case 'coalesce':
      return `COALESCE(${print(expression.of)}, ${print(expression.otherwise)})`;
    case 'case': {
      const otherwise = expression.otherwise === null ? '' : ` ELSE ${print(expression.otherwise)}`;
      return `CASE WHEN ${printCondition(expression.when, platform)} THEN ${print(expression.result)}${otherwise} END`;
    }
    case 'upper':
      return `${platform === 'clickhouse' ? 'upperUTF8' : 'UPPER'}(${print(expression.of)})`;
    case 'test':
      return printCondition(expression.of, platform);
    case 'commented':
      return `${print(expression.of)} -- as "it's" written`;
  }
}

/** Prints a condition as a model author writes it. */
export function printCondition(condition: Condition, platform: Platform): string {
  switch (condition.kind) {
    case 'compare': {
      const { left, op, right } = condition;
      return `${printExpression(left, platform)} ${op} ${printExpression(right, platform)}`;
    }
    case 'is null':
    case 'is not null':
      return `${printExpression(condition.of, platform)} ${condition.kind.toUpperCase()}`;
    case 'and':
      return condition.parts.map((part) => printPart(part, platform)).join(' AND ');
    case 'or':
      return condition.parts.map((part) => printPart(part, platform)).join(' OR ');
  }
}

function printPart(part: Condition, platform: Platform): string {
  const text = printCondition(part, platform);
  return part.kind === 'and' || part.kind === 'or' ? `(${text})` : text;
}
