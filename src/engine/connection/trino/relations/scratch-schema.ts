import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { SQL_DIALECT } from '../../../text/sql-dialect.ts';
import { DatabaseError } from '../../contract/connection.ts';
import { type Run, readTexts, withoutOffsets } from '../../contract/run-inner.ts';

const PREFIX = 'quern_';
const NAME = /^(quern_([0-9a-f]{10})_([0-9a-z]+)_([0-9a-z]+)_[0-9a-f]{8})_(.+)$/;

/** All names of tables that a process has created for itself, as a pattern of LIKE with the escape `!`. */
const OWNED_NAMES = 'quern!_%';

/** A name that tells who created the table; `purpose` says what it is for. */
interface OwnedName {
  readonly owner: string;
  readonly purpose: string;
}

/** A process among all processes of all machines; null where a process cannot be distinguished from a later one. */
interface ProcessIdentity {
  /** A hash of the boot of a machine and of the space of its process numbers. */
  readonly space: string;
  readonly pid: string;
  /** When the process started: process numbers are used again. */
  readonly start: string;
}

/** A new owner of tables; it tells the process, and differs from all others. */
function createOwner(): string {
  const { space, pid, start } = readOwnIdentity() ?? { space: randomHex(10), pid: '0', start: '0' };
  return `${PREFIX}${space}_${pid}_${start}_${randomHex(8)}`;
}

/** Null for a name that no owner has created. */
function parseOwnedName(name: string): OwnedName | null {
  const [, owner, , , , purpose] = NAME.exec(name) ?? [];
  return owner === undefined || purpose === undefined ? null : { owner, purpose };
}

/**
 * Whether the process of an owner runs, if it is a process that this one can see; null if that is unknown, because it
 * runs on another machine or in another container.
 */
function isProcessAlive(owner: string): boolean | null {
  const identity = readOwnIdentity();
  const [, , space, pid, start] = NAME.exec(`${owner}_x`) ?? [];
  if (identity === null || pid === undefined || space !== identity.space) return null;
  return readStart(String(Number.parseInt(pid, 36))) === start;
}

function readOwnIdentity(): ProcessIdentity | null {
  const start = readStart('self');
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    const numbers = readlinkSync('/proc/self/ns/pid');
    const space = createHash('sha256').update(`${boot}\0${numbers}`).digest('hex').slice(0, 10);
    return start === null ? null : { space, pid: process.pid.toString(36), start };
  } catch {
    return null;
  }
}

/** When a process started, in units that only its machine knows; null if it does not run. */
function readStart(pid: string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The fields after the name of the program, which can contain spaces; the 22nd of all is the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isDead = fields[0] === 'Z' || fields[0] === 'X';
    return isDead ? null : Number(fields[19]).toString(36);
  } catch {
    return null;
  }
}

function randomHex(length: number): string {
  return randomBytes(length / 2).toString('hex');
}

const { quoteName, quoteText } = SQL_DIALECT.trino;

/** Seconds for which a lease protects tables, and milliseconds between two leases. */
const LEASE = 60 * 60;
const RENEWAL = 15 * 60 * 1000;
/** Maximum milliseconds for dropping tables at the end of a session. */
const PATIENCE = 30_000;
const UNTIL = /^until_(\d+)$/;
/** The server's time as text, in seconds since 1970. */
const CLOCK = 'CAST(CAST(to_unixtime(current_timestamp) AS bigint) AS varchar)';
/** The first word in the names of objects that are aside for a moment, while another one takes their name. */
export const ASIDE = 'old';

/** A schema of a catalog. */
export interface SchemaName {
  readonly catalog: string;
  readonly schema: string;
}

/** An object of a session that has ended; `purpose` is its name without the owner. */
export interface LeftObject {
  readonly type: 'TABLE' | 'VIEW';
  readonly name: string;
  readonly purpose: string;
}

/** An object that carries the name of an owner. */
interface OwnedObject extends LeftObject {
  readonly owner: string;
  /** The server's time when the object was listed, in seconds since 1970. */
  readonly now: number;
}

/** Whether the process of an owner runs; where that is unknown, whether one of its leases still counts. */
function isInUse(owner: string, objects: readonly OwnedObject[]): boolean {
  const isLeased = ({ purpose, now }: OwnedObject) => Number(UNTIL.exec(purpose)?.[1] ?? 0) > now;
  return isProcessAlive(owner) ?? objects.some(isLeased);
}

/**
 * Tables of one session in a schema that several processes use. Their names tell the owner. While the owner has tables,
 * a lease protects them: an empty table whose name says until when. A table is dropped by others only if its process
 * has ended on this machine, or, where that is unknown, if all leases of its owner have passed. The server's clock
 * counts for all.
 */
export class ScratchSchema {
  readonly #run: Run;
  readonly #schema: SchemaName;
  readonly #owner = createOwner();
  /** The names of all tables that may exist. */
  readonly #tables = new Set<string>();
  #leases: readonly string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #renewing: Promise<void> = Promise.resolve();

  /** `run` can run a statement while a statement of the session runs. */
  constructor(run: Run, schema: SchemaName) {
    this.#run = withoutOffsets(run);
    this.#schema = schema;
  }

