import { HUB_ROOT_ID, homeRootId, SHARED_ROOT_ID } from '../../store/values/roots.ts';
import { type ConnectionLevel, isAtLeast, type Level } from './permissions.ts';
import type { Principal } from './principal.ts';

/** What is known of a place on the way from a namespace's root, at depth 0, to an item. */
export interface PlaceFact {
  readonly depth: number;
  /** Whether it was restricted by somebody. */
  readonly isRestricted: boolean;
  /** What is granted there to the user, a group of the user's, or everyone; null: this is about the restriction alone. */
  readonly level: Level | null;
}

/** An item as far as one user's rights to it go. */
export interface ItemTarget<Fact extends PlaceFact = PlaceFact> {
  readonly rootId: string;
  readonly depth: number;
  /** Asked for when it depends on them. */
  readonly facts: () => readonly Fact[];
}

// Here, and nowhere else, is decided who may do what (identity 2).

/**
 * The level of a principal on an item: what is granted at it or above it, the most permissive wins, and from above the
 * deepest restricted item nothing counts. Administrators manage everything but the homes of others; `@Personal` is its
 * user's own; who only looks does no more anywhere.
 */
export function authorizeItem(principal: Principal, target: ItemTarget): Level {
  const level = findFixedLevel(principal, target.rootId) ?? findGrantedLevel(target);
  return principal.viewsOnly && level !== 'NONE' ? 'VIEW' : level;
}

/**
 * The level of a principal on a connection, of what is granted there to the user, a group of the user's, or everyone.
 * Administrators manage every connection; who only looks may use one, and change none.
 */
export function authorizeConnection(
  principal: Principal,
  granted: () => readonly ConnectionLevel[],
): ConnectionLevel {
  const level = principal.superUser ? 'MANAGE' : findStrongest(granted());
  return principal.viewsOnly && level !== 'NONE' ? 'USE' : level;
}

/** The depth of the deepest restricted item: of what is granted, that at it and below it counts. 0 without one. */
export function findBarrier({ rootId, depth }: ItemTarget, facts: readonly PlaceFact[]): number {
  const byNature = isRestrictedByNature(rootId, 1) && depth > 0 ? 1 : 0;
  return facts.reduce(
    (deepest, fact) => (fact.isRestricted ? Math.max(deepest, fact.depth) : deepest),
    byNature,
  );
}

/** Whether what lies at this depth is restricted whatever anybody says: directly below `@Project Hub` (catalog 10). */
export function isRestrictedByNature(rootId: string, depth: number): boolean {
  return rootId === HUB_ROOT_ID && depth === 1;
}

/** Whether this is the `@Personal` of that user. */
export function isOwnHome(principal: Principal, rootId: string): boolean {
  return rootId === homeRootId(principal.userId);
}

/** The level that no grant can change; undefined where grants decide. */
function findFixedLevel(principal: Principal, rootId: string): Level | undefined {
  if (isOwnHome(principal, rootId)) return 'MANAGE';
  if (rootId !== SHARED_ROOT_ID && rootId !== HUB_ROOT_ID) return 'NONE';
  return principal.superUser ? 'MANAGE' : undefined;
}

function findGrantedLevel(target: ItemTarget): Level {
  const facts = target.facts();
  const barrier = findBarrier(target, facts);
  return findStrongest(facts.flatMap(({ depth, level }) => (level === null || depth < barrier ? [] : level)));
}

function findStrongest<L extends Level | ConnectionLevel>(levels: readonly L[]): L | 'NONE' {
  return levels.reduce<L | 'NONE'>(
    (strongest, level) => (isAtLeast(strongest, level) ? strongest : level),
    'NONE',
  );
}
