import { readKey, readText } from '../address.ts';
import type { ListedUser } from './users.ts';
import { ACCOUNT_SOURCES } from './users-search.ts';

/** What the list of groups shows, in the address. */
export interface GroupsSearch {
  readonly q?: string | undefined;
  readonly source?: ListedUser['source'] | undefined;
  /** The group that the panel shows. */
  readonly group?: string | undefined;
}

/** Reads the search parameters of an address; ignores invalid ones. */
export function readGroupsSearch(search: Record<string, unknown>): GroupsSearch {
  return {
    q: readText(search.q),
    source: readKey(ACCOUNT_SOURCES, search.source),
    group: readText(search.group),
  };
}
