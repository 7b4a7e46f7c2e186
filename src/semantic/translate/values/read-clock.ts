import { present } from '../../../invariants/must.ts';
import { convertDate } from '../../expression/create-date.ts';
import { createLiteral } from '../../expression/create-expression.ts';
import type { Expression } from '../../expression/expression.ts';
import { printMoment } from '../../model/local-time.ts';
import type { ValueType } from '../../model/model.ts';
import { SemanticSqlError } from '../../syntax/semantic-sql-error.ts';
import type { CallSyntax } from '../../syntax/syntax.ts';
import { translationTexts } from '../messages/translation-texts.ts';
import type { Translation } from './translation.ts';

/** The functions of the current time, with their types. */
const TYPES: Readonly<Record<string, ValueType>> = {
  now: 'DATETIME',
  current_timestamp: 'DATETIME',
  localtimestamp: 'TIMESTAMP',
  current_date: 'DATE',
};

/** The current time as a literal: one value for all statements of a run; null for any other function. */
export function readClock<Field>(
  name: string,
  call: CallSyntax,
  { clock, timezone }: Translation<Field>,
): Expression<Field> | null {
  if (!Object.hasOwn(TYPES, name)) return null;
  const { start, end } = call;
  if (call.args.length > 0) throw new SemanticSqlError(call, translationTexts.noArguments(name));
  clock.uses.push({ start, end });
  const text = printMoment({ ms: clock.now.getTime(), micros: 0 });
  const now = createLiteral({ kind: 'literal', type: 'timestamp', text }, 'DATETIME');
  return convertDate(now, present(TYPES[name]), timezone);
}
