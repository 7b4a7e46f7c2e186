import { entryOf } from '../../../invariants/must.ts';
import { isDecimal } from '../../../text/decimal.ts';
import type { Span } from '../../text/span.ts';
import type { JsonValue } from '../params/json-value.ts';
import type {
  Argument,
  BinaryOperator,
  Expression,
  LiteralExpression,
  MapEntry,
  MapExpression,
} from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { Token } from './lex-expression.ts';
import { ScriptSyntaxError } from './syntax-error.ts';

const MAX_INTEGER = 2n ** 63n - 1n;
/** An integer of more digits is too large, or has needless leading zeros. */
const MAX_DIGITS = 40;

/** Operators by ascending precedence. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
];
/** The operators by their text, with their levels. */
const OPERATORS: ReadonlyMap<string, { readonly operator: BinaryOperator; readonly level: number }> = new Map(
  LEVELS.flatMap((operators, level) => operators.map((operator) => [operator, { operator, level }] as const)),
);
/** `not` has a lower precedence than a comparison and a higher one than `and`. */
const NOT_LEVEL = 2;

/** Tokens that are values. */
const VALUES: ReadonlySet<Token['kind']> = new Set(['name', 'string', 'integer', 'float', 'param', 'unset']);

/** Signs that end a value. */
const AFTER_VALUES = ',}])';

const KEYWORDS: Readonly<Record<string, LiteralExpression['value']>> = {
  true: true,
  false: false,
  null: null,
};
/** Keywords that are values. */
export const VALUE_WORDS: readonly string[] = Object.keys(KEYWORDS);
const OPERATOR_WORDS: ReadonlySet<string> = new Set(['and', 'or']);

/** Expression: Or. Throws a ScriptSyntaxError. */
export function parseExpression(cursor: Cursor): Expression {
  return cursor.readValues(() => parseLone(cursor) ?? cursor.nest(() => parseLevel(cursor, 0)));
}

/** A string or a symbol before a closing sign or a comma, as most values in metadata are; null for the rest. */
function parseLone(cursor: Cursor): Expression | null {
  const { kind, text, start, end } = cursor.peek();
  if (kind !== 'string' && kind !== 'symbol') return null;
  cursor.next();
  const after = cursor.peek();
  if (after.kind === 'sign' && AFTER_VALUES.includes(after.text)) {
    cursor.height = 1;
    return kind === 'string'
      ? { kind: 'literal', value: text, start, end }
      : { kind, name: text, start, end };
  }
  cursor.moveTo(start);
  return null;
}

/** Level: Next (operator Next)*; at `NOT_LEVEL` also `not` Level. */
function parseLevel(cursor: Cursor, level: number): Expression {
  if (level === LEVELS.length) return parseUnary(cursor);
  if (level === NOT_LEVEL && cursor.isWord('not')) {
    const { start } = cursor.next();
    const operand = cursor.nest(() => parseLevel(cursor, level));
    cursor.height += 1;
    return { kind: 'unary', operator: 'not', operand, start, end: operand.end };
  }
  let left = parseLevel(cursor, level + 1);
  for (let { height } = cursor; ; height = cursor.height) {
    const token = cursor.peek();
    const entry = OPERATORS.get(token.text);
    if (entry?.level !== level || !isOperator(token)) return left;
    cursor.next();
    const right = parseLevel(cursor, level + 1);
    cursor.height = Math.max(height, cursor.height) + 1;
    left = { kind: 'binary', operator: entry.operator, left, right, start: left.start, end: right.end };
  }
}

function isOperator({ kind, text }: Token): boolean {
  return kind === 'sign' || (kind === 'name' && OPERATOR_WORDS.has(text));
}

/** Unary: `-` Unary | Postfix. */
function parseUnary(cursor: Cursor): Expression {
  if (!cursor.isSign('-')) return parsePostfix(cursor);
  const { start } = cursor.next();
  const token = cursor.peek();
  if (token.kind === 'integer') return parseInteger(cursor.next(), start, true);
  const operand = cursor.nest(() => parseUnary(cursor));
  cursor.height += 1;
  return { kind: 'unary', operator: '-', operand, start, end: operand.end };
}

