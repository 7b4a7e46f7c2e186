import { readKey, readText } from '../address.ts';
import type { ListedUser } from './users.ts';

/** The values of the filters, as the server knows them. */
export const ACCOUNT_ROLES = ['ADMIN', 'EDITOR', 'VIEWER'] as const;
export const ACCOUNT_STATES: Readonly<Record<ListedUser['state'], string>> = {
  active: 'Active',
  disabled: 'Disabled',
  invited: 'Invited',
  waiting: 'Waiting for approval',
};
export const ACCOUNT_SOURCES: Readonly<Record<ListedUser['source'], string>> = {
  local: 'Managed in Quern',
  scim: 'Provisioned by SCIM',
  saml: 'Created at sign-in by SAML',
};

/** What the list of users shows, in the address. */
export interface UsersSearch {
  readonly q?: string | undefined;
  readonly sort?: 'user_name' | '-user_name' | 'created_at' | '-created_at' | undefined;
  readonly role?: (typeof ACCOUNT_ROLES)[number] | undefined;
  readonly state?: ListedUser['state'] | undefined;
  readonly source?: ListedUser['source'] | undefined;
  /** The name of a group. */
  readonly group?: string | undefined;
  /** The user whom the panel shows. */
  readonly user?: string | undefined;
}

const SORTS = ['user_name', '-user_name', 'created_at', '-created_at'] as const;

/** Reads the search parameters of an address; ignores invalid ones. */
export function readUsersSearch(search: Record<string, unknown>): UsersSearch {
  return {
    q: readText(search.q),
    sort: SORTS.find((sort) => sort === search.sort),
    role: ACCOUNT_ROLES.find((role) => role === search.role),
    state: readKey(ACCOUNT_STATES, search.state),
    source: readKey(ACCOUNT_SOURCES, search.source),
    group: readText(search.group),
    user: readText(search.user),
  };
}
