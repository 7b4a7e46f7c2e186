import { present } from '../../../invariants/must.ts';
import type { SqlDialect } from '../../text/sql-dialect.ts';
import type { BlockDefinition, Package } from '../program/program.ts';
import { formatTime, PatternError } from './format-time.ts';
import { isEqual } from './operators.ts';
import type { CallSite, Request } from './request.ts';
import { limitLength } from './size.ts';
import { describeValue, isList, isSymbol, isTime, kindOf, toText, type Value } from './value.ts';

/** The context of a call of a library function. */
interface LibraryContext {
  readonly dialect: SqlDialect;
  /** The start time of the execution, in milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  /** The current publication; null if no block is being published. */
  readonly publication: { readonly target: string; readonly incremental: boolean } | null;
  readonly site: CallSite;
}

/** An invalid argument of a library function; the message gives the reason. */
export class ArgumentError extends Error {}

/** A parameter without a default is required. */
interface LibraryParameter {
  readonly name: string;
  readonly default?: Value;
}

/** A function of the library: it returns a value, or makes a request. */
export type LibraryFunction = { readonly params: readonly LibraryParameter[] } & (
  | {
      readonly kind: 'function';
      readonly evaluate: (args: readonly Value[], context: LibraryContext) => Value;
    }
  | {
      readonly kind: 'effect';
      readonly request: (args: readonly Value[], context: LibraryContext) => Request;
    }
);

type Member = LibraryFunction | { readonly kind: 'constant'; readonly value: Value };

/** Maximum length of a list that a library function creates. */
const MAX_LIST_LENGTH = 100_000n;

const stop: Value = { kind: 'symbol', name: 'Stop' };
const proceed: Value = { kind: 'symbol', name: 'Continue' };

/** The standard library (docs/reference/library.md): the members of `#+import "std/…"`, by library and name. */
export const LIBRARIES: Readonly<Record<string, Readonly<Record<string, Member>>>> = {
  publication: {
    Run: effect(
      [
        optional('packages', []),
        optional('blocks', []),
        optional('fullRefresh', false),
        optional('parallel', 1n),
      ],
      ([packages, blocks, fullRefresh, parallel], { site }) => ({
        kind: 'publish',
        packages: listOf(present(packages), 'packages', isPackage, 'package').map(
          (argument) => argument.package,
        ),
        blocks: listOf(present(blocks), 'blocks', isBlock, 'block'),
        fullRefresh: expectBoolean(present(fullRefresh), 'fullRefresh'),
        parallel: expectCount(present(parallel), 'parallel'),
        site,
      }),
    ),
    Incremental: pure([], (_, { publication }) => publication?.incremental ?? false),
    Target: pure([], (_, { publication }) => {
      if (publication !== null) return publication.target;
      throw new ArgumentError('a target exists only while a block is being published');
    }),
  },
  test: {
    Run: effect(
      [optional('packages', []), optional('tests', []), optional('onFailure', stop)],
      ([packages, tests, onFailure], { site }) => ({
        kind: 'test',
        packages: listOf(present(packages), 'packages', isPackage, 'package').map(
          (argument) => argument.package,
        ),
        tests: listOf(present(tests), 'tests', isTest, 'test'),
        onFailure: toOnFailure(present(onFailure)),
        site,
      }),
    ),
    Stop: { kind: 'constant', value: stop },
    Continue: { kind: 'constant', value: proceed },
  },
  time: {
    NowUTC: pure([], (_, { now }) => ({ kind: 'time', millis: now })),
    Format: pure(['t', 'pattern'], ([t, pattern]) => {
      const time = present(t);
      if (!isTime(time)) throw wrong('t', 'a time', time);
      return format(time.millis, expectText(present(pattern), 'pattern'));
    }),
  },
  sql: {
    Dialect: pure([], (_, { dialect }) => dialect.name),
    Identifier: pure(['s'], ([s], { dialect }) => dialect.quoteName(expectText(present(s), 's'))),
    Literal: pure(['v'], ([v], { dialect }) => printLiteral(present(v), dialect)),
    SecondsSince: pure(['sql'], ([sql], { dialect }) => dialect.printAge(expectText(present(sql), 'sql'))),
  },
  strings: {
    Join: pure(['list', optional('separator', '')], ([list, separator]) => {
      const texts = expectList(present(list), 'list').map((item) => expectPrintable(item, 'list'));
      const between = expectText(present(separator), 'separator');
      limitLength(texts.reduce((sum, { length }) => sum + length + between.length, 0));
      return texts.join(between);
    }),
    Upper: pure(['s'], ([s]) => expectText(present(s), 's').toUpperCase()),
    Lower: pure(['s'], ([s]) => expectText(present(s), 's').toLowerCase()),
    Replace: pure(['s', 'from', 'to'], ([s, from, to]) => {
      const parts = expectText(present(s), 's').split(expectText(present(from), 'from'));
      const between = expectText(present(to), 'to');
      limitLength(parts.reduce((sum, { length }) => sum + length + between.length, 0));
      return parts.join(between);
    }),
    Split: pure(['s', 'separator'], ([s, separator]) =>
      expectText(present(s), 's').split(expectText(present(separator), 'separator')),
    ),
  },
  lists: {
    Length: pure(['list'], ([list]) => BigInt(expectList(present(list), 'list').length)),
    Contains: pure(['list', 'value'], ([list, value]) =>
      expectList(present(list), 'list').some((item) => isEqual(item, present(value))),
    ),
    Range: pure(['from', optional('to', null)], ([from, to]) =>
      to === null
        ? createRange(0n, expectInteger(present(from), 'from'))
        : createRange(expectInteger(present(from), 'from'), expectInteger(present(to), 'to')),
    ),
  },
};

