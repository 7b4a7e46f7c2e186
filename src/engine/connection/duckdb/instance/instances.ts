import { access, constants, mkdtemp, open, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import duckdb from '@duckdb/node-bindings';
import { DatabaseError } from '../../contract/connection.ts';
import { collectGarbage } from '../../contract/early-collection.ts';
import type { Gate } from '../gate/gate.ts';
import { DiskQuota } from './disk-quota.ts';
import { toOpenError } from './errors.ts';
import { lockDown, refreshGate } from './lock-down.ts';
import { type DuckDbOptions, MEMORY } from './options.ts';

/** Maximum idle connections of an instance that are kept for the next sessions. */
const MAX_SEATS = 32;

/** One session's use of an instance. */
export interface Lease {
  /** Checks the statements of users in a locked-down instance; null otherwise. */
  readonly gate: Gate | null;
  /** Limit of the file's disk use; null: no limit. */
  readonly quota: DiskQuota | null;
  /** Connects to the instance. Rejects with errors of the engine. */
  connect(): Promise<Seat>;
  /** Records an unfinished result, which keeps the instance open. */
  abandonResult(): void;
  /** Records that a statement sets a seed, or creates an object that does: after that, no connection is reused. */
  noteSeed(): void;
  /** Updates the gate's stored objects, if it has barred any. */
  refreshGate(): Promise<void>;
  /** Ends the use, once, and returns an unchanged connection for reuse; the last one closes the file. Never rejects. */
  release(unused?: Seat): Promise<void>;
}

/** A connection of the engine. */
export interface Seat {
  readonly connection: duckdb.Connection;
  /** Whether its rows arrive in small portions, a setting that is made when it may matter. */
  hasSmallPortions: boolean;
}

interface Instance {
  readonly database: Promise<duckdb.Database>;
  /** Unchanged connections for the next sessions. */
  readonly seats: Seat[];
  leases: number;
  abandoned: boolean;
  seeded: boolean;
  closing: Promise<void> | null;
  /** The gate of an instance that is locked down, or is about to be; otherwise null. */
  gate: Promise<Gate> | null;
  /** The quota of an instance, set by its first session with a limit. */
  quota: DiskQuota | null;
}

/**
 * The instances of this process, one per file, regardless of the spelling of its path: a second instance of a file in
 * one process would read stale data.
 */
export class InstanceRegistry {
  readonly #instances = new Map<string, Instance>();
  /** Resolved paths of open instances, because asking the system is slow. */
  readonly #files = new Map<string, string>();

  /** Opens the file, or joins the open instance. Rejects with a DatabaseError. */
  async acquire(options: DuckDbOptions): Promise<Lease> {
    if (options.file === MEMORY) return this.#lease(startInstance(MEMORY, options), MEMORY, options);
    const file = this.#files.get(options.file) ?? (await findRealPath(options.file));
    for (let closing = this.#closingOf(file); closing; closing = this.#closingOf(file)) await closing;
    const instance = this.#instances.get(file) ?? startInstance(file, options);
    this.#instances.set(file, instance);
    this.#files.set(options.file, file);
    return this.#lease(instance, file, options);
  }

  /** Waits until all unused instances are closed. */
  async close(): Promise<void> {
    for (const { closing } of this.#instances.values()) await closing;
  }

  #closingOf(file: string): Promise<void> | null {
    return this.#instances.get(file)?.closing ?? null;
  }

  async #lease(instance: Instance, file: string, options: DuckDbOptions): Promise<Lease> {
    instance.leases += 1;
    const database = await this.#waitForDatabase(instance, file);
    try {
      const gate = await openGate(instance, database, options);
      return {
        gate,
        quota: openQuota(instance, database, file, options),
        refreshGate: async () => {
          if (gate !== null) await refreshGate(gate, database);
        },
        abandonResult: () => {
          instance.abandoned = true;
        },
        noteSeed: () => {
          instance.seeded = true;
        },
        connect: async () => instance.seats.pop() ?? openSeat(database),
        release: (unused) => this.#release(instance, file, database, unused),
      };
    } catch (error) {
      await this.#release(instance, file, database);
      throw error instanceof DatabaseError ? error : toOpenError(error, file);
    }
  }

  async #waitForDatabase(instance: Instance, file: string): Promise<duckdb.Database> {
    try {
      return await instance.database;
    } catch (error) {
      this.#forgetPaths(file);
      if (this.#instances.get(file) === instance) this.#instances.delete(file);
      throw error instanceof DatabaseError ? error : toOpenError(error, file);
    }
  }

  async #release(instance: Instance, file: string, database: duckdb.Database, unused?: Seat): Promise<void> {
    instance.leases -= 1;
    if (unused !== undefined) keepSeat(instance, unused);
    if (instance.leases > 0) return;
    for (const { connection } of instance.seats.splice(0)) duckdb.disconnect_sync(connection);
    this.#forgetPaths(file);
    instance.closing = (async () => {
      if (instance.abandoned) await freeResults();
      await checkpoint(database, file);
      duckdb.close_sync(database);
      if (this.#instances.get(file) === instance) this.#instances.delete(file);
    })();
    await instance.closing;
  }

  #forgetPaths(file: string): void {
    for (const [path, real] of this.#files) if (real === file) this.#files.delete(path);
  }
}

/** An interrupted result keeps its database open until the object is collected; nothing else frees it. */
async function freeResults(): Promise<void> {
  collectGarbage('major');
  // Finalizers run in the next turn of the event loop.
  await nextTurn();
}

/** Maximum bytes of a write-ahead log that closing a database moves into its file, which holds the thread. */
const SHORT_LOG_BYTES = 4 * 1024;

/** Moves a long write-ahead log into the file, in another thread. Closing retries this after an error. */
async function checkpoint(database: duckdb.Database, file: string): Promise<void> {
  const log = file === MEMORY ? null : await stat(`${file}.wal`).catch(() => null);
  if (log === null || log.size <= SHORT_LOG_BYTES) return;
  const connection = await duckdb.connect(database);
  await duckdb.query(connection, 'CHECKPOINT').catch(() => {});
  duckdb.disconnect_sync(connection);
}

function startInstance(file: string, options: DuckDbOptions): Instance {
  const database = openDatabase(file, options);
  return {
    database,
    seats: [],
    leases: 0,
    abandoned: false,
    seeded: false,
    closing: null,
    gate: null,
    quota: null,
  };
}

async function openSeat(database: duckdb.Database): Promise<Seat> {
  return { connection: await duckdb.connect(database), hasSmallPortions: false };
}

function keepSeat({ seats, seeded }: Instance, seat: Seat): void {
  if (!seeded && seats.length < MAX_SEATS) seats.push(seat);
  else duckdb.disconnect_sync(seat.connection);
}

/** Locks an instance down for the first session that requests it; this then applies to all sessions. */
async function openGate(
  instance: Instance,
  database: duckdb.Database,
  options: DuckDbOptions,
): Promise<Gate | null> {
  const { sandbox } = options;
  if (sandbox !== null) instance.gate ??= lockDown(database, options, sandbox);
  const gate = await instance.gate;
  if (gate !== null) await refreshGate(gate, database);
  if (gate?.hasSeeds) instance.seeded = true;
  return gate;
}

/** The first session with a limit sets it for all sessions. */
function openQuota(
  instance: Instance,
  database: duckdb.Database,
  file: string,
  { sandbox, name }: DuckDbOptions,
): DiskQuota | null {
  if (file === MEMORY || sandbox?.diskLimit === undefined) return instance.quota;
  const { diskLimit, temp } = sandbox;
  instance.quota ??= new DiskQuota(database, file, diskLimit, { name, temp });
  return instance.quota;
}

async function openDatabase(file: string, { config }: DuckDbOptions): Promise<duckdb.Database> {
  if (file === MEMORY) return openFile(file, config);
  await checkFormat(file);
  const access = await findAccess(file);
  if (access === 'write') return openFile(file, config);
  const readOnly = { ...config, access_mode: 'READ_ONLY' };
  return access === 'read' ? openFile(file, readOnly) : openEmpty(file, config, readOnly);
}

/** What a process may do with a database file; null for a missing one that cannot be created. */
async function findAccess(file: string): Promise<'write' | 'read' | null> {
  const may = (name: string, mode: number) =>
    access(name, mode).then(
      () => true,
      () => false,
    );
  const folder = path.dirname(file);
  if ((await may(file, constants.W_OK)) && (await may(folder, constants.W_OK))) return 'write';
  if (await may(file, constants.F_OK)) return 'read';
  const mayCreate = !(await may(folder, constants.F_OK)) || (await may(folder, constants.W_OK));
  return mayCreate ? 'write' : null;
}

/** Opens an empty database instead of a missing one, read-only as its folder. */
async function openEmpty(file: string, config: Settings, readOnly: Settings): Promise<duckdb.Database> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quern-empty-'));
  try {
    const copy = path.join(folder, path.basename(file));
    duckdb.close_sync(await openFile(copy, config));
    return await openFile(copy, readOnly);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Settings = DuckDbOptions['config'];

async function openFile(file: string, config: Settings): Promise<duckdb.Database> {
  const settings = duckdb.create_config();
  for (const [name, value] of Object.entries(config)) {
    try {
      duckdb.set_config(settings, name, value);
    } catch (cause) {
      throw new DatabaseError('unreachable', `The option "${name}" cannot be "${value}".`, undefined, {
        cause,
      });
    }
  }
  return duckdb.open(file, settings);
}

/** The path without links; for a file that does not exist yet, the folder is resolved. */
async function findRealPath(file: string): Promise<string> {
  const absolute = path.resolve(file);
  try {
    return await realpath(absolute);
  } catch {
    const folder = await realpath(path.dirname(absolute)).catch(() => path.dirname(absolute));
    return path.join(folder, path.basename(absolute));
  }
}

/** For a database file of another format, DuckDB would look for an extension; this reports a clear error instead. */
async function checkFormat(file: string): Promise<void> {
  const head = await readHead(file);
  if (head !== null && head.toString('latin1', 8, 12) !== 'DUCK') {
    throw new DatabaseError('unreachable', `The file "${file}" is not a DuckDB database.`);
  }
}

/** The first bytes of a file; null if it cannot be read, which DuckDB then reports. */
async function readHead(file: string): Promise<Buffer | null> {
  try {
    await using handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return null;
  }
}
