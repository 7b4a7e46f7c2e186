import { readdirSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';

import duckdb from '@duckdb/node-bindings';

import { type DiskLimit, type DiskUse, toQuota } from '../../contract/disk-limit.ts';

/** How often the file of a database is looked at while a statement may make it grow, in milliseconds. */
const WATCH_EVERY_MS = 50;
/** From this part on, the size of the files is not exact enough. */
const NEARLY_FULL = 0.9;
/** From this part of its quota on, space that was freed is given back to a database before it grows, */
const RECLAIM_SHARE = 0.5;
/** and when so many times as long has passed as that took the last time. */
const TIMES_BETWEEN = 20;
/** What the engine writes beside a file until it moves it there. */
const LOGS = ['.wal', '.wal.checkpoint'];

const USED = 'SELECT used_blocks * block_size FROM pragma_database_size()';
/**
 * Rows that a commit may write: those in memory and spilled from there, of all transactions and temporary tables, and
 * the old and new values of updates.
 */
const UNWRITTEN = `SELECT coalesce(sum(memory_usage_bytes + temporary_storage_bytes), 0)::BIGINT FROM duckdb_memory()
  WHERE tag IN ('IN_MEMORY_TABLE', 'OVERFLOW_STRINGS', 'TRANSACTION'`;
const OF_INSERT = `${UNWRITTEN})`;
const OF_UPDATE = `${UNWRITTEN}, 'ALLOCATOR')`;

/** What was found out last about each file. */
const uses = new Map<string, DiskUse>();

/** How much of their quotas databases use, those that were opened with one. */
export function listDiskUse(): readonly DiskUse[] {
  return [...uses.values()];
}

/**
 * How much of the disk a database may use: its used blocks and its log, in bytes. A file of the engine seldom shrinks,
 * so that its size says only how much it has used at most.
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

  /** Whether space may have been freed since it was last given back. */
  get mayHaveFreed(): boolean {
    return this.#mayHaveFreed;
  }

  /** Notes that space may have been freed, of which the engine knows after a checkpoint. */
  noteFreed(freed: 'objects' | 'rows' | null): void {
    if (freed !== null) this.#mayHaveFreed = true;
    // A checkpoint for whole objects takes little.
    if (freed === 'objects') this.#nextReclaim = 0;
  }

  /** Gives back what was freed, where that may matter. */
  async prepare(): Promise<void> {
    if (this.#isWorthReclaiming()) await this.#reclaim();
  }

  /** Whether the database is full, after what was freed has been given back to it. */
  async isFull(): Promise<boolean> {
    await this.prepare();
    return this.#isOver(0);
  }

  /** Whether a transaction that may write all rows in memory could take the database over its quota. */
  async isOverWithUnwritten(isUpdate: boolean): Promise<boolean> {
    // To ask the engine takes longer than a short statement. What is spilled may be compressed.
    const most = this.#readFiles() + process.memoryUsage.rss();
    if (most <= this.#bytes * NEARLY_FULL && readTree(this.#temp) === 0) return false;
    return this.#isOver(await this.#ask(isUpdate ? OF_UPDATE : OF_INSERT));
  }

  /** Finds out how much is used now, for `listDiskUse`; what was freed is given back first where that was much. */
  async refresh(): Promise<void> {
    const last = uses.get(this.#file);
    if (last !== undefined && last.bytes >= last.quota * NEARLY_FULL) await this.prepare();
    // What cannot be measured now is measured the next time.
    await this.#isOver(0).catch(() => {});
  }

  /** Looks at the file until `end` is called; `signal` is aborted when the database is over its quota. */
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

  /** The size of the files says enough where it is far from the quota. */
  async #isOver(more: number): Promise<boolean> {
    const most = this.#readFiles();
    const bytes =
      most + more <= this.#bytes * NEARLY_FULL ? most : (await this.#ask(USED)) + this.#readLogs();
    uses.set(this.#file, { name: this.#name, bytes, quota: this.#bytes });
    const isOver = bytes + more > this.#bytes;
    // What comes next would else be refused, too.
    if (isOver) this.#nextReclaim = 0;
    return isOver;
  }

  #isWorthReclaiming(): boolean {
    const isSoon = performance.now() < this.#nextReclaim;
    return this.#mayHaveFreed && !isSoon && this.#readFiles() > this.#bytes * RECLAIM_SHARE;
  }

  /** Fails while somebody else writes, or reads what was dropped; then the space comes back later. */
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

/** Bytes of the files in a folder and in the folders there, which come and go meanwhile. */
function readTree(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => path.join(folder, entry.name))
    .flatMap((entry) => [entry, ...listFiles(entry)])
    .reduce((sum, file) => sum + readSize(file), 0);
}

/** Empty for what is no folder. */
function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** The one BIGINT that a query gives; 0 for none. Rejects with what the engine throws. */
async function readNumber(connection: duckdb.Connection, query: string): Promise<number> {
  const chunk = await duckdb.fetch_chunk(await duckdb.query(connection, query));
  if (chunk === null || duckdb.data_chunk_get_size(chunk) === 0) return 0;
  const vector = duckdb.data_chunk_get_vector(chunk, 0);
  return Number(Buffer.from(duckdb.vector_get_data(vector, 8)).readBigInt64LE());
}
