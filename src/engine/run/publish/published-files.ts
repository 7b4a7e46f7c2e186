import { appendFileSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../../invariants/narrow.ts';
import { flagOf } from '../../../settings/setting.ts';
import { SETTINGS } from '../../../settings/table.ts';
import { PublicationError } from '../../script/values/publication.ts';
import { nameUnfinished } from './unfinished-files.ts';

/** How much of the disk the published files of one user may take. */
export interface PublishQuota {
  /** Id of the user. */
  readonly owner: string;
  readonly bytes: number;
  /** The file that says who published which file. */
  readonly ledger: string;
}

/** A file that is being written for somebody. */
interface GrowingFile {
  /** Aborted when the files of its owner come to take too much. */
  readonly signal: AbortSignal;
  /** Notes who publishes it, just before it takes its place. Throws a PublicationError where there is no room for it. */
  record(): void;
  /** Says that there is no room for it. */
  createFull(): PublicationError;
  end(): void;
}

/** What a file takes at least: somebody could publish any number of empty ones. */
const BLOCK_BYTES = 4096;
const WATCH_EVERY_MS = 50;
/** Lines of a ledger that are about files published again, from which on it is written anew. */
const MAX_OLD_LINES = 1_000;

/** Files that are being written now, by where they are written. */
const growing = new Map<string, string>();

/** Watches a file that is written to `aside`, to be published as `file` below `root`. */
export function watchPublished(quota: PublishQuota, root: string, file: string, aside: string): GrowingFile {
  const over = new AbortController();
  const name = path.relative(root, file);
  const { owner, bytes } = quota;
  growing.set(aside, owner);
  const isOver = (kept: number) => kept + readGrowing(owner) > bytes;
  // The file of this name is replaced, whoever it is of.
  const kept = readUse(quota, root, name);
  const timer = setInterval(() => {
    if (isOver(kept)) over.abort();
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
      growing.delete(aside);
    },
  };
}

function createFull(name: string, bytes: number): PublicationError {
  const most = `${Math.floor(bytes / 1024 ** 2)} MB`;
  const advice = `publish less, or ask an administrator to delete files or for a greater \`${flagOf(SETTINGS.execDisk)}\``;
  return new PublicationError(
    `your published files may take ${most}, and \`${name}\` needs more: ${advice}`,
    'path',
  );
}

/** Bytes of the files of a user, but for one that is to be replaced. */
function readUse(quota: PublishQuota, root: string, except: string): number {
  let bytes = 0;
  for (const [name, owner] of readLedger(quota.ledger)) {
    if (owner !== quota.owner || name === except) continue;
    const stat = statSync(path.join(root, name), { throwIfNoEntry: false });
    if (stat !== undefined) bytes += Math.max(stat.size, BLOCK_BYTES);
  }
  return bytes;
}

/** Who published each file last. */
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

function rewrite(file: string, owners: ReadonlyMap<string, string>): void {
  const aside = nameUnfinished(path.dirname(file));
  const lines = [...owners].map((entry) => `${JSON.stringify(entry)}\n`);
  writeFileSync(aside, lines.join(''), { mode: 0o600, flush: true });
  renameSync(aside, file);
}

/** Null for a line that was cut off when its process ended. */
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

/** Bytes of what is being written for a user, with what stands beside it under its name. */
function readGrowing(owner: string): number {
  let bytes = 0;
  for (const [aside, whose] of growing) {
    if (whose !== owner) continue;
    const base = path.basename(aside);
    for (const name of readdirSync(path.dirname(aside))) {
      if (!name.startsWith(base)) continue;
      const size = statSync(path.join(path.dirname(aside), name), { throwIfNoEntry: false })?.size ?? 0;
      bytes += Math.max(size, BLOCK_BYTES);
    }
  }
  return bytes;
}
