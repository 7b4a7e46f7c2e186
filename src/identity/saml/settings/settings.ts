import { checkName, checkText } from '../../check-text.ts';
import {
  type CertificateValidity,
  findCertificateEnd,
  VALIDITY_UNITS,
} from '../metadata/create-certificate.ts';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import { samlErrors } from './errors.ts';

/**
 * The names of the attributes with a user's properties; they are compared exactly (docs/reference/saml.md#attributes).
 */
interface AttributeNames {
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: string;
}

/** The settings of sign-in by SAML (docs/reference/saml.md#settings). */
export interface SamlSettings {
  /** As in "Sign in with NAME". */
  readonly name: string;
  /** The entity ID of this instance; null for the base URL. */
  readonly entityId: string | null;
  /** The URL of the metadata, null for an upload, and since when it applies: ISO 8601, UTC. */
  readonly metadata: { readonly url: string | null; readonly readAt: string };
  readonly identityProvider: IdentityProvider;
  readonly metadataRefresh: MetadataRefresh;
  readonly attributes: AttributeNames;
  /** Whether accounts are created at the first sign-in. */
  readonly jit: boolean;
  /** Whether each sign-in sets the groups that the user is in through this provider. */
  readonly groupSync: boolean;
  /** Whether a sign-in creates groups that do not exist. */
  readonly createGroups: boolean;
  /** Whether only administrators sign in with a password. */
  readonly ssoOnly: boolean;
  /** Whether requests are signed even if the identity provider does not require it. */
  readonly signRequests: boolean;
  /** The allowed difference between the clocks, 0 to 300. */
  readonly skewSeconds: number;
  readonly certificateValidity: CertificateValidity;
}

/**
 * The daily refresh of metadata with a URL. `off`: none. `review`: a change waits for an administrator. `apply`: a
 * change takes effect at once, unless it is another identity provider (docs/reference/saml.md#metadata-from-a-url).
 */
export const METADATA_REFRESHES = ['off', 'review', 'apply'] as const;
export type MetadataRefresh = (typeof METADATA_REFRESHES)[number];

/** Properties that may be omitted or undefined. */
type Optional<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** A change of the settings; omitted properties stay as they are. */
export interface SettingsChange
  extends Optional<
    Omit<SamlSettings, 'metadata' | 'identityProvider' | 'attributes' | 'certificateValidity'>
  > {
  readonly attributes?: Optional<AttributeNames>;
  /** The unit is not yet validated. */
  readonly certificateValidity?: Optional<Record<keyof CertificateValidity, number | string>>;
}

/** The settings that need no identity provider. */
export type OwnSettings = Omit<SamlSettings, 'metadata' | 'identityProvider'>;

export const DEFAULT_SETTINGS: OwnSettings = {
  name: 'SSO',
  entityId: null,
  attributes: { userName: 'username', firstName: 'firstName', lastName: 'lastName', groups: 'groups' },
  jit: false,
  groupSync: true,
  createGroups: true,
  ssoOnly: false,
  signRequests: false,
  metadataRefresh: 'off',
  skewSeconds: 60,
  certificateValidity: { count: 365, unit: 'days' },
};

const MAX_NAME_LENGTH = 100;
const MAX_ENTITY_ID_LENGTH = 1_024;
const MAX_SKEW = 300;
const MAX_YEARS = 30;

/** Whether requests are signed. */
export function signsRequests({ signRequests, identityProvider }: SamlSettings): boolean {
  return signRequests || identityProvider.wantsSignedRequests;
}

/** Throws 400 and 422 for invalid settings. */
export function changeSettings<S extends OwnSettings>(settings: S, change: SettingsChange): S {
  const { attributes, certificateValidity: validity } = settings;
  const changed = {
    ...settings,
    ...listDefined(change),
    attributes: { ...attributes, ...listDefined(change.attributes) },
    certificateValidity: { ...validity, ...listDefined(change.certificateValidity) } as CertificateValidity,
  };
  check(changed);
  return changed;
}

/** Removes undefined properties. */
function listDefined<T extends object>(values: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(values ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

function check({ name, entityId, attributes, skewSeconds, certificateValidity }: OwnSettings): void {
  checkName('Name', name);
  checkText('Name', name, MAX_NAME_LENGTH);
  checkName('User name attribute', attributes.userName);
  checkName('First name attribute', attributes.firstName);
  checkName('Last name attribute', attributes.lastName);
  checkName('Group attribute', attributes.groups);
  const isEntityId = entityId === null || /^[^\s\p{Cc}]+$/u.test(entityId);
  if (!isEntityId || (entityId?.length ?? 0) > MAX_ENTITY_ID_LENGTH || entityId?.isWellFormed() === false) {
    throw samlErrors.notAnEntityId(MAX_ENTITY_ID_LENGTH);
  }
  if (!Number.isInteger(skewSeconds) || skewSeconds < 0 || skewSeconds > MAX_SKEW) {
    throw samlErrors.notASkew(MAX_SKEW);
  }
  checkValidity(certificateValidity);
}

function checkValidity(validity: CertificateValidity): void {
  const { count, unit } = validity;
  const isCount = Number.isInteger(count) && count >= 1 && count <= MAX_YEARS * 366;
  const begin = new Date(0);
  if (!isCount || !VALIDITY_UNITS.includes(unit)) throw samlErrors.notAValidity(MAX_YEARS);
  const longest = findCertificateEnd(begin, { count: MAX_YEARS, unit: 'years' });
  if (findCertificateEnd(begin, validity) > longest) throw samlErrors.notAValidity(MAX_YEARS);
}

/** Formats a change for the audit log, without the content of metadata. */
export function printSettingsChange(change: SettingsChange): readonly string[] {
  const { attributes, certificateValidity, ...others } = change;
  return [
    ...Object.entries(listDefined(others)).map(
      ([key, value]) => `${LABELS[key as keyof typeof LABELS]} ${print(value)}`,
    ),
    ...Object.values(listDefined(attributes)).map((name) => `attribute ${name}`),
    ...(Object.keys(listDefined(certificateValidity)).length === 0 ? [] : ['certificate validity']),
  ];
}

function print(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value ?? 'none');
}

const LABELS: Readonly<Record<keyof Omit<OwnSettings, 'attributes' | 'certificateValidity'>, string>> = {
  name: 'name',
  entityId: 'entity ID',
  jit: 'JIT',
  groupSync: 'group sync',
  createGroups: 'create groups',
  ssoOnly: 'SSO only',
  signRequests: 'sign requests',
  metadataRefresh: 'metadata refresh',
  skewSeconds: 'skew',
};
