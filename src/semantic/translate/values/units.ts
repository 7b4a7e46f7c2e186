import type { ExpressionSyntax } from '../../syntax/syntax.ts';

/** Other names of units, in PostgreSQL and in the SQL of BI tools. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  year: ['years', 'yy', 'yyyy', 'yr', 'yrs'],
  quarter: ['quarters', 'qtr', 'qtrs', 'qq', 'q'],
  month: ['months', 'mm', 'mon', 'mons'],
  week: ['weeks', 'wk', 'wks', 'ww'],
  day: ['days', 'dd', 'd'],
  hour: ['hours', 'hh', 'h', 'hr', 'hrs'],
  minute: ['minutes', 'mi', 'min', 'mins'],
  second: ['seconds', 'ss', 's', 'sec', 'secs'],
};

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(SYNONYMS).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

/** The name of a unit, in any case and by any of its names. */
function readUnitName(word: string): string {
  const lower = word.toLowerCase();
  return NAMES.get(lower) ?? lower;
}

/** Finds the value for a unit; undefined for a word that is not in `units`. */
export function findUnit<Unit>(word: string, units: Readonly<Record<string, Unit>>): Unit | undefined {
  const name = readUnitName(word);
  return Object.hasOwn(units, name) ? units[name] : undefined;
}

/** The text of a literal; null for any other expression. */
export function readTextLiteral(syntax: ExpressionSyntax | undefined): string | null {
  return syntax?.kind === 'literal' && syntax.type === 'text' ? syntax.text : null;
}