/** Postfix: Primary (`.` name | `[` Expression `]` | `(` Arguments `)`)*. */
function parsePostfix(cursor: Cursor): Expression {
  let object = parsePrimary(cursor);
  for (;;) {
    const { start } = object;
    const { height } = cursor;
    if (cursor.eatSign('.')) {
      const member = cursor.expectName('a name must follow the dot');
      object = { kind: 'member', object, member, start, end: member.end };
    } else if (cursor.eatSign('[')) {
      const index = parseExpression(cursor);
      const { end } = cursor.expectSign(']', '`]` must close the index');
      object = { kind: 'index', object, index, start, end };
    } else if (cursor.eatSign('(')) {
      const { args, end } = parseArguments(cursor);
      object = { kind: 'call', callee: object, args, start, end };
    } else {
      checkApart(cursor, object);
      return object;
    }
    cursor.height = Math.max(height, cursor.height) + 1;
  }
}

/** Rejects text at a parameter: together, they would be one name or string in SQL. */
function checkApart(cursor: Cursor, object: Expression): void {
  const { kind, start, end } = cursor.peek();
  const before = cursor.show(object);
  const isApart = start > object.end || !(isParam(kind) || (before.startsWith('$') && VALUES.has(kind)));
  if (isApart) return;
  const joined = `${before} + ${cursor.show({ start, end })}`;
  throw new ScriptSyntaxError(
    `in an expression, a parameter is one value: join it with \`+\`, as in \`${joined}\``,
    { start: object.start, end },
  );
}

function isParam(kind: Token['kind']): boolean {
  return kind === 'param' || kind === 'unset';
}

/** Arguments: (Expression | name `=` Expression), separated by commas; a trailing comma is allowed. */
function parseArguments(cursor: Cursor): { args: readonly Argument[]; end: number } {
  const args: Argument[] = [];
  const names = new Set<string>();
  const end = parseList(cursor, ')', 'the arguments', () => {
    const arg = parseArgument(cursor);
    if (arg.name === null && args.at(-1)?.name) {
      throw new ScriptSyntaxError('a positional argument cannot follow a named argument', arg);
    }
    if (arg.name !== null) {
      const { name } = arg.name;
      if (names.has(name)) throw new ScriptSyntaxError(`the argument \`${name}\` is given twice`, arg);
      names.add(name);
    }
    args.push(arg);
  });
  return { args, end };
}

function parseArgument(cursor: Cursor): Argument {
  const first = parseExpression(cursor);
  if (first.kind !== 'name' || !cursor.eatSign('=')) {
    return { name: null, value: first, start: first.start, end: first.end };
  }
  const value = parseExpression(cursor);
  const { name, start, end } = first;
  return { name: { name, start, end }, value, start, end: value.end };
}

/** Parses items, separated by commas, up to `close`; returns its end. The height is the maximum of the items. */
function parseList(cursor: Cursor, close: string, what: string, parseItem: () => void): number {
  let height = 0;
  while (!cursor.isSign(close)) {
    parseItem();
    height = Math.max(height, cursor.height);
    if (!cursor.eatSign(',') && !cursor.isSign(close)) {
      throw cursor.unexpected(`a comma or \`${close}\` must follow in ${what}`);
    }
  }
  cursor.height = height;
  return cursor.next().end;
}

function parsePrimary(cursor: Cursor): Expression {
  cursor.height = 1;
  const { kind, text, start, end } = cursor.peek();
  switch (kind) {
    case 'integer':
      return parseInteger(cursor.next(), start, false);
    case 'float':
      return parseFloating(cursor.next());
    case 'string':
      cursor.next();
      return { kind: 'literal', value: text, start, end };
    case 'symbol':
    case 'unset':
      cursor.next();
      return { kind, name: text, start, end };
    case 'param':
      cursor.next();
      return toExpression(cursor, entryOf(cursor.rendered.values, text), { start, end });
    case 'name':
      return parseName(cursor);
    default:
      return parseEnclosed(cursor);
  }
}

