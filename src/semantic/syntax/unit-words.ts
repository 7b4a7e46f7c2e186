import type { ExpressionSyntax } from './syntax.ts';

/** Functions of three arguments whose first one is a unit, which can be a bare word. */
const UNIT_CALLS: ReadonlySet<string> = new Set(['datediff', 'dateadd', 'date_add']);

/** The arguments of a call, with a unit that is a bare word as a literal: `DATEDIFF(day, a, b)`. */
export function readUnitWord(name: string, args: readonly ExpressionSyntax[]): readonly ExpressionSyntax[] {
  const [unit, ...others] = args;
  if (!UNIT_CALLS.has(name) || unit?.kind !== 'column' || others.length !== 2) return args;
  const [word, ...more] = unit.names;
  if (word === undefined || word.isQuoted || more.length > 0) return args;
  const { start, end } = unit;
  return [{ kind: 'literal', type: 'text', text: word.text, start, end }, ...others];
}
