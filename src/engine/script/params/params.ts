import { elementAt, entryOf, present } from '../../../invariants/must.ts';
import { printCount } from '../../../invariants/print-count.ts';
import { type Decimal, isDecimal, toDecimalText } from '../../text/decimal.ts';
import { finish, type Interruptible, isPause } from '../../text/interruptible.ts';
import type { LexicalRules } from '../../text/lexical-rules.ts';
import type { Source } from '../../text/source.ts';
import type { Span } from '../../text/span.ts';
import { scanSql } from '../../text/sql-scanner.ts';
import {
  findDollar,
  isParamName,
  MAX_REFERENCES,
  type ParamReference,
  readReference,
  toParamName,
} from './param-names.ts';
import { Pieces, Regions } from './regions.ts';

/** A parameter value: JSON without maps, with integers of any size as bigint. */
export type ParamValue = null | boolean | number | bigint | Decimal | string | readonly ParamValue[];

/** Parameters by name; `name`, `$name` and `$$name` are the same parameter. */
export type Params = Readonly<Record<string, ParamValue>>;

/** A source with its parameters replaced. */
export interface Rendered {
  readonly source: Source;
  readonly text: string;
  readonly regions: Regions;
}

/** An invalid parameter; the message contains advice. */
export class ParamError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ParamError';
  }
}

/**
 * A parameter without a value. A `named` one can be supplied, and `name` is without `$`. A `positional` one is a
 * parameter of the database (`$1`, `?`), which is never bound, and `name` is the complete token.
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
  const values = normalizeParams(params);
  const { text } = source;
  const pieces = new Pieces();
  const regions = new Regions();
  let copied = 0;
  for (const reference of findReferences(source, values)) {
    if (reference === undefined) {
      yield;
      continue;
    }
    const value = entryOf(values, reference.name).text;
    pieces.add(text.slice(copied, reference.start));
    regions.add(pieces.length, value.length, reference);
    pieces.add(value);
    copied = reference.end;
    if (pieces.length > MAX_TEXT_LENGTH) throw tooLong(source, reference.name);
  }
  pieces.add(text.slice(copied));
  return { source, text: pieces.join(), regions };
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
 * The span in the original source for a span of the rendered source. It includes a replaced parameter completely; a
 * span outside the source is clamped.
 */
export function toOriginalSpan(rendered: Rendered, span: Span): Span {
  const start = Math.min(Math.max(span.start, 0), rendered.text.length);
  const end = Math.min(Math.max(span.end, start), rendered.text.length);
  const first = findPlace(rendered.regions, start);
  if (end > start) return { start: first.start, end: findPlace(rendered.regions, end - 1).end };
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
    ? `parameter \`$${name}\` has no value: supply it with --param ${name}=…, or in \`params\` over HTTP`
    : `\`${name}\` is a positional parameter, which is not supported: use a name such as $name, and supply it with --param, or in \`params\` over HTTP`;
}

/** Throws a ParamError for invalid names and values of parameters. */
export function checkParams(params: Params): void {
  normalizeParams(params);
}

interface Supplied {
  readonly key: string;
  readonly text: string;
}

function normalizeParams(params: Params): ReadonlyMap<string, Supplied> {
  const values = new Map<string, Supplied>();
  for (const [key, value] of Object.entries(params)) {
    const name = toParamName(key);
    if (!isParamName(name)) throw badName(key);
    const text = printValue(name, value);
    const other = values.get(name);
    if (other !== undefined && other.text !== text) throw givenTwice(name, other.key, key);
    values.set(name, { key, text });
  }
  return values;
}

function printValue(name: string, value: ParamValue): string {
  if (!isList(value)) return printScalar(name, value);
  const texts: string[] = [];
  const waiting: ParamValue[] = [value];
  while (waiting.length > 0) {
    const next = present(waiting.pop());
    if (!isList(next)) texts.push(printScalar(name, next));
    else if (next.length === 0) texts.push('');
    else for (let at = next.length - 1; at >= 0; at -= 1) waiting.push(elementAt(next, at));
  }
  return texts.join(', ');
}

function isList(value: ParamValue): value is readonly ParamValue[] {
  return Array.isArray(value);
}

function printScalar(name: string, value: Exclude<ParamValue, readonly ParamValue[]>): string {
  if (value === null) return '';
  if (isDecimal(value)) return toDecimalText(value.units, Number(value.scale));
  if (typeof value === 'undefined') throw notGiven(name);
  if (typeof value === 'object') throw notText(name);
  return String(value);
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

function givenTwice(name: string, one: string, other: string): ParamError {
  return new ParamError(
    `Parameter ${name} is given twice with different values, as ${one} and as ${other}: keep one of them.`,
  );
}

function notText(name: string): ParamError {
  return new ParamError(
    `Parameter ${name} is a map, which cannot be inserted: pass a string, a number, true, false, null or a list of these.`,
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
