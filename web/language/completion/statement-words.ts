import { scanSql } from '../../../src/engine/text/sql-scanner.ts';
import type { CompletionRequest } from './context.ts';

/** UTF-16 units around the position that are read. */
const AROUND = 10_000;

/** A token of a statement, without white space and comments. */
export interface StatementWord {
  readonly kind: string;
  readonly text: string;
  /** The text in lower case; empty for a quoted name and a string. */
  readonly plain: string;
  /** Whether it is before the position. */
  readonly isBefore: boolean;
}

/** The tokens of the statement around the position; `typed` is the length of the name at the position. */
export function readStatementWords(
  { doc, position, rules }: CompletionRequest,
  typed: number,
): readonly StatementWord[] {
  const start = Math.max(0, position - AROUND);
  const around = doc.sliceString(start, position + AROUND);
  const [from, to] = rules.isScript ? findBody(around, position - start) : [0, around.length];
  const text = around.slice(from, to);
  const offset = position - start - from;
  let words: StatementWord[] = [];
  for (const { kind, start: at, end } of scanSql(text, rules.lexicalRules)) {
    if (kind === 'space' || kind === 'comment') continue;
    const word = text.slice(at, end);
    if (kind === 'punctuation' && word === ';') {
      if (at >= offset) break;
      words = [];
      continue;
    }
    const plain = kind === 'word' || kind === 'punctuation' ? word.toLowerCase() : '';
    words.push({ kind, text: word, plain, isBefore: at < offset - typed });
  }
  return words;
}

/** The body of a script around an offset: from the directive that begins it to its end, with conditions and loops. */
function findBody(text: string, offset: number): readonly [from: number, to: number] {
  const begin = text.slice(0, offset).lastIndexOf('#+begin');
  const from = begin === -1 ? 0 : begin + '#+begin'.length;
  let depth = 0;
  for (const { 1: directive = '', index } of text
    .slice(from)
    .matchAll(/#\+(if|for|end|src|test|macro|const)\b/g)) {
    const at = from + index;
    const isPart = directive === 'if' || directive === 'for';
    if (at >= offset && !isPart && (depth === 0 || directive !== 'end')) return [from, at];
    depth = Math.max(0, depth + (isPart ? 1 : directive === 'end' ? -1 : 0));
  }
  return [from, text.length];
}

/** Whether a word can be a name. */
export function isName(word: StatementWord | undefined): word is StatementWord {
  return word !== undefined && (word.kind === 'word' || word.kind === 'quoted-name');
}

/** A name without its quotes. */
export function unquote(name: string): string {
  const quote = name.charAt(0);
  if (quote === '[') return name.slice(1, -1);
  if (quote !== '"' && quote !== '`') return name;
  return name.slice(1, -1).replaceAll(quote + quote, quote);
}

/** The index after the parenthesis that closes the one at an index. */
export function findClosing(words: readonly StatementWord[], at: number, to = words.length): number {
  let depth = 0;
  for (let index = at; index < to; index += 1) {
    if (words[index]?.plain === '(') depth += 1;
    if (words[index]?.plain === ')') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return to;
}

/** Words before a table. */
const TABLE_WORDS: ReadonlySet<string> = new Set(['from', 'join', 'into', 'update', 'table']);
/** Words that end a list of tables. */
const END_WORDS: ReadonlySet<string> = new Set(
  'select where group having order limit set values union intersect except window qualify returning'.split(
    ' ',
  ),
);
/** Words that can be between those and a table. */
const MODIFIERS: ReadonlySet<string> = new Set(['lateral', 'only', 'if', 'not', 'exists']);
/** Functions whose arguments have the word FROM. */
const FROM_FUNCTIONS: ReadonlySet<string> = new Set(['extract', 'substring', 'trim', 'overlay']);

/** Where a statement names tables. */
interface TablePlaces {
  /** The indexes at which a table begins: its name, or the parenthesis of a query. */
  readonly places: readonly number[];
  /** Whether a table comes after the last word. */
  readonly isNext: boolean;
}

/** Finds the places of tables in a statement, also in its queries in parentheses. */
export function findTablePlaces(words: readonly StatementWord[]): TablePlaces {
  const places: number[] = [];
  // For each open parenthesis, whether a comma separates tables.
  const lists = [false];
  let isNext = false;
  for (const [at, word] of words.entries()) {
    if (isNext && MODIFIERS.has(word.plain)) continue;
    const isTable = isNext && (word.plain === '(' || (isName(word) && !END_WORDS.has(word.plain)));
    if (isTable) places.push(at);
    isNext = changeLists(lists, words, at, isTable);
  }
  return { places, isNext };
}

/** Takes a word into account; returns whether a table comes next. */
function changeLists(
  lists: boolean[],
  words: readonly StatementWord[],
  at: number,
  isTable: boolean,
): boolean {
  const plain = words[at]?.plain ?? '';
  const last = lists.length - 1;
  if (plain === '(') lists.push(isTable);
  else if (plain === ')' && last > 0) lists.pop();
  else if (END_WORDS.has(plain)) lists[last] = false;
  else if (!isTable && isTableWord(words, at)) lists[last] = true;
  else return plain === ',' && lists[last] === true;
  return (plain === '(' && isTable) || (lists[last] === true && TABLE_WORDS.has(plain));
}

function isTableWord(words: readonly StatementWord[], at: number): boolean {
  const plain = words[at]?.plain ?? '';
  if (!TABLE_WORDS.has(plain)) return false;
  // IS DISTINCT FROM compares, and EXTRACT(YEAR FROM x) reads no table.
  const [one, two, three] = [words[at - 1]?.plain, words[at - 2]?.plain, words[at - 3]?.plain ?? ''];
  const isComparison = one === 'distinct' && (two === 'is' || two === 'not');
  return plain !== 'from' || !(isComparison || (two === '(' && FROM_FUNCTIONS.has(three)));
}
