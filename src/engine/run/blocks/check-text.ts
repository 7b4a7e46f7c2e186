import { findEndedStrings } from '../../script/evaluate/ended-strings.ts';
import { checkQuotedParams } from '../../script/evaluate/quoted-params.ts';
import type { Statement } from '../../script/evaluate/steps.ts';
import { describeUnset, findUnsetInLongText } from '../../script/params/params.ts';
import { createDiagnostic, type Diagnostic, DiagnosticError, type Warn } from '../../text/diagnostic.ts';
import type { Interruptible } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import type { Span } from '../../text/span.ts';

const NUL = 'SQL cannot contain a NUL character: write chr(0) instead';

/**
 * Rejects statements before any of them runs: statements with a NUL character, where databases silently end the SQL,
 * statements with a parameter without a value (PREPARE and EXECUTE bind their own, and `isBound` statements have theirs),
 * and strings that the value of a parameter ends.
 * Warns of possible parameters inside strings. Throws a DiagnosticError.
 */
export function* checkStatements(
  statements: readonly Statement[],
  lexicalRules: LexicalRules,
  warn: Warn,
  isBound = false,
): Interruptible<void> {
  const errors: Diagnostic[] = [];
  for (const statement of statements) {
    yield;
    for (const error of yield* findErrors(statement, lexicalRules, isBound)) errors.push(error);
  }
  for (const statement of statements) {
    yield;
    yield* checkQuotedParams(statement, lexicalRules, warn);
  }
  if (errors.length > 0) throw new DiagnosticError(errors);
}

function* findErrors(
  statement: Statement,
  lexicalRules: LexicalRules,
  isBound: boolean,
): Interruptible<readonly Diagnostic[]> {
  const ended = yield* findEndedStrings(statement, lexicalRules);
  if (ended.length > 0) return ended;
  const { sql, findOrigin } = statement;
  const nul = sql.indexOf('\0');
  const unset = isBound || /^prepare\b/i.test(sql) ? [] : yield* findUnsetInLongText(sql, lexicalRules);
  const errors: readonly { readonly span: Span; readonly message: string }[] = [
    ...(nul === -1 ? [] : [{ span: { start: nul, end: nul + 1 }, message: NUL }]),
    ...unset.map((param) => ({ span: param.span, message: describeUnset(param) })),
  ];
  return errors.flatMap(({ span, message }) => {
    const origin = findOrigin(span);
    return origin === null ? [] : [createDiagnostic(origin.rendered.source, origin.span, message, 'sql')];
  });
}
