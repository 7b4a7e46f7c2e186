import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import { scanSql } from '../../engine/text/sql-scanner.ts';
import { elementAt } from '../../invariants/must.ts';

/** SQL text of a model, or the index of an entity whose alias goes there. */
type Piece = string | number;

/**
 * The properties of a model's expression, found without parsing it completely
 * (docs/reference/semantic-numbers.md#model-expressions-in-sql).
 */
export interface ModelExpression {
  /** The SQL as written, without comments, with the names of its entities replaced. */
  readonly written: readonly Piece[];
  /** With every column qualified by the first entity; null if it is not certain which words are columns. */
  readonly qualified: readonly Piece[] | null;
  /** Whether it is NULL if all of its columns are NULL. */
  readonly isStrict: boolean;
  /** Whether it needs no parentheses next to an operator. */
  readonly isAtomic: boolean;
  /** The unqualified columns, in lower case without quotes. */
  readonly bare: ReadonlySet<string>;
  /** Whether it certainly reads a column outside sub-queries. */
  readonly hasColumn: boolean;
  readonly hasQuery: boolean;
  /** Whether it has a window function, so that it depends on other rows. */
  readonly hasWindow: boolean;
  /**
   * The pairs of equal columns of two entities, if the condition consists only of equalities and AND; otherwise null.
   */
  readonly equalities: readonly EqualColumns[] | null;
}

interface Word {
  readonly kind: 'name' | 'value' | 'mark' | 'other';
  readonly text: string;
  /** Whether whitespace or a comment precedes it. */
  readonly spaced: boolean;
}

/** Functions with only expressions as arguments. The value is true if NULL arguments give NULL. */
const FUNCTIONS: ReadonlyMap<string, boolean> = new Map([
  ...[
    'abs',
    'ceil',
    'ceiling',
    'floor',
    'length',
    'lower',
    'ltrim',
    'month',
    'replace',
    'round',
    'rtrim',
  ].map((name) => [name, true] as const),
  ...['sign', 'sqrt', 'substr', 'substring', 'trim', 'upper', 'year'].map((name) => [name, true] as const),
  ...['avg', 'coalesce', 'concat', 'count', 'greatest', 'least', 'max', 'min', 'nullif', 'sum'].map(
    (name) => [name, false] as const,
  ),
]);
const CONSTANTS: ReadonlySet<string> = new Set(['null', 'true', 'false']);
const CONNECTIVES: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', 'is', 'in', 'between', 'like', 'case', 'when', 'then', 'else', 'distinct'],
]);
const UNCERTAIN: ReadonlySet<string> = new Set([
  ...['current_date', 'current_time', 'current_timestamp', 'current_user', 'localtime', 'localtimestamp'],
  ...['session_user', 'user', 'current_role', 'current_schema', 'current_catalog', 'sysdate', 'rownum'],
  ...['default', 'all', 'any', 'some', 'as', 'select', 'values', 'table'],
]);
const OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%', '<', '>', '=', '!']);

/**
 * Reads an expression over the columns of the first of `names`; each name can qualify columns. Strings, quoted names
 * and comments do not confuse the search for qualifiers.
 */
export function readModelExpression(
  text: string,
  names: readonly string[],
  lexicalRules: LexicalRules,
): ModelExpression {
  const words = readWords(text, lexicalRules);
  const reading = new Reading(words, names, lexicalRules);
  return {
    written: reading.written,
    qualified: reading.isCertain ? reading.qualified : null,
    isStrict: reading.isCertain && reading.isStrict && reading.columns > 0,
    isAtomic: isAtomic(words),
    bare: reading.bare,
    ...findTraits(words),
    equalities: names.length === 2 ? findEqualities(words, names) : null,
  };
}

/** Prints the SQL with its aliases, which are already quoted. */
export function printPieces(pieces: readonly Piece[], aliases: readonly string[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : elementAt(aliases, piece))).join('');
}

function readWords(text: string, lexicalRules: LexicalRules): readonly Word[] {
  const words: Word[] = [];
  let spaced = false;
  for (const { kind, start, end } of scanSql(text, lexicalRules)) {
    if (kind === 'space' || kind === 'comment') {
      spaced = true;
      continue;
    }
    words.push({
      kind: KINDS[kind] ?? 'other',
      text: text.slice(start, end),
      spaced: spaced && words.length > 0,
    });
    spaced = false;
  }
  return words;
}

