import { X509Certificate } from 'node:crypto';
import type { ValidityUnit } from '../metadata/create-certificate.ts';
import { toCallbackUrl, toLogoutUrl } from '../metadata/service-provider.ts';
import type { CertificateRecord, CertificateState, SettingsRecord } from './settings-store.ts';

/** A certificate as it is shown; times are ISO 8601, UTC. */
interface CertificateBody {
  /** SHA-256. */
  readonly fingerprint: string;
  readonly not_before: string;
  readonly not_after: string;
}

/** The settings of SAML as they are shown. */
export interface SamlBody {
  readonly name: string;
  /** Ours. */
  readonly entity_id: string;
  readonly callback_url: string;
  readonly logout_url: string;
  readonly metadata_url: string | null;
  readonly metadata_read_at: string;
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
  /** Ours; the active one first. */
  readonly certificates: readonly (CertificateBody & { readonly state: CertificateState })[];
  readonly created_at: string;
  readonly updated_at: string;
}

export function toSamlBody(
  { settings, createdAt, updatedAt }: SettingsRecord,
  certificates: readonly CertificateRecord[],
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

function toCertificateBody(pem: string): CertificateBody {
  const { fingerprint256, validFromDate, validToDate } = new X509Certificate(pem);
  return {
    fingerprint: fingerprint256,
    not_before: validFromDate.toISOString(),
    not_after: validToDate.toISOString(),
  };
}
