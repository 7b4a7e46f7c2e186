import { toNetwork } from '../identity/sessions/client-address.ts';
import { openSideDatabase } from '../store/side-database.ts';
import { createSideLedger } from '../store/side-ledger.ts';
import { type Clock, toTimestamp } from '../store/values/clock.ts';
import { createUuidV7 } from '../store/values/uuid.ts';
import type { ScimOutcome, ScimRequest, SsoFailure } from './entries.ts';
import { providerLogErrors } from './errors.ts';
import { type HiddenText, hideInTarget, printWithoutSecrets } from './hide-secrets.ts';
import { providerLogMigrations } from './migrations.ts';
import { createProviderLogStore, type Kept, type ScimRequestRow, toOldestFailure } from './store.ts';

/** How many entries are kept. Requests that prove nothing have their own share, so that they displace no other. */
const KEPT_REQUESTS: Kept = { proven: 1_000, counted: 200 };
const KEPT_FAILURES: Kept = { proven: 9_000, counted: 1_000 };
/** Interval between writes of requests in milliseconds, and maximum number of entries in one write. */
const GATHER_MS = 250;
const BATCH = 200;
/** The longest NameID that is an e-mail address. */
const MAX_NAME = 254;
/** The maximum of the other texts: clients choose their content. */
const MAX_TEXT = 1_000;

/** The log of what identity providers send, for the one process that writes it. Its methods do not wait or throw. */
export interface ProviderLog {
  /** Schedules an entry to be written, without its secrets. */
  recordRequest(request: ScimRequest): void;
  /** Writes an entry; returns its reference, which is that of an earlier one where entries are counted. */
  recordFailure(failure: SsoFailure): string;
  /** Writes the pending entries and closes the file. */
  close(): void;
}

/** Settings of a log. */
export interface ProviderLogOptions {
  readonly file: string;
  readonly clock: Clock;
  /** Called once when entries cannot be written, and once when they can be written again. */
  readonly warn: (line: string) => void;
}

/** Opens the log; its file is created with its first entry. */
export function openProviderLog({ file, clock, warn }: ProviderLogOptions): ProviderLog {
  const ledger = createSideLedger({
    open: () => createProviderLogStore(openSideDatabase(file, { migrations: providerLogMigrations, clock })),
    warn,
    ...providerLogErrors,
  });
  const newId = createUuidV7(clock);
  /** By bucket, or by id without one. */
  const gathered = new Map<string, ScimRequestRow>();
  let writing: NodeJS.Timeout | undefined;

  function write(): void {
    const batch = [...gathered.values()].slice(0, BATCH);
    for (const { bucket, id } of batch) gathered.delete(bucket ?? id);
    writing = gathered.size === 0 ? undefined : setTimeout(write).unref();
    ledger.use(batch.length, (store) => store.insertRequests(batch, KEPT_REQUESTS));
  }

  return {
    recordRequest(request) {
      const row = toRow(request, newId(), clock());
      const key = row.bucket ?? row.id;
      const first = gathered.get(key);
      const { id, at, count } = first ?? { ...row, count: 0 };
      gathered.set(key, { ...row, id, at, count: count + 1 });
      writing ??= setTimeout(write, GATHER_MS).unref();
    },
    recordFailure(failure) {
      const { requestId, user, check, detail, address } = failure;
      const now = clock();
      const at = toTimestamp(now);
      const row = {
        id: newId(),
        reference: requestId,
        bucket: user === null ? toBucket(at, address) : null,
        at,
        last_at: at,
        count: 1,
        provider: failure.provider,
        check,
        detail: detail.slice(0, MAX_TEXT).toWellFormed(),
        address,
        name_id: user?.nameId?.slice(0, MAX_NAME).toWellFormed() ?? null,
        email: user?.email ?? null,
      };
      return (
        ledger.use(1, (store) => store.insertFailure(row, KEPT_FAILURES, toOldestFailure(now))) ?? requestId
      );
    },
    close() {
      clearTimeout(writing);
      while (gathered.size > 0) write();
      clearTimeout(writing);
      ledger.close();
    },
  };
}

/** The hour and the network of a request that proves nothing. */
function toBucket(at: string, address: string): string {
  return `${at.slice(0, 13)} ${toNetwork(address)}`;
}

function toRow(request: ScimRequest, id: string, now: Date): ScimRequestRow {
  const { token, address, status, scimType, durationMs, method, requestId } = request;
  const at = toTimestamp(new Date(now.getTime() - durationMs));
  const target = hideInTarget(request.target);
  // The body of a request without a token was not read.
  const body = token === null ? null : printWithoutSecrets(request.body);
  return {
    id,
    bucket: token === null ? toBucket(at, address) : null,
    at,
    last_at: at,
    count: 1,
    outcome: toOutcome(request),
    token: token?.id ?? null,
    token_name: token?.name ?? null,
    address,
    method,
    path: target.text,
    status,
    scim_type: scimType,
    detail: hideInDetail(request.detail, [target, body]),
    duration_ms: Math.round(durationMs),
    request_id: requestId,
    body: body?.text ?? null,
    body_cut: body?.isCut === true,
  };
}

function toOutcome({ token, status }: ScimRequest): ScimOutcome {
  if (token === null) return 'refused';
  return status < 400 ? 'done' : 'failed';
}

/** The detail of an error, unless it may quote a text that is not stored. */
function hideInDetail(detail: string | null, texts: readonly (HiddenText | null)[]): string | null {
  if (detail === null) return null;
  return texts.some((text) => text?.hidesText) ? '***' : detail.slice(0, MAX_TEXT).toWellFormed();
}
