import { elementAt, notNull } from '../../invariants/must.ts';
import { isKeyOf } from '../../invariants/narrow.ts';
import { semanticErrors } from '../errors.ts';
import type { CastExpression, QueryName, TypedCall, TypedExpression } from '../expression/expression.ts';
import { isNullLiteral } from '../expression/walk-expression.ts';
import type { ValueType } from '../model/model.ts';
import type { Dialect } from '../sql/dialect.ts';
import {
  createSqlCast,
  type Literal,
  type Pattern,
  type RelationalOperator,
  type Select,
  type SqlExpr,
} from '../sql/nodes.ts';
import { writeLocal, writeMoment } from './write-date.ts';
import { writeInQuery } from './write-in-query.ts';
import { writeWindow } from './write-window.ts';

/** The inputs for writing an expression as SQL. */
export interface Writing<Field> {
  readonly dialect: Dialect;
  readonly writeField: (field: Field) => SqlExpr;
  /** The SELECT of a sub-query with one column. */
  readonly writeQuery: (name: QueryName) => Select;
}

const TRUE: SqlExpr = { kind: 'literal', type: 'boolean', text: 'true' };
const FALSE: SqlExpr = { kind: 'literal', type: 'boolean', text: 'false' };
const NULL: SqlExpr = { kind: 'no-value', type: null };
const number = (text: string): SqlExpr => ({ kind: 'number', text });
const equal = (left: SqlExpr, right: SqlExpr): SqlExpr => ({ kind: 'compare', op: '=', left, right });
const isNull = (expr: SqlExpr): SqlExpr => ({ kind: 'null', expr, negated: false });

/** Writes an expression as a value (docs/reference/semantic-sql-functions.md). */
export function writeValue<Field>(expression: TypedExpression<Field>, writing: Writing<Field>): SqlExpr {
  switch (expression.kind) {
    case 'field':
      return writing.writeField(expression.field);
    case 'literal': {
      const value = expression.value ?? NULL;
      const isText =
        writing.dialect.mixesMoments && value.kind === 'literal' && isTimeType(expression.dataType);
      return isText ? createSqlCast(value, 'DATETIME') : value;
    }
    case 'call':
      return expression.dataType === 'BOOLEAN' && !BOOLEAN_VALUES.has(expression.name)
        ? toValue(expression, writing)
        : writeCall(expression, writing);
    case 'case': {
      const { branches, otherwise, dataType } = expression;
      return {
        kind: 'choice',
        branches: branches.map(({ when, value }) => ({
          when: writeCondition(when, writing),
          value: writeAs(value, dataType, writing),
        })),
        otherwise: otherwise && writeAs(otherwise, dataType, writing),
      };
    }
    case 'cast':
      return writeCast(expression, writing);
    case 'grain':
      return { kind: 'grain', unit: expression.unit, expr: writeDate(expression.of, writing) };
    case 'local':
      return writeLocal(expression, writeValue(expression.of, writing), writing.dialect, true);
    case 'moment':
      return writeMoment(expression, writeValue(expression.of, writing), writing.dialect);
    case 'window':
      return writeWindow(expression, writing, (part) => writeValue(part, writing));
    case 'query':
      return { kind: 'query', select: writing.writeQuery(expression.query) };
    case 'in query':
    case 'exists':
      return toValue(expression, writing);
    case 'aggregate':
      throw semanticErrors.resultOnly(expression.kind);
  }
}

/** Writes an expression as a result column: a bare NULL gets a type. */
export function writeItem<Field>(value: TypedExpression<Field>, writing: Writing<Field>): SqlExpr {
  return isNullLiteral(value) ? { kind: 'no-value', type: value.dataType } : writeValue(value, writing);
}

/** BOOLEAN calls whose SQL is a value and not a condition. */
const BOOLEAN_VALUES: ReadonlySet<TypedCall<never>['name']> = new Set([
  'COALESCE',
  'NULLIF',
  'GREATEST',
  'LEAST',
] as const);

