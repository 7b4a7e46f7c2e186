import { HUB_ROOT_ID, homeRootId, SHARED_ROOT_ID } from '../../store/values/roots.ts';
import { type ConnectionLevel, isAtLeast, type Level } from './permissions.ts';
import type { Principal } from './principal.ts';

/** A grant or restriction on one item of a chain from a namespace's root, at depth 0, down to an item. */
export interface PlaceFact {
  readonly depth: number;
  /** Whether a user has restricted the item. */
  readonly isRestricted: boolean;
  /** The level granted there to the user, a group of the user, or everyone; null for a restriction without a grant. */
  readonly level: Exclude<Level, 'NONE'> | null;
}

/** An item, as needed to compute one user's level. */
export interface ItemTarget<Fact extends PlaceFact = PlaceFact> {
  readonly rootId: string;
  readonly depth: number;
  /** Called only when the level depends on grants. */
  readonly facts: () => readonly Fact[];
}

// The only place that computes levels (docs/reference/permissions.md#levels).

/**
 * The level of a principal on an item. The highest level granted on the item or its parents applies; grants above the
 * deepest restricted item do not count. Administrators manage everything except the `@Personal` of other users; every
 * user manages their own `@Personal`. A view-only principal never gets more than VIEW.
 */
export function authorizeItem(principal: Principal, target: ItemTarget): Level {
  const level = findFixedLevel(principal, target.rootId) ?? findGrantedLevel(target);
  return principal.viewsOnly && level !== 'NONE' ? 'VIEW' : level;
}

/**
 * The level of a principal on a connection, from the grants to the user, the user's groups, and everyone.
 * Administrators manage every connection; a view-only principal gets at most READ.
 */
export function authorizeConnection(
  principal: Principal,
  granted: () => readonly ConnectionLevel[],
): ConnectionLevel {
  const level = principal.superUser ? 'MANAGE' : findStrongest(granted());
  return principal.viewsOnly && level !== 'NONE' ? 'READ' : level;
}

/** The depth of the deepest restricted item, or 0: only grants at this depth or below count. */
export function findBarrier({ rootId, depth }: ItemTarget, facts: readonly PlaceFact[]): number {
  const byNature = isRestrictedByNature(rootId, 1) && depth > 0 ? 1 : 0;
  return facts.reduce(
    (deepest, fact) => (fact.isRestricted ? Math.max(deepest, fact.depth) : deepest),
    byNature,
  );
}

/**
 * Whether items at this depth are always restricted: directly below `@Project Hub`
 * (docs/reference/permissions.md#the-project-hub).
 */
export function isRestrictedByNature(rootId: string, depth: number): boolean {
  return rootId === HUB_ROOT_ID && depth === 1;
}

/** Whether the namespace is the principal's own `@Personal`. */
export function isOwnHome(principal: Principal, rootId: string): boolean {
  return rootId === homeRootId(principal.userId);
}

/** The level that no grant can change; undefined when grants decide. */
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
