import { elementAt } from '../../invariants/must.ts';
import { type Interruptible, isPause } from './interruptible.ts';
import type { LexicalRules } from './lexical-rules.ts';
import type { Span } from './span.ts';

/** A token that is neither whitespace nor comment. `text` is in lower case if the token is a word. */
export interface RoutineToken extends Span {
  readonly text: string;
}

const ROUTINES: ReadonlySet<string> = new Set(['function', 'procedure', 'trigger', 'event', 'package']);
const OTHER_OBJECTS: ReadonlySet<string> = new Set(
  'table view index sequence database schema user role type server domain extension'.split(' '),
);
/** Loops and conditions, which end with `END` and the same word. */
const COMPOUNDS: ReadonlySet<string> = new Set(['if', 'loop', 'while', 'repeat', 'for', 'case']);
/** Tokens directly before a statement inside a body. */
const BEFORE_STATEMENT: ReadonlySet<string> = new Set([
  ';',
  ':',
  'begin',
  'atomic',
  'then',
  'else',
  'loop',
  'repeat',
  'do',
  'sqlexception',
  'sqlwarning',
  'found',
]);
/** The first words of a body that has one statement. */
const STATEMENTS: ReadonlySet<string> = new Set(
  'return set call select replace with signal insert update delete'.split(' '),
);
const EVENTS: ReadonlySet<string> = new Set(['before', 'after', 'or']);
/** Tokens before a name: `end` and `begin` can be names, too. */
const BEFORE_NAME: ReadonlySet<string> = new Set(['.', ',', '(', 'select']);

/** Whether SQL can contain a body with `;` in it, which needs to be read token by token. */
export function mayHoldRoutine(text: string): boolean {
  return /\bend\b/i.test(text) && /\bcreate\b|\bfunction\b|\bbegin\s+not\s+atomic\b/i.test(text);
}

/**
 * Finds the ends of statements and skips each `;` inside the body of a routine: `BEGIN ATOMIC … END` of PostgreSQL;
 * blocks, loops and conditions in CREATE FUNCTION, PROCEDURE, TRIGGER, EVENT and PACKAGE, and `BEGIN NOT ATOMIC`, of
 * MariaDB; those in CREATE FUNCTION and WITH FUNCTION of Trino. Returns the index of the token that ends each statement.
 */
export function* findStatementEnds(
  tokens: readonly RoutineToken[],
  lexicalRules: LexicalRules,
): Interruptible<readonly number[]> {
  const ends: number[] = [];
  for (let at = 0; at < tokens.length; ) {
    const end = yield* findEnd(tokens, at, lexicalRules);
    if (end < tokens.length) ends.push(end);
    at = end + 1;
  }
  return ends;
}

function* findEnd(
  tokens: readonly RoutineToken[],
  first: number,
  lexicalRules: LexicalRules,
): Interruptible<number> {
  const body = startBody(tokens, first, lexicalRules);
  for (let at = first; at < tokens.length; at += 1) {
    if (isPause(at)) yield;
    body?.take(at);
    if (elementAt(tokens, at).text === ';' && (body === null || !body.isOpen)) return at;
  }
  return tokens.length;
}

interface Body {
  readonly isOpen: boolean;
  take(at: number): void;
}

/** A reader of the body of a statement; null for a statement without a body. */
function startBody(tokens: readonly RoutineToken[], first: number, { routines }: LexicalRules): Body | null {
  if (routines === 'functions') return createFunctionReader(tokens, first);
  const textAt = (at: number) => tokens[at]?.text ?? '';
  let start = first;
  // The statement can be inside a conditional comment of MySQL (`/*!50003 CREATE …`); a block can have a label.
  while (textAt(start) === '/*!' || /^\d/.test(textAt(start))) start += 1;
  if (textAt(start + 1) === ':') start += 2;
  const hasBlocks = routines === 'blocks';
  if (hasBlocks && textAt(start) === 'begin' && textAt(start + 1) === 'not') return createBlockReader(tokens);
  if (textAt(start) !== 'create') return null;
  const kind = findKind(tokens, start + 1);
  if (kind === null) return null;
  if (!hasBlocks) return createAtomicReader(tokens);
  return kind === 'package' ? createPackageReader(tokens) : createBlockReader(tokens);
}

function findKind(tokens: readonly RoutineToken[], start: number): string | null {
  for (let at = start; at < tokens.length; at += 1) {
    const { text } = elementAt(tokens, at);
    if (ROUTINES.has(text)) return text;
    if (OTHER_OBJECTS.has(text) || text === '(' || text === ';') return null;
  }
  return null;
}

