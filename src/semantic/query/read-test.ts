import { elementAt } from '../../invariants/must.ts';
import { semanticErrors } from '../errors.ts';
import type { RangeBound, ResolvedFilter, Test } from '../expression/expression.ts';
import { findLastMoment, readLiteral, toDate, toDayStart } from '../expression/read-literal.ts';
import type { FieldUse } from '../model/index/field-use.ts';
import { addDay, findToday, printDay } from '../model/local-time.ts';
import type { ValueType } from '../model/model.ts';
import type { Literal, Match } from '../sql/nodes.ts';
import type { Operator } from './query.ts';
import { type Days, findDays, findRelativeDays, suggestDays } from './relative-days.ts';

type TestCondition = Extract<ResolvedFilter<FieldUse>, { kind: 'test' }>;
type Shape = Pick<TestCondition, 'tests' | 'negated' | 'takesNull'>;
type Read = (field: Field, values: readonly string[]) => readonly Test[];

/** The compared field. */
interface Field {
  readonly name: string;
  readonly type: ValueType;
  readonly timezone: string;
  /** Today's date for words such as `yesterday`; null if such words are not allowed. */
  readonly today: number | null;
}

/** The rule of an operator: its types, its number of operands (null: one or more), and its test. */
interface Rule {
  readonly types: readonly ValueType[];
  readonly operands: number | null;
  readonly negated?: boolean;
  readonly read: Read;
}

const NUMBERS: readonly ValueType[] = ['NUMBER', 'INTEGER', 'FLOAT', 'DECIMAL'];
const DATES: readonly ValueType[] = ['DATE', 'DATETIME'];
const ORDERED: readonly ValueType[] = [...NUMBERS, ...DATES, 'TEXT'];
const ALL: readonly ValueType[] = [...ORDERED, 'BOOLEAN'];

const match = (how: Match, negated = false): Rule => ({
  types: ['TEXT'],
  operands: null,
  negated,
  read: (field, values) => values.map((text) => ({ kind: 'match', how, text: readText(field, text) })),
});
const compare = (op: '<' | '<=' | '>' | '>=', types: readonly ValueType[]): Rule => ({
  types,
  operands: 1,
  read: (field, values) => [{ kind: 'bounds', bounds: [readBound(field, op, elementAt(values, 0))] }],
});

const RULES: Readonly<Record<Operator['type'], Rule>> = {
  EQUALS: { types: ALL, operands: null, read: readEquals },
  NOT_EQUALS: { types: ALL, operands: null, negated: true, read: readEquals },
  CONTAINS: match('contains'),
  NOT_CONTAINS: match('contains', true),
  STARTS_WITH: match('starts'),
  NOT_STARTS_WITH: match('starts', true),
  ENDS_WITH: match('ends'),
  NOT_ENDS_WITH: match('ends', true),
  GREATER_THAN: compare('>', ORDERED),
  GREATER_THAN_OR_EQUAL: compare('>=', ORDERED),
  LESS_THAN: compare('<', ORDERED),
  LESS_THAN_OR_EQUAL: compare('<=', ORDERED),
  IN_DATE_RANGE: { types: DATES, operands: 2, read: readRange },
  NOT_IN_DATE_RANGE: { types: DATES, operands: 2, negated: true, read: readRange },
  BEFORE_DATE: compare('<', DATES),
  AFTER_DATE: compare('>', DATES),
  BEFORE_OR_ON_DATE: compare('<=', DATES),
  AFTER_OR_ON_DATE: compare('>=', DATES),
  IS_NULL: { types: ALL, operands: 0, read: () => [{ kind: 'null' }] },
  IS_NOT_NULL: { types: ALL, operands: 0, negated: true, read: () => [{ kind: 'null' }] },
};

/**
 * Reads the test of a condition (docs/reference/semantic-queries.md#operators). Dates can be words such as `last 30
 * days`, relative to `now`, unless that is null. Throws a SemanticError `invalid`.
 */