/** The function or effect of a library by name. */
export function findFunction(library: string, name: string): LibraryFunction | null {
  const member = LIBRARIES[library]?.[name];
  return member === undefined || member.kind === 'constant' ? null : member;
}

/** The constant of a library by name; undefined for a function. */
export function findConstant(library: string, name: string): Value | undefined {
  const member = LIBRARIES[library]?.[name];
  return member?.kind === 'constant' ? member.value : undefined;
}

type Signature = readonly (string | LibraryParameter)[];

function pure(
  params: Signature,
  evaluate: (args: readonly Value[], context: LibraryContext) => Value,
): Member {
  return { kind: 'function', params: toParameters(params), evaluate };
}

function effect(
  params: Signature,
  request: (args: readonly Value[], context: LibraryContext) => Request,
): Member {
  return { kind: 'effect', params: toParameters(params), request };
}

function optional(name: string, value: Value): LibraryParameter {
  return { name, default: value };
}

function toParameters(params: Signature): readonly LibraryParameter[] {
  return params.map((param) => (typeof param === 'string' ? { name: param } : param));
}

function format(millis: number, pattern: string): string {
  try {
    return formatTime(millis, pattern);
  } catch (error) {
    throw error instanceof PatternError ? new ArgumentError(error.message) : error;
  }
}

/** Prints a value as an SQL literal; the elements of a list are separated by `, `. */
export function printLiteral(value: Value, dialect: SqlDialect): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string' || isSymbol(value)) return dialect.quoteText(expectText(value, 'v'));
  if (isList(value)) return value.map((item) => printLiteral(item, dialect)).join(', ');
  const text = expectPrintable(value, 'v');
  return isTime(value) ? `TIMESTAMP ${dialect.quoteText(text)}` : text;
}

function createRange(from: bigint, to: bigint): Value {
  if (to - from > MAX_LIST_LENGTH) {
    throw new ArgumentError(
      `a list can have at most ${MAX_LIST_LENGTH} elements, and this one would have ${to - from}`,
    );
  }
  return Array.from({ length: Math.max(0, Number(to - from)) }, (_, i) => from + BigInt(i));
}

function toOnFailure(value: Value): 'stop' | 'continue' {
  if (value === stop) return 'stop';
  if (value === proceed) return 'continue';
  const shown = isSymbol(value) ? `:${value.name}` : describeValue(value);
  throw new ArgumentError(`\`onFailure\` must be test.Stop or test.Continue, not ${shown}`);
}

type PackageReference = { readonly kind: 'package'; readonly package: Package };

function isPackage(value: Value): value is PackageReference {
  return kindOf(value) === 'package';
}

/** Whether a value is the name of a block. */
export function isBlock(value: Value): value is BlockDefinition {
  return kindOf(value) === 'block';
}

function isTest(value: Value): value is BlockDefinition {
  return kindOf(value) === 'test';
}

function listOf<T extends Value>(
  value: Value,
  name: string,
  isOne: (item: Value) => item is T,
  what: string,
): readonly T[] {
  return expectList(value, name).map((item) => {
    if (isOne(item)) return item;
    throw new ArgumentError(`\`${name}\` must be a list of ${what}s, but contains ${describeValue(item)}`);
  });
}

function expectList(value: Value, name: string): readonly Value[] {
  if (isList(value)) return value;
  throw wrong(name, 'a list', value);
}

function expectText(value: Value, name: string): string {
  if (typeof value === 'string') return value;
  if (isSymbol(value)) return value.name;
  throw wrong(name, 'a string', value);
}

function expectPrintable(value: Value, name: string): string {
  const text = toText(value);
  if (text !== null) return text;
  throw wrong(name, 'a value that has a text form', value);
}

function expectBoolean(value: Value, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(name, 'true or false', value);
}

function expectInteger(value: Value, name: string): bigint {
  if (typeof value === 'bigint') return value;
  throw wrong(name, 'an integer', value);
}

function expectCount(value: Value, name: string): number {
  const count = expectInteger(value, name);
  if (count >= 1n && count <= 64n) return Number(count);
  throw new ArgumentError(`\`${name}\` must be between 1 and 64, not ${count}`);
}

function wrong(name: string, expected: string, value: Value): ArgumentError {
  return new ArgumentError(`\`${name}\` must be ${expected}, not ${describeValue(value)}`);
}
