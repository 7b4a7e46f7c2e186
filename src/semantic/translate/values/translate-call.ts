import { elementAt } from '../../../invariants/must.ts';
import { semanticErrors } from '../../errors.ts';
import { convertDate, createGrain } from '../../expression/create-date.ts';
import { createCall, createDatePart } from '../../expression/create-expression.ts';
import type { Expression } from '../../expression/expression.ts';
import { type FunctionName, findFunction } from '../../expression/functions.ts';
import { findTimeZone } from '../../model/local-time.ts';
import type { Grain } from '../../model/model.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { CallSyntax, ExpressionSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { rewriteCall } from './rewrite-call.ts';
import type { Translation } from './translation.ts';

const GRAINS: Readonly<Record<string, Grain>> = {
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
};

/** Translates a scalar function. Throws a SemanticSqlError for one that is not portable. */
export function translateCall<Field>(syntax: CallSyntax, translation: Translation<Field>): Expression<Field> {
  const { translate, timezone } = translation;
  const name = readFunctionName(syntax);
  checkScalar(syntax, name);
  switch (name) {
    case 'date_trunc':
      return cutTo(readUnit(syntax, { ...GRAINS, ...CUTS }), translateLast(syntax, translate), timezone);
    case 'extract':
    case 'date_part':
      return createDatePart(readUnit(syntax, PARTS), translateLast(syntax, translate), timezone);
    case 'current_date':
    case 'current_timestamp':
    case 'localtimestamp':
    case 'now':
      throw new SemanticSqlError(syntax, translationTexts.now(name));
    case 'timezone':
      return moveToZone(syntax, translation);
    default: {
      const rewritten = rewriteCall(name, syntax, translation);
      if (rewritten !== null) return rewritten;
      const found = findFunction(name);
      if ('suggestion' in found) {
        throw new SemanticSqlError(syntax, translationTexts.unknownFunction(name, found.suggestion));
      }
      return createCall(found.name, syntax.args.map(translate), timezone);
    }
  }
}

function cutTo<Field>(
  unit: Grain | FunctionName,
  of: Expression<Field>,
  timezone: string,
): Expression<Field> {
  return isGrain(unit) ? createGrain(unit, of, timezone) : createDatePart(unit, of, timezone);
}

/** Translates `AT TIME ZONE`: between a DATETIME and the TIMESTAMP of a time zone. */
function moveToZone<Field>(syntax: CallSyntax, { translate }: Translation<Field>): Expression<Field> {
  const [zone, value, ...others] = syntax.args;
  const name = zone?.kind === 'literal' && zone.type === 'text' ? zone.text : '';
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

/** The name in lower case; a quoted name stays as written. */
export function readFunctionName({ name }: CallSyntax): string {
  return name.isQuoted && name.text !== name.text.toLowerCase() ? `"${name.text}"` : name.text;
}

/** Only aggregates and window functions accept DISTINCT, FILTER, OVER and `*`. */
function checkScalar(syntax: CallSyntax, name: string): void {
  if (!syntax.isDistinct && !syntax.isStar && syntax.filter === null && syntax.over === null) return;
  const found = findFunction(name);
  const near = 'suggestion' in found ? found.suggestion : undefined;
  throw new SemanticSqlError(syntax, translationTexts.unknownFunction(name, near));
}

/** Reads the unit, the first of two arguments. */
function readUnit<Unit>(syntax: CallSyntax, units: Readonly<Record<string, Unit>>): Unit {
  const [unit, of, ...others] = syntax.args;
  const word = unit?.kind === 'literal' && unit.type === 'text' ? unit.text.toLowerCase() : '';
  const known = Object.hasOwn(units, word) ? units[word] : undefined;
  if (known === undefined || of === undefined || others.length > 0) {
    throw new SemanticSqlError(
      unit ?? syntax,
      translationTexts.unit(known === undefined ? word : '', Object.keys(units)),
    );
  }
  return known;
}

function translateLast<Field>(
  { args }: CallSyntax,
  translate: (syntax: ExpressionSyntax) => Expression<Field>,
): Expression<Field> {
  return translate(elementAt(args, -1));
}