export function readTest(use: FieldUse, operator: Operator, now: Date | null): Shape {
  const field: Field = {
    name: `${use.entity}.${use.kind === 'measure' ? use.measure.name : use.field.dimension.name}`,
    type: use.kind === 'measure' ? use.measure.dataType : use.field.dimension.dataType,
    timezone: use.owner.timezone,
    today: now && findToday(now, use.owner.timezone),
  };
  if (!Object.hasOwn(RULES, operator.type)) throw semanticErrors.operatorType(operator.type);
  const rule = RULES[operator.type];
  if (!rule.types.includes(field.type))
    throw semanticErrors.operatorFor(operator.type, field.name, field.type);
  const values = 'values' in operator ? operator.values : 'value' in operator ? [operator.value] : [];
  if (!takes(rule, values, field.today)) throw semanticErrors.operands(operator.type, rule.operands);
  const negated = rule.negated ?? false;
  const takesNull = operator.type === 'IS_NULL' || (negated && operator.type !== 'IS_NOT_NULL');
  return { tests: rule.read(field, values), negated, takesNull };
}

/** Words for several days stand for both ends of a range. */
function takes({ operands }: Rule, values: readonly string[], today: number | null): boolean {
  if (operands === null) return values.length > 0;
  if (values.length === operands) return true;
  return (
    operands === 2 &&
    values.length === 1 &&
    today !== null &&
    findRelativeDays(elementAt(values, 0), today) !== null
  );
}

function readText({ name }: Field, value: string): string {
  const literal = readLiteral('TEXT', value, 'UTC');
  if (literal === null) throw semanticErrors.value(name, value, 'TEXT');
  return literal.text;
}

function readValue({ name, type, timezone, today }: Field, value: string): Literal {
  const literal = readLiteral(type, value, timezone);
  if (literal !== null) return literal;
  const hint = today !== null && DATES.includes(type) ? suggestDays(value) : undefined;
  throw semanticErrors.value(name, value, type, hint);
}

/** The days that a value covers completely. */
function readDays({ type, today }: Field, value: string): Days | null {
  return DATES.includes(type) ? findDays(value, today) : null;
}

/** A date without a time means the whole day. */
function readEquals(field: Field, values: readonly string[]): readonly Test[] {
  const single: Literal[] = [];
  const periods: Test[] = [];
  for (const value of values) {
    const days = readDays(field, value);
    const isPeriod = days !== null && (field.type === 'DATETIME' || days.first < days.last);
    if (isPeriod) {
      periods.push({
        kind: 'bounds',
        bounds: [readBound(field, '>=', value), readBound(field, '<=', value)],
      });
    } else {
      single.push(readValue(field, days === null ? value : printDay(days.first)));
    }
  }
  return single.length === 0 ? periods : [{ kind: 'in', values: single }, ...periods];
}

function readRange(field: Field, values: readonly string[]): readonly Test[] {
  const [first, last] = [elementAt(values, 0), elementAt(values, -1)];
  const [from, to] = [readBound(field, '>=', first), readBound(field, '<=', last)];
  const isEmpty = to.op === '<' ? from.value.text >= to.value.text : from.value.text > to.value.text;
  if (isEmpty) throw semanticErrors.dateOrder(field.name, first, last);
  return [{ kind: 'bounds', bounds: [from, to] }];
}

/** Dates are half-open: an upper bound ends before the next day starts. */
function readBound(field: Field, op: '<' | '<=' | '>' | '>=', value: string): RangeBound {
  const days = readDays(field, value);
  if (days === null) return { op, value: readValue(field, value) };
  if (op === '<' || op === '>=') return { op, value: readValue(field, printDay(days.first)) };
  const plain = { op, value: readValue(field, printDay(days.last)) };
  const next = addDay(days.last);
  const isDate = field.type === 'DATE';
  const bound = isDate ? toDate(next) : toDayStart(next, field.timezone);
  if (bound !== null) return { op: op === '<=' ? '<' : '>=', value: bound };
  return isDate ? plain : { op, value: findLastMoment() };
}