/** Writes a BOOLEAN expression where SQL expects a condition, as in WHERE. */
export function writeCondition<Field>(expression: TypedExpression<Field>, writing: Writing<Field>): SqlExpr {
  if (isTest(expression)) return writeTest(expression, writing);
  const value = writeValue(expression, writing);
  return writing.dialect.hasConditions ? value : equal(value, TRUE);
}

/** Writes a condition where false and unknown have the same effect. */
export function writeFilter<Field>(expression: TypedExpression<Field>, writing: Writing<Field>): SqlExpr {
  if (expression.kind === 'in query') {
    return writeInQuery(expression, writeValue(expression.of, writing), writing, false);
  }
  if (expression.kind !== 'call' || expression.name !== 'AND') return writeCondition(expression, writing);
  return { kind: 'and', parts: expression.args.map((arg) => writeFilter(arg, writing)) };
}

type TestExpression<Field> = Extract<TypedExpression<Field>, { kind: 'call' | 'in query' | 'exists' }>;

function isTest<Field>(expression: TypedExpression<Field>): expression is TestExpression<Field> {
  const { kind } = expression;
  if (kind === 'call') return !BOOLEAN_VALUES.has(expression.name);
  return kind === 'in query' || kind === 'exists';
}

/** Converts a condition to a value, three-valued where it can be unknown. */
function toValue<Field>(expression: TestExpression<Field>, writing: Writing<Field>): SqlExpr {
  const condition = writeTest(expression, writing);
  if (writing.dialect.hasConditions) return condition;
  const yes = { when: condition, value: TRUE };
  if (!expression.nullable) return { kind: 'choice', branches: [yes], otherwise: FALSE };
  const no = { when: negate(condition), value: FALSE };
  return { kind: 'choice', branches: [yes, no], otherwise: null };
}

/** Writes a date or time for its truncation, or for one of its parts. */
function writeDate<Field>(expression: TypedExpression<Field>, writing: Writing<Field>): SqlExpr {
  return expression.kind === 'local'
    ? writeLocal(expression, writeValue(expression.of, writing), writing.dialect, false)
    : writeValue(expression, writing);
}

/** Writes a value with the type of the values it is combined with: some platforms do not find a common type. */
function writeAs<Field>(
  expression: TypedExpression<Field>,
  type: ValueType,
  writing: Writing<Field>,
): SqlExpr {
  const value = writeValue(expression, writing);
  const { dialect } = writing;
  if (!dialect.alignsNumbers) {
    if (type === 'DECIMAL' || type === 'NUMBER') return createSqlCast(value, 'NUMBER');
    if (type === 'INTEGER' && value.kind !== 'literal') return createSqlCast(value, type);
  }
  if (value.kind === 'literal') return toFloating(value, type);
  const isTime = isTimeType(type);
  if (expression.kind === 'literal' || (type !== 'FLOAT' && !isTime)) return value;
  const isOther = expression.dataType !== type || (isTime && dialect.mixesMoments);
  return !isOther || value.kind === 'cast' ? value : createSqlCast(value, type);
}

/** Writes a literal number as floating-point where that type is wanted. */
function toFloating(literal: Literal, type: ValueType): Literal {
  if (type !== 'FLOAT' || literal.type !== 'number') return literal;
  return { kind: 'literal', type: 'float', text: `${literal.text}e0` };
}

function writeCall<Field>(expression: TypedCall<Field>, writing: Writing<Field>): SqlExpr {
  const { name, args, dataType } = expression;
  const write = (arg: TypedExpression<Field>) => writeAs(arg, dataType, writing);
  switch (name) {
    case 'COALESCE':
      return { kind: 'coalesce', args: args.map(write) };
    case 'GREATEST':
    case 'LEAST':
      return args.map(write).reduce((left, right) => chooseOne(name, left, right, dataType));
    case 'NULLIF':
      return writeNullIf(args, dataType, writing);
    case 'CONCAT':
      return args.map((arg) => writeOrEmpty(arg, writing)).reduce(concat);
    default:
      if (isKeyOf(TESTS, name)) throw new Error(`${name} is a condition`);
      return {
        kind: 'call',
        name,
        // A part of a date is an INTEGER.
        args: args.map((arg) =>
          dataType === 'INTEGER' ? writeDate(arg, writing) : writeValue(arg, writing),
        ),
        types: args.map((arg) => arg.dataType),
      };
  }
}

