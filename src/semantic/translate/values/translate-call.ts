import { present } from '../../../invariants/must.ts';
import { semanticErrors } from '../../errors.ts';
import { convertDate } from '../../expression/create-date.ts';
import {
  createCall,
  createCase,
  createCast,
  createInteger,
  createLike,
  createLiteral,
} from '../../expression/create-expression.ts';
import type { TypedExpression } from '../../expression/expression.ts';
import { foldConstant } from '../../expression/fold-constant.ts';
import { findPortableFunction, listPortableFunctions } from '../../expression/functions.ts';
import { printMoment } from '../../model/local-time.ts';
import type { ValueType } from '../../model/model.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { CallSyntax, ExpressionSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { DATE_FUNCTIONS } from './translate-date.ts';
import type { TranslationContext } from './translation.ts';

/** Translates a scalar function. Throws a SemanticSqlError for one that is not portable. */
export function translateCall<Field>(
  syntax: CallSyntax,
  translation: TranslationContext<Field>,
): TypedExpression<Field> {
  const { translate, timezone } = translation;
  const name = readFunctionName(syntax);
  checkScalar(syntax, name);
  const ofDates = Object.hasOwn(DATE_FUNCTIONS, name) ? DATE_FUNCTIONS[name] : undefined;
  const known =
    ofDates?.(syntax, translation) ??
    readClock(name, syntax, translation) ??
    rewriteCall(name, syntax, translation);
  if (known !== null) return known;
  const entry = findPortableFunction(name);
  if ('suggestion' in entry) {
    throw new SemanticSqlError(syntax, translationTexts.unknownFunction(name, entry.suggestion));
  }
  return createCall(entry.name, syntax.args.map(translate), timezone);
}

/** The name in lower case; a quoted name stays as written. */
export function readFunctionName({ name }: CallSyntax): string {
  return name.isQuoted && name.text !== name.text.toLowerCase() ? `"${name.text}"` : name.text;
}

/** Only aggregates and window functions accept DISTINCT, FILTER, OVER and `*`. */
function checkScalar(syntax: CallSyntax, name: string): void {
  if (!syntax.isDistinct && !syntax.isStar && syntax.filter === null && syntax.over === null) return;
  const entry = findPortableFunction(name);
  const near = 'suggestion' in entry ? entry.suggestion : undefined;
  throw new SemanticSqlError(syntax, translationTexts.unknownFunction(name, near));
}

type Rewrite = <Field>(
  args: readonly ExpressionSyntax[],
  translation: TranslationContext<Field>,
) => TypedExpression<Field> | null;

const TIMES: ReadonlySet<string> = new Set([
  'YYYY-MM-DD HH24:MI:SS.US',
  'YYYY-MM-DD HH24:MI:SS.MS',
  'YYYY-MM-DD HH24:MI:SS',
]);
const DAYS: ReadonlySet<string> = new Set(['YYYY-MM-DD', 'YYYYMMDD']);

/** A function that tests the start or the end of a text. */
const testEdge =
  (name: string, edge: 'start' | 'end'): Rewrite =>
  (args, { translate }) => {
    const values = args.map((arg) => foldConstant(translate(arg)));
    const [text, part, ...others] = values;
    const types = values.map(({ dataType }) => dataType);
    if (text?.dataType !== 'TEXT' || part?.dataType !== 'TEXT' || others.length > 0) {
      throw semanticErrors.functionTypes(name, types, 'two values of TEXT');
    }
    if (part.kind === 'literal' && part.value !== null) {
      const plain = part.value.text.replace(/[%_\\]/g, '\\$&');
      return createLike(text, edge === 'start' ? `${plain}%` : `%${plain}`, { caseSensitive: true });
    }
    const turn = <Field>(of: TypedExpression<Field>) => (edge === 'start' ? of : createCall('REVERSE', [of]));
    return createCall('=', [createCall('STRPOS', [turn(text), turn(part)]), createInteger(1)]);
  };

