import type { Principal } from './principal.ts';

/** Answers for users, groups and tokens (identity 2). */
export interface AccountPermissions {
  /** Whether the principal may see and change users, groups, and the tokens of others. */
  mayManage(principal: Principal): boolean;
}

/** Administrators manage accounts, and nobody else does. */
export function createAccountPermissions(): AccountPermissions {
  return { mayManage: ({ superUser }) => superUser };
}
