import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { flagOf } from '../../../settings/setting.ts';
import { SETTINGS } from '../../../settings/table.ts';
import { PublicationError } from '../../script/values/publication.ts';

/** The disk quota for the published files of one user. */
export interface PublishQuota {
  /** Id of the user. */
  readonly owner: string;
  readonly bytes: number;
}

/** A file that is being written for a user. */
interface GrowingFile {
  /** Aborted when the files of its owner exceed the quota. */
  readonly signal: AbortSignal;
  /** Throws a PublicationError if the quota is exceeded; `usedBytes` is the current size of the user's other files. */
  check(usedBytes: number): void;
  /** Creates the error for an exceeded quota. */
  createFull(): PublicationError;
  end(): void;
}

/** The minimum size that is charged for a file, so that the number of empty files is limited, too. */
export const BLOCK_BYTES = 4096;
const WATCH_EVERY_MS = 50;

/** The owners of the files that are being written, by temporary path. */
const growing = new Map<string, string>();

/**
 * Watches the size of a file that is written to `unfinished` and will be published with a name; `usedBytes` is the size
 * of the user's other files.
 */
export function watchPublished(
  { owner, bytes }: PublishQuota,
  name: string,
  usedBytes: number,
  unfinished: string,
): GrowingFile {
  const over = new AbortController();
  growing.set(unfinished, owner);
  const isOver = (others: number) => others + readGrowing(owner) > bytes;
  const timer = setInterval(() => {
    if (isOver(usedBytes)) over.abort();
  }, WATCH_EVERY_MS);
  return {
    signal: over.signal,
    check(others) {
      if (isOver(others)) throw createFull(name, bytes);
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
