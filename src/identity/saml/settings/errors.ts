import { ServiceError } from '../../../errors/service-error.ts';
import { printBaseUrlHint } from '../../../settings/table.ts';

/** Errors of the SAML settings (docs/reference/saml.md). */
export const samlErrors = {
  notConfigured: () =>
    new ServiceError(404, 'saml_not_configured', 'SAML is not configured', {
      hint: 'set it up with `quern sso saml set --metadata FILE`',
    }),
  /** `baseUrl` is null if it is not set. */
  needsHttps: (baseUrl: string | null) =>
    new ServiceError(
      409,
      'saml_needs_https',
      `SAML needs an https base URL, but the base URL of this instance is ${baseUrl === null ? 'not set' : `\`${baseUrl}\``}`,
      { hint: printBaseUrlHint() },
    ),
  metadataRequired: () =>
    new ServiceError(
      422,
      'saml_metadata_required',
      'SAML is not configured: the metadata is required first',
      {
        hint: 'provide the metadata of the identity provider with `--metadata FILE`',
      },
    ),
  nothingToCompare: () =>
    new ServiceError(422, 'saml_metadata_required', 'Metadata or a metadata URL is required'),
  metadataTwice: () =>
    new ServiceError(422, 'saml_metadata_twice', 'Metadata and a metadata URL exclude each other'),
  notAMetadataUrl: (url: string) =>
    new ServiceError(422, 'saml_metadata_url_invalid', `Metadata URL must be an https URL: ${url}`),
  unreachable: (url: string, reason: string) =>
    new ServiceError(
      422,
      'saml_metadata_unreachable',
      `Metadata cannot be read from ${url}: ${reason}. Nothing was changed`,
      { hint: 'check the URL, or download the metadata and upload the file' },
    ),
  noMetadataUrl: () =>
    new ServiceError(409, 'saml_no_metadata_url', 'The metadata was uploaded from a file and has no URL', {
      hint: 'set one with `quern sso saml set --metadata URL`',
    }),
  notRefreshed: (url: string, text: string) =>
    new ServiceError(422, 'saml_metadata_unreachable', text, {
      hint: `the last good metadata stays in use; check ${url}`,
    }),
  refreshNeedsUrl: () =>
    new ServiceError(422, 'saml_refresh_needs_url', 'Metadata refresh needs a metadata URL', {
      hint: 'add `--metadata URL`, or turn it off with `--metadata-refresh off`',
    }),
  notARefresh: (modes: readonly string[], mode: string) =>
    new ServiceError(
      422,
      'saml_refresh_invalid',
      `Metadata refresh must be one of ${modes.join(', ')}, not \`${mode.slice(0, 100)}\``,
    ),
  noPendingMetadata: () =>
    new ServiceError(409, 'saml_no_pending_metadata', 'There is no changed metadata to apply', {
      hint: 'read the metadata URL with `quern sso saml refresh-metadata`',
    }),
  pendingMetadataChanged: () =>
    new ServiceError(
      409,
      'saml_pending_metadata_changed',
      'The changed metadata is no longer what you reviewed',
      { hint: 'review it again with `quern sso saml show`' },
    ),
  notASkew: (max: number) =>
    new ServiceError(422, 'saml_skew_invalid', `Skew must be 0 to ${max} whole seconds`),
  notAValidity: (years: number) =>
    new ServiceError(
      422,
      'saml_validity_invalid',
      `Certificate validity must be a whole number of days, months or years, from 1 day to ${years} years`,
    ),
  notAnEntityId: (longest: number) =>
    new ServiceError(
      422,
      'saml_entity_id_invalid',
      `Entity ID must have 1 to ${longest} characters, and no white space`,
    ),
  noPendingCertificate: () =>
    new ServiceError(409, 'saml_no_pending_certificate', 'No certificate is pending', {
      hint: 'create one with `quern sso saml renew-certificate`, and upload it to the identity provider before it is activated',
    }),
};
