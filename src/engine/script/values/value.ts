import { type Decimal, toDecimalText } from '../../../text/decimal.ts';
import type { BlockDefinition, ConstantDefinition, MacroDefinition, Package } from '../program/program.ts';

/** The value of an expression (docs/reference/expressions.md#values); an integer is a bigint. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Decimal
  | readonly Value[]
  | MapValue
  | SymbolValue
  | TimeValue
  | RelationValue
  | ReferenceValue;

export interface MapValue {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, Value>;
}

export interface SymbolValue {
  readonly kind: 'symbol';
  readonly name: string;
}

/** An instant. */
export interface TimeValue {
  readonly kind: 'time';
  /** Milliseconds since 1970-01-01 UTC. */
  readonly millis: number;
}

/** The rows of a block, by their name in SQL. */
interface RelationValue {
  readonly kind: 'relation';
  readonly name: string;
}

/** A named reference, which can be called or passed to a library function. */
type ReferenceValue =
  | { readonly kind: 'package'; readonly package: Package }
  | { readonly kind: 'library'; readonly library: string }
  | { readonly kind: 'function'; readonly library: string; readonly name: string }
  | BlockDefinition
  | MacroDefinition
  | ConstantDefinition;

/** Creates a map of entries. */
export function createMap(entries: Iterable<readonly [string, Value]>): MapValue {
  return { kind: 'map', entries: new Map(entries) };
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether a value is an object with a `kind`: neither a scalar nor a list. */
function isTagged(
  value: Value,
): value is Decimal | MapValue | SymbolValue | TimeValue | RelationValue | ReferenceValue {
  return typeof value === 'object' && value !== null && !isList(value);
}

export function isMap(value: Value): value is MapValue {
  return isTagged(value) && value.kind === 'map';
}

export function isTime(value: Value): value is TimeValue {
  return isTagged(value) && value.kind === 'time';
}

export function isSymbol(value: Value): value is SymbolValue {
  return isTagged(value) && value.kind === 'symbol';
}

/** The kind of a value that is neither scalar nor list; null for those. */
export function kindOf(
  value: Value,
): Exclude<Value, null | boolean | bigint | number | string | readonly Value[]>['kind'] | null {
  return isTagged(value) ? value.kind : null;
}

/** A value's type in messages: `a string`, `an integer`, `a block`. */
export function describeValue(value: Value): string {
  if (value === null) return 'null';
  if (isList(value)) return 'a list';
  if (isTagged(value)) return TAGGED[value.kind];
  return SCALARS[typeof value] ?? 'a value';
}

const SCALARS: Readonly<Record<string, string>> = {
  boolean: 'a boolean',
  bigint: 'an integer',
  number: 'a float',
  string: 'a string',
};

const TAGGED: Readonly<Record<NonNullable<ReturnType<typeof kindOf>>, string>> = {
  decimal: 'a decimal',
  map: 'a map',
  symbol: 'a symbol',
  time: 'a time',
  relation: 'a relation',
  package: 'a package',
  library: 'a library',
  function: 'a function',
  block: 'a block',
  test: 'a test',
  anonymous: 'a block',
  macro: 'a macro',
  constant: 'a constant',
};

/**
 * Converts a value to text for insertion (docs/reference/expressions.md#values): unquoted, empty for null, the elements
 * of a list separated by `, `. Null for values without a text form: maps and references.
 */
export function toText(value: Value): string | null {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (isList(value)) {
    const texts = value.map(toText);
    return texts.includes(null) ? null : texts.join(', ');
  }
  if (!isTagged(value)) return String(value);
  if (value.kind === 'decimal') return toDecimalText(value.units, Number(value.scale));
  if (value.kind === 'time') return new Date(value.millis).toISOString().slice(0, -1).replace('T', ' ');
  return value.kind === 'symbol' || value.kind === 'relation' ? value.name : null;
}
