import type { LexicalRules } from '../../../text/lexical-rules.ts';
import { type SqlToken, scanSql } from '../../../text/sql-scanner.ts';
import { isReplaced, type Rendered } from '../../params/params.ts';
import { type ExpressionContext, walkProgram } from '../../program/walk.ts';
import type { Body, Expression } from '../../syntax/ast.ts';
import { keepTexts, listBodyParts } from './list-texts.ts';
import type { Report, Rule } from './rule.ts';

/** Names as they can be in SQL without quotes, such as `sales.orders`. */
const NAME = /^[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*$/;

/** Tokens inside which a value is not read as SQL. */
const QUOTES: ReadonlySet<SqlToken['kind']> = new Set(['string', 'quoted-name', 'dollar-quote']);

/**
 * Warns of values of parameters that scripts probably do not expect: a string that is inserted without quotes, and a
 * list in a list (docs/reference/parameters.md#replacement).
 */
export function createParameterValues(lexicalRules: LexicalRules): Rule {
  return (program, report) => {
    for (const file of [...program.packages.values()].flatMap(({ files }) => files)) {
      const { blocks, macros, rendered } = file.file;
      for (const { body } of [...blocks, ...macros]) {
        for (const string of findUnquoted(body, rendered, lexicalRules)) {
          const message =
            'this string is inserted without quotes: write `sql.Literal(…)` for a string of SQL';
          report(file, string, message, 'warning');
        }
      }
    }
    walkProgram(program, (expression, { file }) => warnOfList(expression, file, report));
  };
}

/** Parameters outside quotes whose values are strings, but not names. */
function findUnquoted(body: Body, rendered: Rendered, lexicalRules: LexicalRules): readonly Expression[] {
  const interpolations = listBodyParts(body, 'interpolation').filter(
    ({ expression }) => isReplaced(rendered, expression.start) && hasText(expression),
  );
  if (interpolations.length === 0) return [];
  const quotes = [...scanSql(keepTexts(body, rendered), lexicalRules)].filter(({ kind }) => QUOTES.has(kind));
  return interpolations
    .filter(({ start }) => {
      const at = start - body.start;
      return !quotes.some((quote) => quote.start < at && at < quote.end);
    })
    .map(({ expression }) => expression);
}

/** Whether a value is a string that is not a name, or a list with one. */
function hasText(expression: Expression): boolean {
  if (expression.kind === 'list') return expression.items.some(hasText);
  return (
    expression.kind === 'literal' && typeof expression.value === 'string' && !NAME.test(expression.value)
  );
}

function warnOfList(expression: Expression, file: ExpressionContext['file'], report: Report): void {
  const items = expression.kind === 'list' ? expression.items : [];
  const [item] = items;
  const isParam = items.length === 1 && item?.kind === 'list' && isReplaced(file.file.rendered, item.start);
  if (!isParam || item.start === expression.start) return;
  report(file, item, 'this parameter is a list already: write it without `[ ]`', 'warning');
}
