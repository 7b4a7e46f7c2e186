import type { Answer, Client } from '../../support/http.ts';
import { ROLES, type Role, TEAM } from './cast.ts';

/** One route with who may use it: a request of the caller's, and the status that each role gets. */
export interface Line {
  /** As the OpenAPI document has it, below `/api/v1`. */
  readonly route: string;
  /** Makes what the request is about, as the administrator; `id` is new for each request. */
  readonly prepare?: (admin: Client, id: string) => Promise<unknown>;
  readonly ask: (client: Client, id: string) => Promise<Answer>;
  readonly statuses: Readonly<Record<Role, number>>;
}

const UNKNOWN: readonly Role[] = ['no token', 'bad token', 'expired token', 'deleted token', 'disabled user'];
export const EVERYBODY = ROLES.filter((role) => !UNKNOWN.includes(role));
/** Who may look at the folder of the team, change it, and manage it. */
export const VIEWERS = EVERYBODY.filter((role) => role !== 'stranger');
export const EDITORS: readonly Role[] = ['editor', 'manager', 'administrator'];
export const MANAGERS: readonly Role[] = ['manager', 'administrator'];
export const ADMINISTRATORS: readonly Role[] = ['administrator'];
export const READ_ONLY: readonly Role[] = [
  'read-only token of the editor',
  'read-only token of the administrator',
];

/** `done` for those who may, 401 for those who are nobody, and `refused` for the others, but for exceptions. */
export function statusesOf(
  allowed: readonly Role[],
  done: number,
  refused: number,
  exceptions: Partial<Record<Role, number>> = {},
): Readonly<Record<Role, number>> {
  const statusOf = (role: Role) => {
    if (UNKNOWN.includes(role)) return 401;
    return exceptions[role] ?? (allowed.includes(role) ? done : refused);
  };
  return Object.fromEntries(ROLES.map((role) => [role, statusOf(role)])) as Record<Role, number>;
}

export const item = (id: string) => `${TEAM}/${id}`;
