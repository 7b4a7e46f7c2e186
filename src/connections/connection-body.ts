import { type Static, Type } from 'typebox';
import { MaybeCount, MaybeText, Timestamp } from '../bodies/field-schemas.ts';

const Texts = Type.Immutable(Type.Array(Type.String()));

/** A connection as its callers see it: only the names of its secrets, and effective values instead of unset ones. */
export const ConnectionSchema = Type.Object(
  {
    name: Type.String(),
    kind: Type.String(),
    description: Type.String(),
    options: Type.Record(Type.String(), Type.String()),
    secrets: Type.Immutable(Type.Array(Type.String(), { description: 'Names of its secrets' })),
    allowed_overrides: Texts,
    timeout_ms: MaybeCount,
    // Null: no limit.
    max_sessions: MaybeCount,
    revision: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Connection' },
);
export type ConnectionBody = Static<typeof ConnectionSchema>;

/** A kind of connection and its options. */
export const ConnectionKindSchema = Type.Object(
  {
    kind: Type.String(),
    title: Type.String(),
    options: Type.Immutable(
      Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          required: Type.Boolean(),
          secret: Type.Boolean(),
          multiline: Type.Boolean({ description: 'Whether a value can have several lines' }),
          default: MaybeText,
        }),
      ),
    ),
    overrides: Texts,
    max_sessions: MaybeCount,
  },
  { title: 'ConnectionKind' },
);
export type ConnectionKindBody = Static<typeof ConnectionKindSchema>;
