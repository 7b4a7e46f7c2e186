import { elementAt } from '../../../invariants/must.ts';
import { toTimestamp } from '../../../store/values/clock.ts';
import { type AccountContext, asManager, checkMayWrite } from '../../context/account-context.ts';
import type { Principal } from '../../principal/principal.ts';
import { listOtherSecretKeys } from '../../records/secret-keys.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { SignOnRules } from '../../sign-on/proven-identity.ts';
import { createCertificate, type ServiceKey } from '../metadata/create-certificate.ts';
import { readIdentityProvider } from '../metadata/identity-provider.ts';
import { listDifferences } from '../metadata/list-differences.ts';
import { printServiceProviderMetadata, type ServiceProvider } from '../metadata/service-provider.ts';
import { samlErrors } from './errors.ts';
import {
  applyPending,
  fetchMetadata,
  isRefreshDue,
  type RefreshOutcome,
  refreshMetadata,
  toDigest,
} from './refresh-metadata.ts';
import type { MetadataComparisonBody, SamlBody } from './saml-body.ts';
import {
  changeSettings,
  DEFAULT_SETTINGS,
  METADATA_REFRESHES,
  type MetadataRefresh,
  type OwnSettings,
  printSettingsChange,
  type SamlSettings,
  type SettingsChange,
  signsRequests,
} from './settings.ts';
import {
  type CertificateRecord,
  type CertificateState,
  createSettingsStore,
  type SettingsRecord,
  type SettingsStore,
} from './settings-store.ts';
import { toSamlBody } from './to-saml-body.ts';

/**
 * The certificates of this instance with their keys; pending and former ones are published together with the active
 * one.
 */
interface ServiceKeys {
  readonly active: ServiceKey;
  readonly pending: ServiceKey | null;
  readonly former: ServiceKey | null;
}

/**
 * A change of the settings; omitted properties stay as they are. At most one of the two forms of metadata is allowed.
 */
export interface SamlChange extends Omit<SettingsChange, 'metadataRefresh'> {
  /** XML. */
  readonly metadata?: string | undefined;
  /** The URL to read the metadata from, immediately. */
  readonly metadataUrl?: string | undefined;
  /** Not yet validated. */
  readonly metadataRefresh?: string | undefined;
}

/**
 * The SAML settings (docs/reference/saml.md). Methods with a principal are for administrators; they throw 403 for
 * all other users. All methods except `delete` throw 409 without an https base URL. Each change is one transaction.
 */
export interface SamlService {
  /** Null if users cannot sign in by SAML: it is not configured, or there is no https base URL. Needs no permission. */
  findSettings(): SamlSettings | null;
  /** The rules for accounts at a sign-in; null as above. */
  findRules(): SignOnRules | null;
  /** Null without certificates. Throws a HomeError `key` if the master key does not match. Needs no permission. */
  findKeys(): ServiceKeys | null;
  /** The instance's address, without a slash at its end; null if it is not https. */
  findBaseUrl(): string | null;
  /** The metadata of this instance as XML. Needs no permission. Rejects with 404 if SAML is not configured. */
  printMetadata(): Promise<string>;
  /** The active certificate of this instance as PEM. Needs no permission. Throws 404 if SAML is not configured. */
  getCertificate(): string;
  /** Throws 404. */
  get(principal: Principal): SamlBody;
  /** The entity ID of the identity provider. Throws 404. */
  getIssuer(principal: Principal): string;
  /** Rejects with 400 and 422 for invalid settings. Creates a missing certificate. */
  set(principal: Principal, change: SamlChange): Promise<SamlBody>;
  /** What other metadata would change; stores nothing. Rejects with 404, and with 422 as `set` does. */
  compareMetadata(
    principal: Principal,
    other: Pick<SamlChange, 'metadata' | 'metadataUrl'>,
  ): Promise<MetadataComparisonBody>;
  /** Keeps accounts and their linked identities. Throws 404. */
  delete(principal: Principal): void;
  /** Creates a pending certificate, which replaces another pending one. Rejects with 404. */
  renewCertificate(principal: Principal): Promise<SamlBody>;
  /** Throws 404, and 409 if none is pending. */
  activateCertificate(principal: Principal): SamlBody;
  /** Reads the metadata again from its URL. Rejects with 404, with 409 if it has no URL, with 422 after a failure. */
  refreshMetadata(principal: Principal): Promise<SamlBody>;
  /** Applies the pending metadata with this digest. Throws 404, and 409 if none is pending or the digest differs. */
  applyMetadata(principal: Principal, digest: string): SamlBody;
  /** Reads the metadata again if that is due, on behalf of the instance; null if it is not due. */
  refreshIfDue(): Promise<RefreshOutcome | null>;
}

