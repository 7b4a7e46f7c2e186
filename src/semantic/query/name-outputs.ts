import { semanticErrors } from '../errors.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { FieldRef } from './query.ts';

/**
 * The names of the result columns (docs/reference/semantic-queries.md#result-columns): the given alias, otherwise the
 * field's name, otherwise `entity_field` if several columns would have the same name. Names that differ only in case
 * count as equal.
 */
export function nameOutputs(refs: readonly FieldRef[], dialect: Dialect): readonly string[] {
  const taken = new Set<string>();
  for (const { alias } of refs) {
    if (alias === undefined) continue;
    checkName(alias, dialect);
    if (taken.has(fold(alias))) throw semanticErrors.duplicateAlias(alias);
    taken.add(fold(alias));
  }
  const asked = new Map<string, number>();
  for (const { alias, field } of refs) {
    if (alias === undefined) asked.set(fold(field), (asked.get(fold(field)) ?? 0) + 1);
  }
  return refs.map(({ alias, entity, field }) => {
    if (alias !== undefined) return alias;
    const isAlone = asked.get(fold(field)) === 1 && !taken.has(fold(field));
    const name = isAlone ? field : `${entity.replaceAll('.', '_')}_${field}`;
    checkName(name, dialect);
    if (!isAlone) {
      if (taken.has(fold(name)) || asked.has(fold(name))) throw semanticErrors.duplicateAlias(name);
      taken.add(fold(name));
    }
    return name;
  });
}

function fold(name: string): string {
  return name.toLowerCase();
}

function checkName(name: string, { longestName, forbiddenInNames }: Dialect): void {
  const isPlain = forbiddenInNames === null || name.search(forbiddenInNames) === -1;
  const isClean = name.trim() === name && name !== '' && name.isWellFormed() && !/\p{Cc}/u.test(name);
  if (!isPlain || !isClean) throw semanticErrors.alias(name);
  const { unit, length } = longestName;
  const long = unit === 'bytes' ? Buffer.byteLength(name) : name.length;
  if (long > length) throw semanticErrors.longAlias(name, length, unit);
}
