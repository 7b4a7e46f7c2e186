import { elementAt } from '../../invariants/must.ts';
import type { AccountContext } from '../context/account-context.ts';
import { grantErrors, mayNotManage } from '../errors.ts';
import { isRestrictedByNature } from '../principal/authorize.ts';
import { GRANTED_LEVELS, type GrantedLevel, isAtLeast, type Level } from '../principal/permissions.ts';
import type { Principal } from '../principal/principal.ts';
import type { TargetKey } from '../records/grant-store.ts';
import { printConnectionTarget } from './print-grant.ts';

/** An item on the path from its namespace's root, with its path as returned. */
export interface LocatedPlace {
  readonly id: string;
  readonly path: string;
}

/** Finds the targets of grants in the catalog and among the connections. The caller holds the transaction. */
export interface TargetFinder {
  /** The places from the namespace's root to the item at a path that the principal may view. Throws 404. */
  findItem(principal: Principal, path: string): readonly LocatedPlace[];
  /**
   * The id of a connection that the principal manages. Throws 404 for an unknown name, 403 for any other connection.
   */
  findConnection(principal: Principal, name: string): string;
  /** The path of an item; null for one in a user's `@Personal`, where grants have no effect. */
  printItem(id: string): string | null;
  /** The name of an existing connection. */
  printConnection(id: string): string;
}

/** A target that the caller manages. `text` is its form in responses. */
export type ManagedTarget =
  | {
      readonly kind: 'item';
      readonly key: TargetKey;
      readonly text: string;
      readonly places: readonly LocatedPlace[];
    }
  | { readonly kind: 'connection'; readonly key: TargetKey; readonly text: string };

/** A catalog item as a target. */
export type ManagedItem = Extract<ManagedTarget, { kind: 'item' }>;

export interface TargetContext extends AccountContext {
  readonly targets: TargetFinder;
  readonly levelOf: (principal: Principal, chain: readonly string[]) => Level;
}

/**
 * Finds the target that a string names: a catalog path, or `connection:NAME`. Throws 400 for any other string, 404 for
 * a target that does not exist or is not visible, 403 for one that the principal does not manage.
 */
export function findManagedTarget(context: TargetContext, principal: Principal, text: string): ManagedTarget {
  const { targets, levelOf } = context;
  const name = /^connection:(.+)$/s.exec(text)?.[1];
  if (name !== undefined) {
    const id = targets.findConnection(principal, name);
    return { kind: 'connection', key: { kind: 'connection', id }, text: printConnectionTarget(name) };
  }
  const target = findViewedItem(context, principal, text);
  if (!isAtLeast(levelOf(principal, toChain(target)), 'MANAGE')) throw mayNotManage();
  return target;
}

/** The item at a path that the principal may view. Throws 400 for a string that is not a path, and 404. */
export function findViewedItem({ targets }: TargetContext, principal: Principal, text: string): ManagedItem {
  if (!/^\/?@/.test(text)) throw grantErrors.notATarget(text);
  const places = targets.findItem(principal, text);
  const { id, path } = elementAt(places, -1);
  return { kind: 'item', key: { kind: 'item', id }, text: path, places };
}

/** The ids from the namespace's root to an item. */
export function toChain({ places }: ManagedItem): string[] {
  return places.map(({ id }) => id);
}

/**
 * Whether a target is in `@Personal`. It is always the caller's, because no path leads to the `@Personal` of another
 * user.
 */
export function isPersonal(target: ManagedTarget): boolean {
  return target.kind === 'item' && elementAt(target.places, 0).path === '@Personal';
}

/**
 * Like `findManagedTarget`, for an item that can be restricted. Throws 422 for a namespace and for an item in `@Personal`.
 */
export function findRestrictable(context: TargetContext, principal: Principal, text: string): ManagedItem {
  const target = findManagedTarget(context, principal, text);
  if (target.kind !== 'item') throw grantErrors.notAnItem(target.text);
  checkNotPersonal(target);
  if (target.places.length === 1) throw grantErrors.notToRestrict(target.text);
  return target;
}

/** Throws 422 for an item in `@Personal`, which belongs to its user alone. */
export function checkNotPersonal(target: ManagedTarget): void {
  if (isPersonal(target)) throw grantErrors.personal();
}

/** Whether a target is always restricted because of its place. */
export function isByNature({ places }: ManagedItem): boolean {
  return isRestrictedByNature(elementAt(places, 0).id, places.length - 1);
}

/** Reads a level that exists for the kind of target. Throws 400. */
export function readLevel(target: ManagedTarget, text: string): GrantedLevel {
  const levels: readonly GrantedLevel[] = GRANTED_LEVELS[target.kind];
  const level = levels.find((known) => known === text);
  if (level === undefined) throw grantErrors.notALevel(text, target.text, levels);
  return level;
}

/** An administrator may list all grants, with a read-only token, too. */
export function asReader(principal: Principal): Principal {
  return principal.superUser ? { ...principal, viewsOnly: false } : principal;
}
