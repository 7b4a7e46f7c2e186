import { foldCase } from '../../store/values/fold-case.ts';
import { type Condition, toContained } from '../../store/values/where.ts';
import { toStoredRole } from '../principal/roles.ts';

// Conditions of SQL on the table of users: `records/users.ts` runs them.

/** Where an account can be from, and the states in which it can be (docs/reference/accounts.md#states). */
export const USER_SOURCES = ['local', 'scim', 'saml'] as const;
export const USER_STATES = ['active', 'disabled', 'invited', 'waiting'] as const;

/** The columns by which users are sorted; with a minus in front, downwards. */
export const USER_SORTS = ['user_name', '-user_name', 'created_at', '-created_at'] as const;

/** A filter of users; a user must meet all conditions. */
export interface UserFilter {
  /** A part of the user name, the e-mail address or the display name, without regard to case. */
  readonly q?: string | undefined;
  /** The role that is shown, in any case. */
  readonly role?: string | undefined;
  readonly state?: (typeof USER_STATES)[number] | undefined;
  readonly source?: (typeof USER_SOURCES)[number] | undefined;
  /** The id of a group. */
  readonly groupId?: string | undefined;
  /** The ids of targets: only active users who are administrators, or have a grant on one of them. */
  readonly grantedOn?: readonly string[] | undefined;
}

/** A page of users. */
export interface UserOrder {
  readonly sort: (typeof USER_SORTS)[number];
  /** Only users after this one, by user name; with another sort than by user name, the user must exist. */
  readonly after?: string | undefined;
  /** -1: all. */
  readonly limit: number;
}

/** Whether a user is invited and has not set a password yet. */
const IS_INVITED = '(password_hash IS NULL AND id IN (SELECT user_id FROM invitations))';

const STATES: Readonly<Record<(typeof USER_STATES)[number], Condition>> = {
  active: [`active = 1 AND NOT ${IS_INVITED}`],
  disabled: ['active = 0 AND waiting = 0'],
  invited: [`active = 1 AND ${IS_INVITED}`],
  waiting: ['active = 0 AND waiting = 1'],
};

/** The grants on some targets, whose ids are bound as JSON. */
const GRANTS_ON = `(
  SELECT user_id, group_id FROM grants
  WHERE coalesce(item_id, connection_id) IN (SELECT value FROM json_each(?))
)`;

/** Active users who are administrators, or have a grant on a target, also one to a group or to everyone. */
const HAS_GRANT = `
  active = 1 AND (
    super_user = 1
    OR EXISTS (SELECT 1 FROM ${GRANTS_ON} WHERE user_id IS NULL AND group_id IS NULL)
    OR id IN (
      SELECT user_id FROM ${GRANTS_ON} WHERE user_id IS NOT NULL
      UNION ALL
      SELECT group_members.user_id FROM ${GRANTS_ON} JOIN group_members USING (group_id)
    )
  )
`;
const CONTAINS =
  "(user_name_key LIKE ? ESCAPE '\\' OR email_key LIKE ? ESCAPE '\\' OR display_name_key LIKE ? ESCAPE '\\')";

/** The conditions of a filter; users without a role have `defaultRole`. */
export function listConditions(
  { q, role, state, source, groupId, grantedOn }: UserFilter,
  defaultRole: string,
): readonly Condition[] {
  const conditions = [...listMatches(q)];
  if (role !== undefined) conditions.push(toRoleCondition(toStoredRole(role), defaultRole));
  if (state !== undefined) conditions.push(STATES[state]);
  if (source !== undefined) conditions.push(['origin = ?', source]);
  if (groupId !== undefined) {
    conditions.push(['id IN (SELECT user_id FROM group_members WHERE group_id = ?)', groupId]);
  }
  if (grantedOn !== undefined) {
    const ids = JSON.stringify(grantedOn);
    conditions.push([HAS_GRANT, ids, ids, ids]);
  }
  return conditions;
}

/** The condition that a user has a text in the user name, the e-mail address or the display name; none for no text. */
export function listMatches(q: string | undefined): readonly Condition[] {
  if (q === undefined || q === '') return [];
  const pattern = toContained(q);
  return [[CONTAINS, pattern, pattern, pattern]];
}

function toRoleCondition(role: string, defaultRole: string): Condition {
  if (role === 'ADMIN') return ['super_user = 1'];
  return ['super_user = 0 AND coalesce(role, ?) = ?', defaultRole, role];
}

/** The condition for the users after the one where a page ends. */
export function listPageConditions({ sort, after }: UserOrder): readonly Condition[] {
  if (after === undefined) return [];
  const sign = sort.startsWith('-') ? '<' : '>';
  const key = foldCase(after);
  if (sort.endsWith('user_name')) return [[`user_name_key ${sign} ?`, key]];
  return [[`(created_at, id) ${sign} (SELECT created_at, id FROM users WHERE user_name_key = ?)`, key]];
}

/** ORDER BY of a page. */
export function printOrder({ sort }: UserOrder): string {
  const direction = sort.startsWith('-') ? ' DESC' : '';
  const columns = sort.endsWith('user_name') ? ['user_name_key'] : ['created_at', 'id'];
  return `ORDER BY ${columns.map((column) => `${column}${direction}`).join(', ')}`;
}
