/** The roles that give rights (identity 2). */
const ROLES = ['ADMIN', 'EDITOR', 'VIEWER'] as const;

/** A role that gives rights. */
export type Role = (typeof ROLES)[number];

/** A role that users without a known one may have. */
export type DefaultRole = Exclude<Role, 'ADMIN'>;

/** A role as it is kept: those that we know in capitals, any other as it was given. */
export function toStoredRole(name: string): string {
  return ROLES.find((role) => role === name.toUpperCase()) ?? name;
}

/** Whether this role, in any case, is ADMIN. */
export function isAdministrator(name: string): boolean {
  return toStoredRole(name) === 'ADMIN';
}

/** Of several roles the one that gives most; where we know none of them, the first. */
export function findStrongestRole(names: readonly string[]): string | undefined {
  const known = ROLES.find((role) => names.some((name) => toStoredRole(name) === role));
  return known ?? names[0];
}

/** What is known of a user's role: what is kept, and what that comes to. */
interface HasRole {
  readonly superUser: boolean;
  readonly role: string | null;
  readonly effectiveRole: Role;
}

/** The role by which a user has rights; a user without one that we know has the usual one. */
export function findEffectiveRole(user: Pick<HasRole, 'superUser' | 'role'>, usual: () => DefaultRole): Role {
  if (user.superUser) return 'ADMIN';
  return ROLES.find((role) => role === user.role) ?? usual();
}

/** Whether a user has the rights of those who only look. */
export function isViewer(user: Pick<HasRole, 'effectiveRole'>): boolean {
  return user.effectiveRole === 'VIEWER';
}

/** The role that a user is said to have: ADMIN for administrators; an unknown one is said as it is. */
export function roleOf(user: HasRole): string {
  return user.superUser ? 'ADMIN' : (user.role ?? user.effectiveRole);
}
