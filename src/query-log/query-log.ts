import { openSideDatabase } from '../store/side-database.ts';
import { createSideLedger } from '../store/side-ledger.ts';
import type { Clock } from '../store/values/clock.ts';
import { queryLogErrors } from './errors.ts';
import { queryLogMigrations } from './migrations.ts';
import type { Query } from './query.ts';
import { createQueryStore } from './store.ts';

const DAY_MS = 86_400_000;
/** Interval between writes in milliseconds, and maximum number of entries in one write. */
const GATHER_MS = 250;
const BATCH = 200;
/** Number of old entries that are deleted at a time, and the pause after that for other writers. */
const SWEEP_STEP = 500;
const SWEEP_PAUSE_MS = 20;
/** Maximum number of entries; without statements, this is about 500 MB. */
const MAX_ENTRIES = 1_000_000;

/** Settings of a query log. */
export interface QueryLogOptions {
  readonly file: string;
  /** Number of days for which entries are kept. */
  readonly days: number;
  readonly clock: Clock;
  /** Called once when entries cannot be written, and once when they can be written again. */
  readonly warn: (line: string) => void;
  /** Maximum number of entries; a million by default. */
  readonly maxEntries?: number;
}

/** The log of executions, for the one process that writes it. Its methods do not wait and do not throw. */
export interface QueryLog {
  /** Schedules an entry to be written; it is lost if writing fails. */
  record(query: Query): void;
  /** Writes the pending entries and closes the file. */
  close(): void;
}

/** Opens the log, and creates its file if it is missing. */
export function openQueryLog({
  file,
  days,
  clock,
  warn,
  maxEntries = MAX_ENTRIES,
}: QueryLogOptions): QueryLog {
  const ledger = createSideLedger({
    open: () => {
      const store = createQueryStore(openSideDatabase(file, { migrations: queryLogMigrations, clock }));
      return { ...store, entries: store.count() };
    },
    warn,
    ...queryLogErrors,
  });
  let gathered: Query[] = [];
  let writing: NodeJS.Timeout | undefined;
  let sweeping: NodeJS.Timeout | undefined;

  function write(): void {
    const batch = gathered.slice(0, BATCH);
    gathered = gathered.slice(BATCH);
    writing = gathered.length === 0 ? undefined : setTimeout(write).unref();
    ledger.use(batch.length, (store) => {
      store.entries += store.insert(batch);
      const surplus = Math.min(store.entries - maxEntries, 2 * BATCH);
      if (surplus > 0) store.entries -= store.deleteOldest(surplus);
    });
  }

  function sweep(): void {
    const oldest = new Date(clock().getTime() - days * DAY_MS);
    const deleted = ledger.use(0, (store) => {
      const old = store.deleteBefore(oldest, SWEEP_STEP);
      store.entries -= old;
      return old;
    });
    sweeping = setTimeout(sweep, deleted === SWEEP_STEP ? SWEEP_PAUSE_MS : DAY_MS).unref();
  }

  sweep();
  return {
    record(query) {
      gathered.push(query);
      writing ??= setTimeout(write, GATHER_MS).unref();
    },
    close() {
      clearTimeout(sweeping);
      clearTimeout(writing);
      while (gathered.length > 0) write();
      clearTimeout(writing);
      ledger.close();
    },
  };
}
