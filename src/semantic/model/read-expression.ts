import type { LexicalRules } from '../../engine/text/lexical-rules.ts';
import { scanSql } from '../../engine/text/sql-scanner.ts';
import { elementAt } from '../../invariants/must.ts';

/** Text of a model's SQL, or where the alias of one of the entities goes that it names, by their order. */
type Piece = string | number;

/** What is known of an expression of a model without understanding it (semantic 3, "opaque"). */
export interface Expression {
  /** As it was written, without comments, its entities' names replaced. */
  readonly written: readonly Piece[];
  /** With every column qualified by the first entity; null where what is a column is not certain. */
  readonly qualified: readonly Piece[] | null;
  /** Whether it is NULL when all of its columns are. */
  readonly isStrict: boolean;
  /** Whether it needs no parentheses beside an operator. */
  readonly isAtomic: boolean;
  /** The columns that are named alone, in lower case and without quotes. */
  readonly bare: ReadonlySet<string>;
  /** Whether it surely reads a column outside of sub-queries. */
  readonly hasColumn: boolean;
  readonly hasQuery: boolean;
  /** Whether it is computed of other rows, too, by a window function. */
  readonly hasWindow: boolean;
  /** The columns of two entities that it wants to be equal, where it is nothing but equalities and AND; else null. */
  readonly equalities: readonly EqualColumns[] | null;
}

interface Word {
  readonly kind: 'name' | 'value' | 'mark' | 'other';
  readonly text: string;
  /** Whether blanks or comments stood before it. */
  readonly spaced: boolean;
}

/** Functions that take nothing but expressions; those that are true give NULL for NULLs. */
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
 * Reads an expression over the columns of the first of `names`, which may be qualified by any of them. Qualifiers are
 * found whatever strings, quoted names and comments hold.
 */
export function readExpression(
  text: string,
  names: readonly string[],
  lexicalRules: LexicalRules,
): Expression {
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

/** The text with its aliases, which are quoted already. */
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

/** One pass over the words, with what is known so far. */
class Reading {
  readonly written: Piece[] = [];
  readonly qualified: Piece[] = [];
  readonly bare = new Set<string>();
  isCertain = true;
  isStrict = true;
  columns = 0;
  /** Whether what was just read is an operand, which no other may follow. */
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

  /** Names with dots between them. */
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
      // MySQL's `<=>` is true of two NULLs.
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

function findTraits(words: readonly Word[]): Pick<Expression, 'hasColumn' | 'hasQuery' | 'hasWindow'> {
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

/** The words outside of sub-queries, which leave their parentheses. */
function leaveOutQueries(words: readonly Word[]): readonly Word[] {
  /** How many parentheses are open since a sub-query began. */
  let depth = 0;
  return words.filter(({ text }, at) => {
    const isInside = depth > 0;
    if (text === '(' && (isInside || QUERY_WORDS.has(words[at + 1]?.text.toLowerCase() ?? ''))) depth += 1;
    if (text === ')' && isInside) depth -= 1;
    return !isInside || depth === 0;
  });
}

/** Whether a name is surely no column's. */
function isKeyword(name: string): boolean {
  return [CONNECTIVES, CONSTANTS, UNCERTAIN].some((words) => words.has(name)) || name === 'end';
}

function isPart(word: Word | undefined): boolean {
  return word !== undefined && (word.kind === 'name' || word.text === '*');
}

/** Which of the names a word is, quoted or not; -1 for none. */
function findName(word: string, names: readonly string[]): number {
  const quote = word.charAt(0);
  if (quote === '"' || quote === '`' || quote === '[') {
    const close = quote === '[' ? ']' : quote;
    return names.indexOf(word.slice(1, -1).replaceAll(close + close, close));
  }
  return names.findIndex((name) => name.toLowerCase() === word.toLowerCase());
}

/** One name, value or chain, or one pair of parentheses with at most a name before it. */
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

/** A column of the first and one of the second of two entities, as they are written. */
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
