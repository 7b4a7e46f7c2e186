import { type Static, Type } from 'typebox';
import { Timestamp } from '../../bodies/field-schemas.ts';
import { USER_SOURCES } from '../records/user-filter.ts';

/** A group in responses. */
export const GroupSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    display_name: Type.String(),
    members: Type.Immutable(Type.Array(Type.String(), { description: 'User names, sorted' })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Group' },
);
export type GroupBody = Static<typeof GroupSchema>;

/** A group in a list, with its members or with their number. */
export const ListedGroupSchema = Type.Object(
  {
    ...GroupSchema.properties,
    members: Type.Optional(
      Type.Immutable(
        Type.Array(Type.String(), { description: 'User names, sorted; absent with `members=count`' }),
      ),
    ),
    // Where the group is from.
    source: Type.Optional(Type.Enum([...USER_SOURCES], { description: 'With `members=count`' })),
    member_count: Type.Optional(Type.Integer({ description: 'With `members=count`' })),
  },
  { title: 'ListedGroup' },
);

/** A group in a list with `members=count`. */
export type CountedGroupBody = Required<Omit<Static<typeof ListedGroupSchema>, 'members'>>;

/** A member, and the sources that have added the user. */
const MemberSchema = Type.Object(
  {
    user_name: Type.String(),
    display_name: Type.String(),
    active: Type.Boolean(),
    sources: Type.Immutable(
      Type.Array(Type.Enum([...USER_SOURCES]), { description: 'Sources of the membership' }),
    ),
  },
  { title: 'GroupMember' },
);
export type GroupMemberBody = Static<typeof MemberSchema>;

/** A page of members, by user name. */
export const GroupMemberListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(MemberSchema)),
    total: Type.Integer({ description: 'Number of members on all pages' }),
  },
  { title: 'GroupMemberList' },
);
export type GroupMemberListBody = Static<typeof GroupMemberListSchema>;
