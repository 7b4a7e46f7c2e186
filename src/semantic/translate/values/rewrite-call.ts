import { createCall, createCase, createCast, createInteger } from '../../expression/create-expression.ts';
import type { Expression } from '../../expression/expression.ts';
import type { CallSyntax, ExpressionSyntax } from '../../syntax/syntax.ts';
import type { Translation } from './translation.ts';

type Rewrite = <Field>(
  args: readonly ExpressionSyntax[],
  translation: Translation<Field>,
) => Expression<Field> | null;

const TIMES: ReadonlySet<string> = new Set(['YYYY-MM-DD HH24:MI:SS.US', 'YYYY-MM-DD HH24:MI:SS']);
const DAYS: ReadonlySet<string> = new Set(['YYYY-MM-DD']);

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
  to_date: ([text, format], { translate, timezone }) =>
    isWritten(text) && isFormat(format, DAYS) ? createCast(translate(text), 'DATE', null, timezone) : null,
  to_timestamp: ([text, format], { translate, timezone }) =>
    isWritten(text) && (isFormat(format, TIMES) || isFormat(format, DAYS))
      ? createCast(translate(text), 'DATETIME', null, timezone)
      : null,
};

/** The portable equivalent of a PostgreSQL function; null without an equivalent. */
export function rewriteCall<Field>(
  name: string,
  { args }: CallSyntax,
  translation: Translation<Field>,
): Expression<Field> | null {
  const rewrite = Object.hasOwn(REWRITES, name) ? REWRITES[name] : undefined;
  return rewrite === undefined ? null : rewrite(args, translation);
}

const isWritten = (
  value: ExpressionSyntax | undefined,
): value is ExpressionSyntax & { readonly text: string } =>
  value?.kind === 'literal' && value.type === 'text';

const isFormat = (value: ExpressionSyntax | undefined, formats: ReadonlySet<string>) =>
  isWritten(value) && formats.has(value.text);
