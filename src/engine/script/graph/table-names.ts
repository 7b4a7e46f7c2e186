import { elementAt } from '../../../invariants/must.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import type { Span } from '../../text/span.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import type { Definition } from '../program/program.ts';
import type { Body } from '../syntax/ast.ts';

/** The name of a table with its schema, as SQL has it. */
interface WrittenTable extends Span {
  readonly schema: string;
  readonly name: string;
}

interface Token extends Span {
  /** A name without its quotes, a word, or one character; null for an interpolation and any other token. */
  readonly text: string | null;
  readonly isQuoted: boolean;
}

const TABLE_WORDS: ReadonlySet<string> = new Set([
  'from',
  'join',
  'into',
  'update',
  'using',
  'table',
  'only',
]);
/** Words that end the list of tables after FROM. */
const CLAUSES: ReadonlySet<string> = new Set([
  'select',
  'where',
  'group',
  'having',
  'order',
  'set',
  'values',
  'limit',
  'qualify',
  'window',
  'returning',
]);

/**
 * The tables with a schema that the SQL of a definition names where tables are read or written, by its text alone; names
 * with an interpolation in them are not found.
 */
export function listTableNames(
  { declaration, file }: Definition,
  lexicalRules: LexicalRules,
): readonly WrittenTable[] {
  if (declaration.kind === 'constant') return [];
  const { text } = file.file.rendered;
  return findTables([...listTokens(declaration.body, text, lexicalRules)]);
}

function* listTokens(body: Body, text: string, lexicalRules: LexicalRules): Generator<Token> {
  for (const part of body.parts) {
    if (part.kind === 'text') yield* listTextTokens(part, text, lexicalRules);
    else if (part.kind === 'interpolation') yield { ...part, text: null, isQuoted: false };
    else if (part.kind === 'for') yield* listTokens(part.body, text, lexicalRules);
    else if (part.kind === 'if') {
      for (const branch of part.branches) yield* listTokens(branch.body, text, lexicalRules);
      if (part.otherwise !== null) yield* listTokens(part.otherwise, text, lexicalRules);
    }
  }
}

function* listTextTokens(part: Span, text: string, lexicalRules: LexicalRules): Generator<Token> {
  for (const { kind, start, end } of scanSql(text.slice(part.start, part.end), lexicalRules)) {
    if (kind === 'space' || kind === 'comment') continue;
    const span = { start: part.start + start, end: part.start + end };
    const written = text.slice(span.start, span.end);
    const isQuoted = kind === 'quoted-name';
    const hasText = isQuoted || kind === 'word' || kind === 'punctuation';
    yield { ...span, text: hasText ? (isQuoted ? written.slice(1, -1) : written) : null, isQuoted };
  }
}

/** Finds names of two or three parts after a word that a table follows, and after a comma between tables. */
function findTables(tokens: readonly Token[]): readonly WrittenTable[] {
  const found: WrittenTable[] = [];
  /** Whether a comma separates tables, for each open bracket. */
  const lists = [false];
  let isExpected = false;
  for (let at = 0; at < tokens.length; at += 1) {
    const parts = isExpected ? readParts(tokens, at) : [];
    const [first, second] = parts.slice(-2);
    const next = tokens[at + parts.length * 2 - 1];
    if (first !== undefined && second !== undefined) {
      if (next?.text !== '(') found.push(toTable(elementAt(tokens, at), first, second));
      at += parts.length * 2 - 2;
      isExpected = false;
      continue;
    }
    isExpected = follow(elementAt(tokens, at), lists);
  }
  return found;
}

function toTable({ start }: Token, schema: Token, name: Token): WrittenTable {
  return { start, end: name.end, schema: schema.text ?? '', name: name.text ?? '' };
}

/** Notes what a token opens or closes; returns whether a table can follow it. */
function follow({ text, isQuoted }: Token, lists: boolean[]): boolean {
  const word = text === null || isQuoted ? '' : text.toLowerCase();
  if (word === '(') lists.push(false);
  else if (word === ')' && lists.length > 1) lists.pop();
  else if (word === ';') lists.splice(0, lists.length, false);
  else if (word === 'from' || word === 'using') lists[lists.length - 1] = true;
  else if (CLAUSES.has(word)) lists[lists.length - 1] = false;
  return TABLE_WORDS.has(word) || (word === ',' && lists.at(-1) === true);
}

/** The parts of a dotted name. */
function readParts(tokens: readonly Token[], from: number): readonly Token[] {
  const parts: Token[] = [];
  for (let at = from; ; at += 2) {
    const token = tokens[at];
    const isName =
      token !== undefined &&
      token.text !== null &&
      (token.isQuoted || /^[\w$\u0080-\uffff]+$/.test(token.text));
    if (!isName) return [];
    parts.push(token);
    if (tokens[at + 1]?.text !== '.' || tokens[at + 1]?.isQuoted === true) return parts;
  }
}
