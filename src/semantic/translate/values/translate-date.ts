import type { Span } from '../../../engine/text/span.ts';
import { elementAt } from '../../../invariants/must.ts';
import { semanticErrors } from '../../errors.ts';
import { convertDate, createGrain, isDateType, readWrittenDate } from '../../expression/create-date.ts';
import { createDateDiff, type DiffUnit } from '../../expression/create-date-diff.ts';
import {
  createDateText,
  DATE_PARTS,
  type DatePart,
  type DatePiece,
} from '../../expression/create-date-text.ts';
import { createDatePart } from '../../expression/create-expression.ts';
import type { TypedExpression } from '../../expression/expression.ts';
import { foldConstant } from '../../expression/fold-constant.ts';
import type { FunctionName } from '../../expression/functions.ts';
import { findTimeZone } from '../../model/local-time.ts';
import type { Grain } from '../../model/model.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { CallSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { addUnits, readInterval, STEPS } from './translate-interval.ts';
import type { TranslationContext } from './translation.ts';
import { findUnit, readTextLiteral } from './units.ts';

const GRAINS: Readonly<Record<Grain, Grain>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
};

/** Units below a day, which only apply to times. */
const CUTS: Readonly<Record<string, FunctionName>> = {
  hour: 'DATE_TRUNC HOUR',
  minute: 'DATE_TRUNC MINUTE',
  second: 'DATE_TRUNC SECOND',
};

const DIFFS: Readonly<Record<DiffUnit, DiffUnit>> = {
  ...GRAINS,
  hour: 'hour',
  minute: 'minute',
  second: 'second',
};

const PARTS: Readonly<Record<string, FunctionName>> = {
  year: 'YEAR',
  quarter: 'QUARTER',
  month: 'MONTH',
  week: 'WEEK',
  day: 'DAY',
  dow: 'DOW',
  isodow: 'ISODOW',
  doy: 'DOY',
  hour: 'HOUR',
  minute: 'MINUTE',
  second: 'SECOND',
  epoch: 'EPOCH',
};

type TranslateDate = <Field>(
  call: CallSyntax,
  translation: TranslationContext<Field>,
) => TypedExpression<Field>;

/** The functions of dates with a unit, an interval or a time zone. */
export const DATE_FUNCTIONS: Readonly<Record<string, TranslateDate>> = {
  date_trunc: (call, { translate, timezone }) => {
    const unit = readUnit(call, { ...GRAINS, ...CUTS }, 2);
    const of = translate(elementAt(call.args, 1));
    return isGrain(unit) ? createGrain(unit, of, timezone) : createDatePart(unit, of, timezone);
  },
  extract: readPart,
  date_part: readPart,
  datediff: (call, { translate, timezone }) => {
    const unit = readUnit(call, DIFFS, 3);
    const read = (at: number) => readWrittenDate(translate(elementAt(call.args, at)), timezone);
    return createDateDiff(unit, read(1), read(2), timezone);
  },
  dateadd: addTo,
  date_add: (call, translation) => {
    const [of, added, ...others] = call.args;
    if (of === undefined || added === undefined || others.length > 0) return addTo(call, translation);
    const interval = readInterval(added, translation);
    if (interval === null) throw new SemanticSqlError(added, translationTexts.interval());
    const { translate, timezone } = translation;
    return addUnits(readWrittenDate(translate(of), timezone), interval, timezone);
  },
  timezone: moveToZone,
  to_char: translateDateText,
};

function readPart<Field>(
  call: CallSyntax,
  { translate, timezone }: TranslationContext<Field>,
): TypedExpression<Field> {
  const part = readUnit(call, PARTS, 2);
  return createDatePart(part, translate(elementAt(call.args, 1)), timezone);
}

/** Adds a count of a unit: `DATEADD(day, 7, ordered_at)`. */
function addTo<Field>(
  call: CallSyntax,
  { translate, timezone }: TranslationContext<Field>,
): TypedExpression<Field> {
  const step = readUnit(call, STEPS, 3);
  const count = translate(elementAt(call.args, 1));
  return addUnits(readWrittenDate(translate(elementAt(call.args, 2)), timezone), { step, count }, timezone);
}

/** Translates `AT TIME ZONE`: between a DATETIME and the TIMESTAMP of a time zone. */
function moveToZone<Field>(
  syntax: CallSyntax,
  { translate }: TranslationContext<Field>,
): TypedExpression<Field> {
  const [zone, value, ...others] = syntax.args;
  const name = readTextLiteral(zone) ?? '';
  const timezone = findTimeZone(name);
  if (timezone === null || value === undefined || others.length > 0) {
    throw new SemanticSqlError(zone ?? syntax, translationTexts.timeZone(name));
  }
  const time = translate(value);
  const { dataType } = time;
  if (dataType === 'DATETIME') return convertDate(time, 'TIMESTAMP', timezone);
  if (dataType === 'TIMESTAMP') return convertDate(time, 'DATETIME', timezone);
  throw semanticErrors.functionTypes('AT TIME ZONE', [dataType], 'a TIMESTAMP or DATETIME');
}

