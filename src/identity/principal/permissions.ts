import type { Principal } from './principal.ts';

/**
 * The levels that a grant can have on an item and on a connection, weakest first (docs/reference/permissions.md#levels).
 * READ allows statements on a connection that change nothing, USE all statements, MANAGE to change and delete it.
 */
export const GRANTED_LEVELS = {
  item: ['VIEW', 'EDIT', 'MANAGE'],
  connection: ['READ', 'USE', 'MANAGE'],
} as const;

/** What a principal may do with content. */
export type Level = 'NONE' | (typeof GRANTED_LEVELS)['item'][number];

/** What a principal may do with a connection. */
export type ConnectionLevel = 'NONE' | (typeof GRANTED_LEVELS)['connection'][number];

/** A level that a grant can have. */
export type GrantedLevel = Exclude<Level | ConnectionLevel, 'NONE'>;

/** An item that was created or moved in the current transaction. */
export interface Placement {
  readonly id: string;
  /** As returned. */
  readonly path: string;
  readonly parentId: string;
  /** The previous place; null for a new item. */
  readonly formerParentId: string | null;
}

/**
 * The permissions on the catalog (docs/reference/permissions.md#levels), from the committed grants. An item is
 * identified by its chain of ids from the namespace's root. The caller holds the transaction.
 */
export interface CatalogPermissions {
  levelOf(principal: Principal, chain: readonly string[]): Level;
  /** The levels of all items directly below the end of `chain`, read with one query. */
  levelsBelow(principal: Principal, chain: readonly string[]): (childId: string) => Level;
  /**
   * Sets the rights that follow from an item's new place. An item put directly below `@Project Hub`, where everything
   * is restricted, is managed by the principal unless another user manages it. An item moved away from there stays
   * restricted.
   */
  place(principal: Principal, placement: Placement): void;
  /** The ids of the items on which EDIT or more is granted to the principal. */
  listEditGrants(principal: Principal): readonly string[];
  /**
   * Whether an item with all its content may move to the principal's own `@Personal`, where nothing is restricted: it
   * must not contain restricted items that the principal may not edit.
   */
  mayTakeHome(principal: Principal, itemId: string): boolean;
}

/** The permissions on connections (docs/reference/permissions.md#connections), under the same conditions. */
export interface ConnectionPermissions {
  levelOf(principal: Principal, connectionId: string): ConnectionLevel;
  /** The levels of all connections, read with one query. */
  levels(principal: Principal): (connectionId: string) => ConnectionLevel;
  /** Whether the principal may create connections. */
  mayCreate(principal: Principal): boolean;
  /** Grants MANAGE to the creator of a connection; the audit log's entry for the creation implies it. */
  create(principal: Principal, connectionId: string): void;
}

const RANKS: Readonly<Record<Level | ConnectionLevel, number>> = {
  NONE: 0,
  VIEW: 1,
  READ: 1,
  EDIT: 2,
  USE: 2,
  MANAGE: 3,
};

/** Whether `level` includes `needed`. Both are levels of the same kind. */
export function isAtLeast<L extends Level | ConnectionLevel>(level: L, needed: L): boolean {
  return RANKS[level] >= RANKS[needed];
}
