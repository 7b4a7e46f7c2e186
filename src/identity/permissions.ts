import type { Principal } from './principal.ts';

/** What a principal may do with content, weakest first. */
export type Level = 'NONE' | 'VIEW' | 'EDIT' | 'MANAGE';

/** Answers for the catalog; items are named by their chain of ids from the namespace's root down. */
export interface CatalogPermissions {
  levelOf(principal: Principal, chain: readonly string[]): Level;
  /** The levels of a whole listing in one question: of `children`, all directly below `chain`. */
  levelsOf(
    principal: Principal,
    chain: readonly string[],
    children: readonly string[],
  ): ReadonlyMap<string, Level>;
}

/** What a principal may do with a connection, weakest first: USE is to run on it, MANAGE to change and remove it. */
export type ConnectionLevel = 'NONE' | 'USE' | 'MANAGE';

/** A connection as far as rights to it go. */
interface ConnectionTarget {
  readonly id: string;
  /** The id of the user who made it; null where nobody did, or the user is gone. */
  readonly creatorId: string | null;
}

/** Answers for connections (identity 2). */
export interface ConnectionPermissions {
  levelOf(principal: Principal, connection: ConnectionTarget): ConnectionLevel;
  /** Whether the principal may make connections. */
  mayCreate(principal: Principal): boolean;
}

const RANKS: Readonly<Record<Level, number>> = { NONE: 0, VIEW: 1, EDIT: 2, MANAGE: 3 };

/** Whether `level` gives at least what `needed` gives. */
export function isAtLeast(level: Level, needed: Level): boolean {
  return RANKS[level] >= RANKS[needed];
}
