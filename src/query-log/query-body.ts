import { type Static, Type } from 'typebox';
import { MaybeText, MaybeTimestamp, Timestamp } from '../bodies/field-schemas.ts';
import { OUTCOMES } from './query.ts';

/** The outcome of an execution, in bodies and queries. */
export const OutcomeSchema = Type.Unsafe<(typeof OUTCOMES)[number]>({ type: 'string', enum: [...OUTCOMES] });

/** An entry of the query log. */
export const QueryEntrySchema = Type.Object(
  {
    id: Type.String(),
    user: Type.String({ description: 'User name' }),
    token: MaybeText,
    connection: MaybeText,
    name: Type.String({ description: 'Path of a script, a package and its block, or `sql`' }),
    hash: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'SHA-256 of the source, before parameter substitution',
    }),
    text: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Source that was run, if the server is set to keep it',
    }),
    requested_at: Timestamp,
    started_at: MaybeTimestamp,
    ended_at: Timestamp,
    duration_ms: Type.Integer(),
    rows: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    bytes: Type.Integer({ description: 'Bytes of the response, before compression' }),
    outcome: OutcomeSchema,
    fault: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Error message of a failed execution',
      examples: ['sql'],
    }),
    address: MaybeText,
    request_id: MaybeText,
  },
  { title: 'QueryLogEntry' },
);
export type QueryBody = Static<typeof QueryEntrySchema>;

/** When a connection was last used, and how it last failed by itself, as the query log knows. */
export const ConnectionUseSchema = Type.Object(
  {
    last_used_at: MaybeTimestamp,
    last_error: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'Its last error that is not one of a statement: `unreachable`, `login`, `locked`, `full` or `quota`',
    }),
    last_error_at: MaybeTimestamp,
  },
  { title: 'ConnectionUse' },
);
export type ConnectionUseBody = Static<typeof ConnectionUseSchema>;
