import type { GroupRow, MemberRow } from '../../records/group-store.ts';
import { mergeObjects } from '../protocol/merge-elements.ts';
import type { ScimObject } from '../protocol/resource.ts';
import { printVersion } from '../protocol/version.ts';
import { GROUP_TYPE } from './group-schema.ts';
import { locateUser } from './user-document.ts';

/** A group as responses have it (docs/reference/scim-groups.md#attributes), without its members when they are null. */
export function printGroup(row: GroupRow, members: readonly MemberRow[] | null, base: string): ScimObject {
  return {
    ...readGroup(row),
    schemas: [GROUP_TYPE.schema.id],
    id: row.id,
    meta: {
      resourceType: GROUP_TYPE.name,
      created: row.created_at,
      lastModified: row.updated_at,
      location: locateGroup(row.id, base),
      version: printVersion(row.revision),
    },
    ...(members === null ? {} : { members: members.map((member) => printMember(member, base)) }),
  };
}

/** The URL of a group. */
export function locateGroup(id: string, base: string): string {
  return `${base}${GROUP_TYPE.endpoint}/${id}`;
}

/** A member as responses have it. */
export function printMember({ id, user_name, display_name }: MemberRow, base: string): ScimObject {
  return { value: id, display: display_name || user_name, $ref: locateUser(id, base), type: 'USER' };
}

/** The current values of the attributes that a client can set, except the members; without a prototype. */
export function readGroup({ external_id, name, description, external }: GroupRow): ScimObject {
  return mergeObjects(external_id === null ? {} : { externalId: external_id }, {
    displayName: name,
    ...(description === '' ? {} : { description }),
    external: external === 1,
  });
}

/** The columns of a group for the values in its document. */
export function toSettings(
  document: ScimObject,
): Pick<GroupRow, 'name' | 'description' | 'external' | 'external_id'> {
  return {
    name: document.displayName as string,
    description: (document.description as string | undefined) ?? '',
    external: Number(document.external === true),
    external_id: (document.externalId as string | undefined) ?? null,
  };
}

/** The settings that differ from those of the group; null when all are equal. */
export function findSettings(
  row: GroupRow,
  document: ScimObject,
): Partial<ReturnType<typeof toSettings>> | null {
  const settings = toSettings(document);
  const changed = Object.entries(settings).filter(
    ([name, value]) => value !== row[name as keyof typeof settings],
  );
  return changed.length === 0 ? null : Object.fromEntries(changed);
}
