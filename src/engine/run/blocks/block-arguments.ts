import { elementAt, entryOf, present } from '../../../invariants/must.ts';
import { isDecimal } from '../../../text/decimal.ts';
import { suggest } from '../../../text/suggest.ts';
import type { JsonValue } from '../../script/params/json-value.ts';
import { ParamError } from '../../script/params/params.ts';
import type { BlockDefinition, Program } from '../../script/program/program.ts';
import { addBroken, printHint } from '../../script/values/resolve.ts';
import { MAX_LEVELS } from '../../script/values/size.ts';
import { createMap, type Value } from '../../script/values/value.ts';
import { BlockArgumentError, type ErrorSubject, UnknownBlockError } from '../outcome/errors.ts';

/** Finds a block or test of the program's root by name, including private ones. Throws an UnknownBlockError. */
export function findBlock({ root }: Program, name: string): BlockDefinition {
  const definition = root.definitions.get(name);
  if (definition?.kind === 'block' || definition?.kind === 'test') return definition;
  const blocks = [...root.definitions.values()].filter(({ kind }) => kind === 'block' || kind === 'test');
  const near = suggest(name, [...blocks.map((block) => block.name), ...root.neighbours.names]);
  const message = `the package \`${root.name}\` has no block \`${name}\`${printHint(near)}`;
  throw new UnknownBlockError(addBroken(message, root, 'its folder'), name);
}

/**
 * The values of a block's parameters: the given values, else their `defaults`. Throws a BlockArgumentError for unknown
 * and missing arguments (docs/reference/calls.md#result), and a ParamError for a value that is nested
 * too deeply.
 */
export function toArguments(
  { name, declaration }: BlockDefinition,
  values: Readonly<Record<string, JsonValue>>,
  defaults: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  const names = declaration.params.map((param) => param.name);
  const unknown = Object.keys(values).filter((key) => !names.includes(key));
  const missing = names.filter((parameter) => !Object.hasOwn(values, parameter) && !defaults.has(parameter));
  if (unknown.length > 0 || missing.length > 0) throw createArgumentError(name, names, unknown, missing);
  return new Map(
    names.map(
      (parameter) =>
        [
          parameter,
          Object.hasOwn(values, parameter)
            ? toValue(present(values[parameter]), parameter)
            : entryOf(defaults, parameter),
        ] as const,
    ),
  );
}

function createArgumentError(
  name: string,
  names: readonly string[],
  unknown: readonly string[],
  missing: readonly string[],
): BlockArgumentError {
  const hints = unknown.map((key) => `\`${key}\`${printHint(suggest(key, names))}`);
  const parts = [
    unknown.length === 0 ? '' : `has no argument ${hints.join(', ')}`,
    missing.length === 0 ? '' : `needs the argument ${missing.map((key) => `\`${key}\``).join(', ')}`,
  ];
  const subject: ErrorSubject =
    missing[0] === undefined
      ? { kind: 'unknown argument', name: elementAt(unknown, 0) }
      : { kind: 'missing argument', name: missing[0] };
  const message = `the block \`${name}\` ${parts.filter((part) => part !== '').join('; it ')}`;
  return new BlockArgumentError(message, subject);
}

function toValue(value: JsonValue, name: string, level = 0): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null || isDecimal(value)) return value;
  if (level === MAX_LEVELS)
    throw new ParamError(`Argument ${name} is nested more than ${MAX_LEVELS} levels deep.`);
  if (Array.isArray(value)) return value.map((item) => toValue(item, name, level + 1));
  return createMap(
    Object.entries(value).map(([key, item]) => [key, toValue(item, name, level + 1)] as const),
  );
}