export interface SamlContext extends AccountContext {
  readonly secrets: Secrets;
  /** The instance's address as its clients know it; null if unknown. */
  readonly findBaseUrl: () => string | null;
  /** Whether administrators are linked by their e-mail address. */
  readonly bindsSuperUsers: () => boolean;
}

interface OpenContext extends SamlContext {
  readonly store: SettingsStore;
}

/** The settings in an open database. */
export function createSamlService(options: SamlContext): SamlService {
  const context: OpenContext = { ...options, store: createSettingsStore(options.database) };
  const { database, store, audit } = context;
  const getRecord = () => store.find() ?? fail(samlErrors.notConfigured());
  const toBody = (record: SettingsRecord) =>
    toSamlBody(record, store.listCertificates(), store.findRefresh(), getBaseUrl(context));

  return {
    ...createReaders(context),
    get: (principal) =>
      asManager(context, principal, 'read', () => {
        getBaseUrl(context);
        return toBody(getRecord());
      }),
    getIssuer: (principal) =>
      database.read(() => {
        checkMayWrite(context, principal);
        getBaseUrl(context);
        return getRecord().settings.identityProvider.entityId;
      }),
    set: async (principal, change) => {
      await setSettings(context, principal, change);
      return database.read(() => toBody(getRecord()));
    },
    delete: (principal) =>
      asManager(context, principal, 'write', () => {
        if (!store.delete()) throw samlErrors.notConfigured();
        audit.record(principal, { action: 'sso.delete', object: 'saml' });
      }),
    renewCertificate: async (principal) => {
      checkMayWrite(context, principal);
      getBaseUrl(context);
      const { certificateValidity } = database.read(getRecord).settings;
      const key = await makeKey(context, { certificateValidity });
      return asManager(context, principal, 'write', () => {
        const record = getRecord();
        // Identity providers read at most two certificates, so the former one is dropped.
        store.deleteCertificate('former');
        store.deleteCertificate('pending');
        insertKey(context, principal, key, 'pending');
        return toBody(record);
      });
    },
    activateCertificate: (principal) =>
      asManager(context, principal, 'write', () => {
        getBaseUrl(context);
        const record = getRecord();
        const isPending = store.listCertificates().some(({ state }) => state === 'pending');
        if (!isPending) throw samlErrors.noPendingCertificate();
        store.deleteCertificate('former');
        store.moveCertificate('active', 'former');
        store.moveCertificate('pending', 'active');
        audit.record(principal, { action: 'sso.certificate', object: 'saml: activated' });
        return toBody(record);
      }),
    ...createMetadataMethods(context, getRecord, toBody),
  };
}

type MetadataMethods = 'compareMetadata' | 'refreshMetadata' | 'applyMetadata' | 'refreshIfDue';