/** PostgreSQL: statements between `BEGIN ATOMIC` and `END`; inside, only CASE has its own END. */
function createAtomicReader(tokens: readonly RoutineToken[]): Body {
  let depth = 0;
  return {
    get isOpen() {
      return depth > 0;
    },
    take(at) {
      const { text } = elementAt(tokens, at);
      const isName = BEFORE_NAME.has(tokens[at - 1]?.text ?? '') && text !== 'case';
      if (depth === 0) depth = text === 'begin' && tokens[at + 1]?.text === 'atomic' ? 1 : 0;
      else if (text === 'case') depth += 1;
      else if (text === 'end' && !isName) depth -= 1;
    },
  };
}

/** Trino: the bodies of a new function, or of the functions that a query declares, before the query itself. */
function createFunctionReader(tokens: readonly RoutineToken[], first: number): Body {
  const blocks = createBlockReader(tokens);
  let isInside = false;
  return {
    get isOpen() {
      return blocks.isOpen;
    },
    take(at) {
      isInside ||= startsFunction(tokens, first, at);
      if (isInside) blocks.take(at);
    },
  };
}

/** Whether a function is declared at a token: `function` can be a name, too. */
function startsFunction(tokens: readonly RoutineToken[], first: number, at: number): boolean {
  const textAt = (index: number) => tokens[index]?.text ?? '';
  if (textAt(at) !== 'function' || !['(', '.'].includes(textAt(at + 2))) return false;
  const isNew = textAt(first) === 'create' && (at === first + 1 || textAt(at - 1) === 'replace');
  return isNew || textAt(at - 1) === 'with';
}

/** MariaDB and Trino: nested blocks, loops and conditions, with labels. */
function createBlockReader(tokens: readonly RoutineToken[]): Body {
  const open: string[] = [];
  let isPlain = false;
  const before = (at: number) => tokens[at - 1]?.text ?? '';

  function isOpener(at: number): boolean {
    const { text } = elementAt(tokens, at);
    if (before(at) === 'end') return false;
    if (text === 'case') return open.length > 0 || !isPlain;
    if (BEFORE_NAME.has(before(at))) return false;
    if (text === 'begin') return open.length > 0 || !isPlain;
    return COMPOUNDS.has(text) && !isCall(tokens, at) && mayStart(at);
  }

  /** Whether a statement can start at a word: after the end of another one, or at the start of the body. */
  function mayStart(at: number): boolean {
    if (open.length > 0) return BEFORE_STATEMENT.has(before(at));
    const isHeader = ROUTINES.has(before(at)) || before(at) === 'body' || tokens[at + 1]?.text === 'each';
    return !isPlain && !isHeader;
  }

  return {
    get isOpen() {
      return open.length > 0;
    },
    take(at) {
      const { text } = elementAt(tokens, at);
      if (isOpener(at)) open.push(text);
      else if (text === 'end' && open.length > 0 && !BEFORE_NAME.has(before(at))) open.pop();
      // Another function of a query of Trino.
      else if (open.length === 0 && text === 'function' && before(at) === ',') isPlain = false;
      else if (open.length === 0 && STATEMENTS.has(text) && !EVENTS.has(before(at))) isPlain = true;
    },
  };
}

/** Whether a word is a function with several arguments, as `if(a, 1, 2)` and `repeat('a', 3)` are. */
function isCall(tokens: readonly RoutineToken[], at: number): boolean {
  let depth = 0;
  for (let i = at + 1; i < tokens.length; i += 1) {
    const { text } = elementAt(tokens, i);
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    if (depth === 0) return false;
    if (depth === 1 && text === ',') return true;
  }
  return false;
}

/** MariaDB: the declarations of a package up to its END; an initialization block before it has no separate END. */
function createPackageReader(tokens: readonly RoutineToken[]): Body {
  const blocks = createBlockReader(tokens);
  let state: 'head' | 'declarations' | 'done' = 'head';
  let routine: RoutineState = 'none';
  const takeDeclaration = (at: number) => {
    const { text } = elementAt(tokens, at);
    if (text === 'end') state = 'done';
    if (text === 'begin' && routine === 'body') {
      blocks.take(at);
      routine = 'none';
    }
    routine = moveOn(routine, text);
  };
  return {
    get isOpen() {
      return state === 'declarations';
    },
    take(at) {
      if (state === 'head') state = isBodyStart(elementAt(tokens, at).text) ? 'declarations' : 'head';
      else if (blocks.isOpen) blocks.take(at);
      else takeDeclaration(at);
    },
  };
}

/** The part of a routine of a package that is read before its block. */
type RoutineState = 'none' | 'head' | 'body';

function moveOn(state: RoutineState, text: string): RoutineState {
  if (text === 'procedure' || text === 'function') return 'head';
  if (state !== 'head') return state;
  if (text === ';') return 'none';
  return isBodyStart(text) ? 'body' : state;
}

function isBodyStart(text: string): boolean {
  return text === 'as' || text === 'is';
}
