import { type Static, Type } from 'typebox';
import { MaybeText, Timestamp } from '../../../bodies/field-schemas.ts';
import { VALIDITY_UNITS } from '../metadata/create-certificate.ts';
import { MetadataDifferenceSchema } from '../metadata/difference-body.ts';
import { METADATA_REFRESHES } from './settings.ts';
import { CERTIFICATE_STATES } from './settings-store.ts';

const CertificateSchema = Type.Object({
  fingerprint: Type.String({ description: 'SHA-256' }),
  not_before: Timestamp,
  not_after: Timestamp,
});
export type CertificateBody = Static<typeof CertificateSchema>;

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

/** The daily refresh of the metadata, in bodies. */
export const MetadataRefreshSchema = Type.Enum([...METADATA_REFRESHES], {
  description:
    'Daily refresh from the metadata URL: `off`; `review`, an administrator applies changes; `apply`, changes are applied at once',
});

const PendingMetadataSchema = Type.Object(
  {
    digest: Type.String({ description: 'Identifies these metadata in the request that applies them' }),
    read_at: Timestamp,
    differences: Type.Immutable(Type.Array(MetadataDifferenceSchema)),
  },
  {
    description: 'Changed metadata from the metadata URL that an administrator has not applied yet',
  },
);

/** What other metadata would change. */
export const MetadataComparisonSchema = Type.Object(
  {
    entity_id: Type.String({ description: 'Entity ID of the compared metadata' }),
    differences: Type.Immutable(Type.Array(MetadataDifferenceSchema)),
  },
  { title: 'MetadataComparison' },
);
export type MetadataComparisonBody = Static<typeof MetadataComparisonSchema>;

/** The SAML settings in responses. */
export const SamlSchema = Type.Object(
  {
    name: Type.String(),
    entity_id: Type.String({ description: 'Entity ID of this instance' }),
    callback_url: Type.String(),
    logout_url: Type.String(),
    metadata_url: MaybeText,
    // Since when this metadata applies.
    metadata_read_at: Timestamp,
    metadata_refresh: MetadataRefreshSchema,
    // Null if the metadata has no URL.
    metadata_checked_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Time of the last metadata refresh',
    }),
    // Null after a success.
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
      certificates: Type.Immutable(Type.Array(CertificateSchema)),
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
      Type.Array(
        Type.Object({ state: Type.Enum([...CERTIFICATE_STATES]), ...CertificateSchema.properties }),
        {
          description: 'Certificates of this instance; the active one first',
        },
      ),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Saml' },
);
export type SamlBody = Static<typeof SamlSchema>;
