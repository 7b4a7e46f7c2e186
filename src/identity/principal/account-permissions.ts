import type { Principal } from './principal.ts';

/** The permissions on users, groups and tokens (docs/reference/accounts.md#who-may-manage-accounts). */
export interface AccountPermissions {
  /** Whether the principal may list and change users, groups, and the tokens of other users. */
  mayManage(principal: Principal): boolean;
}

/** Only administrators manage accounts. */
export function createAccountPermissions(): AccountPermissions {
  return { mayManage: ({ superUser }) => superUser };
}
