import type { LexicalRules } from '../../text/lexical-rules.ts';
import { scanSql } from '../../text/sql-scanner.ts';

/** Keywords: a parenthesis after them is not a function call. */
const KEYWORDS = new Set(
  `select from where and or not in values as on using by having when then else case exists filter any all some join
  inner left right full outer cross semi anti lateral with recursive union except intersect is between like ilike
  interval cast try_cast array struct map row grouping sets cube rollup distinct order group qualify window set
  materialized unnest extract coalesce replace exclude columns similar to nullif if decimal numeric varchar char`
    .trim()
    .split(/\s+/),
);

/** Words with which rows, or their order, may change between executions. */
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
/** Aggregates whose result depends neither on the order of rows nor on the rounding of sums. */
export const STABLE_AGGREGATES =
  'count count_star min max bool_and bool_or every bit_and bit_or bit_xor'.split(' ');

/** Queries longer than this, in characters, are treated as having columns of bare NULLs. */
const LONG = 256 * 1024;

/** Table functions that read no data. */
const GENERATORS = ['range', 'generate_series', 'unnest'];

/** What a database knows about the functions and views of a query; names are in lower case. */
interface Knowledge {
  readonly lexicalRules: LexicalRules;
  /** Functions that return the same result for the same arguments, and aggregates that ignore order. */
  readonly stable: ReadonlySet<string>;
  /** User-defined views whose rows may change between executions. */
  readonly volatileViews: ReadonlySet<string>;
  /** Whether a string or a quoted name may name a file, which other programs can change. */
  readonly readsFiles: boolean;
}

interface Word {
  readonly kind: string;
  readonly text: string;
}

/** Whether a query returns the same rows each time within one statement; false when this is not certain. */
export function isRepeatable(
  query: string,
  { lexicalRules, stable, volatileViews, readsFiles }: Knowledge,
): boolean {
  const words = listWords(query, lexicalRules);
  return words.every(({ kind, text }, i) => {
    if (volatileViews.has(text) || isUnstable(words, i) || (readsFiles && isFile(words, i))) return false;
    if (words[i + 1]?.text !== '(' || (kind !== 'word' && kind !== 'quoted-name')) return true;
    // A name with its column names, or a type.
    if (['as', ')'].includes(words[i - 1]?.text ?? '')) return true;
    return isStable(text, kind, stable);
  });
}

/** The names in a query, and its other words. */
export function listNames(query: string, lexicalRules: LexicalRules): readonly string[] {
  const words = listWords(query, lexicalRules).filter(
    ({ kind }) => kind === 'word' || kind === 'quoted-name',
  );
  return [...new Set(words.map(({ text }) => text))];
}

function isUnstable(words: readonly Word[], at: number): boolean {
  const { kind, text } = words[at]!;
  if (kind !== 'word') return false;
  return UNSTABLE.has(text) || (text === 'on' && words[at - 1]?.text === 'distinct');
}

/** Whether a token may be the name of a file, which other programs can change. */
function isFile(words: readonly Word[], at: number): boolean {
  const { kind, text } = words[at]!;
  if (kind === 'quoted-name') return /[./\\]/.test(text);
  if (kind !== 'string' && kind !== 'dollar-quote') return false;
  let before = at - 1;
  while (words[before]?.text === '(') before -= 1;
  const word = words[before]?.text ?? '';
  return word === 'from' || word === 'join' || (word === ',' && /[./\\*]/.test(text));
}

/** Whether a column of a query may be a bare NULL, which has no type. */
export function mayHaveBareNull(query: string, lexicalRules: LexicalRules): boolean {
  if (!/\bnull\b/i.test(query)) return false;
  // A longer query is not scanned.
  if (query.length > LONG) return true;
  const words = listWords(query, lexicalRules);
  return words.some(({ text }, i) => text === 'null' && !['is', 'not'].includes(words[i - 1]?.text ?? ''));
}

function isStable(name: string, kind: string, stable: ReadonlySet<string>): boolean {
  if (kind === 'word' && KEYWORDS.has(name)) return true;
  return GENERATORS.includes(name) || stable.has(name);
}

function listWords(query: string, lexicalRules: LexicalRules): readonly Word[] {
  const words: Word[] = [];
  for (const { kind, start, end } of scanSql(query, lexicalRules)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = query.slice(start, end).toLowerCase();
    words.push({ kind, text: kind === 'quoted-name' ? text.slice(1, -1).replaceAll('""', '"') : text });
  }
  return words;
}
