import { type Static, Type } from 'typebox';
import { MaybeText, MaybeTimestamp, Timestamp } from '../../bodies/field-schemas.ts';
import { ROLES } from '../principal/roles.ts';
import { USER_SOURCES, USER_STATES } from '../records/user-filter.ts';

/** An account in responses. */
export const UserSchema = Type.Object(
  {
    id: Type.String(),
    user_name: Type.String(),
    email: MaybeText,
    display_name: Type.String(),
    role: Type.String({ examples: [...ROLES] }),
    active: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'User' },
);
export type UserBody = Static<typeof UserSchema>;

/** An account in lists, and by itself, with the facts by which administrators recognize it. */
export const ListedUserSchema = Type.Object(
  {
    ...UserSchema.properties,
    state: Type.Enum([...USER_STATES], { description: '`waiting`: created disabled by a sign-in' }),
    source: Type.Enum([...USER_SOURCES]),
    external: Type.Boolean({ description: 'Whether the user signs in elsewhere' }),
    // In alphabetical order.
    groups: Type.Immutable(Type.Array(Type.String(), { description: 'Names of at most 20 groups' })),
    group_count: Type.Integer(),
    // The last request in a session or with a token, to the minute; null before the first one.
    last_seen_at: MaybeTimestamp,
    session_count: Type.Integer(),
    token_count: Type.Integer(),
  },
  { title: 'ListedUser' },
);
export type ListedUserBody = Static<typeof ListedUserSchema>;

/** A page of accounts. */
export const UserListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(ListedUserSchema)),
    total: Type.Integer({ description: 'Number of users on all pages' }),
  },
  { title: 'UserList' },
);
export type UserListBody = Static<typeof UserListSchema>;
