import { elementAt, present } from '../../../invariants/must.ts';
import type { Span } from '../../text/span.ts';
import { toParamName } from '../params/param-names.ts';
import { describeMap, findTextless, isReplaced, type Rendered } from '../params/params.ts';
import type { Region } from '../params/regions.ts';
import { ScriptSyntaxError } from './syntax-error.ts';

/**
 * One token of an expression or a header. `text` is the value of a string, the name of a symbol, name, directive or
 * parameter (`unset` without a value), the digits of a number, or the sign itself. The kind `end` is the end of the
 * script.
 */
export interface Token extends Span {
  readonly kind:
    | 'name'
    | 'symbol'
    | 'string'
    | 'integer'
    | 'float'
    | 'param'
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

/** How a token is read. */
interface LexMode {
  /** Whether comments can precede the token. */
  readonly comments: boolean;
  /** Whether the value of a parameter is one token, as in expressions; in headers, it is text. */
  readonly hasValues?: boolean;
  /** Whether an empty value at this position is already read. */
  readonly isPastValue?: boolean;
}

/** The start of a token, and the next value of a parameter, which begins there or after the token. */
interface TokenPlace {
  readonly start: number;
  readonly value: Region | null;
}

/** Reads the token at `at`, after whitespace. Throws a ScriptSyntaxError for an invalid string. */
export function lexExpression(rendered: Rendered, at: number, mode: LexMode): Token {
  const { start, value } = findToken(rendered, at, mode);
  if (value?.start === start) return toParam(rendered, value);
  const { length } = rendered.text;
  if (start >= length) return { kind: 'end', text: '', start: length, end: length };
  const character = rendered.text.charAt(start);
  if (character === '"') return lexString(rendered, start);
  if (character === '`') return lexRawString(rendered, start);
  const text = value === null ? rendered.text : rendered.text.slice(0, value.start);
  if (SIGNS.includes(character)) return lexSign(text, start);
  return lexMarked(rendered, text, start) ?? lexWord(text, start) ?? lexSign(text, start);
}

function toParam({ source }: Rendered, { start, end, original }: Region): Token {
  const text = toParamName(source.text.slice(original.start, original.end));
  return { kind: 'param', text, start, end };
}

/** Skips the whitespace, including comments, that starts at `at`. */
export function findToken(rendered: Rendered, at: number, mode: LexMode): TokenPlace {
  const { text, regions } = rendered;
  for (let start = at; ; ) {
    const isPast = mode.isPastValue === true && start === at;
    const value = mode.hasValues === true && regions.count > 0 ? regions.next(start, isPast) : null;
    if (value?.start === start || isSolid(text, start)) return { start, value };
    const next = Math.min(matchEnd(SPACE, text, start) ?? start, value?.start ?? text.length);
    const isComment = mode.comments && value?.start !== next && !isReplaced(rendered, next);
    const end = isComment ? skipComment(rendered, next) : next;
    if (end === start) return { start, value };
    start = end;
  }
}

/** Whether neither whitespace nor a comment starts at `at`: a quick check that is enough for most tokens. */
function isSolid(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code > 32 && code < 127 && !COMMENTS.includes(text.charAt(at));
}

/** The end of the comment that starts at `at`; `at` itself if no comment starts there. */
function skipComment(rendered: Rendered, at: number): number {
  const { text } = rendered;
  if (text.startsWith('--', at)) return findWritten(rendered, '\n', at) ?? text.length;
  if (!text.startsWith('/*', at)) return at;
  const end = findWritten(rendered, '*/', at + 2);
  return end === null ? text.length : end + 2;
}

/** The next offset of a text that is not part of a parameter's value; null for none. */
function findWritten(rendered: Rendered, sought: string, from: number): number | null {
  let offset = rendered.text.indexOf(sought, from);
  while (offset !== -1 && isReplaced(rendered, offset)) offset = rendered.text.indexOf(sought, offset + 1);
  return offset === -1 ? null : offset;
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

function lexMarked(rendered: Rendered, text: string, start: number): Token | null {
  const marked = MARKED.get(text.charAt(start));
  if (marked === undefined) return null;
  const groups = match(marked.pattern, text, start);
  if (groups === null || (marked.kind === 'directive' && isReplaced(rendered, start))) return null;
  return { kind: marked.kind, text: elementAt(groups, 1), start, end: start + groups[0].length };
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
    if (character === '"') return toStringToken(rendered, value, { start, end: at + 1 });
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
  const end = findWritten(rendered, '`', start + 1);
  if (end === null)
    throw new ScriptSyntaxError('this raw string has no closing `` ` ``', { start, end: start + 1 });
  return toStringToken(rendered, rendered.text.slice(start + 1, end), { start, end: end + 1 });
}

function toStringToken(rendered: Rendered, text: string, span: Span): Token {
  const textless = findTextless(rendered, span);
  if (textless !== undefined) throw new ScriptSyntaxError(describeMap(textless), textless);
  return { kind: 'string', text, ...span };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
