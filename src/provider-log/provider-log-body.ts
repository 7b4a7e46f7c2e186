import { type Static, Type } from 'typebox';
import { MaybeText, Timestamp } from '../bodies/field-schemas.ts';
import { SCIM_OUTCOMES } from './entries.ts';

/** The times and the number of the requests that one entry stands for. */
const COUNTED = {
  at: Timestamp,
  last_at: Type.String({ ...Timestamp, description: 'Time of the last one, if `count` is more than 1' }),
  count: Type.Integer({
    description: 'Number of requests. More than 1 for those of one address in one hour, which proved nothing',
  }),
};

/** A request of provisioning in the log. */
const ScimRequestSchema = Type.Object(
  {
    id: Type.String(),
    ...COUNTED,
    outcome: Type.Unsafe<(typeof SCIM_OUTCOMES)[number]>({
      type: 'string',
      enum: [...SCIM_OUTCOMES],
      description: '`refused` without a valid token',
    }),
    token: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Id of the token' }),
    token_name: MaybeText,
    address: Type.String(),
    method: Type.String({ examples: ['PATCH'] }),
    path: Type.String({ description: 'Path and query below the SCIM address', examples: ['/Users'] }),
    status: Type.Integer({ examples: [409] }),
    scim_type: Type.Unsafe<string | null>({ type: ['string', 'null'], examples: ['uniqueness'] }),
    detail: MaybeText,
    duration_ms: Type.Integer(),
    request_id: Type.String(),
    body: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'First 16 KB of the body as JSON, with secrets replaced by `***`',
    }),
    body_cut: Type.Boolean({ description: 'Whether the body was longer' }),
  },
  { title: 'ScimRequest' },
);
export type ScimRequestBody = Static<typeof ScimRequestSchema>;

/** A page of requests. */
export const ScimRequestListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(ScimRequestSchema)),
    total: Type.Integer({ description: 'Number of entries on all pages' }),
  },
  { title: 'ScimRequestList' },
);
export type ScimRequestListBody = Static<typeof ScimRequestListSchema>;

/** A failed sign-in in the log. */
const SsoFailureSchema = Type.Object(
  {
    id: Type.String(),
    reference: Type.String({ description: 'Reference on the page that the user saw' }),
    ...COUNTED,
    provider: Type.String({ examples: ['saml'] }),
    check: Type.String({ description: 'Name of the check that failed', examples: ['audience'] }),
    detail: Type.String({ description: 'What the check expected, and what it found' }),
    address: Type.String(),
    name_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'NameID of the assertion; null before its signature was verified',
    }),
    email: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'E-mail address of the assertion; null before its signature was verified',
    }),
  },
  { title: 'SsoFailure' },
);
export type SsoFailureBody = Static<typeof SsoFailureSchema>;

/** A page of failed sign-ins. */
export const SsoFailureListSchema = Type.Object(
  {
    data: Type.Immutable(Type.Array(SsoFailureSchema)),
    total: Type.Integer({ description: 'Number of entries on all pages' }),
  },
  { title: 'SsoFailureList' },
);
export type SsoFailureListBody = Static<typeof SsoFailureListSchema>;