/** The greater or the lesser of two values. NULL and a value give the value. */
function chooseOne(name: 'GREATEST' | 'LEAST', left: SqlExpr, right: SqlExpr, type: ValueType): SqlExpr {
  const op = name === 'GREATEST' ? '>=' : '<=';
  const when: SqlExpr = { kind: 'or', parts: [compare(op, left, right, type), isNull(right)] };
  return { kind: 'choice', branches: [{ when, value: left }], otherwise: right };
}

function writeNullIf<Field>(
  args: readonly TypedExpression<Field>[],
  dataType: ValueType,
  writing: Writing<Field>,
): SqlExpr {
  const [left, right] = [elementAt(args, 0), elementAt(args, 1)];
  const types = args.map((arg) => arg.dataType);
  if (dataType !== 'TEXT' && !isTimeType(dataType)) {
    return { kind: 'call', name: 'NULLIF', args: args.map((arg) => writeValue(arg, writing)), types };
  }
  const when = writeComparison('=', left, right, writing);
  return { kind: 'choice', branches: [{ when, value: NULL }], otherwise: writeValue(left, writing) };
}

function writeOrEmpty<Field>(arg: TypedExpression<Field>, writing: Writing<Field>): SqlExpr {
  const value = writeValue(arg, writing);
  if (!arg.nullable) return value;
  return { kind: 'coalesce', args: [value, { kind: 'literal', type: 'text', text: '' }] };
}

function concat(left: SqlExpr, right: SqlExpr): SqlExpr {
  return { kind: 'call', name: '||', args: [left, right], types: ['TEXT', 'TEXT'] };
}

function writeCast<Field>({ of, dataType, digits }: CastExpression<Field>, writing: Writing<Field>): SqlExpr {
  const from = of.dataType;
  if (from === 'BOOLEAN') return writeFlag(of, dataType, writing);
  const value = writeValue(of, writing);
  if (from === 'DATE' && dataType === 'TEXT') return { kind: 'date-text', expr: value };
  // Numbers with a fraction are rounded, because some casts truncate.
  const places = dataType === 'INTEGER' ? 0 : (digits?.scale ?? null);
  const isRounded = from !== 'INTEGER' && places !== null;
  const round: SqlExpr = {
    kind: 'call',
    name: 'ROUND',
    args: places === 0 ? [value] : [value, number(String(places))],
    types: [from, 'INTEGER'],
  };
  const isOpen = (dataType === 'DECIMAL' && digits === null) || dataType === 'NUMBER';
  return isOpen ? value : { kind: 'cast', expr: isRounded ? round : value, type: dataType, digits };
}

/** Writes a condition as a text or a number. */
function writeFlag<Field>(of: TypedExpression<Field>, dataType: ValueType, writing: Writing<Field>): SqlExpr {
  const condition = writeCondition(of, writing);
  const toResult = (text: 'true' | 'false'): SqlExpr =>
    dataType === 'TEXT' ? { kind: 'literal', type: 'text', text } : number(text === 'true' ? '1' : '0');
  const yes = { when: condition, value: toResult('true') };
  const no = { when: negate(condition), value: toResult('false') };
  return { kind: 'choice', branches: [yes, no], otherwise: null };
}

type Write = <Field>(args: readonly TypedExpression<Field>[], writing: Writing<Field>) => SqlExpr;

const writeComparisonOf =
  (op: RelationalOperator): Write =>
  (args, writing) =>
    writeComparison(op, elementAt(args, 0), elementAt(args, 1), writing);