const startsWith = testEdge('STARTS_WITH', 'start');
const endsWith = testEdge('ENDS_WITH', 'end');

/** PostgreSQL functions that BI tools write, with their portable equivalents. */
const REWRITES: Readonly<Record<string, Rewrite>> = {
  trunc: ([number, ...others], { translate, timezone }) => {
    if (number === undefined || others.length > 0) return null;
    const whole = translate(number);
    if (whole.dataType === 'INTEGER') return whole;
    const down = createCall('FLOOR', [whole]);
    const up = {
      when: createCall('<', [whole, createInteger(0)], timezone),
      value: createCall('CEIL', [whole]),
    };
    return createCase([up], down, timezone);
  },
  date: ([value, ...others], { translate, timezone }) =>
    value === undefined || others.length > 0 ? null : createCast(translate(value), 'DATE', null, timezone),
  starts_with: startsWith,
  startswith: startsWith,
  ends_with: endsWith,
  endswith: endsWith,
  to_date: ([text, format, ...others], translation) =>
    text !== undefined && others.length === 0 && isFormat(format, DAYS, translation)
      ? createCast(translation.translate(text), 'DATE', null, translation.timezone)
      : null,
  to_timestamp: ([text, format, ...others], translation) => {
    const isTime = isFormat(format, TIMES, translation);
    if (text === undefined || others.length > 0 || !(isTime || isFormat(format, DAYS, translation)))
      return null;
    const { translate, timezone } = translation;
    const value = foldConstant(translate(text));
    const isRead = value.kind !== 'literal' && value.dataType === 'TEXT';
    const time = isRead ? createCast(value, isTime ? 'TIMESTAMP' : 'DATE', null, timezone) : value;
    return createCast(time, 'DATETIME', null, timezone);
  },
};

/** The portable equivalent of a PostgreSQL function; null without an equivalent. */
function rewriteCall<Field>(
  name: string,
  { args }: CallSyntax,
  translation: TranslationContext<Field>,
): TypedExpression<Field> | null {
  const rewrite = Object.hasOwn(REWRITES, name) ? REWRITES[name] : undefined;
  return rewrite === undefined ? null : rewrite(args, translation);
}

function isFormat<Field>(
  format: ExpressionSyntax | undefined,
  formats: ReadonlySet<string>,
  { translate }: TranslationContext<Field>,
): boolean {
  const text = format && foldConstant(translate(format));
  return text?.kind === 'literal' && text.value?.type === 'text' && formats.has(text.value.text);
}

/** The functions of the current time, with their types. */
const TYPES: Readonly<Record<string, ValueType>> = {
  now: 'DATETIME',
  current_timestamp: 'DATETIME',
  localtimestamp: 'TIMESTAMP',
  current_date: 'DATE',
};

/** The current time as a literal: one value for all statements of a run; null for any other function. */
function readClock<Field>(
  name: string,
  call: CallSyntax,
  { clock, timezone }: TranslationContext<Field>,
): TypedExpression<Field> | null {
  if (!Object.hasOwn(TYPES, name)) return null;
  const { start, end } = call;
  if (call.args.length > 0) throw new SemanticSqlError(call, translationTexts.noArguments(name));
  clock.uses.push({ start, end });
  const text = printMoment({ ms: clock.now.getTime(), micros: 0 });
  const now = createLiteral({ kind: 'literal', type: 'timestamp', text }, 'DATETIME');
  return convertDate(now, present(TYPES[name]), timezone);
}

/** The scalar functions of Semantic SQL by their upper-case names, each with what it takes; null where a page says it. */
export function listScalarFunctions(): ReadonlyMap<string, string | null> {
  const others = [...Object.keys(DATE_FUNCTIONS), ...Object.keys(TYPES), ...Object.keys(REWRITES)];
  return new Map<string, string | null>([
    ...others.map((name) => [name.toUpperCase(), null] as const),
    ...listPortableFunctions().map(({ name, takes }) => [name, takes] as const),
  ]);
}
