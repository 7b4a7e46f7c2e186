import { createGroupStore, type GroupCondition, type GroupRow } from '../../records/group-store.ts';
import { scimErrors } from '../protocol/errors.ts';
import type { ListPage, Range } from '../protocol/page.ts';
import { type Comparison, listEqualities, parseFilter } from '../protocol/parse-filter.ts';
import { isProjected, projectResource } from '../protocol/project.ts';
import type { ScimObject } from '../protocol/resource.ts';
import type { Projection, ScimQuery } from '../protocol/scim-api.ts';
import { printGroup } from './group-document.ts';
import { GROUP_TYPE } from './group-schema.ts';
import type { ScimContext } from './scim-context.ts';

/** The attributes, in lower case, that a filter of groups can have. */
const CONDITIONS: ReadonlyMap<string, keyof GroupCondition> = new Map([
  ['displayname', 'name'],
  ['externalid', 'externalId'],
  ['id', 'id'],
  ['members.value', 'member'],
  ['members', 'member'],
]);

/** A list ends with the group that reaches this total of members. This limits the size of the response. */
const MAX_MEMBERS = 100_000;

/**
 * The groups that match a query, or fewer of them when they have very many members (RFC 7644, 3.4.2.4). Throws 400
 * `invalidFilter` for a filter that is not supported.
 */
export function listGroups(
  context: ScimContext,
  base: string,
  query: ScimQuery,
  { offset, limit }: Range,
): ListPage {
  const store = createGroupStore(context.database);
  const conditions = readConditions(query.filter);
  if (conditions === null) return { total: 0, resources: [] };
  const rows = limit === 0 ? [] : store.listPage(conditions, offset, limit);
  return { total: store.count(conditions), resources: projectGroups(context, base, rows, query) };
}

function projectGroups(
  context: ScimContext,
  base: string,
  rows: readonly GroupRow[],
  projection: Projection,
): readonly ScimObject[] {
  const groups: ScimObject[] = [];
  let members = 0;
  for (const row of rows) {
    if (members >= MAX_MEMBERS) break;
    const group = projectGroup(context, base, row, projection);
    groups.push(group);
    members += ((group.members ?? []) as readonly ScimObject[]).length;
  }
  return groups;
}

/** A group with the requested attributes; reads its members only when they are requested. */
export function projectGroup(
  { database }: ScimContext,
  base: string,
  row: GroupRow,
  projection: Projection,
): ScimObject {
  const isFull = isProjected(GROUP_TYPE, 'members', projection);
  const members = isFull ? createGroupStore(database).listMembers(row.id) : null;
  return projectResource(GROUP_TYPE, printGroup(row, members, base), projection);
}

/** The conditions of a filter; null when two of them contradict each other. */
function readConditions(filter: string | undefined): GroupCondition | null {
  if (filter === undefined) return {};
  const equalities = listEqualities(parseFilter(filter));
  if (equalities === null)
    throw scimErrors.invalidFilter('a filter of groups must be comparisons with eq, joined by and');
  const conditions = equalities.map(readCondition);
  const condition = Object.assign({}, ...conditions) as GroupCondition;
  const isOne = conditions.every((one) =>
    Object.entries(one).every(([name, value]) => condition[name as keyof GroupCondition] === value),
  );
  return isOne ? condition : null;
}

function readCondition({ path, value }: Comparison): GroupCondition {
  const urn = `${GROUP_TYPE.schema.id}:`.toLowerCase();
  const name = path.toLowerCase();
  const condition = CONDITIONS.get(name.startsWith(urn) ? name.slice(urn.length) : name);
  if (condition === undefined || typeof value !== 'string')
    throw scimErrors.invalidFilter(
      'a filter of groups can only have displayName, externalId, id and members.value',
    );
  return { [condition]: value };
}
