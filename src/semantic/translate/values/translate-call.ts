import { createCall } from '../../expression/create-expression.ts';
import type { Expression } from '../../expression/expression.ts';
import { findFunction } from '../../expression/functions.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { CallSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import { readClock } from './read-clock.ts';
import { rewriteCall } from './rewrite-call.ts';
import { DATE_FUNCTIONS } from './translate-date.ts';
import type { Translation } from './translation.ts';

/** Translates a scalar function. Throws a SemanticSqlError for one that is not portable. */
export function translateCall<Field>(syntax: CallSyntax, translation: Translation<Field>): Expression<Field> {
  const { translate, timezone } = translation;
  const name = readFunctionName(syntax);
  checkScalar(syntax, name);
  const ofDates = Object.hasOwn(DATE_FUNCTIONS, name) ? DATE_FUNCTIONS[name] : undefined;
  const known =
    ofDates?.(syntax, translation) ??
    readClock(name, syntax, translation) ??
    rewriteCall(name, syntax, translation);
  if (known !== null) return known;
  const found = findFunction(name);
  if ('suggestion' in found) {
    throw new SemanticSqlError(syntax, translationTexts.unknownFunction(name, found.suggestion));
  }
  return createCall(found.name, syntax.args.map(translate), timezone);
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