/** Methods for metadata with a URL. */
function createMetadataMethods(
  context: OpenContext,
  getRecord: () => SettingsRecord,
  toBody: (record: SettingsRecord) => SamlBody,
): Pick<SamlService, MetadataMethods> {
  const { database, store } = context;
  return {
    compareMetadata: async (principal, { metadata, metadataUrl = null }) => {
      checkMayWrite(context, principal);
      getBaseUrl(context);
      const current = database.read(getRecord).settings.identityProvider;
      if (metadata !== undefined && metadataUrl !== null) throw samlErrors.metadataTwice();
      const read = await readMetadata(metadata, metadataUrl, context.clock());
      const { identityProvider } = read ?? fail(samlErrors.nothingToCompare());
      return {
        entity_id: identityProvider.entityId,
        differences: listDifferences(current, identityProvider),
      };
    },
    refreshMetadata: async (principal) => {
      checkMayWrite(context, principal);
      getBaseUrl(context);
      const refreshing = { ...context, onApply: createApplyRecorder(context, principal) };
      const { kind, url, text } = await refreshMetadata(refreshing);
      if (kind === 'failed') throw samlErrors.notRefreshed(url, text ?? '');
      return database.read(() => toBody(getRecord()));
    },
    applyMetadata: (principal, digest) =>
      asManager(context, principal, 'write', () => {
        getBaseUrl(context);
        const pending = store.findRefresh()?.pending ?? fail(samlErrors.noPendingMetadata());
        if (toDigest(pending.identityProvider) !== digest) throw samlErrors.pendingMetadataChanged();
        applyPending({ ...context, onApply: createApplyRecorder(context, principal) }, getRecord());
        return toBody(getRecord());
      }),
    refreshIfDue: async () => {
      if (findHttpsUrl(context) === null || !isRefreshDue(context)) return null;
      return refreshMetadata({ ...context, onApply: createApplyRecorder(context, null) });
    },
  };
}

/** Records in the audit log that metadata was applied; `principal` is null for the instance itself. */
function createApplyRecorder({ audit }: OpenContext, principal: Principal | null) {
  return (entityId: string) => {
    const event = { action: 'sso.settings', object: `saml: changed metadata of ${entityId}` } as const;
    if (principal === null) audit.recordVisitor({ address: null, requestId: null }, event);
    else audit.record(principal, event);
  };
}

type Readers = 'findSettings' | 'findRules' | 'findKeys' | 'findBaseUrl' | 'printMetadata' | 'getCertificate';

function createReaders(context: OpenContext): Pick<SamlService, Readers> {
  const { database, store, secrets } = context;
  const findBaseUrl = () => findHttpsUrl(context);
  const listCertificates = () => {
    const certificates = database.read(store.listCertificates);
    if (certificates.length === 0) throw samlErrors.notConfigured();
    getBaseUrl(context);
    return certificates;
  };
  const open = ({ id, certificate, key }: CertificateRecord): ServiceKey => {
    const privateKey = secrets.open(key, toPlace(id), 'the key of our SAML certificate');
    return { certificate, privateKey };
  };

  const printSigned = createSignedPrinter();
  const findSettings = () =>
    findBaseUrl() === null ? null : database.read(() => store.find()?.settings ?? null);

  return {
    findSettings,
    findRules: () => {
      const settings = findSettings();
      if (settings === null) return null;
      const { jit, createGroups } = settings;
      return { jit, createGroups, bindSuperUsers: context.bindsSuperUsers() };
    },
    findBaseUrl,
    findKeys: () => {
      const all = new Map(database.read(store.listCertificates).map((record) => [record.state, record]));
      const find = (state: CertificateState) => {
        const record = all.get(state);
        return record === undefined ? null : open(record);
      };
      const active = find('active');
      return active === null ? null : { active, pending: find('pending'), former: find('former') };
    },
    printMetadata: async () => {
      const records = listCertificates();
      const { settings } = database.read(store.find) ?? fail(samlErrors.notConfigured());
      const baseUrl = getBaseUrl(context);
      const provider = {
        entityId: settings.entityId ?? baseUrl,
        baseUrl,
        // The active one is last: some providers use only the last certificate of the metadata.
        certificates: records
          .filter(({ state }) => state !== 'former')
          .map(({ certificate }) => certificate)
          .reverse(),
        signsRequests: signsRequests(settings),
      };
      return printSigned(provider, () => open(elementAt(records, 0)));
    },
    getCertificate: () => elementAt(listCertificates(), 0).certificate,
  };
}

/** Prints the metadata of this instance. Needs no permission, so unchanged metadata is signed only once. */
function createSignedPrinter() {
  let last = { facts: '', xml: Promise.resolve('') };
  return (provider: Omit<ServiceProvider, 'key'>, openKey: () => ServiceKey): Promise<string> => {
    const facts = JSON.stringify(provider);
    if (facts !== last.facts) {
      last = { facts, xml: printServiceProviderMetadata({ ...provider, key: openKey() }) };
    }
    return last.xml;
  };
}