/** The value of a parameter as an expression, with the position of the parameter. */
function toExpression(cursor: Cursor, value: JsonValue, span: Span): Expression {
  cursor.height = 1;
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    return { kind: 'literal', value: BigInt(value), ...span };
  }
  if (typeof value !== 'object' || value === null || isDecimal(value)) {
    return { kind: 'literal', value, ...span };
  }
  let height = 0;
  const entries = Object.entries(value).map(([name, item]): MapEntry => {
    const inner = cursor.nest(() => toExpression(cursor, item, span));
    height = Math.max(height, cursor.height);
    return { key: { name, ...span }, value: inner };
  });
  cursor.height = height + 1;
  return Array.isArray(value)
    ? { kind: 'list', items: entries.map((entry) => entry.value), ...span }
    : { kind: 'map', entries, ...span };
}

function parseName(cursor: Cursor): Expression {
  const { text, start, end } = cursor.peek();
  if (OPERATOR_WORDS.has(text) || text === 'not') throw cursor.unexpected('a value is missing');
  cursor.next();
  const value = Object.hasOwn(KEYWORDS, text) ? KEYWORDS[text] : undefined;
  return value === undefined
    ? { kind: 'name', name: text, start, end }
    : { kind: 'literal', value, start, end };
}

function parseInteger({ text, end }: Token, start: number, negative: boolean): Expression {
  const value = text.length > MAX_DIGITS ? MAX_INTEGER + 1n : BigInt(text) * (negative ? -1n : 1n);
  if (value > MAX_INTEGER || value < -MAX_INTEGER - 1n) {
    throw new ScriptSyntaxError('this integer exceeds 64 bits: write it as a string', { start, end });
  }
  return { kind: 'literal', value, start, end };
}

function parseFloating({ text, start, end }: Token): Expression {
  const value = Number(text);
  if (Number.isFinite(value)) return { kind: 'literal', value, start, end };
  throw new ScriptSyntaxError('this number is out of the range of a float: write it as a string', {
    start,
    end,
  });
}

/** `(` Expression `)`, a list or a map. */
function parseEnclosed(cursor: Cursor): Expression {
  const { start } = cursor.peek();
  if (cursor.eatSign('(')) {
    const inner = parseExpression(cursor);
    const { end } = cursor.expectSign(')', '`)` must close the parenthesis');
    return { ...inner, start, end };
  }
  if (cursor.eatSign('[')) {
    const items: Expression[] = [];
    const end = parseList(cursor, ']', 'the list', () => items.push(parseExpression(cursor)));
    cursor.height += 1;
    return { kind: 'list', items, start, end };
  }
  if (cursor.isSign('{')) return parseMap(cursor);
  if (cursor.peek().text === "'")
    throw new ScriptSyntaxError('in an expression, a string is quoted with `"`, not `\'`', cursor.peek());
  throw cursor.unexpected('a value is missing');
}

/** Map: `{` (key Expression), separated by commas, `}`; a key is a symbol or a string. Throws a ScriptSyntaxError. */
export function parseMap(cursor: Cursor): MapExpression {
  return cursor.readValues(() => parseEntries(cursor));
}

function parseEntries(cursor: Cursor): MapExpression {
  const { start } = cursor.expectSign('{', 'a map must begin with `{`');
  const entries: MapEntry[] = [];
  const seen = new Set<string>();
  const end = parseList(cursor, '}', 'the map', () => {
    const token = cursor.peek();
    if (token.kind !== 'symbol' && token.kind !== 'string') {
      throw cursor.unexpected('an entry of the map must start with a key such as `:name`');
    }
    cursor.next();
    if (seen.has(token.text))
      throw new ScriptSyntaxError(`the key \`:${token.text}\` appears twice in this map`, token);
    seen.add(token.text);
    const key = { name: token.text, start: token.start, end: token.end };
    entries.push({ key, value: parseExpression(cursor) });
  });
  cursor.height += 1;
  return { kind: 'map', entries, start, end };
}
