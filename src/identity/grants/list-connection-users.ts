import { checkPageLimit } from '../log-range.ts';
import type { Principal } from '../principal/principal.ts';
import type { GrantStore } from '../records/grant-store.ts';
import { explainConnection } from './explain-level.ts';
import type { ConnectionUsersBody } from './grant-body.ts';
import { findManagedTarget, type TargetContext } from './grant-target.ts';
import { printConnectionTarget } from './print-grant.ts';

/** A page of the users of a connection. */
export interface ConnectionUserSearch {
  /** A part of the user name, the e-mail address or the display name, without regard to case. */
  readonly q?: string | undefined;
  /** At most 1,000; 100 by default. Null: all. */
  readonly limit?: number | null | undefined;
  /** Only users after this one, by user name. */
  readonly after?: string | undefined;
}

/**
 * The active users with a level on a connection, by user name, with the reasons; the caller holds the transaction. Throws
 * 404 and 403 as `findManagedTarget`, 400 for an invalid limit.
 */
export function listConnectionUsers(
  context: TargetContext & { readonly store: GrantStore },
  principal: Principal,
  name: string,
  { q, limit, after }: ConnectionUserSearch,
): ConnectionUsersBody {
  const target = findManagedTarget(context, principal, printConnectionTarget(name));
  const { users, total } = context.users.search(
    { q, connectionId: target.key.id },
    { sort: 'user_name', after, limit: checkPageLimit(limit) },
  );
  const data = users.map((user) => ({
    ...explainConnection(user, target, context.store.listConnectionGrants(user.id)),
    display_name: user.displayName,
  }));
  return { data, total };
}
