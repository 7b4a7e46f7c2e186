// Parameters are text, replaced before a script is parsed. The result remembers which part of the text came from
// which parameter, so that every later error points to the author's source. In expressions, the same parameter is a
// value with a type.

import { InputError } from '../../../errors/input-error.ts';
import { elementAt, entryOf, present } from '../../../invariants/must.ts';
import { printCount } from '../../../invariants/print-count.ts';
import { isDecimal, toDecimalText } from '../../../text/decimal.ts';
import { finish, type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import type { Source } from '../../text/source.ts';
import type { Span } from '../../text/span.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import { type JsonValue, printKey } from './json-value.ts';
import {
  findDollar,
  isParamName,
  MAX_REFERENCES,
  type ParamReference,
  readReference,
  toParamName,
} from './param-names.ts';
import { Pieces, Regions } from './regions.ts';

/** Parameters by name; `name`, `$name` and `$$name` are the same parameter. */
export type Params = Readonly<Record<string, JsonValue>>;

/** The parameters of a caller, and the `defaults` of those that it does not set. */
export function withDefaults(params: Params, defaults: Params = {}): Params {
  const names = new Set(Object.keys(params).map(toParamName));
  const others = Object.entries(defaults).filter(([name]) => !names.has(name));
  return others.length === 0 ? params : { ...Object.fromEntries(others), ...params };
}

/** A source with its parameters replaced by their text; `values` has their values by name. */
export interface Rendered {
  readonly source: Source;
  readonly text: string;
  readonly regions: Regions;
  readonly values: ReadonlyMap<string, JsonValue>;
  /** The replaced parameters without a text, which keep their `$name`: maps. */
  readonly textless: readonly ParamReference[];
}

/** An invalid parameter; the message contains advice. */
export class ParamError extends InputError {
  constructor(message: string, options?: ErrorOptions) {
    super('text', message, options);
  }
}

/**
 * A parameter without a value. A `named` one can be supplied, and `name` is without `$`. A `positional` one is a
 * parameter of the database (`$1`, `?`), and `name` is the complete token.
 */
export interface UnsetParam {
  readonly kind: 'named' | 'positional';
  readonly name: string;
  readonly span: Span;
}

/** Maximum length of a source after parameters are replaced, in UTF-16 units. */
const MAX_TEXT_LENGTH = 2 ** 28;

/**
 * Replaces `$name` and `$$name` by their values, everywhere and once, from left to right
 * (docs/reference/parameters.md#replacement). Names without a value are unchanged. Throws a ParamError.
 */
export function substituteParams(source: Source, params: Params): Rendered {
  return finish(substituteInLongText(source, params));
}

/** As `substituteParams`, but interruptible. */
export function* substituteInLongText(source: Source, params: Params): Interruptible<Rendered> {
  const supplied = normalizeParams(params);
  const { text } = source;
  const pieces = new Pieces();
  const regions = new Regions();
  const textless: ParamReference[] = [];
  let copied = 0;
  for (const reference of findReferences(source, supplied)) {
    if (reference === undefined) {
      yield;
      continue;
    }
    const { name } = reference;
    const { text: suppliedText } = entryOf(supplied, name);
    pieces.add(text.slice(copied, reference.start));
    const value = suppliedText ?? text.slice(reference.start, reference.end);
    if (suppliedText === null)
      textless.push({ name, start: pieces.length, end: pieces.length + value.length });
    regions.add(pieces.length, value.length, reference);
    pieces.add(value);
    copied = reference.end;
    if (pieces.length > MAX_TEXT_LENGTH) throw tooLong(source, name);
  }
  pieces.add(text.slice(copied));
  const values = new Map([...supplied].map(([name, { value }]) => [name, value]));
  return { source, text: pieces.join(), regions, values, textless };
}

/** The bytes of a source in UTF-8 after its parameters are replaced. Throws a ParamError. */
export function measureText(source: Source, params: Params): number {
  const supplied = normalizeParams(params);
  const sizes = new Map(
    [...supplied].map(([name, { text }]) => [name, Buffer.byteLength(text ?? `$${name}`)]),
  );
  let bytes = Buffer.byteLength(source.text);
  for (const reference of findReferences(source, supplied)) {
    if (reference === undefined) continue;
    bytes += entryOf(sizes, reference.name) - (reference.end - reference.start);
  }
  return bytes;
}

/** Finds a parameter without a text in a span; undefined for none. */
export function findTextless({ textless }: Rendered, { start, end }: Span): ParamReference | undefined {
  return textless.find((reference) => reference.start < end && reference.end > start);
}

/** The error for a parameter that would be inserted, but has no text. */
export function describeMap({ name }: Pick<ParamReference, 'name'>): string {
  return `parameter \`$${name}\` is a map, which cannot be inserted: in a script, insert a part of it, such as {{ $${name}.key }}`;
}

/** Throws a ParamError if SQL outside scripts contains a parameter without a text. */
export function checkTexts(rendered: Rendered): void {
  const [first] = rendered.textless;
  if (first !== undefined) throw new ParamError(describeMap(first));
}

/** Whether the character at `at` of the rendered source belongs to a parameter's value. */
export function isReplaced({ regions }: Rendered, at: number): boolean {
  return regions.count > 0 && regions.find(at) !== null;
}

/** Whether the original source has a replaced parameter at `at`. */
export function isReplacedOrigin({ regions }: Rendered, at: number): boolean {
  return regions.hasOriginal(at);
}

/**
 * The span in the original source for a span of the rendered source. It includes a replaced parameter completely, and an
 * empty span the parameter with an empty value there; a span outside the source is clamped.
 */
export function toOriginalSpan(rendered: Rendered, span: Span): Span {
  const start = Math.min(Math.max(span.start, 0), rendered.text.length);
  const end = Math.min(Math.max(span.end, start), rendered.text.length);
  const first = findPlace(rendered.regions, start);
  if (end > start) return { start: first.start, end: findPlace(rendered.regions, end - 1).end };
  const value = rendered.regions.next(start, false);
  if (value?.end === start) return value.original;
  return first.replaced ? { start: first.start, end: first.end } : { start: first.start, end: first.start };
}

/**
 * Finds the remaining parameters that the database would read: outside strings, quoted names, comments and dollar
 * quotes.
 */
export function findUnsetParams(text: string, lexicalRules: LexicalRules): readonly UnsetParam[] {
  return finish(findUnsetInLongText(text, lexicalRules));
}

/** As `findUnsetParams`, but interruptible. */
export function* findUnsetInLongText(
  text: string,
  lexicalRules: LexicalRules,
): Interruptible<readonly UnsetParam[]> {
  const unset: UnsetParam[] = [];
  if (!/[$?]/.test(text)) return unset;
  let passed = 0;
  for (const { kind, start, end } of scanSql(text, lexicalRules)) {
    passed += 1;
    if (isPause(passed)) yield;
    if (kind !== 'parameter' && !(kind === 'word' && text.charAt(start) === '$')) continue;
    const reference = readReference(text, start);
    if (reference !== undefined) {
      const first = text.charAt(start - 1) === '$' ? start - 1 : start;
      unset.push({ kind: 'named', name: reference.name, span: { start: first, end: reference.end } });
    } else if (kind === 'parameter') {
      unset.push({ kind: 'positional', name: text.slice(start, end), span: { start, end } });
    }
  }
  return unset;
}

/** The error for a parameter without a value, with advice for all clients. */
export function describeUnset({ kind, name }: Pick<UnsetParam, 'kind' | 'name'>): string {
  return kind === 'named'
    ? `\`$${name}\` has no value. Set it with --param ${name}=VALUE`
    : `\`${name}\` is a placeholder, which has no value. Bind one with --bind 1=VALUE (\`bind\` over HTTP), for SQL that is not in a script`;
}

/** Throws a ParamError for invalid names and values of parameters. */
export function checkParams(params: Params): void {
  normalizeParams(params);
}

/** The texts of parameters, by name: one, or those of the elements of a list. Throws a ParamError. */
export function printParams(params: Params): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...normalizeParams(params)].map(([name, { value, text }]) => [
      name,
      isList(value) ? value.map((item) => printParamText(name, item) ?? '') : [text ?? ''],
    ]),
  );
}

