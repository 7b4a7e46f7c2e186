import { elementAt, present } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';
import { isReplaced, type Rendered } from '../params/params.ts';
import { ScriptSyntaxError } from './syntax-error.ts';

/**
 * One token of an expression or a header. `text` is the value of a string, the name of a symbol, name, directive or
 * unset parameter, the digits of a number, or the sign itself. The kind `end` is the end of the script.
 */
export interface Token extends Span {
  readonly kind:
    | 'name'
    | 'symbol'
    | 'string'
    | 'integer'
    | 'float'
    | 'unset'
    | 'directive'
    | 'sign'
    | 'unknown'
    | 'end';
  readonly text: string;
}

const SPACE = /[\s\ufeff]+/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /(\d+)(\.\d+)?([eE][+-]?\d+)?/y;
const SIGN = /==|!=|<=|>=|[-+*/%<>(){}[\],;:.=]/y;
const SYMBOL = /:([\p{L}_][\p{L}\p{N}_]*)/uy;
const UNSET = /\${1,2}([A-Za-z_]\w*)/y;
const DIRECTIVE = /#\+([A-Za-z]\w*)/y;
/** Characters with which only a sign can start. */
const SIGNS = '-+*/%<>(){}[],;.=!';
/** Characters with which a comment can start. */
const COMMENTS = '-/';
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads the token at `at`, after whitespace. Throws a ScriptSyntaxError for an invalid string. */
export function lexExpression(rendered: Rendered, at: number, comments: boolean): Token {
  const start = skipBlanks(rendered, at, comments);
  const { text } = rendered;
  if (start >= text.length) return { kind: 'end', text: '', start: text.length, end: text.length };
  const character = text.charAt(start);
  if (character === '"') return lexString(rendered, start);
  if (character === '`') return lexRawString(rendered, start);
  if (SIGNS.includes(character)) return lexSign(text, start);
  return lexMarked(rendered, character, start) ?? lexWord(text, start) ?? lexSign(text, start);
}

/** The end of the whitespace, including comments, that starts at `at`. */
export function skipBlanks(rendered: Rendered, at: number, comments: boolean): number {
  const { text } = rendered;
  for (let end = at; ; ) {
    if (isSolid(text, end)) return end;
    const next = matchEnd(SPACE, text, end) ?? end;
    const after = comments && !isReplaced(rendered, next) ? skipComment(text, next) : next;
    if (after === end) return end;
    end = after;
  }
}

/** Whether neither whitespace nor a comment starts at `at`: a quick check that is enough for most tokens. */
function isSolid(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 32 && code < 127 && !COMMENTS.includes(text.charAt(at));
}

/** The end of the comment that starts at `at`; `at` itself if no comment starts there. */
function skipComment(text: string, at: number): number {
  if (text.startsWith('--', at)) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  if (!text.startsWith('/*', at)) return at;
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? text.length : end + 2;
}

function lexWord(text: string, start: number): Token | null {
  const name = match(NAME, text, start);
  if (name !== null) return { kind: 'name', text: name[0], start, end: start + name[0].length };
  const number = match(NUMBER, text, start);
  if (number === null) return null;
  const kind = number[2] === undefined && number[3] === undefined ? 'integer' : 'float';
  return { kind, text: number[0], start, end: start + number[0].length };
}

/** Tokens that start with a mark, by the mark. */
const MARKED: ReadonlyMap<string, { readonly kind: Token['kind']; readonly pattern: RegExp }> = new Map([
  [':', { kind: 'symbol', pattern: SYMBOL }],
  ['$', { kind: 'unset', pattern: UNSET }],
  ['#', { kind: 'directive', pattern: DIRECTIVE }],
]);

function lexMarked(rendered: Rendered, mark: string, start: number): Token | null {
  const marked = MARKED.get(mark);
  if (marked === undefined) return null;
  const found = match(marked.pattern, rendered.text, start);
  if (found === null || (marked.kind === 'directive' && isReplaced(rendered, start))) return null;
  return { kind: marked.kind, text: elementAt(found, 1), start, end: start + found[0].length };
}

function lexSign(text: string, start: number): Token {
  const sign = match(SIGN, text, start)?.[0];
  if (sign !== undefined) return { kind: 'sign', text: sign, start, end: start + sign.length };
  const character = String.fromCodePoint(present(text.codePointAt(start)));
  return { kind: 'unknown', text: character, start, end: start + character.length };
}

/** `"…"` with escapes, over any number of lines; the value of a parameter is part of it without escapes. */
function lexString(rendered: Rendered, start: number): Token {
  const { text } = rendered;
  let value = '';
  let copied = start + 1;
  for (let at = copied; at < text.length; at += 1) {
    const character = text.charAt(at);
    if ((character !== '"' && character !== '\\') || isReplaced(rendered, at)) continue;
    value += text.slice(copied, at);
    if (character === '"') return { kind: 'string', text: value, start, end: at + 1 };
    const [escaped, end] = readEscape(text, at);
    value += escaped;
    at = end - 1;
    copied = end;
  }
  throw new ScriptSyntaxError('this string has no closing `"`', { start, end: start + 1 });
}

function readEscape(text: string, at: number): [value: string, end: number] {
  const letter = text.charAt(at + 1);
  const plain = ESCAPES[letter];
  if (plain !== undefined) return [plain, at + 2];
  const digits = /^u([0-9A-Fa-f]{4})/.exec(text.slice(at + 1, at + 6))?.[1];
  if (digits !== undefined) return [String.fromCharCode(Number.parseInt(digits, 16)), at + 6];
  const what =
    letter === 'u' ? '`\\u` needs four hexadecimal digits' : `\`\\${letter}\` is not an escape sequence`;
  throw new ScriptSyntaxError(`${what}: use \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\uXXXX`, {
    start: at,
    end: Math.min(at + 2, text.length),
  });
}

function lexRawString(rendered: Rendered, start: number): Token {
  const { text } = rendered;
  let end = text.indexOf('`', start + 1);
  while (end !== -1 && isReplaced(rendered, end)) end = text.indexOf('`', end + 1);
  if (end === -1)
    throw new ScriptSyntaxError('this raw string has no closing `` ` ``', { start, end: start + 1 });
  return { kind: 'string', text: text.slice(start + 1, end), start, end: end + 1 };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
