import { DEFAULT_CONNECTION_ID } from '../store/default-connection.ts';
import { homeRootId, SHARED_ROOT_ID } from '../store/roots.ts';
import type { CatalogPermissions, ConnectionPermissions, Level } from './permissions.ts';
import type { Principal } from './principal.ts';

/**
 * The permissions of a home without grants: a super-user manages everything; anybody else manages the own
 * home, edits what is below `@Shared`, and sees nothing else. That `@Personal` is the caller's own and
 * nobody else's is the catalog's doing: no path of a super-user leads to another user's home either.
 */
export function createOwnerPermissions(): CatalogPermissions {
  return {
    levelOf,
    levelsOf: (principal, chain, children) => {
      const level = levelOf(principal, chain);
      return new Map(children.map((child) => [child, level]));
    },
  };
}

/**
 * The rights to connections in a home without grants: a super-user manages all of them and alone makes new ones, since
 * they reach whatever the home's owner can; who made one manages it; everybody uses `duckdb`.
 */
export function createOwnerConnectionPermissions(): ConnectionPermissions {
  return {
    levelOf: ({ userId, superUser }, { id, creatorId }) => {
      if (superUser || creatorId === userId) return 'MANAGE';
      return id === DEFAULT_CONNECTION_ID ? 'USE' : 'NONE';
    },
    mayCreate: ({ superUser }) => superUser,
  };
}

/** A viewer's level is VIEW at the most. */
function levelOf(principal: Principal, chain: readonly string[]): Level {
  const level = findLevel(principal, chain);
  return principal.viewsOnly && level !== 'NONE' ? 'VIEW' : level;
}

function findLevel(principal: Principal, chain: readonly string[]): Level {
  if (principal.superUser || chain[0] === homeRootId(principal.userId)) return 'MANAGE';
  return chain[0] === SHARED_ROOT_ID ? 'EDIT' : 'NONE';
}
