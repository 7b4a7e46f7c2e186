import type { Expression, Identifier, MemberExpression } from '../syntax/ast.ts';
import type { Definition } from './program.ts';
import { walkDefinition } from './walk.ts';

/** A name that a definition uses, alone or with a member. */
export interface NameUse {
  readonly object: Identifier & { readonly kind: 'name' };
  readonly member: MemberExpression | null;
}

const cache = new WeakMap<Definition['declaration'], readonly NameUse[]>();

/**
 * The names that a definition uses, each once alone and once with each member; without parameters and loop variables.
 * They depend only on its source, so an unchanged definition is not walked again.
 */
export function listUses(definition: Definition): readonly NameUse[] {
  const cachedUses = cache.get(definition.declaration);
  if (cachedUses !== undefined) return cachedUses;
  const usesByText = new Map<string, NameUse>();
  const objects = new Set<Expression>();
  walkDefinition(definition, (expression, { locals }) => {
    const member = expression.kind === 'member' ? expression : null;
    const object = member === null ? expression : member.object;
    if (object.kind !== 'name' || locals.has(object.name)) return;
    if (member !== null) objects.add(object);
    else if (objects.has(object)) return;
    usesByText.set(`${object.name}.${member?.member.name ?? ''}`, { object, member });
  });
  const uses = [...usesByText.values()];
  cache.set(definition.declaration, uses);
  return uses;
}
