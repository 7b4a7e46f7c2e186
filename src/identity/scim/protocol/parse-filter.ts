import type { ScimError } from '../../../errors/scim-error.ts';
import { elementAt } from '../../../invariants/must.ts';
import { scimErrors } from './errors.ts';

/** The operator between an attribute and a value. */
export type ComparisonOperator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/**
 * A filter (RFC 7644, 3.4.2.2). Paths are as the client wrote them: in any case, and possibly with a URN before them.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'some'; readonly path: string; readonly filter: Filter }
  | { readonly kind: 'present'; readonly path: string }
  | Comparison;

/** The comparison of an attribute with a value. */
export interface Comparison {
  readonly kind: 'compare';
  readonly path: string;
  readonly operator: ComparisonOperator;
  readonly value: string | number | boolean | null;
}

/** A path that selects values of an attribute with a filter, and possibly one of their sub-attributes. */
interface ValuePath {
  readonly path: string;
  readonly filter: Filter;
  readonly sub: string | null;
}

const OPERATORS: readonly string[] = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'];
const MAX_DEPTH = 50;

/** Parses a filter of at most 10,000 characters and 50 levels. Throws 400 `invalidFilter` with the position. */
export function parseFilter(text: string): Filter {
  const scanner = new FilterScanner(text, scimErrors.malformedFilter);
  const filter = parseOr(scanner, 0, false);
  scanner.end();
  return filter;
}

/**
 * Parses a path of PATCH with a filter (RFC 7644, 3.5.2), as `emails[type eq "work"].value`. Throws 400
 * `invalidPath`.
 */
export function parseValuePath(text: string): ValuePath {
  const scanner = new FilterScanner(text, scimErrors.malformedPath);
  const path = scanner.path();
  scanner.expect('[');
  const filter = parseOr(scanner, 0, true);
  scanner.expect(']');
  const sub = scanner.take('.') ? scanner.path() : null;
  scanner.end();
  return { path, filter, sub };
}

/** or = and *("or" and) */
function parseOr(scanner: FilterScanner, depth: number, isInside: boolean): Filter {
  if (depth > MAX_DEPTH) throw scanner.createError(`nested more than ${MAX_DEPTH} levels deep`);
  const parts = [parseAnd(scanner, depth, isInside)];
  while (scanner.takeWord('or')) parts.push(parseAnd(scanner, depth, isInside));
  return parts.length === 1 ? elementAt(parts, 0) : { kind: 'or', parts };
}

/** and = unary *("and" unary) */
function parseAnd(scanner: FilterScanner, depth: number, isInside: boolean): Filter {
  const parts = [parseUnary(scanner, depth, isInside)];
  while (scanner.takeWord('and')) parts.push(parseUnary(scanner, depth, isInside));
  return parts.length === 1 ? elementAt(parts, 0) : { kind: 'and', parts };
}

/** unary = ["not"] "(" or ")" / attribute */
function parseUnary(scanner: FilterScanner, depth: number, isInside: boolean): Filter {
  const isNegated = scanner.takeWord('not');
  if (!scanner.take('(')) {
    if (isNegated) throw scanner.createError('expected "("');
    return parseAttribute(scanner, depth, isInside);
  }
  const filter = parseOr(scanner, depth + 1, isInside);
  scanner.expect(')');
  return isNegated ? { kind: 'not', filter } : filter;
}

/** attribute = path ("pr" / operator value / "[" or "]"); brackets cannot be nested */
function parseAttribute(scanner: FilterScanner, depth: number, isInside: boolean): Filter {
  const path = scanner.path();
  if (!isInside && scanner.take('[')) {
    const filter = parseOr(scanner, depth + 1, true);
    scanner.expect(']');
    return { kind: 'some', path, filter };
  }
  if (scanner.takeWord('pr')) return { kind: 'present', path };
  const operator = scanner.operator(OPERATORS) as ComparisonOperator;
  return { kind: 'compare', path, operator, value: scanner.value() };
}

/** The comparisons of a filter that has only `eq`, joined by `and`; null for any other filter. */
export function listEqualities(filter: Filter): readonly Comparison[] | null {
  if (filter.kind === 'compare') return filter.operator === 'eq' ? [filter] : null;
  if (filter.kind === 'some') {
    const inner = listEqualities(filter.filter);
    return inner?.map((equality) => ({ ...equality, path: `${filter.path}.${equality.path}` })) ?? null;
  }
  if (filter.kind !== 'and') return null;
  const lists = filter.parts.map(listEqualities);
  return lists.includes(null) ? null : lists.flatMap((list) => list ?? []);
}

/** The maximum number of comparisons that a filter needs for one object. */
export function countComparisons(filter: Filter): number {
  if (filter.kind === 'not' || filter.kind === 'some') return countComparisons(filter.filter);
  if (filter.kind === 'compare' || filter.kind === 'present') return 1;
  return filter.parts.reduce((count, part) => count + countComparisons(part), 0);
}

const MAX_LENGTH = 10_000;

const SPACE = /[ \t\r\n]*/y;
const WORD = /[A-Za-z]+(?![\w$:.-])/y;
const PATH = /(?:urn:[\w.~%:+-]*:)?[A-Za-z$][\w$-]*(?:\.[A-Za-z$][\w$-]*)*/iy;
const TEXT = /"(?:[^"\\]|\\.)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w$:.-])/iy;

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Makes the error of a text at a position (1-based). */
type CreateError = (position: number, detail: string) => ScimError;

/** Reads the tokens of a filter, or of a path with one, from left to right. Methods throw the error of the position. */
class FilterScanner {
  readonly #text: string;
  readonly #createError: CreateError;
  #at = 0;

  constructor(text: string, createError: CreateError) {
    this.#text = text;
    this.#createError = createError;
    if (text.length > MAX_LENGTH) throw this.createError(`longer than ${MAX_LENGTH} characters`);
    this.#match(SPACE);
  }

  /** Makes an error at the current position. */
  createError(detail: string): ScimError {
    return this.#createError(this.#at + 1, detail);
  }

  /** Consumes one character if it is next. */
  take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    this.#match(SPACE);
    return true;
  }

  expect(character: string): void {
    if (!this.take(character)) throw this.createError(`expected "${character}"`);
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.createError('expected the end');
  }

  /** Consumes one word, in any case, if it is next. */
  takeWord(word: string): boolean {
    const start = this.#at;
    if (this.#match(WORD)?.toLowerCase() === word) {
      this.#match(SPACE);
      return true;
    }
    this.#at = start;
    return false;
  }

  /** Consumes one of these words, which are in lower case. */
  operator(words: readonly string[]): string {
    const word = words.find((candidate) => this.takeWord(candidate));
    if (word === undefined) throw this.createError('expected an operator');
    return word;
  }

  path(): string {
    const path = this.#match(PATH);
    if (path === undefined) throw this.createError('expected an attribute');
    this.#match(SPACE);
    return path;
  }

  /** Consumes a JSON value; `true`, `false` and `null` may be in any case. */
  value(): string | number | boolean | null {
    const value = this.#text[this.#at] === '"' ? this.#string() : this.#literal();
    this.#match(SPACE);
    return value;
  }

  #string(): string {
    const start = this.#at;
    const literal = this.#match(TEXT);
    try {
      return JSON.parse(literal ?? '');
    } catch {
      this.#at = start;
      throw this.createError('expected a JSON string');
    }
  }

  #literal(): number | boolean | null {
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number);
    for (const [word, value] of LITERALS) if (this.takeWord(word)) return value;
    throw this.createError('expected a value');
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    this.#at += match?.length ?? 0;
    return match;
  }
}
