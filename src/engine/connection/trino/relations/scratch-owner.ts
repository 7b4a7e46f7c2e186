import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

const PREFIX = 'quern_';
const NAME = /^(quern_([0-9a-f]{10})_([0-9a-z]+)_([0-9a-z]+)_[0-9a-f]{8})_(.+)$/;

/** All names of tables that a process has created for itself, as a pattern of LIKE with the escape `!`. */
export const OWNED_NAMES = 'quern!_%';

/** A name that tells who created the table; `rest` says what it is for. */
export interface OwnedName {
  readonly owner: string;
  readonly rest: string;
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
export function createOwner(): string {
  const { space, pid, start } = readOwnIdentity() ?? { space: randomHex(10), pid: '0', start: '0' };
  return `${PREFIX}${space}_${pid}_${start}_${randomHex(8)}`;
}

/** Null for a name that no owner has created. */
export function parseOwnedName(name: string): OwnedName | null {
  const [, owner, , , , rest] = NAME.exec(name) ?? [];
  return owner === undefined || rest === undefined ? null : { owner, rest };
}

/**
 * Whether the process of an owner runs, if it is a process that this one can see; null if that is unknown, because it
 * runs on another machine or in another container.
 */
export function isProcessAlive(owner: string): boolean | null {
  const own = readOwnIdentity();
  const [, , space, pid, start] = NAME.exec(`${owner}_x`) ?? [];
  if (own === null || pid === undefined || space !== own.space) return null;
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
