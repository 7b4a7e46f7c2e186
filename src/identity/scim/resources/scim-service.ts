import { type ListPage, printList, type Range, readRange } from '../protocol/page.ts';
import type { ScimApi, ScimQuery } from '../protocol/scim-api.ts';
import { listGroups } from './list-groups.ts';
import { findUserName, listUsers } from './list-users.ts';
import { asClient, type ScimClient, type ScimContext } from './scim-context.ts';
import { createScimGroups } from './scim-groups.ts';
import { createScimUsers } from './scim-users.ts';

/** The provisioning interface of a home. */
export interface ScimService {
  /** For one client. */
  as(client: ScimClient): ScimApi;
}

/** The provisioning interface of an open database. */
export function createScimService(context: ScimContext): ScimService {
  return {
    as: (client) => ({
      users: createScimUsers(context, client),
      groups: createScimGroups(context, client),
      search: async (query) =>
        asClient(context, client, 'read', () => {
          const range = readRange(query);
          return printList(range, search(context, client.base, query, range));
        }),
    }),
  };
}

/** Lists users, then groups; a filter by user name matches only users. */
function search(context: ScimContext, base: string, query: ScimQuery, range: Range): ListPage {
  const users = listUsers(context, base, query, range);
  if (findUserName(query.filter) !== undefined) return users;
  const groups = listGroups(context, base, query, {
    offset: Math.max(range.offset - users.total, 0),
    limit: range.limit - users.resources.length,
  });
  return { total: users.total + groups.total, resources: [...users.resources, ...groups.resources] };
}
