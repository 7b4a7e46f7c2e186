import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';

import duckdb from '@duckdb/node-bindings';

import { type DiskLimit, type DiskUse, toQuota } from '../../contract/disk-limit.ts';

/** Interval between checks of the database file during a statement that may grow it, in milliseconds. */
const WATCH_EVERY_MS = 50;
/** From this share of the quota on, file sizes are not precise enough. */
const NEARLY_FULL = 0.9;
/** From this share of the quota on, freed space is reclaimed before the database grows, */
const RECLAIM_SHARE = 0.5;
/** if this many times the duration of the last reclaim has passed. */
const TIMES_BETWEEN = 20;
/** Suffixes of the files next to the database that the engine merges into it. */
const LOGS = ['.wal', '.wal.checkpoint'];

const USED = 'SELECT used_blocks * block_size FROM pragma_database_size()';
/**
 * Bytes that a commit may write: rows in memory and rows spilled from there, of all transactions and temporary tables,
 * and the old and new values of updates.
 */
const UNWRITTEN = `SELECT coalesce(sum(memory_usage_bytes + temporary_storage_bytes), 0)::BIGINT FROM duckdb_memory()
  WHERE tag IN ('IN_MEMORY_TABLE', 'OVERFLOW_STRINGS', 'TRANSACTION'`;
const OF_INSERT = `${UNWRITTEN})`;
const OF_UPDATE = `${UNWRITTEN}, 'ALLOCATOR')`;

/** The last measurement for each file. */
const uses = new Map<string, DiskUse>();

/** The disk use of the databases that were opened with a quota. */
export function listDiskUse(): readonly DiskUse[] {
  return [...uses.values()];
}

/**
 * Limits the disk use of a database: its used blocks and its log, in bytes. A DuckDB file rarely shrinks, so its size
 * is only the highest use so far.
 */
export class DiskQuota {
  readonly #database: duckdb.Database;
  readonly #file: string;
  readonly #bytes: number;
  readonly #name: string;
  readonly #temp: string;
  #mayHaveFreed = true;
  #nextReclaim = 0;

  /** `temp` is the folder below which rows are spilled. */
  constructor(
    database: duckdb.Database,
    file: string,
    limit: DiskLimit,
    { name, temp }: { readonly name: string; readonly temp: string },
  ) {
    this.#database = database;
    this.#file = file;
    this.#name = name;
    this.#temp = temp;
    this.#bytes = 'bytes' in limit ? limit.bytes : (uses.get(file)?.quota ?? measure(limit, file));
  }

  /** Whether space may have been freed since the last reclaim. */
  get mayHaveFreed(): boolean {
    return this.#mayHaveFreed;
  }

  /** Records that space may have been freed; the engine can use it after a checkpoint. */
  noteFreed(freed: 'objects' | 'rows' | null): void {
    if (freed !== null) this.#mayHaveFreed = true;
    // A checkpoint after dropping whole objects is fast.
    if (freed === 'objects') this.#nextReclaim = 0;
  }

  /** Reclaims freed space, where that may matter. */
  async prepare(): Promise<void> {
    if (this.#isWorthReclaiming()) await this.#reclaim();
  }

  /** Whether the database is full, after freed space was reclaimed. */
  async isFull(): Promise<boolean> {
    await this.prepare();
    return this.#isOver(0);
  }

  /** Whether a transaction that writes all rows in memory could exceed the quota. */
  async isOverWithUnwritten(isUpdate: boolean): Promise<boolean> {
    // Asking the engine takes longer than a short statement. Spilled rows may be compressed.
    const max = this.#readFiles() + process.memoryUsage.rss();
    if (max <= this.#bytes * NEARLY_FULL && readTree(this.#temp) === 0) return false;
    return this.#isOver(await this.#ask(isUpdate ? OF_UPDATE : OF_INSERT));
  }

  /** Measures the current use for `listDiskUse`, after reclaiming freed space if there is much. */
  async refresh(): Promise<void> {
    const last = uses.get(this.#file);
    if (last !== undefined && last.bytes >= last.quota * NEARLY_FULL) await this.prepare();
    // A failed measurement is repeated the next time.
    await this.#isOver(0).catch(() => {});
  }

  /** Checks the file until `end` is called; `signal` is aborted when the database exceeds its quota. */
  watch(): { readonly signal: AbortSignal; end(): void } {
    const over = new AbortController();
    let isAsking = false;
    const look = async () => {
      if (isAsking) return;
      isAsking = true;
      if (await this.#isOver(0).catch(() => false)) over.abort();
      isAsking = false;
    };
    const timer = setInterval(look, WATCH_EVERY_MS);
    return { signal: over.signal, end: () => clearInterval(timer) };
  }

  /** File sizes are precise enough while they are far below the quota. */
  async #isOver(more: number): Promise<boolean> {
    const max = this.#readFiles();
    const bytes = max + more <= this.#bytes * NEARLY_FULL ? max : (await this.#ask(USED)) + this.#readLogs();
    uses.set(this.#file, { name: this.#name, bytes, quota: this.#bytes });
    const isOver = bytes + more > this.#bytes;
    // Otherwise the next statements would be rejected, too.
    if (isOver) this.#nextReclaim = 0;
    return isOver;
  }

  #isWorthReclaiming(): boolean {
    const isSoon = performance.now() < this.#nextReclaim;
    return this.#mayHaveFreed && !isSoon && this.#readFiles() > this.#bytes * RECLAIM_SHARE;
  }

  /** Fails while another session writes, or reads dropped rows; the space is reclaimed later. */
  async #reclaim(): Promise<void> {
    const started = performance.now();
    this.#mayHaveFreed = false;
    await this.#ask('CHECKPOINT').catch(() => {
      this.#mayHaveFreed = true;
    });
    const ended = performance.now();
    this.#nextReclaim = ended + (ended - started) * TIMES_BETWEEN;
  }

  #readFiles(): number {
    return readSize(this.#file) + this.#readLogs();
  }

  #readLogs(): number {
    return LOGS.reduce((sum, ending) => sum + readSize(`${this.#file}${ending}`), 0);
  }

  async #ask(query: string): Promise<number> {
    const connection = await duckdb.connect(this.#database);
    try {
      return await readNumber(connection, query);
    } finally {
      duckdb.disconnect_sync(connection);
    }
  }
}

function measure(limit: DiskLimit, file: string): number {
  const { bavail, bsize } = statfsSync(path.dirname(file));
  return toQuota(limit, readSize(file), bavail * bsize);
}

function readSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Total bytes of the files in a folder and its subfolders, which may change meanwhile. */
function readTree(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => path.join(folder, entry.name))
    .flatMap((entry) => [entry, ...listFiles(entry)])
    .reduce((sum, file) => sum + readSize(file), 0);
}

/** Empty if the path is not a folder. */
function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** The single BIGINT of a query; 0 without a row. Rejects with errors of the engine. */
async function readNumber(connection: duckdb.Connection, query: string): Promise<number> {
  const chunk = await duckdb.fetch_chunk(await duckdb.query(connection, query));
  if (chunk === null || duckdb.data_chunk_get_size(chunk) === 0) return 0;
  const vector = duckdb.data_chunk_get_vector(chunk, 0);
  return Number(Buffer.from(duckdb.vector_get_data(vector, 8)).readBigInt64LE());
}