function isGrain(unit: Grain | FunctionName): unit is Grain {
  return Object.hasOwn(GRAINS, unit);
}

/** Calls for messages. */
const EXAMPLES: Readonly<Record<string, string>> = {
  date_trunc: "DATE_TRUNC('month', ordered_at)",
  extract: 'EXTRACT(month FROM ordered_at)',
  date_part: "DATE_PART('month', ordered_at)",
  datediff: 'DATEDIFF(day, ordered_at, paid_at)',
  dateadd: 'DATEADD(day, 7, ordered_at)',
  date_add: "DATE_ADD(ordered_at, INTERVAL '7 days')",
};

/** Reads the unit, the first of `count` arguments. */
function readUnit<Unit>(call: CallSyntax, units: Readonly<Record<string, Unit>>, count: number): Unit {
  const [first] = call.args;
  const word = readTextLiteral(first);
  const unit = word === null ? undefined : findUnit(word, units);
  if (unit !== undefined && call.args.length === count) return unit;
  const { text } = call.name;
  if (call.args.length !== count) {
    throw new SemanticSqlError(call, translationTexts.shape(text, EXAMPLES[text] ?? ''));
  }
  throw new SemanticSqlError(first ?? call, translationTexts.unit(word ?? '', Object.keys(units)));
}

const MAX_PARTS = 100;

/** PostgreSQL's patterns that begin with another one and are not supported. */
const OTHERS = ['SSSSS', 'SSSS', 'IDDD', 'MONTH', 'DAY', 'DY'];

const NAMES: ReadonlyMap<string, DatePart> = new Map(DATE_PARTS.map((part) => [part, part]));
/** As in PostgreSQL, the longest name counts. */
const LONGEST_FIRST = [...DATE_PARTS, ...OTHERS].toSorted((left, right) => right.length - left.length);

/** A text in double quotes, where a backslash escapes; an escaped quote; a pattern; other letters; any character. */
const PIECES = new RegExp(
  String.raw`"(?<quoted>(?:[^"\\]|\\.)*)"|\\(?<escaped>")|(?<trim>FM)?(?<name>${LONGEST_FIRST.join('|')})|(?<letters>[A-Za-z]+)|(?<other>.)`,
  'gsu',
);

/** Translates TO_CHAR of a date or time. Throws a SemanticSqlError. */
function translateDateText<Field>(
  call: CallSyntax,
  { translate, timezone }: TranslationContext<Field>,
): TypedExpression<Field> {
  const [value, pattern, ...others] = call.args;
  if (value === undefined || pattern === undefined || others.length > 0) {
    throw new SemanticSqlError(call, translationTexts.shape('to_char', "TO_CHAR(ordered_at, 'YYYY-MM')"));
  }
  const of = translate(value);
  if (!isDateType(of.dataType)) throw new SemanticSqlError(call, translationTexts.charValue(of.dataType));
  const text = foldConstant(translate(pattern));
  if (text.kind !== 'literal' || text.value?.type !== 'text') {
    throw new SemanticSqlError(pattern, translationTexts.charPattern());
  }
  return createDateText(of, readPieces(text.value.text, pattern), timezone);
}

/** Reads a pattern. Throws a SemanticSqlError. */
function readPieces(pattern: string, span: Span): readonly DatePiece[] {
  const pieces: DatePiece[] = [];
  for (const { groups = {} } of pattern.matchAll(PIECES)) {
    const piece = readPiece(groups, span);
    const last = pieces.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') pieces.splice(-1, 1, last + piece);
    else pieces.push(piece);
  }
  const { length } = pieces.filter((piece) => typeof piece !== 'string');
  if (length === 0) throw new SemanticSqlError(span, translationTexts.noPart(DATE_PARTS));
  if (length > MAX_PARTS) throw new SemanticSqlError(span, translationTexts.tooManyParts(MAX_PARTS));
  return pieces;
}

type Groups = Readonly<Partial<Record<string, string>>>;

function readPiece({ quoted, escaped, trim, name, letters, other = '' }: Groups, span: Span): DatePiece {
  const word = name ?? letters;
  if (word !== undefined) {
    const part = NAMES.get(word);
    if (part === undefined) throw new SemanticSqlError(span, translationTexts.unknownPart(word, DATE_PARTS));
    return { part, isTrimmed: trim !== undefined };
  }
  if (other === '"') throw new SemanticSqlError(span, translationTexts.openQuote());
  return quoted?.replaceAll(/\\(.)/gsu, '$1') ?? escaped ?? other;
}