/** Reads metadata and creates a certificate if needed, then writes the settings in one transaction. */
async function setSettings(context: OpenContext, principal: Principal, fields: SamlChange): Promise<void> {
  const { database, store, clock, audit } = context;
  const { metadata: xml, metadataUrl: url = null, metadataRefresh, ...others } = fields;
  const change = { ...others, metadataRefresh: toRefresh(metadataRefresh) };
  checkMayWrite(context, principal);
  getBaseUrl(context);
  if (xml !== undefined && url !== null) throw samlErrors.metadataTwice();
  const before = database.read(() => ({ record: store.find(), keys: store.listCertificates().length }));
  // Refuses invalid settings before reading from elsewhere.
  const wanted = changeSettings<OwnSettings>(before.record?.settings ?? DEFAULT_SETTINGS, change);
  const read = await readMetadata(xml, url, clock());
  const made = before.keys === 0 ? await makeKey(context, wanted) : null;
  database.write(() => {
    checkMayWrite(context, principal);
    const record = store.find();
    const now = toTimestamp(clock());
    const { metadata, identityProvider } = read ?? record?.settings ?? fail(samlErrors.metadataRequired());
    const ownSettings = changeSettings<OwnSettings>(record?.settings ?? DEFAULT_SETTINGS, change);
    const { revision = 0, createdAt = now } = record ?? {};
    if (ownSettings.metadataRefresh !== 'off' && metadata.url === null) throw samlErrors.refreshNeedsUrl();
    const settings = { ...ownSettings, metadata, identityProvider };
    store.write({ settings, revision: revision + 1, createdAt, updatedAt: now });
    if (read !== null) recordRead(store, url, now);
    const parts = [
      ...(read === null ? [] : [`metadata of ${identityProvider.entityId}`]),
      ...printSettingsChange(change),
    ];
    audit.record(principal, { action: 'sso.settings', object: ['saml', parts.join(', ')].join(': ') });
    if (made !== null && store.listCertificates().length === 0) insertKey(context, principal, made, 'active');
  });
}

async function readMetadata(
  text: string | undefined,
  url: string | null,
  now: Date,
): Promise<Pick<SamlSettings, 'metadata' | 'identityProvider'> | null> {
  const xml = text ?? (url === null ? undefined : await fetchMetadata(url));
  if (xml === undefined) return null;
  const identityProvider = await readIdentityProvider(xml, now);
  return { metadata: { url, readAt: toTimestamp(now) }, identityProvider };
}

/** Records that the metadata was read; discards pending metadata. */
function recordRead(store: SettingsStore, url: string | null, checkedAt: string): void {
  store.writeRefresh(url === null ? null : { checkedAt, failure: null, pending: null });
}

/** Throws 422 for an unknown mode. */
function toRefresh(text: string | undefined): MetadataRefresh | undefined {
  if (text === undefined) return undefined;
  return (
    METADATA_REFRESHES.find((mode) => mode === text) ?? fail(samlErrors.notARefresh(METADATA_REFRESHES, text))
  );
}

function makeKey(
  context: OpenContext,
  { certificateValidity }: Pick<SamlSettings, 'certificateValidity'>,
): Promise<ServiceKey> {
  return createCertificate(new URL(getBaseUrl(context)).hostname, certificateValidity, context.clock());
}

function insertKey(
  { database, store, secrets, newId, clock, audit }: OpenContext,
  principal: Principal,
  { certificate, privateKey }: ServiceKey,
  state: CertificateState,
): void {
  const id = newId();
  const key = secrets.seal(privateKey, toPlace(id), listOtherSecretKeys(database, id));
  store.insertCertificate({ id, state, certificate, key, createdAt: toTimestamp(clock()) });
  audit.record(principal, { action: 'sso.certificate', object: `saml: made, ${state}` });
}

/** The record that a key belongs to. */
function toPlace(id: string) {
  return { owner: id, name: 'private key' };
}

function getBaseUrl(context: SamlContext): string {
  return findHttpsUrl(context) ?? fail(samlErrors.needsHttps(context.findBaseUrl()));
}

/** The instance's address; null if it is not https. */
function findHttpsUrl(context: SamlContext): string | null {
  const baseUrl = context.findBaseUrl();
  return baseUrl?.startsWith('https://') === true ? baseUrl : null;
}

function fail(error: Error): never {
  throw error;
}
