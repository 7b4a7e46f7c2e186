import { createCall, createLiteral } from '../../expression/create-expression.ts';
import type { Expression } from '../../expression/expression.ts';
import type { FunctionName } from '../../expression/functions.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { SyntaxOf } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import type { Translation } from './translation.ts';

/** The function and factor that one unit adds. */
const UNITS: Readonly<Record<string, readonly [name: FunctionName, times: number]>> = {
  second: ['ADD_SECONDS', 1],
  minute: ['ADD_SECONDS', 60],
  hour: ['ADD_SECONDS', 3600],
  day: ['ADD_DAYS', 1],
  week: ['ADD_DAYS', 7],
  month: ['ADD_MONTHS', 1],
  year: ['ADD_MONTHS', 12],
};

/** Translates a date plus or minus a literal interval, such as `INTERVAL '3 months'`; null for any other operator. */
export function addInterval<Field>(
  { operator, left, right }: SyntaxOf<'operator'>,
  { translate, timezone }: Translation<Field>,
): Expression<Field> | null {
  if (right.kind !== 'cast' || right.type.name !== 'interval' || left === null) return null;
  const text = right.operand.kind === 'literal' ? right.operand.text : '';
  const [, sign = '', count = '', unit = ''] = /^\s*(-?)(\d{1,6})\s+([a-z]+?)s?\s*$/i.exec(text) ?? [];
  const known = Object.hasOwn(UNITS, unit.toLowerCase()) ? UNITS[unit.toLowerCase()] : undefined;
  if (known === undefined || right.type.args.length > 0 || !/^[+-]$/.test(operator)) {
    throw new SemanticSqlError(
      right,
      translationTexts.unit(
        '',
        Object.keys(UNITS).map((own) => `INTERVAL '1 ${own}'`),
      ),
    );
  }
  const [name, times] = known;
  const isNegative = (sign === '-') !== (operator === '-');
  const number = `${isNegative ? '-' : ''}${Number(count) * times}`;
  const added = createLiteral({ kind: 'literal', type: 'number', text: number }, 'INTEGER');
  return createCall(name, [translate(left), added], timezone);
}
