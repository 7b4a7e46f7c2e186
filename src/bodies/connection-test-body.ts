import { type Static, Type } from 'typebox';
import { MaybeText } from './field-schemas.ts';

/**
 * A test of a connection (docs/reference/connections.md#testing-a-connection). A step after a failed one is skipped, and
 * so is a step that the kind of database does not have.
 */
export const ConnectionTestSchema = Type.Object(
  {
    passed: Type.Boolean({ description: 'Whether no step failed' }),
    version: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What the database says of its version; null without an answer',
    }),
    duration_ms: Type.Integer(),
    steps: Type.Immutable(
      Type.Array(
        Type.Object({
          step: Type.Enum(['resolve', 'connect', 'sign_in', 'ask']),
          outcome: Type.Enum(['passed', 'failed', 'skipped']),
          duration_ms: Type.Integer(),
          message: MaybeText,
          code: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'What failed: `unreachable`, `login`, `locked`, `timeout` or `sql`',
          }),
        }),
      ),
    ),
  },
  { title: 'ConnectionTest' },
);
export type ConnectionTestBody = Static<typeof ConnectionTestSchema>;