const KINDS: Readonly<Record<string, Word['kind']>> = {
  word: 'name',
  'quoted-name': 'name',
  string: 'value',
  number: 'value',
  'dollar-quote': 'value',
  punctuation: 'mark',
};

/** The state of one pass over the words. */
class Reading {
  readonly written: Piece[] = [];
  readonly qualified: Piece[] = [];
  readonly bare = new Set<string>();
  isCertain = true;
  isStrict = true;
  columns = 0;
  /** Whether the last word was an operand, so that no other operand can follow. */
  #afterOperand = false;
  readonly #words: readonly Word[];
  readonly #names: readonly string[];
  readonly #lexicalRules: LexicalRules;

  constructor(words: readonly Word[], names: readonly string[], lexicalRules: LexicalRules) {
    this.#words = words;
    this.#names = names;
    this.#lexicalRules = lexicalRules;
    for (let at = 0; at < words.length; ) at = this.#read(at);
  }

  #read(at: number): number {
    const word = elementAt(this.#words, at);
    if (word.spaced) this.#push(' ');
    switch (word.kind) {
      case 'name':
        return this.#readName(at);
      case 'value':
        this.#push(word.text);
        this.#operand();
        return at + 1;
      case 'mark':
        return this.#readMark(at);
      case 'other':
        this.isCertain = false;
        this.#push(word.text);
        return at + 1;
    }
  }

