import { type Static, Type } from 'typebox';
import { MaybeText, Timestamp } from '../../bodies/field-schemas.ts';
import { GRANTED_LEVELS } from '../principal/permissions.ts';

/** The subject of a grant, in bodies and queries. */
export const GrantSubject = Type.String({
  description: '`user:NAME`, `group:NAME` or `everyone`',
  pattern: '^(everyone|(user|group):[\\s\\S]+)$',
});
const levels = [...new Set(Object.values(GRANTED_LEVELS).flat())];
/** The level of a grant, in bodies. */
export const GrantLevel = Type.Unsafe<(typeof levels)[number]>({
  type: 'string',
  enum: levels,
  description: 'VIEW, EDIT or MANAGE on content; READ, USE or MANAGE on a connection',
});
/** The target of a grant, in bodies and queries. */
export const GrantTarget = Type.String({
  description: 'A catalog path, or `connection:NAME`',
  pattern: '^(/?@[\\s\\S]*|connection:[\\s\\S]+)$',
});

/** A grant in responses. */
export const GrantSchema = Type.Object(
  { subject: GrantSubject, level: GrantLevel, target: GrantTarget, created_at: Timestamp },
  { title: 'Grant' },
);
export type GrantBody = Static<typeof GrantSchema>;

/** Grants by target and subject, and the paths of items that a user has restricted. */
export const GrantListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(GrantSchema)),
    restricted: Type.Immutable(
      Type.Array(Type.String(), {
        description: 'Restricted paths, which do not inherit grants from parent folders',
      }),
    ),
  },
  { title: 'GrantList' },
);
export type GrantListBody = Static<typeof GrantListSchema>;

/** Whether an item is restricted. */
export const RestrictionSchema = Type.Object(
  { target: Type.String(), restricted: Type.Boolean() },
  { title: 'Restriction' },
);
export type RestrictionBody = Static<typeof RestrictionSchema>;

/** The level of the caller on an item. */
export const OwnLevelSchema = Type.Object(
  { target: Type.String(), level: Type.Enum(['NONE', ...GRANTED_LEVELS.item]) },
  { title: 'OwnLevel' },
);
export type OwnLevelBody = Static<typeof OwnLevelSchema>;

/** One reason for a user's level, or one that would apply without another; each kind has some of these fields. */
const ReasonSchema = Type.Object(
  {
    kind: Type.Enum(['disabled', 'super_user', 'own_home', 'other_home', 'namespace', 'grant', 'role']),
    level: Type.Optional(Type.String()),
    subject: Type.Optional(Type.String()),
    target: Type.Optional(Type.String()),
    // The path of the restricted item that stops a grant from counting, or null.
    cut_off_by: Type.Optional(MaybeText),
    role: Type.Optional(Type.String()),
  },
  { title: 'Reason' },
);

type ReasonFields = Required<Static<typeof ReasonSchema>>;
/** A reason of a kind, with the fields that it has. */
type Reason<Kind extends ReasonFields['kind'], Field extends keyof ReasonFields = never> = {
  readonly kind: Kind;
} & Readonly<Pick<ReasonFields, Field>>;

export type ReasonBody =
  /** The user is disabled. */
  | Reason<'disabled'>
  | Reason<'super_user', 'level'>
  /** The item is in the user's own `@Personal`. */
  | Reason<'own_home', 'level'>
  /** The item is in the `@Personal` of another user. */
  | Reason<'other_home'>
  /** All users can list and read a namespace, whatever their level. */
  | Reason<'namespace'>
  | Reason<'grant', 'level' | 'subject' | 'target' | 'cut_off_by'>
  /** The user's role limits the level to this one. */
  | Reason<'role', 'level' | 'role'>;

/**
 * A user's level on a target and the reasons, in the order in which they apply
 * (docs/reference/permissions.md#why-a-user-can-see-an-item).
 */
export const ExplanationSchema = Type.Object(
  {
    user: Type.String(),
    target: Type.String(),
    level: Type.String(),
    reasons: Type.Immutable(Type.Array(ReasonSchema)),
  },
  { title: 'Explanation' },
);

interface ExactReasons {
  readonly reasons: readonly ReasonBody[];
}

export type ExplanationBody = Omit<Static<typeof ExplanationSchema>, 'reasons'> & ExactReasons;

/** A page of the active users with a level on a target, by user name. */
export const AccessSchema = Type.Object(
  {
    target: Type.String(),
    restricted: Type.Boolean({ description: 'Whether grants on parent folders do not apply' }),
    total: Type.Integer({ description: 'Number of users on all pages' }),
    data: Type.Immutable(
      Type.Array(Type.Object({ ...ExplanationSchema.properties, display_name: Type.String() })),
    ),
  },
  { title: 'Access' },
);
type Access = Static<typeof AccessSchema>;

export type AccessBody = Omit<Access, 'data'> & {
  readonly data: readonly (Omit<Access['data'][number], 'reasons'> & ExactReasons)[];
};
