import { Type } from 'typebox';
import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { VALIDITY_UNITS } from '../../identity/saml/metadata/create-certificate.ts';
import { MetadataRefreshSchema } from '../../identity/saml/settings/saml-body.ts';
import { defineFields, group } from '../fields/define-fields.ts';
import { filledText, flag, nullableText, requiredText, text, wholeNumber } from '../fields/kinds.ts';
import { createName } from '../fields/text-schemas.ts';

// The bodies of requests of the SAML routes (docs/reference/saml.md).

/** Without a pattern: it would not help readers, and generating examples from it is slow. */
const AttributeName = Type.String({
  description: 'Name of an attribute, on one line; case-sensitive',
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '^\\S',
});

const METADATA = {
  metadata: text('Metadata', Type.String({ description: 'Metadata of the identity provider, XML' })),
  metadata_url: text(
    'Metadata URL',
    Type.String({ description: 'https URL to fetch the metadata from, instead of `metadata`' }),
  ),
};

/** Other metadata, to compare. */
export const otherMetadata = defineFields(METADATA, { title: 'OtherMetadata' });

export const samlChange = defineFields(
  {
    ...METADATA,
    metadata_refresh: text('Metadata refresh', MetadataRefreshSchema),
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
