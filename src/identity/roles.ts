/** The roles that give rights (identity 2). */
const ROLES = ['ADMIN', 'EDITOR', 'VIEWER'] as const;

type Role = (typeof ROLES)[number];

/** What a user without a role is. */
const DEFAULT_ROLE: Role = 'EDITOR';

/** A role as it is kept: those that we know in capitals, any other as it was given. */
export function toStoredRole(name: string): string {
  return ROLES.find((role) => role === name.toUpperCase()) ?? name;
}

/** Whether this role, in any case, is the one of super-users. */
export function isAdministrator(name: string): boolean {
  return toStoredRole(name) === 'ADMIN';
}

/** Of several roles the one that gives most; where we know none of them, the first. */
export function findStrongestRole(names: readonly string[]): string | undefined {
  const known = ROLES.find((role) => names.some((name) => toStoredRole(name) === role));
  return known ?? names[0];
}

/** Whether a user has the role of those who only look. */
export function isViewer(user: { readonly superUser: boolean; readonly role: string | null }): boolean {
  return roleOf(user) === 'VIEWER';
}

/** The role that a user is said to have: that of a super-user is always the same. */
export function roleOf(user: { readonly superUser: boolean; readonly role: string | null }): string {
  return user.superUser ? 'ADMIN' : (user.role ?? DEFAULT_ROLE);
}
