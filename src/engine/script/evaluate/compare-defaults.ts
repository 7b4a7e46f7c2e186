import { listUses } from '../program/list-uses.ts';
import { type BlockDefinition, describeDefinition } from '../program/program.ts';
import type { CallExpression, Expression } from '../syntax/ast.ts';
import { isEqual } from '../values/operators.ts';
import type { Value } from '../values/value.ts';
import { bindArguments } from './bind-arguments.ts';

/** Functions of the library about the current publication. */
const OF_PUBLICATION = ['Incremental', 'Target'];

/**
 * Whether the arguments of a call are the defaults of the block, as far as its source says: null if only a run knows.
 */
export function hasDefaults(
  { args }: CallExpression,
  { name, declaration }: BlockDefinition,
): boolean | null {
  const { params } = declaration;
  const names = params.map((param) => param.name);
  const bound = bindArguments(name, names, args);
  if (bound.kind === 'wrong') return true;
  const compared = bound.args.map((argument, at) =>
    argument === null ? true : compare(argument.value, params[at]?.default),
  );
  if (compared.includes(false)) return false;
  return compared.includes(null) ? null : true;
}

function compare(value: Expression, defaultValue: Expression | null | undefined): boolean | null {
  if (defaultValue === null || defaultValue === undefined) return false;
  return value.kind === 'literal' && defaultValue.kind === 'literal'
    ? isEqual(value.value, defaultValue.value)
    : null;
}

/**
 * Whether a call has the arguments with which its block is published: any other call is one of a block without publication
 * (docs/reference/calls.md#calls).
 */
export function areDefaults(args: ReadonlyMap<string, Value>, defaults: ReadonlyMap<string, Value>): boolean {
  return [...args].every(([name, value]) => {
    const defaultValue = defaults.get(name);
    return defaultValue !== undefined && isEqual(value, defaultValue);
  });
}

/** Why a published block cannot be called with other arguments than its defaults; null if it can. */
export function explainOnlyDefaults(block: BlockDefinition): string | null {
  for (const { object, member } of listUses(block)) {
    const imported = block.file.imports.get(object.name);
    if (imported?.kind !== 'library' || imported.name !== 'publication' || member === null) continue;
    const { name } = member.member;
    if (!OF_PUBLICATION.includes(name)) continue;
    return `${describeDefinition(block)} uses \`publication.${name}()\`, so it can only be called with its default arguments: these differ`;
  }
  return null;
}
