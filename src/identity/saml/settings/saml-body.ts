import { X509Certificate } from 'node:crypto';
import type { ValidityUnit } from '../metadata/create-certificate.ts';
import { listDifferences, type MetadataDifference } from '../metadata/list-differences.ts';
import { toCallbackUrl, toLogoutUrl } from '../metadata/service-provider.ts';
import { toDigest } from './refresh-metadata.ts';
import type { MetadataRefresh } from './settings.ts';
import type { CertificateRecord, CertificateState, RefreshRecord, SettingsRecord } from './settings-store.ts';

/** A certificate as returned; times are ISO 8601, UTC. */
interface CertificateBody {
  /** SHA-256. */
  readonly fingerprint: string;
  readonly not_before: string;
  readonly not_after: string;
}

/** The SAML settings as returned. */
export interface SamlBody {
  readonly name: string;
  /** The entity ID of this instance. */
  readonly entity_id: string;
  readonly callback_url: string;
  readonly logout_url: string;
  readonly metadata_url: string | null;
  /** Since when this metadata applies. */
  readonly metadata_read_at: string;
  readonly metadata_refresh: MetadataRefresh;
  /** When the metadata was last read from its URL; null if it has no URL. */
  readonly metadata_checked_at: string | null;
  /** Why that failed; null after a success. */
  readonly metadata_failure: string | null;
  /** The metadata that the URL now returns, if it differs; it has no effect until it is applied. */
  readonly pending_metadata: {
    readonly digest: string;
    readonly read_at: string;
    readonly differences: readonly MetadataDifference[];
  } | null;
  readonly identity_provider: {
    readonly entity_id: string;
    readonly sign_on_url: string;
    readonly logout_url: string | null;
    readonly wants_signed_requests: boolean;
    readonly certificates: readonly CertificateBody[];
  };
  readonly attributes: {
    readonly user_name: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly groups: string;
  };
  readonly jit: boolean;
  readonly group_sync: boolean;
  readonly create_groups: boolean;
  readonly sso_only: boolean;
  readonly sign_requests: boolean;
  readonly skew_seconds: number;
  readonly certificate_validity: { readonly count: number; readonly unit: ValidityUnit };
  /** The certificates of this instance, the active one first. */
  readonly certificates: readonly (CertificateBody & { readonly state: CertificateState })[];
  readonly created_at: string;
  readonly updated_at: string;
}

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