  /** The full name of a table, without its schema. */
  nameOf(purpose: string): string {
    return `${this.#owner}_${purpose}`;
  }

  /** The qualified name of a table, as SQL. */
  print(purpose: string): string {
    return this.#print(this.nameOf(purpose));
  }

  #print(name: string): string {
    const { catalog, schema } = this.#schema;
    return [catalog, schema, name].map(quoteName).join('.');
  }

  /** Protects a table that is about to be created, and first drops what others have left. Rejects with a DatabaseError. */
  hold(purpose: string, signal: AbortSignal): Promise<void> {
    return this.holdName(this.nameOf(purpose), signal);
  }

  /** As `hold`, for a name with the owner. */
  async holdName(name: string, signal: AbortSignal): Promise<void> {
    if (this.#leases.length === 0) {
      await this.#lease(signal);
      this.#timer = setInterval(() => this.#renew(), RENEWAL).unref();
      await this.sweep(signal).catch(ignoreRefusal);
    }
    this.#tables.add(name);
  }

  /** Drops a table if it exists. Rejects with a DatabaseError. */
  drop(purpose: string, signal: AbortSignal): Promise<void> {
    return this.#dropName(this.nameOf(purpose), signal);
  }

  async #dropName(name: string, signal: AbortSignal): Promise<void> {
    await this.#run(`DROP TABLE IF EXISTS ${this.#print(name)}`, signal);
    this.#tables.delete(name);
  }

  /** Drops everything of this session; never rejects. Other sessions drop the rest when the leases have passed. */
  async end(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#renewing;
    const signal = AbortSignal.timeout(PATIENCE);
    try {
      for (const name of [...this.#tables]) await this.#dropName(name, signal);
      await this.#dropLeases(this.#leases, signal);
      this.#leases = [];
    } catch {
      // The server cannot be reached, or is too slow.
    }
  }

  /**
   * Drops the objects of sessions that have ended, and resolves with those that are aside: one can be the only copy, so
   * a publication of the same target decides. Rejects with a DatabaseError if they cannot be listed.
   */
  async sweep(signal: AbortSignal): Promise<readonly LeftObject[]> {
    const objects = (await this.#listOwned(signal)).filter(({ owner }) => owner !== this.#owner);
    const owners = [...Map.groupBy(objects, ({ owner }) => owner)];
    const leftObjects = owners.flatMap(([owner, owned]) => (isInUse(owner, owned) ? [] : owned));
    const isAside = ({ purpose }: LeftObject) => purpose.startsWith(`${ASIDE}_`);
    await this.#dropAll(
      leftObjects.filter((object) => !isAside(object)),
      signal,
    ).catch(ignoreRefusal);
    return leftObjects.filter(isAside);
  }

  async #dropAll(objects: readonly LeftObject[], signal: AbortSignal): Promise<void> {
    for (const { type, name } of objects)
      await this.#run(`DROP ${type} IF EXISTS ${this.#print(name)}`, signal);
  }

  /** The objects of all owners. */
  async #listOwned(signal: AbortSignal): Promise<readonly OwnedObject[]> {
    const { catalog, schema } = this.#schema;
    const rows = await this.#select(
      `SELECT table_name, table_type, ${CLOCK} FROM ${quoteName(catalog)}.information_schema.tables
        WHERE table_schema = ${quoteText(schema)} AND table_name LIKE ${quoteText(OWNED_NAMES)} ESCAPE '!'`,
      signal,
    );
    return rows.flatMap(([name = null, type, now]) => {
      const ownedName = name === null ? null : parseOwnedName(name);
      if (name === null || ownedName === null) return [];
      return { ...ownedName, name, type: type === 'VIEW' ? 'VIEW' : 'TABLE', now: Number(now) };
    });
  }

  /** Creates another lease. The one before stays until the next time, so that a list of tables always has one. */
  async #lease(signal: AbortSignal): Promise<void> {
    const [[now] = []] = await this.#select(`SELECT ${CLOCK}`, signal);
    const name = `until_${Number(now) + LEASE}`;
    await this.#run(`CREATE TABLE ${this.print(name)} (id integer)`, signal);
    const earlierLeases = this.#leases.slice(0, -1);
    this.#leases = [...this.#leases, name];
    await this.#dropLeases(earlierLeases, signal);
    this.#leases = this.#leases.filter((lease) => !earlierLeases.includes(lease));
  }

  #renew(): void {
    // After a failure, the last leases still protect the tables, and the next renewal tries again.
    this.#renewing = this.#lease(AbortSignal.timeout(PATIENCE)).catch(() => {});
  }

  async #dropLeases(leases: readonly string[], signal: AbortSignal): Promise<void> {
    for (const lease of leases) await this.#run(`DROP TABLE IF EXISTS ${this.print(lease)}`, signal);
  }

  async #select(statement: string, signal: AbortSignal) {
    return readTexts(await this.#run(statement, signal));
  }
}

/** The user may not be allowed to list or drop the objects of others, and others may drop them now. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof DatabaseError) || error.code === 'cancelled') throw error;
}
