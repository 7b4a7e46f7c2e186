import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../../invariants/narrow.ts';
import { flagOf } from '../../../settings/setting.ts';
import { SETTINGS } from '../../../settings/table.ts';
import { PublicationError } from '../../script/values/publication.ts';

/** The disk quota for the published files of one user. */
export interface PublishQuota {
  /** Id of the user. */
  readonly owner: string;
  readonly bytes: number;
  /** The file that records who published which file. */
  readonly ledger: string;
}

/** A file that is being written for a user. */
interface GrowingFile {
  /** Aborted when the files of its owner exceed the quota. */
  readonly signal: AbortSignal;
  /**
   * Records who publishes it, just before it gets its final path. Throws a PublicationError if the quota is exceeded.
   */
  record(): void;
  /** Creates the error for an exceeded quota. */
  createFull(): PublicationError;
  end(): void;
}

/** The minimum size that is charged for a file, so that the number of empty files is limited, too. */
const BLOCK_BYTES = 4096;
const WATCH_EVERY_MS = 50;
/** Outdated lines of a ledger after which it is rewritten. */
const MAX_OLD_LINES = 1_000;

/** The owners of the files that are being written, by temporary path. */
const growing = new Map<string, string>();

/** Watches the size of a file that is written to `unfinished` and will be published as `file` below `root`. */
export function watchPublished(
  quota: PublishQuota,
  root: string,
  file: string,
  unfinished: string,
): GrowingFile {
  const over = new AbortController();
  const name = path.relative(root, file);
  const { owner, bytes } = quota;
  growing.set(unfinished, owner);
  const isOver = (usedBytes: number) => usedBytes + readGrowing(owner) > bytes;
  // The existing file of this name does not count: it will be replaced.
  const usedBytes = readUse(quota, root, name);
  const timer = setInterval(() => {
    if (isOver(usedBytes)) over.abort();
  }, WATCH_EVERY_MS);
  return {
    signal: over.signal,
    record() {
      if (isOver(readUse(quota, root, name))) throw createFull(name, bytes);
      appendFileSync(quota.ledger, `${JSON.stringify([name, owner])}\n`, { mode: 0o600, flush: true });
    },
    createFull: () => createFull(name, bytes),
    end() {
      clearInterval(timer);
      growing.delete(unfinished);
    },
  };
}

function createFull(name: string, bytes: number): PublicationError {
  const max = `${Math.floor(bytes / 1024 ** 2)} MB`;
  const advice = `publish less, or ask an administrator to delete files or to raise \`${flagOf(SETTINGS.execDisk)}\``;
  return new PublicationError(
    `your published files are limited to ${max}, and \`${name}\` needs more: ${advice}`,
    'path',
  );
}

/** Bytes of the files of a user, except the file that will be replaced. */
function readUse(quota: PublishQuota, root: string, except: string): number {
  let bytes = 0;
  for (const [name, owner] of readLedger(quota.ledger)) {
    if (owner !== quota.owner || name === except) continue;
    const stat = statSync(path.join(root, name), { throwIfNoEntry: false });
    if (stat !== undefined) bytes += Math.max(stat.size, BLOCK_BYTES);
  }
  return bytes;
}

/** The user who last published each file. */
function readLedger(file: string): ReadonlyMap<string, string> {
  const lines = readIfThere(file)
    .split('\n')
    .filter((line) => line !== '');
  const owners = new Map<string, string>();
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry !== null) owners.set(...entry);
  }
  if (lines.length > 2 * owners.size + MAX_OLD_LINES) rewrite(file, owners);
  return owners;
}

/** In place, because the process may not create files in the folder of the ledger. */
function rewrite(file: string, owners: ReadonlyMap<string, string>): void {
  const lines = [...owners].map((entry) => `${JSON.stringify(entry)}\n`);
  writeFileSync(file, lines.join(''), { mode: 0o600, flush: true });
}

/** Null for an incomplete line, fileOwner process ended while it was written. */
function parseEntry(line: string): [string, string] | null {
  try {
    const [name, owner] = JSON.parse(line);
    return [String(name), String(owner)];
  } catch {
    return null;
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Bytes of the files that are being written for a user, including auxiliary files with the same prefix. */
function readGrowing(owner: string): number {
  let bytes = 0;
  for (const [unfinished, fileOwner] of growing) {
    if (fileOwner !== owner) continue;
    const base = path.basename(unfinished);
    for (const name of readdirSync(path.dirname(unfinished))) {
      if (!name.startsWith(base)) continue;
      const size = statSync(path.join(path.dirname(unfinished), name), { throwIfNoEntry: false })?.size ?? 0;
      bytes += Math.max(size, BLOCK_BYTES);
    }
  }
  return bytes;
}