const writeParts =
  (kind: 'and' | 'or'): Write =>
  (args, writing) => {
    const parts = args.map((arg) => writeCondition(arg, writing));
    return parts.length === 1 ? elementAt(parts, 0) : { kind, parts };
  };

/** Whether a condition is true (or false); the result is never unknown. */
const writeIs =
  (wanted: boolean): Write =>
  (args, writing) => {
    const condition = writeCondition(elementAt(args, 0), writing);
    const when = wanted ? condition : negate(condition);
    return equal(
      { kind: 'choice', branches: [{ when, value: number('1') }], otherwise: number('0') },
      number('1'),
    );
  };

const writeLike =
  (caseSensitive: boolean): Write =>
  (args, writing) => {
    const pattern = elementAt(args, 1);
    const text = pattern.kind === 'literal' ? notNull(pattern.value).text : '';
    return createLike(writeValue(elementAt(args, 0), writing), readPattern(text), caseSensitive);
  };

/** The portable functions whose SQL is a condition. */
const TESTS = {
  '=': writeComparisonOf('='),
  '<>': writeComparisonOf('<>'),
  '<': writeComparisonOf('<'),
  '<=': writeComparisonOf('<='),
  '>': writeComparisonOf('>'),
  '>=': writeComparisonOf('>='),
  AND: writeParts('and'),
  OR: writeParts('or'),
  NOT: (args, writing) => negate(writeCondition(elementAt(args, 0), writing)),
  IN: writeList,
  BETWEEN: (args, writing) => {
    const [value, from, to] = [elementAt(args, 0), elementAt(args, 1), elementAt(args, 2)];
    const parts = [writeComparison('>=', value, from, writing), writeComparison('<=', value, to, writing)];
    return { kind: 'and', parts };
  },
  'IS NULL': (args, writing) => isNull(writeValue(elementAt(args, 0), writing)),
  'IS TRUE': writeIs(true),
  'IS FALSE': writeIs(false),
  'IS DISTINCT FROM': (args, writing) => {
    const [left, right] = [elementAt(args, 0), elementAt(args, 1)];
    const bothNull: SqlExpr = {
      kind: 'and',
      parts: [isNull(writeValue(left, writing)), isNull(writeValue(right, writing))],
    };
    const when: SqlExpr = { kind: 'or', parts: [writeComparison('=', left, right, writing), bothNull] };
    return equal(
      { kind: 'choice', branches: [{ when, value: number('1') }], otherwise: number('0') },
      number('0'),
    );
  },
  LIKE: writeLike(true),
  ILIKE: writeLike(false),
} as const satisfies Readonly<Record<string, Write>>;

function writeTest<Field>(expression: TestExpression<Field>, writing: Writing<Field>): SqlExpr {
  if (expression.kind === 'exists') {
    return { kind: 'exists', keys: [], select: writing.writeQuery(expression.query) };
  }
  if (expression.kind === 'in query') {
    return writeInQuery(expression, writeValue(expression.of, writing), writing, true);
  }
  const { name, args } = expression;
  return isKeyOf(TESTS, name) ? TESTS[name](args, writing) : NULL;
}

/** Negates a condition; unknown stays unknown. */
function negate(condition: SqlExpr): SqlExpr {
  switch (condition.kind) {
    case 'null':
    case 'in':
    case 'like':
    case 'match':
      return { ...condition, negated: !condition.negated };
    case 'not':
      return condition.expr;
    default:
      return { kind: 'not', expr: condition };
  }
}

function writeComparison<Field>(
  op: RelationalOperator,
  left: TypedExpression<Field>,
  right: TypedExpression<Field>,
  writing: Writing<Field>,
): SqlExpr {
  const sides = [left, right];
  // A literal gets the type of the value it is compared with.
  const isTyped = isTimeType(left.dataType) && sides.every((side) => side.kind !== 'literal');
  const write = (side: TypedExpression<Field>) =>
    isTyped ? writeAs(side, side.dataType, writing) : writeOperand(side, writing);
  return compare(op, write(left), write(right), left.dataType);
}

