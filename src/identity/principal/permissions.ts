import type { Principal } from './principal.ts';

/** What a principal may do with content, weakest first (identity 2). */
export type Level = 'NONE' | 'VIEW' | 'EDIT' | 'MANAGE';

/** What a principal may do with a connection, weakest first: USE is to run on it, MANAGE to change and remove it. */
export type ConnectionLevel = 'NONE' | 'USE' | 'MANAGE';

/** An item that has just been put where it is; all within the transaction that does it. */
export interface Placement {
  readonly id: string;
  /** As answered. */
  readonly path: string;
  readonly parentId: string;
  /** Where it was before; null for a new one. */
  readonly formerParentId: string | null;
}

/**
 * Answers for the catalog (identity 2), by what is committed now; items are named by their chain of ids from the
 * namespace's root down. Callers hold the transaction.
 */
export interface CatalogPermissions {
  levelOf(principal: Principal, chain: readonly string[]): Level;
  /** The levels of all that lies directly below the end of `chain`, asked for in one question. */
  levelsBelow(principal: Principal, chain: readonly string[]): (childId: string) => Level;
  /**
   * Gives the rights that follow from where an item is put: directly below `@Project Hub`, where everything is
   * restricted, it is managed by who put it there, unless somebody manages it; from there elsewhere, it stays restricted.
   */
  place(principal: Principal, placement: Placement): void;
  /**
   * Whether all that is in an item may go to the principal's own `@Personal`, where nothing is restricted: there is
   * nothing restricted in it that the principal may not edit.
   */
  mayTakeHome(principal: Principal, itemId: string): boolean;
}

/** Answers for connections (identity 2), under the same terms. */
export interface ConnectionPermissions {
  levelOf(principal: Principal, connectionId: string): ConnectionLevel;
  /** The levels of all connections, asked for in one question. */
  levels(principal: Principal): (connectionId: string) => ConnectionLevel;
  /** Whether the principal may make connections. */
  mayCreate(principal: Principal): boolean;
  /** Gives MANAGE to who has just made a connection; the audit log says so by the making. */
  create(principal: Principal, connectionId: string): void;
}

const RANKS: Readonly<Record<Level | ConnectionLevel, number>> = {
  NONE: 0,
  VIEW: 1,
  USE: 1,
  EDIT: 2,
  MANAGE: 3,
};

/** Whether `level` gives at least what `needed` gives, both of one kind. */
export function isAtLeast<L extends Level | ConnectionLevel>(level: L, needed: L): boolean {
  return RANKS[level] >= RANKS[needed];
}
