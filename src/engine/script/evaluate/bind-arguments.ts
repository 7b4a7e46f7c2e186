import { notNull } from '../../../invariants/must.ts';
import { suggest } from '../../../text/suggest.ts';
import type { Argument } from '../syntax/ast.ts';
import { printHint } from '../values/resolve.ts';

/** The arguments by the index of their parameter; or the first wrong argument with an error message. */
export type BindingResult =
  | { readonly kind: 'bound'; readonly args: readonly (Argument | null)[] }
  | { readonly kind: 'wrong'; readonly argument: Argument; readonly message: string };

/** Binds arguments, positional and then named, to the parameters of `what` (docs/reference/language.md#arguments). */
export function bindArguments(
  what: string,
  names: readonly string[],
  args: readonly Argument[],
): BindingResult {
  const bound: (Argument | null)[] = names.map(() => null);
  for (const [at, argument] of args.entries()) {
    const index = argument.name === null ? at : names.indexOf(argument.name.name);
    const message = findError(what, names, argument, index, bound);
    if (message !== null) return { kind: 'wrong', argument, message };
    bound[index] = argument;
  }
  return { kind: 'bound', args: bound };
}

function findError(
  what: string,
  names: readonly string[],
  { name }: Argument,
  index: number,
  bound: readonly (Argument | null)[],
): string | null {
  if (index >= names.length) return `${what} takes ${printCount(names.length)}`;
  if (index === -1)
    return `${what} has no argument \`${notNull(name).name}\`${printHint(suggest(notNull(name).name, names))}`;
  if (bound[index]) return `the argument \`${names[index]}\` of ${what} is given twice`;
  return null;
}

function printCount(count: number): string {
  if (count === 0) return 'no arguments';
  return count === 1 ? 'one argument' : `${count} arguments`;
}
