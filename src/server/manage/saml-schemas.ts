import { Type } from 'typebox';
import { MaybeText, Timestamp } from '../../bodies/field-schemas.ts';
import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { VALIDITY_UNITS } from '../../identity/saml/metadata/create-certificate.ts';
import { METADATA_FIELDS } from '../../identity/saml/metadata/list-differences.ts';
import { METADATA_REFRESHES } from '../../identity/saml/settings/settings.ts';
import { CERTIFICATE_STATES } from '../../identity/saml/settings/settings-store.ts';
import { TEST_STATUSES } from '../../identity/sign-on/sign-on-tests.ts';
import { defineFields, group } from '../fields/define-fields.ts';
import { filledText, flag, nullableText, requiredText, text, wholeNumber } from '../fields/kinds.ts';
import { createName } from '../fields/text-schemas.ts';

// The bodies and responses of the SAML routes (docs/reference/saml.md).

const certificate = {
  fingerprint: Type.String({ description: 'SHA-256' }),
  not_before: Timestamp,
  not_after: Timestamp,
};

const ValiditySchema = Type.Object({
  count: Type.Integer(),
  unit: Type.Enum([...VALIDITY_UNITS]),
});

const AttributesSchema = Type.Object({
  user_name: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  groups: Type.String(),
});

const RefreshSchema = Type.Enum([...METADATA_REFRESHES], {
  description:
    'Daily refresh from the metadata URL: `off`; `review`, an administrator applies changes; `apply`, changes are applied at once',
});

const PendingMetadataSchema = Type.Object(
  {
    digest: Type.String({ description: 'Identifies these metadata in the request that applies them' }),
    read_at: Timestamp,
    differences: Type.Immutable(
      Type.Array(
        Type.Object({
          field: Type.Enum([...METADATA_FIELDS]),
          before: MaybeText,
          after: MaybeText,
        }),
      ),
    ),
  },
  {
    description: 'Changed metadata from the metadata URL that an administrator has not applied yet',
  },
);

export const SamlSchema = Type.Object(
  {
    name: Type.String(),
    entity_id: Type.String({ description: 'Entity ID of this instance' }),
    callback_url: Type.String(),
    logout_url: Type.String(),
    metadata_url: MaybeText,
    metadata_read_at: Timestamp,
    metadata_refresh: RefreshSchema,
    metadata_checked_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Time of the last metadata refresh',
    }),
    metadata_failure: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Error of the last metadata refresh',
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
      Type.Array(Type.Object({ state: Type.Enum([...CERTIFICATE_STATES]), ...certificate }), {
        description: 'Certificates of this instance; the active one first',
      }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Saml' },
);

/** Without a pattern: it would not help readers, and generating examples from it is slow. */
const AttributeName = Type.String({
  description: 'Name of an attribute, on one line; case-sensitive',
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^\\S',
});

export const samlChange = defineFields(
  {
    metadata: text('Metadata', Type.String({ description: 'Metadata of the identity provider, XML' })),
    metadata_url: text(
      'Metadata URL',
      Type.String({ description: 'https URL to fetch the metadata from, instead of `metadata`' }),
    ),
    metadata_refresh: text('Metadata refresh', RefreshSchema),
    name: text(
      'Name',
      Type.String({
        description: 'Name of the identity provider in the link "Sign in with NAME", on one line',
        minLength: 1,
        maxLength: 100,
        pattern: '^\\S',
      }),
    ),
    entity_id: nullableText('Entity ID', {
      description: 'Entity ID of this instance, without white space; null uses the address of the instance',
      minLength: 1,
      maxLength: 1024,
    }),
    attributes: group({
      user_name: text('User name attribute', AttributeName),
      first_name: text('First name attribute', AttributeName),
      last_name: text('Last name attribute', AttributeName),
      groups: text('Group attribute', AttributeName),
    }),
    jit: flag('JIT', { description: 'Create users on their first sign-in' }),
    group_sync: flag('Group sync', { description: 'Update the groups of a user on each sign-in' }),
    create_groups: flag('Create groups', { description: 'Create missing groups' }),
    sso_only: flag('SSO only', { description: 'Only administrators can sign in with a password' }),
    sign_requests: flag('Sign requests', {
      description: 'Sign requests even if the identity provider does not require it',
    }),
    skew_seconds: wholeNumber('Skew', { minimum: 0, maximum: 300 }),
    certificate_validity: group({
      count: wholeNumber('Certificate validity', { minimum: 1, maximum: 10957 }),
      unit: text('Unit of the certificate validity', Type.Enum([...VALIDITY_UNITS])),
    }),
  },
  { title: 'SamlChange' },
);

export const appliedMetadata = defineFields(
  {
    digest: requiredText(
      'Digest',
      Type.String({
        description: 'Value of `pending_metadata.digest`',
        minLength: 1,
        maxLength: 64,
      }),
    ),
  },
  { title: 'AppliedMetadata' },
);

export const newLink = defineFields(
  {
    user_name: requiredText('User name', createName('User name, ignoring case')),
    name_id: requiredText(
      'NameID',
      Type.String({
        description: 'NameID of the user at the identity provider: an e-mail address',
        maxLength: MAX_NAME_LENGTH,
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

export const unlinkQuery = defineFields({
  user_name: filledText('User name', Type.String({ description: 'User whose links are deleted' })),
  entity_id: filledText(
    'Entity ID',
    Type.String({ description: 'Identity provider whose links are deleted' }),
  ),
});

export const UnlinkedSchema = Type.Object(
  { count: Type.Integer({ description: 'Number of deleted links' }) },
  { title: 'SamlUnlinked' },
);

const OutcomeSchema = Type.Object({
  passed: Type.Boolean(),
  check: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Name of the check that failed',
  }),
  text: Type.String(),
  subject: MaybeText,
  attributes: Type.Record(Type.String(), Type.Immutable(Type.Array(Type.String()))),
});

export const TestSchema = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'URL that starts the sign-in in a browser' }),
    status: Type.Enum([...TEST_STATUSES]),
    outcome: Type.Union([OutcomeSchema, Type.Null()]),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'SamlTest' },
);