  #readName(at: number): number {
    if (this.#words[at + 1]?.text === '.') return this.#readChain(at);
    const { text } = elementAt(this.#words, at);
    const name = text.toLowerCase();
    if (this.#words[at + 1]?.text === '(' && !CONNECTIVES.has(name)) {
      this.#operand();
      this.#afterOperand = false;
      this.isCertain &&= FUNCTIONS.has(name);
      this.isStrict &&= FUNCTIONS.get(name) === true;
      this.#push(text);
    } else if (CONNECTIVES.has(name)) {
      this.isStrict = false;
      this.#afterOperand = false;
      this.#push(text);
    } else if (CONSTANTS.has(name) || name === 'end') {
      if (name !== 'end') this.#operand();
      this.#afterOperand = true;
      this.#push(text);
    } else {
      this.isCertain &&= !UNCERTAIN.has(name);
      this.#column();
      this.bare.add(name.replace(/^["`[]|["`\]]$/g, ''));
      this.written.push(text);
      this.qualified.push(0, '.', text);
    }
    return at + 1;
  }

  /** Names joined with dots. */
  #readChain(at: number): number {
    let end = at + 1;
    while (this.#words[end]?.text === '.' && isPart(this.#words[end + 1])) end += 2;
    const texts = this.#words.slice(at, end).map(({ text }) => text);
    const entity = findName(elementAt(texts, 0), this.#names);
    this.isCertain &&= entity !== -1 && texts.length === 3 && texts[2] !== '*';
    this.#column();
    for (const piece of entity === -1 ? texts : [entity, ...texts.slice(1)]) this.#push(piece);
    return end;
  }

  #readMark(at: number): number {
    const { text } = elementAt(this.#words, at);
    const [before, after] = [this.#words[at - 1]?.text, this.#words[at + 1]?.text];
    this.#push(text);
    if (text === '(' || text === ',') {
      this.isCertain &&= text === ',' || !this.#afterOperand;
      this.#afterOperand = false;
    } else if (text === ')' || (text === '*' && before === '(' && after === ')')) {
      this.#afterOperand = true;
      this.isStrict &&= text === ')';
    } else if (text === '|') {
      this.isStrict &&= this.#lexicalRules.doubleQuotes === 'name';
      this.#afterOperand = false;
    } else {
      this.isCertain &&= OPERATORS.has(text);
      // MySQL's `<=>` is true for two NULLs.
      this.isStrict &&= !(text === '>' && before === '=');
      this.#afterOperand = false;
    }
    return at + 1;
  }

  #column(): void {
    this.columns += 1;
    this.#operand();
  }

  #operand(): void {
    this.isCertain &&= !this.#afterOperand;
    this.#afterOperand = true;
  }

  #push(piece: Piece): void {
    this.written.push(piece);
    this.qualified.push(piece);
  }
}

const QUERY_WORDS: ReadonlySet<string> = new Set(['select', 'with', 'values', 'from']);

function findTraits(words: readonly Word[]): Pick<ModelExpression, 'hasColumn' | 'hasQuery' | 'hasWindow'> {
  const outside = leaveOutQueries(words);
  const before = (at: number) => outside[at - 1]?.text.toLowerCase() ?? '';
  const isColumn = ({ kind, text }: Word, at: number) =>
    kind === 'name' && outside[at + 1]?.text !== '(' && before(at) !== 'as' && !isKeyword(text.toLowerCase());
  return {
    hasColumn: outside.some(isColumn),
    hasQuery: outside.length < words.length,
    hasWindow: outside.some(
      ({ text }, at) => text.toLowerCase() === 'over' && /^(?:\)|nulls)$/.test(before(at)),
    ),
  };
}

/** The words outside sub-queries; the parentheses of sub-queries stay. */
function leaveOutQueries(words: readonly Word[]): readonly Word[] {
  /** The number of open parentheses since the start of a sub-query. */
  let depth = 0;
  return words.filter(({ text }, at) => {
    const isInside = depth > 0;
    if (text === '(' && (isInside || QUERY_WORDS.has(words[at + 1]?.text.toLowerCase() ?? ''))) depth += 1;
    if (text === ')' && isInside) depth -= 1;
    return !isInside || depth === 0;
  });
}

/** Whether a name certainly is not a column. */
function isKeyword(name: string): boolean {
  return [CONNECTIVES, CONSTANTS, UNCERTAIN].some((words) => words.has(name)) || name === 'end';
}

function isPart(word: Word | undefined): boolean {
  return word !== undefined && (word.kind === 'name' || word.text === '*');
}

/** The index of the name that a word means, quoted or not; -1 for no name. */
function findName(word: string, names: readonly string[]): number {
  const quote = word.charAt(0);
  if (quote === '"' || quote === '`' || quote === '[') {
    const close = quote === '[' ? ']' : quote;
    return names.indexOf(word.slice(1, -1).replaceAll(close + close, close));
  }
  return names.findIndex((name) => name.toLowerCase() === word.toLowerCase());
}

/** A single name, value or chain, or one pair of parentheses with an optional name before it. */
function isAtomic(words: readonly Word[]): boolean {
  const start = words.findIndex((word) => word.kind !== 'name' && word.text !== '.');
  if (start === -1) return words.every(({ text }, at) => (at % 2 === 1) === (text === '.'));
  if (words.length === 1) return elementAt(words, 0).kind === 'value';
  if (start > 1 || elementAt(words, start).text !== '(') return false;
  let depth = 0;
  for (let at = start; at < words.length; at += 1) {
    const { text } = elementAt(words, at);
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (depth === 0) return at === words.length - 1;
  }
  return false;
}

/** A column of the first and a column of the second entity, as written. */
interface EqualColumns {
  readonly left: string;
  readonly right: string;
}

function findEqualities(words: readonly Word[], names: readonly string[]): readonly EqualColumns[] | null {
  const pairs: EqualColumns[] = [];
  for (let at = 0; at < words.length; at += 8) {
    const [entity, dot, column, equals, other, point, field, and] = words.slice(at, at + 8);
    const sides = [entity, other].map((word) => (word?.kind === 'name' ? findName(word.text, names) : -1));
    const isPair =
      dot?.text === '.' && point?.text === '.' && column?.kind === 'name' && field?.kind === 'name';
    if (!isPair || equals?.text !== '=' || (and?.text ?? 'and').toLowerCase() !== 'and') return null;
    if (!sides.includes(0) || !sides.includes(1)) return null;
    pairs.push(
      sides[0] === 0 ? { left: column.text, right: field.text } : { left: field.text, right: column.text },
    );
  }
  return words.length % 8 === 7 ? pairs : null;
}
