import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { SETTINGS } from '../../settings/table.ts';
import { syncFolder } from '../../store/files/backup.ts';
import { keyErrors } from './errors.ts';

/** The source of a home's master key (docs/reference/secrets.md#the-master-key). */
export interface MasterKeySource {
  /** The home's folder, which contains the key file. */
  readonly folder: string;
  /** The value of the setting; undefined if it is not set, so that the key file counts. */
  readonly variable: string | undefined;
}

/** The key that encrypts secrets, derived from the master key. */
export interface MasterKey {
  /** Distinguishes keys and reveals nothing else about them. */
  readonly id: string;
  readonly encryption: Buffer;
  /** The variable or the file, for messages. */
  readonly source: string;
}

const KEY_BYTES = 32;

/** The key file of a home. */
export function keyFile(folder: string): string {
  return path.join(folder, 'secret.key');
}

/**
 * The master key; null when the setting is missing and the home has no key file. Throws a HomeError `key` for a
 * malformed key, and for a file that other users can read.
 */
export function findMasterKey({ folder, variable }: MasterKeySource): MasterKey | null {
  if (variable !== undefined) return toMasterKey(variable, SETTINGS.masterKey.variable ?? '');
  const file = keyFile(folder);
  const text = readKeyFile(file);
  return text === null ? null : toMasterKey(text.trim(), file);
}

/**
 * Creates the key file of a home (mode 0600) with a new key, in one atomic step; an existing file stays. Throws a
 * HomeError `unwritable`.
 */
export function createKeyFile(folder: string): void {
  const file = keyFile(folder);
  const draft = `${file}.${randomUUID()}.new`;
  try {
    const handle = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(handle, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    linkSync(draft, file);
    syncFolder(folder);
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (cause.code !== 'EEXIST') throw keyErrors.unwritable(file, cause);
  } finally {
    rmSync(draft, { force: true });
  }
}

function readKeyFile(file: string): string | null {
  try {
    const handle = openSync(file, 'r');
    try {
      const isPrivate = process.platform === 'win32' || (fstatSync(handle).mode & 0o077) === 0;
      if (!isPrivate) throw keyErrors.readableByOthers(file);
      return readFileSync(handle, 'latin1');
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return null;
    throw keyErrors.unreadable(file, error);
  }
}

function toMasterKey(text: string, source: string): MasterKey {
  const bytes = decode(text);
  if (bytes === null) throw keyErrors.malformed(source);
  return {
    id: createHmac('sha256', bytes).update('quern master key id').digest('hex').slice(0, 16),
    encryption: Buffer.from(hkdfSync('sha256', bytes, '', 'quern secrets, aes-256-gcm', KEY_BYTES)),
    source,
  };
}

function decode(text: string): Buffer | null {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z\d+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : null;
}
