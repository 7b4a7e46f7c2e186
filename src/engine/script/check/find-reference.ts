import type { Program } from '../program.ts';
import { type Resolved, resolveMember, resolveName } from '../resolve.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Place } from './walk.ts';

/**
 * What a name, or a name of a package or library, means at a place; null for any other expression, and for
 * names of parameters and loops.
 */
export function findReference(program: Program, expression: Expression, place: Place): Resolved | null {
  if (expression.kind === 'name') {
    if (place.locals.has(expression.name)) return null;
    return resolveName(program, place, expression.name, place.locals);
  }
  if (expression.kind !== 'member') return null;
  const owner = findReference(program, expression.object, place);
  if (owner?.kind !== 'package' && owner?.kind !== 'library') return null;
  return resolveMember(place.package, owner, expression.member.name);
}
