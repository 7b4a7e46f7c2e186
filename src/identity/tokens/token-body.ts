import { type Static, Type } from 'typebox';
import { MaybeText, MaybeTimestamp, Timestamp } from '../../bodies/field-schemas.ts';
import { SCOPES } from '../principal/scopes.ts';

/** A token in responses: never its value. */
export const TokenSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    owner: Type.String({ description: 'User name' }),
    // A user name; null if that user was deleted.
    creator: MaybeText,
    first8: Type.String(),
    last4: Type.String(),
    scope: Type.Enum([...SCOPES]),
    read_only: Type.Boolean({ description: 'Whether the scope is `read`' }),
    expires_at: MaybeTimestamp,
    last_used_at: MaybeTimestamp,
    created_at: Timestamp,
  },
  { title: 'Token' },
);
export type TokenBody = Static<typeof TokenSchema>;

/** A page of tokens. */
export const TokenListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(TokenSchema)),
    total: Type.Integer({ description: 'Number of tokens on all pages' }),
  },
  { title: 'TokenList' },
);
export type TokenListBody = Static<typeof TokenListSchema>;