interface Supplied {
  readonly key: string;
  readonly value: JsonValue;
  /** Null for a map, or a list with a map. */
  readonly text: string | null;
}

function normalizeParams(params: Params): ReadonlyMap<string, Supplied> {
  const values = new Map<string, Supplied>();
  for (const [key, value] of Object.entries(params)) {
    const name = toParamName(key);
    if (!isParamName(name)) throw badName(key);
    const text = printParamText(name, value);
    const other = values.get(name);
    if (other !== undefined && printKey(other.value) !== printKey(value))
      throw givenTwice(name, other.key, key);
    values.set(name, { key, value, text });
  }
  return values;
}

/** The text of a parameter; null for a map, or a list with a map. Throws a ParamError for one without a value. */
export function printParamText(name: string, value: JsonValue): string | null {
  if (!isList(value)) return printScalar(name, value);
  const texts: string[] = [];
  const waiting: JsonValue[] = [value];
  while (waiting.length > 0) {
    const next = present(waiting.pop());
    const text = isList(next) ? '' : printScalar(name, next);
    if (text === null) return null;
    if (!isList(next) || next.length === 0) texts.push(text);
    else for (let at = next.length - 1; at >= 0; at -= 1) waiting.push(elementAt(next, at));
  }
  return texts.join(', ');
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function printScalar(name: string, value: Exclude<JsonValue, readonly JsonValue[]>): string | null {
  if (value === null) return '';
  if (isDecimal(value)) return toDecimalText(value.units, Number(value.scale));
  if (typeof value === 'undefined') throw notGiven(name);
  return typeof value === 'object' ? null : String(value);
}

/** Yields undefined where other work can run. */
function* findReferences(
  { name, text }: Source,
  values: ReadonlyMap<string, Supplied>,
): Generator<ParamReference | undefined, void, undefined> {
  let count = 0;
  let passed = 0;
  let at = values.size === 0 ? -1 : findDollar(text, 0);
  while (at !== -1) {
    const reference = readReference(text, at);
    if (reference !== undefined) count += 1;
    if (count > MAX_REFERENCES) throw tooManyReferences(name);
    if (reference !== undefined && values.has(reference.name)) yield reference;
    at = findDollar(text, reference?.end ?? at + 1);
    passed += 1;
    if (isPause(passed)) yield undefined;
  }
}

interface Origin extends Span {
  readonly replaced: boolean;
}

/** The original span of the character at `at`: the character itself, or the parameter that it belongs to. */
function findPlace(regions: Regions, at: number): Origin {
  const replaced = regions.find(at);
  if (replaced !== null) return { ...replaced, replaced: true };
  const start = regions.toOriginal(at);
  return { start, end: start + 1, replaced: false };
}

function badName(key: string): ParamError {
  return new ParamError(
    `${JSON.stringify(key)} is not a parameter name: use letters, digits and _, without a digit first; it can start with $ or $$.`,
  );
}

function givenTwice(name: string, first: string, second: string): ParamError {
  return new ParamError(
    `Parameter ${name} is given twice with different values, as ${first} and as ${second}: keep one of them.`,
  );
}

function notGiven(name: string): ParamError {
  return new ParamError(`Parameter ${name} has no value: pass null for an empty one.`);
}

function tooManyReferences(name: string): ParamError {
  const max = printCount(MAX_REFERENCES);
  return new ParamError(`${name} has more than ${max} parameter references: run it without parameters.`);
}

function tooLong(source: Source, name: string): ParamError {
  return new ParamError(
    `${source.name} exceeds ${MAX_TEXT_LENGTH} characters with parameter ${name}: pass a shorter value.`,
  );
}
