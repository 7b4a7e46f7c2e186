import { elementAt } from '../../invariants/must.ts';
import { finish, type Interruptible, isPause } from './interruptible.ts';
import type { LexicalRules } from './lexical-rules.ts';
import type { Span } from './span.ts';
import {
  findLexemeEnd,
  findNameEnd,
  isDigit,
  isNameStart,
  isSpace,
  isWordStart,
  type Lexeme,
  UNTERMINATED,
} from './sql-lexemes.ts';
import { findStatementEnds, mayHoldRoutine, type RoutineToken } from './sql-routine.ts';

/**
 * A token of SQL. A client would bind a `parameter` (`$x`, `$1`, `?`); `punctuation` is one character (or `/*!`); a
 * string includes its `E`. A token without its closing mark extends to the end of the SQL and is not `terminated`.
 */
export interface SqlToken extends Span {
  readonly kind:
    | 'space'
    | 'comment'
    | 'word'
    | 'number'
    | 'string'
    | 'quoted-name'
    | 'dollar-quote'
    | 'parameter'
    | 'punctuation';
  readonly terminated: boolean;
}

const KINDS: Readonly<Record<Lexeme, SqlToken['kind']>> = {
  space: 'space',
  'line-comment': 'comment',
  'block-comment': 'comment',
  'conditional-comment-start': 'punctuation',
  word: 'word',
  number: 'number',
  string: 'string',
  'escape-string': 'string',
  'quoted-name': 'quoted-name',
  'bracket-name': 'quoted-name',
  'dollar-quote': 'dollar-quote',
  parameter: 'parameter',
  punctuation: 'punctuation',
};

/**
 * Splits SQL into tokens without gaps, in one pass; every string can be split. Only the database interprets words and
 * operators.
 */
export function* scanSql(text: string, lexicalRules: LexicalRules): Generator<SqlToken, void, undefined> {
  let continuation: Continuation = 'none';
  let start = 0;
  while (start < text.length) {
    const continued = continuation === 'after-line' && text.charAt(start) === "'";
    const lexeme = continued ? 'escape-string' : findLexeme(text, start, lexicalRules);
    const lexemeEnd = findLexemeEnd[lexeme](text, start, lexicalRules);
    const terminated = lexemeEnd !== UNTERMINATED;
    const end = terminated ? lexemeEnd : text.length;
    yield { kind: KINDS[lexeme], start, end, terminated };
    continuation = findContinuation(continuation, lexeme, text, start, end);
    start = end;
  }
}

/**
 * Finds the statements of a script: the parts between its top-level `;`, from the first to the last character that is
 * neither whitespace nor comment. An unterminated comment counts as part of a statement. Empty parts are left out.
 */
export function findStatements(text: string, lexicalRules: LexicalRules): readonly Span[] {
  return finish(splitLongText(text, lexicalRules));
}

/** As `findStatements`, but interruptible. */
export function* splitLongText(text: string, lexicalRules: LexicalRules): Interruptible<readonly Span[]> {
  const { complete, open } = yield* cutStatements(text, lexicalRules);
  return open === null ? complete : [...complete, open];
}

/** The statements that end with `;`, and the statement after the last `;`. */
interface CutText {
  readonly complete: readonly Span[];
  readonly open: Span | null;
}

