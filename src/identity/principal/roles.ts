/** The roles that users without a known role may get. */
export const DEFAULT_ROLES = ['EDITOR', 'VIEWER'] as const;

export type DefaultRole = (typeof DEFAULT_ROLES)[number];

/** The roles that Quern knows (docs/reference/accounts.md#roles). */
export const ROLES = ['ADMIN', ...DEFAULT_ROLES] as const;

/** A known role. */
export type Role = (typeof ROLES)[number];

/** Converts a role to its stored form: known roles in capitals, others unchanged. */
export function toStoredRole(name: string): string {
  return ROLES.find((role) => role === name.toUpperCase()) ?? name;
}

/** Whether the role is ADMIN, in any case. */
export function isAdministrator(name: string): boolean {
  return toStoredRole(name) === 'ADMIN';
}

/** The role with the most rights; if no role is known, the first one. */
export function findStrongestRole(names: readonly string[]): string | undefined {
  const known = ROLES.find((role) => names.some((name) => toStoredRole(name) === role));
  return known ?? names[0];
}

/** A user's role: the stored one, and the effective one. */
interface HasRole {
  readonly superUser: boolean;
  readonly role: string | null;
  readonly effectiveRole: Role;
}

/** The effective role of a user; a user without a known role gets the default role. */
export function findEffectiveRole(
  user: Pick<HasRole, 'superUser' | 'role'>,
  defaultRole: () => DefaultRole,
): Role {
  if (user.superUser) return 'ADMIN';
  return ROLES.find((role) => role === user.role) ?? defaultRole();
}

/** Whether a user has the rights of a VIEWER. */
export function isViewer(user: Pick<HasRole, 'effectiveRole'>): boolean {
  return user.effectiveRole === 'VIEWER';
}

/** The role shown for a user: ADMIN for administrators, and an unknown role unchanged. */
export function roleOf(user: HasRole): string {
  return user.superUser ? 'ADMIN' : (user.role ?? user.effectiveRole);
}
