import { createHash } from 'node:crypto';
import { ServiceError } from '../../../errors/service-error.ts';
import type { Database } from '../../../store/database.ts';
import { type Clock, toTimestamp } from '../../../store/values/clock.ts';
import { type IdentityProvider, readIdentityProvider } from '../metadata/identity-provider.ts';
import { listDifferences } from '../metadata/list-differences.ts';
import { samlErrors } from './errors.ts';
import type { SettingsRecord, SettingsStore } from './settings-store.ts';

/** The age after which metadata is read again, in milliseconds. */
const DAILY_MS = 24 * 60 * 60_000;

/** The result of reading the metadata again from its URL. */
export interface RefreshOutcome {
  readonly kind: 'same' | 'waiting' | 'applied' | 'failed';
  readonly url: string;
  /** The reason for a failure. */
  readonly text: string | null;
}

interface RefreshContext {
  readonly database: Database;
  readonly store: SettingsStore;
  readonly clock: Clock;
  /** Called within the transaction that applies changed metadata. */
  readonly onApply: (entityId: string) => void;
}

/**
 * Reads the metadata again from its URL (docs/reference/saml.md#metadata-from-a-url). Applies changes only as the
 * settings allow, and never switches to another identity provider. After a failure, the current metadata stays and the
 * failure is recorded. Rejects with 404 and 409 if there is no URL to read.
 */
export async function refreshMetadata(context: RefreshContext): Promise<RefreshOutcome> {
  const { database, store, clock } = context;
  const record = database.read(store.find);
  if (record === undefined) throw samlErrors.notConfigured();
  const { url } = record.settings.metadata;
  if (url === null) throw samlErrors.noMetadataUrl();
  const checkedAt = toTimestamp(clock());
  const read = await readAt(url, clock());
  return database.write((): RefreshOutcome => {
    const now = store.find();
    // The settings were changed in the meantime: the new ones apply.
    if (now?.settings.metadata.url !== url || now.revision !== record.revision) return same(url);
    const earlier = store.findRefresh()?.pending ?? null;
    if (read.identityProvider === null) {
      store.writeRefresh({ checkedAt, failure: read.failure, pending: earlier });
      return { kind: 'failed', url, text: read.failure };
    }
    const pending = { identityProvider: read.identityProvider, readAt: checkedAt };
    if (isSame(now, pending.identityProvider)) {
      store.writeRefresh({ checkedAt, failure: null, pending: null });
      return same(url);
    }
    store.writeRefresh({ checkedAt, failure: null, pending });
    const { metadataRefresh, identityProvider } = now.settings;
    if (metadataRefresh !== 'apply' || identityProvider.entityId !== pending.identityProvider.entityId) {
      return { kind: 'waiting', url, text: null };
    }
    applyPending(context, now);
    return { kind: 'applied', url, text: null };
  });
}

/**
 * Replaces the current metadata with the pending one. The caller holds the transaction. Throws 409 if none is pending.
 */
export function applyPending({ store, clock, onApply }: RefreshContext, record: SettingsRecord): void {
  const refresh = store.findRefresh();
  const { settings, revision, createdAt } = record;
  if (refresh === undefined || refresh.pending === null) throw samlErrors.noPendingMetadata();
  const { identityProvider, readAt } = refresh.pending;
  const metadata = { ...settings.metadata, readAt };
  store.write({
    settings: { ...settings, metadata, identityProvider },
    revision: revision + 1,
    createdAt,
    updatedAt: toTimestamp(clock()),
  });
  store.writeRefresh({ ...refresh, pending: null });
  onApply(identityProvider.entityId);
}

/** Whether it is time to read the metadata again. */
export function isRefreshDue({ database, store, clock }: Omit<RefreshContext, 'onApply'>): boolean {
  return database.read(() => {
    const { metadataRefresh = 'off', metadata = null } = store.find()?.settings ?? {};
    if (metadataRefresh === 'off' || metadata?.url === null) return false;
    const checkedAt = store.findRefresh()?.checkedAt;
    return checkedAt === undefined || clock().getTime() - Date.parse(checkedAt) >= DAILY_MS;
  });
}

/** A digest that identifies the pending metadata that a caller has reviewed. */
export function toDigest(identityProvider: IdentityProvider): string {
  return createHash('sha256').update(JSON.stringify(identityProvider)).digest('hex');
}

function isSame({ settings }: SettingsRecord, identityProvider: IdentityProvider): boolean {
  return listDifferences(settings.identityProvider, identityProvider).length === 0;
}

function same(url: string): RefreshOutcome {
  return { kind: 'same', url, text: null };
}

async function readAt(
  url: string,
  now: Date,
): Promise<
  | { readonly identityProvider: IdentityProvider }
  | { readonly identityProvider: null; readonly failure: string }
> {
  try {
    return { identityProvider: await readIdentityProvider(await fetchMetadata(url), now) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { identityProvider: null, failure: error.message };
  }
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a document from an https URL, without following redirects. Rejects with 422 for an invalid URL or an
 * unsuccessful response.
 */
export async function fetchMetadata(text: string): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw samlErrors.notAMetadataUrl(text);
  }
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 200) throw new Error(`the response status is ${response.status}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readAll(response));
  } catch (error) {
    throw samlErrors.unreachable(text, explain(error as Error));
  }
}

async function readAll({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Reports the cause instead of "fetch failed". */
function explain(error: Error): string {
  if (error.name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return 'code' in cause && cause.message === '' ? String(cause.code) : cause.message;
}
