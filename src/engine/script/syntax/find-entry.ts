import type { Expression, MapExpression } from './ast.ts';

/** The expression of a key in a map; null if the map or the key is missing. */
export function findEntry(map: MapExpression | null, name: string): Expression | null {
  return map?.entries.find(({ key }) => key.name === name)?.value ?? null;
}