/** Characters that can end a statement, or begin a comment or a quote. */
const MARKS_OF_PARTS = /[;'"`[$#]|--|\/\*/;

/** As `splitLongText`, with the unfinished statement separate. */
export function* cutStatements(text: string, lexicalRules: LexicalRules): Interruptible<CutText> {
  // Most SQL in calls is short and plain, and needs no tokens.
  if (!MARKS_OF_PARTS.test(text)) return { complete: [], open: trim(text, lexicalRules) };
  if (mayHoldRoutine(text)) return yield* cutRoutines(text, lexicalRules);
  const complete: Span[] = [];
  const cut: { open: Span | null } = { open: null };
  let passed = 0;
  for (const { kind, start, end, terminated } of scanSql(text, lexicalRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (isBlank(kind, terminated)) continue;
    if (kind === 'punctuation' && text.charAt(start) === ';') {
      if (cut.open !== null) complete.push(cut.open);
      cut.open = null;
    } else {
      cut.open = { start: cut.open?.start ?? start, end };
    }
  }
  return { complete, open: cut.open };
}

/** The text without the whitespace around it; null if there is only whitespace. */
function trim(text: string, lexicalRules: LexicalRules): Span | null {
  let start = 0;
  while (isSpace(text, start, lexicalRules)) start += 1;
  let end = text.length;
  while (end > start && isSpace(text, end - 1, lexicalRules)) end -= 1;
  return start === end ? null : { start, end };
}

/** Whether a token is whitespace or a comment, which can only be inside a statement. */
function isBlank(kind: SqlToken['kind'], terminated: boolean): boolean {
  return kind === 'space' || (kind === 'comment' && terminated);
}

/** As `cutStatements`, for SQL in which not every `;` ends a statement. */
function* cutRoutines(text: string, lexicalRules: LexicalRules): Interruptible<CutText> {
  const tokens: RoutineToken[] = [];
  let passed = 0;
  for (const { kind, start, end, terminated } of scanSql(text, lexicalRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (isBlank(kind, terminated)) continue;
    const lexeme = text.slice(start, end);
    tokens.push({ text: kind === 'word' ? lexeme.toLowerCase() : lexeme, start, end });
  }
  const complete: Span[] = [];
  let first = 0;
  for (const end of yield* findStatementEnds(tokens, lexicalRules)) {
    if (end > first)
      complete.push({ start: elementAt(tokens, first).start, end: elementAt(tokens, end - 1).end });
    first = end + 1;
  }
  const isOpen = first < tokens.length;
  return {
    complete,
    open: isOpen ? { start: elementAt(tokens, first).start, end: elementAt(tokens, -1).end } : null,
  };
}

/**
 * Whether a quote continues the last escape string: standard SQL continues a string on a later line
 * (`E'a'`, a line end, `'b'`), with the escapes of its first part.
 */
type Continuation = 'none' | 'same-line' | 'after-line';

function findContinuation(
  before: Continuation,
  lexeme: Lexeme,
  text: string,
  start: number,
  end: number,
): Continuation {
  if (lexeme === 'escape-string') return 'same-line';
  if (before === 'none' || lexeme === 'line-comment') return before;
  if (lexeme !== 'space') return 'none';
  return before === 'after-line' || /[\n\r]/.test(text.slice(start, end)) ? 'after-line' : before;
}

type Find = (text: string, at: number, lexicalRules: LexicalRules) => Lexeme;

const MARKS: Readonly<Record<string, Find>> = {
  "'": () => 'string',
  '"': (_text, _at, lexicalRules) => (lexicalRules.doubleQuotes === 'name' ? 'quoted-name' : 'string'),
  '`': (_text, _at, lexicalRules) => (lexicalRules.backtickNames ? 'quoted-name' : 'punctuation'),
  '[': (_text, _at, lexicalRules) => (lexicalRules.bracketNames ? 'bracket-name' : 'punctuation'),
  '#': (_text, _at, lexicalRules) => (lexicalRules.hashComments ? 'line-comment' : 'punctuation'),
  '-': (text, at, lexicalRules) => (isDashComment(text, at, lexicalRules) ? 'line-comment' : 'punctuation'),
  '/': findSlash,
  $: findDollar,
  '?': (_text, _at, lexicalRules) => (lexicalRules.questionParameters ? 'parameter' : 'punctuation'),
  '.': (text, at) => (isDigit(text, at + 1) ? 'number' : 'punctuation'),
};

/** The lexeme that starts at `at`, unless it continues an escape string. */
export function findLexeme(text: string, at: number, lexicalRules: LexicalRules): Lexeme {
  if (isWordStart(text, at, lexicalRules))
    return isEscapeString(text, at, lexicalRules) ? 'escape-string' : 'word';
  if (isSpace(text, at, lexicalRules)) return 'space';
  if (isDigit(text, at)) return 'number';
  return MARKS[text.charAt(at)]?.(text, at, lexicalRules) ?? 'punctuation';
}

function isEscapeString(text: string, at: number, lexicalRules: LexicalRules): boolean {
  if (!lexicalRules.escapeStrings || text.charAt(at + 1) !== "'") return false;
  return text.charAt(at) === 'E' || text.charAt(at) === 'e';
}

function isDashComment(text: string, at: number, lexicalRules: LexicalRules): boolean {
  if (text.charAt(at + 1) !== '-') return false;
  return !lexicalRules.spacedDashes || at + 2 >= text.length || /[\0-\x20\x7f]/.test(text.charAt(at + 2));
}

function findSlash(text: string, at: number, lexicalRules: LexicalRules): Lexeme {
  if (text.charAt(at + 1) !== '*') return 'punctuation';
  const conditional = lexicalRules.conditionalComments && text.charAt(at + 2) === '!';
  return conditional ? 'conditional-comment-start' : 'block-comment';
}

function findDollar(text: string, at: number, lexicalRules: LexicalRules): Lexeme {
  const next = at + 1;
  if (isDigit(text, next) || text.charAt(next) === '"') return 'parameter';
  const named = isNameStart(text, next, lexicalRules);
  const afterName = named ? findNameEnd(text, next, lexicalRules) : next;
  if (lexicalRules.dollarQuotes && text.charAt(afterName) === '$') return 'dollar-quote';
  return named ? 'parameter' : 'punctuation';
}
