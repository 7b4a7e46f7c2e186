import type { Answer, Client } from '../../support/http.ts';
import { ROLES, type Role, TEAM } from './cast.ts';

/** One route with the roles that may use it: a request of the caller, and the status for each role. */
export interface Line {
  /** The route as in the OpenAPI document, below `/api/v1`. */
  readonly route: string;
  /** Creates the objects of the request, as the administrator; `id` is new for each request. */
  readonly prepare?: (admin: Client, id: string) => Promise<unknown>;
  readonly ask: (client: Client, id: string) => Promise<Answer>;
  readonly statuses: Readonly<Record<Role, number>>;
}

const UNAUTHENTICATED: readonly Role[] = [
  'no token',
  'bad token',
  'expired token',
  'deleted token',
  'disabled user',
];
export const AUTHENTICATED = ROLES.filter((role) => !UNAUTHENTICATED.includes(role));
/** The roles that may read the folder of the team, change it, and manage it. */
export const VIEWERS = AUTHENTICATED.filter((role) => role !== 'outsider');
export const EDITORS: readonly Role[] = ['editor', 'manager', 'administrator'];
export const MANAGERS: readonly Role[] = ['manager', 'administrator'];
export const ADMINISTRATORS: readonly Role[] = ['administrator'];
export const READ_ONLY: readonly Role[] = [
  'read-only token of the editor',
  'read-only token of the administrator',
];

/**
 * `done` for permitted roles, 401 for callers without a valid token, and `refused` for the others, with
 * exceptions.
 */
export function statusesOf(
  allowed: readonly Role[],
  done: number,
  refused: number,
  exceptions: Partial<Record<Role, number>> = {},
): Readonly<Record<Role, number>> {
  const statusOf = (role: Role) => {
    if (UNAUTHENTICATED.includes(role)) return 401;
    return exceptions[role] ?? (allowed.includes(role) ? done : refused);
  };
  return Object.fromEntries(ROLES.map((role) => [role, statusOf(role)])) as Record<Role, number>;
}

export const item = (id: string) => `${TEAM}/${id}`;
