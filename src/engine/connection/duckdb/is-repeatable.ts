import { duckdbLexis } from '../../text/sql-lexis.ts';
import { scanSql } from '../../text/sql-scanner.ts';

/** Words after which an opening parenthesis calls no function. */
const KEYWORDS = new Set(
  `select from where and or not in values as on using by having when then else case exists filter any all some join
  inner left right full outer cross semi anti lateral with recursive union except intersect is between like ilike
  interval cast try_cast array struct map row grouping sets cube rollup distinct order group qualify window set
  materialized unnest extract coalesce replace exclude columns similar to nullif if decimal numeric varchar char`
    .trim()
    .split(/\s+/),
);

/** Words with which the rows, or their order, may be others the next time. */
const UNSTABLE = new Set([
  'limit',
  'offset',
  'fetch',
  'sample',
  'tablesample',
  'over',
  'asof',
  'positional',
  'pivot',
  'unpivot',
  'pivot_wider',
  'pivot_longer',
  'summarize',
  'describe',
  'show',
  'insert',
  'update',
  'delete',
  'merge',
]);
/** Table functions that read nothing. */
const GENERATORS = ['range', 'generate_series', 'unnest'];

interface Word {
  readonly kind: string;
  readonly text: string;
}

/**
 * Whether a query gives the same rows each time that one statement asks for them, so that a view serves as
 * well as a table. `stable` has the functions that do, in lower case; `volatileViews` names the views of users
 * that may not. What is not known to do so does not.
 */
export function isRepeatable(
  query: string,
  stable: ReadonlySet<string>,
  volatileViews: ReadonlySet<string>,
): boolean {
  const words = listWords(query);
  return words.every(({ kind, text }, i) => {
    if (volatileViews.has(text) || isUnstable(words, i) || isFile(words, i)) return false;
    if (words[i + 1]?.text !== '(' || (kind !== 'word' && kind !== 'quoted-name')) return true;
    return isStable(text, kind, stable);
  });
}

function isUnstable(words: readonly Word[], at: number): boolean {
  const { kind, text } = words[at]!;
  if (kind !== 'word') return false;
  return UNSTABLE.has(text) || (text === 'on' && words[at - 1]?.text === 'distinct');
}

/** Whether what stands there may be the name of a file, which anybody may change. */
function isFile(words: readonly Word[], at: number): boolean {
  const { kind, text } = words[at]!;
  if (kind === 'quoted-name') return /[./\\]/.test(text);
  if (kind !== 'string' && kind !== 'dollar-quote') return false;
  let before = at - 1;
  while (words[before]?.text === '(') before -= 1;
  const place = words[before]?.text ?? '';
  return place === 'from' || place === 'join' || (place === ',' && /[./\\*]/.test(text));
}

/** Whether a column of a query may be a bare NULL, which has no type. */
export function mayBeUntyped(query: string): boolean {
  const words = listWords(query);
  return words.some(({ text }, i) => text === 'null' && !['is', 'not'].includes(words[i - 1]?.text ?? ''));
}

function isStable(name: string, kind: string, stable: ReadonlySet<string>): boolean {
  if (kind === 'word' && KEYWORDS.has(name)) return true;
  return GENERATORS.includes(name) || stable.has(name);
}

function listWords(query: string): readonly Word[] {
  const words: Word[] = [];
  for (const { kind, start, end } of scanSql(query, duckdbLexis)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = query.slice(start, end).toLowerCase();
    words.push({ kind, text: kind === 'quoted-name' ? text.slice(1, -1).replaceAll('""', '"') : text });
  }
  return words;
}
