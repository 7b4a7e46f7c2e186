import { X509Certificate } from 'node:crypto';
import { listDifferences } from '../metadata/list-differences.ts';
import { toCallbackUrl, toLogoutUrl } from '../metadata/service-provider.ts';
import { toDigest } from './refresh-metadata.ts';
import type { CertificateBody, SamlBody } from './saml-body.ts';
import type { CertificateRecord, RefreshRecord, SettingsRecord } from './settings-store.ts';

/** The SAML settings as returned. */
export function toSamlBody(
  { settings, createdAt, updatedAt }: SettingsRecord,
  certificates: readonly CertificateRecord[],
  refresh: RefreshRecord | undefined,
  baseUrl: string,
): SamlBody {
  const { attributes, metadata, identityProvider } = settings;
  return {
    name: settings.name,
    entity_id: settings.entityId ?? baseUrl,
    callback_url: toCallbackUrl(baseUrl),
    logout_url: toLogoutUrl(baseUrl),
    metadata_url: metadata.url,
    metadata_read_at: metadata.readAt,
    metadata_refresh: settings.metadataRefresh,
    metadata_checked_at: refresh?.checkedAt ?? null,
    metadata_failure: refresh?.failure ?? null,
    pending_metadata: toPending(settings, refresh),
    identity_provider: {
      entity_id: identityProvider.entityId,
      sign_on_url: identityProvider.signOn.redirect ?? identityProvider.signOn.post ?? '',
      logout_url: identityProvider.logout.redirect ?? identityProvider.logout.post,
      wants_signed_requests: identityProvider.wantsSignedRequests,
      certificates: identityProvider.certificates.map(({ fingerprint, notBefore, notAfter }) => ({
        fingerprint,
        not_before: notBefore,
        not_after: notAfter,
      })),
    },
    attributes: {
      user_name: attributes.userName,
      first_name: attributes.firstName,
      last_name: attributes.lastName,
      groups: attributes.groups,
    },
    jit: settings.jit,
    group_sync: settings.groupSync,
    create_groups: settings.createGroups,
    sso_only: settings.ssoOnly,
    sign_requests: settings.signRequests,
    skew_seconds: settings.skewSeconds,
    certificate_validity: settings.certificateValidity,
    certificates: certificates.map(({ state, certificate }) => ({
      state,
      ...toCertificateBody(certificate),
    })),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function toPending(
  { identityProvider }: SettingsRecord['settings'],
  refresh: RefreshRecord | undefined,
): SamlBody['pending_metadata'] {
  const pending = refresh?.pending ?? null;
  if (pending === null) return null;
  return {
    digest: toDigest(pending.identityProvider),
    read_at: pending.readAt,
    differences: listDifferences(identityProvider, pending.identityProvider),
  };
}

function toCertificateBody(pem: string): CertificateBody {
  const { fingerprint256, validFromDate, validToDate } = new X509Certificate(pem);
  return {
    fingerprint: fingerprint256,
    not_before: validFromDate.toISOString(),
    not_after: validToDate.toISOString(),
  };
}
