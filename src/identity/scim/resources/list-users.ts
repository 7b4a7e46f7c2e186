import { ScimError } from '../../../errors/scim-error.ts';
import { createGroupStore } from '../../records/group-store.ts';
import type { User } from '../../records/users.ts';
import type { ListPage, Range } from '../protocol/page.ts';
import { listEqualities, parseFilter } from '../protocol/parse-filter.ts';
import { isProjected, projectResource } from '../protocol/project.ts';
import type { ScimObject } from '../protocol/resource.ts';
import type { Projection, ScimQuery } from '../protocol/scim-api.ts';
import type { ScimContext } from './scim-context.ts';
import { printUser } from './user-document.ts';
import { USER_TYPE } from './user-schema.ts';

/** The users that match a query. Any filter except `userName eq` is ignored (docs/reference/scim.md#filters). */
export function listUsers(
  context: ScimContext,
  base: string,
  query: ScimQuery,
  { offset, limit }: Range,
): ListPage {
  const userName = findUserName(query.filter);
  if (userName === undefined) {
    const page = limit === 0 ? [] : context.users.listPage(offset, limit);
    return { total: context.users.count(), resources: printUsers(context, base, page, query) };
  }
  const user = context.users.findByUserName(userName);
  const page = user === undefined ? [] : [user];
  return {
    total: page.length,
    resources: printUsers(context, base, page.slice(offset, offset + limit), query),
  };
}

/** The user name of a filter that is only `userName eq`; undefined for any other filter and for a malformed one. */
export function findUserName(filter: string | undefined): string | undefined {
  if (filter === undefined) return undefined;
  try {
    const [equality, ...others] = listEqualities(parseFilter(filter)) ?? [];
    const isUserName = equality !== undefined && others.length === 0 && isNamed(equality.path);
    return isUserName && typeof equality.value === 'string' ? equality.value : undefined;
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

const USER_NAMES = ['username', `${USER_TYPE.schema.id}:username`.toLowerCase()];

function isNamed(path: string): boolean {
  return USER_NAMES.includes(path.toLowerCase());
}

/** Users with the requested attributes; reads their groups only when they are requested. */
export function printUsers(
  { database }: ScimContext,
  base: string,
  users: readonly User[],
  projection: Projection,
): readonly ScimObject[] {
  const ids = users.map(({ id }) => id);
  const rows = isProjected(USER_TYPE, 'groups', projection)
    ? createGroupStore(database).listGroupsOf(ids)
    : [];
  const groups = Map.groupBy(rows, (row) => row.user_id);
  return users.map((user) =>
    projectResource(USER_TYPE, printUser(user, groups.get(user.id) ?? [], base), projection),
  );
}
