import type { BlockCall } from '../values/request.ts';
import { describeValue, isList, isMap, isSymbol, toText, type Value } from '../values/value.ts';

/** Prints a call as its author could have written it: `Customers(n=2)`. */
export function printCall({ block, args }: BlockCall): string {
  return `${block.name}(${[...args].map(([name, value]) => `${name}=${printArgument(value)}`).join(', ')})`;
}

function printArgument(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null) return 'null';
  if (isList(value)) return `[${value.map(printArgument).join(', ')}]`;
  if (isSymbol(value)) return `:${value.name}`;
  const reference = nameOf(value);
  if (reference !== null) return reference;
  if (!isMap(value)) return toText(value) ?? describeValue(value);
  return `{ ${[...value.entries].map(([key, item]) => `:${key} ${printArgument(item)}`).join(', ')} }`;
}

/** The qualified name of a package, block, test or macro. */
function nameOf(value: Value): string | null {
  if (typeof value !== 'object' || value === null || isList(value) || !('package' in value)) return null;
  return 'name' in value ? `${value.package.name}.${value.name}` : value.package.name;
}

/** A key that only equal calls of the same block share. */
export function printCallKey(call: BlockCall): string {
  return `${call.block.package.id}\0${printCall(call)}`;
}
