import { semanticErrors } from '../../errors.ts';
import { createCall, createInteger } from '../../expression/create-expression.ts';
import type { TypedExpression } from '../../expression/expression.ts';
import { foldConstant } from '../../expression/fold-constant.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { ExpressionSyntax, SyntaxOf } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import type { TranslationContext } from './translation.ts';
import { findUnit } from './units.ts';

/** The function and the factor that add one unit. */
interface Step {
  readonly name: 'ADD_SECONDS' | 'ADD_DAYS' | 'ADD_MONTHS';
  readonly times: number;
}

/** The units that can be added. */
export const STEPS: Readonly<Record<string, Step>> = {
  second: { name: 'ADD_SECONDS', times: 1 },
  minute: { name: 'ADD_SECONDS', times: 60 },
  hour: { name: 'ADD_SECONDS', times: 3600 },
  day: { name: 'ADD_DAYS', times: 1 },
  week: { name: 'ADD_DAYS', times: 7 },
  month: { name: 'ADD_MONTHS', times: 1 },
  quarter: { name: 'ADD_MONTHS', times: 3 },
  year: { name: 'ADD_MONTHS', times: 12 },
};

/** The values of 9,999 years: no date has a greater distance from another one. */
const MAX_COUNTS: Readonly<Record<Step['name'], bigint>> = {
  ADD_MONTHS: 119_988n,
  ADD_DAYS: 3_652_059n,
  ADD_SECONDS: 315_537_897_600n,
};

/** A count of units. */
interface Interval<Field> {
  readonly step: Step;
  readonly count: TypedExpression<Field>;
}

/** Adds an INTEGER count of a unit to a date or time. Throws a SemanticError for a constant longer than 9,999 years. */
export function addUnits<Field>(
  of: TypedExpression<Field>,
  { step: { name, times }, count }: Interval<Field>,
  timezone: string,
): TypedExpression<Field> {
  if (count.dataType !== 'INTEGER') {
    throw semanticErrors.functionTypes('An interval', [count.dataType], 'a count of INTEGER');
  }
  const total = foldConstant(
    times === 1 ? count : createCall('*', [foldConstant(count), createInteger(times)]),
  );
  const text = total.kind === 'literal' ? (total.value?.text ?? '0') : '0';
  const size = BigInt(text.replace('-', ''));
  if (size > MAX_COUNTS[name]) throw semanticErrors.longInterval();
  return createCall(name, [of, total], timezone);
}

/**
 * Translates a date plus or minus an interval, such as `INTERVAL '3 months'` or `n * INTERVAL '1 day'`; null for any
 * other operator.
 */
export function addInterval<Field>(
  { operator, left, right }: SyntaxOf<'operator'>,
  translation: TranslationContext<Field>,
): TypedExpression<Field> | null {
  if (left === null || (operator !== '+' && operator !== '-')) return null;
  const { translate, timezone } = translation;
  const last = readInterval(right, translation);
  if (last !== null) {
    const interval = operator === '-' ? negate(last) : last;
    return addUnits(translate(left), interval, timezone);
  }
  const first = operator === '+' ? readInterval(left, translation) : null;
  return first && addUnits(translate(right), first, timezone);
}

function negate<Field>({ step, count }: Interval<Field>): Interval<Field> {
  return { step, count: createCall('NEGATE', [count]) };
}

/** Reads an interval, alone or multiplied by an integer; null for any other expression. */
export function readInterval<Field>(
  syntax: ExpressionSyntax,
  translation: TranslationContext<Field>,
): Interval<Field> | null {
  if (syntax.kind === 'cast')
    return syntax.type.name === 'interval' ? readWritten(syntax, translation) : null;
  if (syntax.kind !== 'operator') return null;
  const { operator, left, right } = syntax;
  if (left === null) {
    const interval = readInterval(right, translation);
    return operator === '-' ? interval && negate(interval) : interval;
  }
  if (operator !== '*') return null;
  return multiply(left, right, translation) ?? multiply(right, left, translation);
}

function multiply<Field>(
  of: ExpressionSyntax,
  by: ExpressionSyntax,
  translation: TranslationContext<Field>,
): Interval<Field> | null {
  const interval = readInterval(of, translation);
  if (interval === null) return null;
  const { step, count } = interval;
  const factor = translation.translate(by);
  const isOne = count.kind === 'literal' && count.value?.text === '1';
  return { step, count: isOne ? factor : createCall('*', [count, factor]) };
}

/** PostgreSQL's numbers of the units after a literal: `INTERVAL '1' DAY`. */
const FIELDS: Readonly<Record<number, string>> = {
  2: 'month',
  4: 'year',
  8: 'day',
  1024: 'hour',
  2048: 'minute',
  4096: 'second',
};

const WRITTEN = /^\s*([+-]?\d{1,15})\s*([a-z]*)\s*$/i;

/** Reads a count and a unit from an interval whose text is constant. */
function readWritten<Field>(
  cast: SyntaxOf<'cast'>,
  { translate }: TranslationContext<Field>,
): Interval<Field> {
  const text = foldConstant(translate(cast.operand));
  const [, count = '', word = ''] =
    WRITTEN.exec(text.kind === 'literal' ? (text.value?.text ?? '') : '') ?? [];
  const [field = 0] = cast.type.args;
  const step = findUnit(word === '' ? (FIELDS[field] ?? '') : word, STEPS);
  if (step !== undefined && (word === '') === (cast.type.args.length === 1)) {
    return { step, count: createInteger(BigInt(count)) };
  }
  const examples = Object.keys(STEPS).map((name) => `INTERVAL '1 ${name}'`);
  throw new SemanticSqlError(cast, translationTexts.unit('', examples));
}