function isTimeType(type: ValueType): boolean {
  return type === 'DATETIME' || type === 'TIMESTAMP';
}

/** Writes one side of a comparison: BigQuery cannot compare with an untyped NULL. */
function writeOperand<Field>(expression: TypedExpression<Field>, writing: Writing<Field>): SqlExpr {
  if (expression.kind !== 'literal') return writeValue(expression, writing);
  return expression.value ?? { kind: 'no-value', type: expression.dataType };
}

/** Compares two values; texts compare byte by byte. */
function compare(op: RelationalOperator, left: SqlExpr, right: SqlExpr, type: ValueType): SqlExpr {
  const isPlain = type !== 'TEXT' || right.kind === 'literal';
  if (isPlain) return { kind: 'compare', op, left, right };
  const toKey = (expr: SqlExpr): SqlExpr =>
    op === '=' || op === '<>' ? { kind: 'text-key', expr } : { kind: 'ordered', expr };
  return { kind: 'compare', op, left: toKey(left), right: toKey(right) };
}

/**
 * Writes `value IN (...)`: literals with IN, other values and NULL with comparisons, because not all platforms accept
 * those in IN.
 */
function writeList<Field>(args: readonly TypedExpression<Field>[], writing: Writing<Field>): SqlExpr {
  const [value, ...others] = args;
  const first = notNull(value ?? null);
  // ClickHouse does not accept decimals among integers.
  const isOther = ({ type: literalType, text }: Literal) =>
    literalType === 'number' && text.includes('.') && !writing.dialect.alignsNumbers;
  const isPlain = (arg: TypedExpression<Field>) =>
    arg.kind === 'literal' && arg.value !== null && !isOther(arg.value);
  const plain = others.filter(isPlain);
  const list: SqlExpr = {
    kind: 'in',
    expr: isTimeType(first.dataType) ? writeAs(first, first.dataType, writing) : writeOperand(first, writing),
    values: plain.map((arg) => writeOperand(arg, writing)),
    negated: false,
  };
  const equals = others
    .filter((arg) => !isPlain(arg))
    .map((arg) => writeComparison('=', first, arg, writing));
  const parts = plain.length === 0 ? equals : [list, ...equals];
  return parts.length === 1 ? elementAt(parts, 0) : { kind: 'or', parts };
}

/** Parses a pattern in which a backslash escapes. */
function readPattern(text: string): Pattern {
  const pattern: Pattern[number][] = [];
  let plain = '';
  const end = () => {
    if (plain !== '') pattern.push(plain);
    plain = '';
  };
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 1) {
    const character = elementAt(characters, at);
    if (character === '%' || character === '_') {
      end();
      pattern.push({ wild: character === '%' ? 'many' : 'one' });
    } else if (character === '\\') {
      at += 1;
      plain += elementAt(characters, at);
    } else plain += character;
  }
  end();
  return pattern;
}

/** Pattern shapes that equal a simple match, by the kinds of their parts. */
const SHAPES: Readonly<Record<string, 'contains' | 'starts' | 'ends' | undefined>> = {
  'many text many': 'contains',
  'text many': 'starts',
  'many text': 'ends',
};

/** LIKE, or a faster match with the same meaning. */
function createLike(expr: SqlExpr, pattern: Pattern, caseSensitive: boolean): SqlExpr {
  const shape = pattern.map((part) => (typeof part === 'string' ? 'text' : part.wild)).join(' ');
  const how = SHAPES[shape];
  const text = pattern.find((part) => typeof part === 'string');
  if (how !== undefined && text !== undefined) {
    return { kind: 'match', how, expr, text, caseSensitive, negated: false };
  }
  return { kind: 'like', expr, pattern, caseSensitive, negated: false };
}
