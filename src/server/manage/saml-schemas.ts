import { Type } from 'typebox';
import { defineFields, group } from '../fields/define-fields.ts';
import { flag, nullableText, requiredText, text, wholeNumber } from '../fields/kinds.ts';
import { createName } from '../fields/text-schemas.ts';
import { MaybeText, Timestamp } from './schemas.ts';

// What the routes of SAML answer and take (interface 5.2).

const certificate = {
  fingerprint: Type.String({ description: 'SHA-256' }),
  not_before: Timestamp,
  not_after: Timestamp,
};

const ValiditySchema = Type.Object({
  count: Type.Integer(),
  unit: Type.Enum(['days', 'months', 'years']),
});

const AttributesSchema = Type.Object({
  user_name: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  groups: Type.String(),
});

const RefreshSchema = Type.Enum(['off', 'review', 'apply'], {
  description:
    'Whether the metadata URL is read daily, and whether a change waits for an administrator or is applied at once',
});

const PendingMetadataSchema = Type.Object(
  {
    digest: Type.String({ description: 'Names these metadata when they are applied' }),
    read_at: Timestamp,
    differences: Type.Immutable(
      Type.Array(
        Type.Object({
          field: Type.Enum([
            'entity_id',
            'sign_on_redirect_url',
            'sign_on_post_url',
            'logout_redirect_url',
            'logout_post_url',
            'wants_signed_requests',
            'certificate',
          ]),
          before: MaybeText,
          after: MaybeText,
        }),
      ),
    ),
  },
  {
    description: 'What the metadata URL says now, where that is something else; applied by an administrator',
  },
);

export const SamlSchema = Type.Object(
  {
    name: Type.String(),
    entity_id: Type.String({ description: 'That of this instance' }),
    callback_url: Type.String(),
    logout_url: Type.String(),
    metadata_url: MaybeText,
    metadata_read_at: Timestamp,
    metadata_refresh: RefreshSchema,
    metadata_checked_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When the metadata URL was last read',
    }),
    metadata_failure: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why the metadata URL could not be read',
    }),
    pending_metadata: Type.Union([PendingMetadataSchema, Type.Null()]),
    identity_provider: Type.Object({
      entity_id: Type.String(),
      sign_on_url: Type.String(),
      logout_url: MaybeText,
      wants_signed_requests: Type.Boolean(),
      certificates: Type.Immutable(Type.Array(Type.Object(certificate))),
    }),
    attributes: AttributesSchema,
    jit: Type.Boolean(),
    group_sync: Type.Boolean(),
    create_groups: Type.Boolean(),
    sso_only: Type.Boolean(),
    sign_requests: Type.Boolean(),
    skew_seconds: Type.Integer(),
    certificate_validity: ValiditySchema,
    certificates: Type.Immutable(
      Type.Array(Type.Object({ state: Type.Enum(['active', 'pending', 'former']), ...certificate }), {
        description: 'Those of this instance; the active one first',
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Saml' },
);

/** A pattern for all that a name may be would be of little help to readers, and slow to generate examples of. */
const AttributeName = Type.String({
  description: 'The name of an attribute, on one line; case-sensitive',
  minLength: 1,
  maxLength: 255,
  pattern: '^\\S',
});

export const samlChange = defineFields(
  {
    metadata: text('Metadata', Type.String({ description: 'The metadata of the identity provider, XML' })),
    metadata_url: text(
      'Metadata URL',
      Type.String({ description: 'An https URL, from which they are read now, in place of `metadata`' }),
    ),
    metadata_refresh: text('Metadata refresh', RefreshSchema),
    name: text(
      'Name',
      Type.String({
        description: 'As in "Sign in with NAME", on one line',
        minLength: 1,
        maxLength: 100,
        pattern: '^\\S',
      }),
    ),
    entity_id: nullableText('Entity ID', {
      description: 'That of this instance, without white space; null: its address',
      minLength: 1,
      maxLength: 1024,
    }),
    attributes: group({
      user_name: text('User name attribute', AttributeName),
      first_name: text('First name attribute', AttributeName),
      last_name: text('Last name attribute', AttributeName),
      groups: text('Group attribute', AttributeName),
    }),
    jit: flag('JIT', { description: 'Create users at their first sign-in' }),
    group_sync: flag('Group sync', { description: 'Take over the groups at each sign-in' }),
    create_groups: flag('Create groups', { description: 'Create groups that do not exist' }),
    sso_only: flag('SSO only', { description: 'Only administrators sign in with a password' }),
    sign_requests: flag('Sign requests', {
      description: 'Sign requests, though the identity provider does not ask for it',
    }),
    skew_seconds: wholeNumber('Skew', { minimum: 0, maximum: 300 }),
    certificate_validity: group({
      count: wholeNumber('Certificate validity', { minimum: 1, maximum: 10957 }),
      unit: text('Unit of the certificate validity', Type.Enum(['days', 'months', 'years'])),
    }),
  },
  { title: 'SamlChange' },
);

export const appliedMetadata = defineFields(
  {
    digest: requiredText(
      'Digest',
      Type.String({
        description: 'Of the metadata that wait, as `pending_metadata` has it',
        minLength: 1,
        maxLength: 64,
      }),
    ),
  },
  { title: 'AppliedMetadata' },
);

export const newLink = defineFields(
  {
    user_name: requiredText('User name', createName('In any case')),
    name_id: requiredText(
      'NameID',
      Type.String({
        description: 'What the identity provider calls the user: an e-mail address',
        maxLength: 255,
        pattern: '^[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+@[^\\s@\\u0000-\\u001f\\u007f-\\u009f]+$',
      }),
    ),
  },
  { title: 'NewSamlLink' },
);

export const LinkSchema = Type.Object(
  { user_name: Type.String(), name_id: Type.String(), issuer: Type.String() },
  { title: 'SamlLink' },
);

const OutcomeSchema = Type.Object({
  passed: Type.Boolean(),
  check: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The name of the check that refused',
  }),
  text: Type.String(),
  subject: MaybeText,
  attributes: Type.Record(Type.String(), Type.Immutable(Type.Array(Type.String()))),
});

export const TestSchema = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'Where a browser begins the sign-in' }),
    status: Type.Enum(['waiting', 'finished']),
    outcome: Type.Union([OutcomeSchema, Type.Null()]),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'SamlTest' },
);
