import { createReadStream, createWriteStream, linkSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { nameUnfinished, sweepUnfinished } from '../engine/run/unfinished-files.ts';
import { runErrors } from './errors.ts';
import { type Home, removeFolder } from './home.ts';
import type { LoadOutcome } from './workspace-api.ts';

/** Files that a server is to load. */
interface FilesToLend {
  readonly home: Home;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Folders to remove when this process is about to be ended. */
  readonly ownFolders: Set<string>;
  readonly signal: AbortSignal;
}

/**
 * Hands `load` the paths of files as a server may read them: they are in a folder of their own below its folder for files,
 * as links, or as copies where those cannot be, for as long as it takes. What went wrong names the originals. Rejects with
 * a ServiceError 422 for files that cannot be read.
 */
export async function lendFiles(
  { home, files, ownFolders, signal }: FilesToLend,
  load: (lent: readonly string[]) => Promise<LoadOutcome>,
): Promise<LoadOutcome> {
  sweepUnfinished(home.files);
  // The server compares paths without links.
  const folder = nameUnfinished(realpathSync(home.files));
  ownFolders.add(folder);
  try {
    const lent = files.map((file, at) => path.join(folder, String(at), path.basename(file)));
    for (const [at, copy] of lent.entries()) await lendFile(files[at]!, copy, signal);
    const outcome = await load(lent);
    if (outcome.status === 'done') return outcome;
    const message = lent.reduce((text, copy, at) => text.replaceAll(copy, files[at]!), outcome.fault.message);
    return { ...outcome, fault: { ...outcome.fault, message } };
  } finally {
    removeFolder(folder);
    ownFolders.delete(folder);
  }
}

/** Throws a ServiceError 422; a copy that `signal` ends is not whole. */
async function lendFile(file: string, copy: string, signal: AbortSignal): Promise<void> {
  try {
    mkdirSync(path.dirname(copy), { recursive: true, mode: 0o700 });
    const real = realpathSync(file);
    if (statSync(real).isFile() && tryToLink(real, copy)) return;
    await pipeline(createReadStream(real), createWriteStream(copy, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    if (!signal.aborted) throw runErrors.notLendable(file, error as Error);
  }
}

/** It may lie on another disk, or be somebody else's. */
function tryToLink(file: string, copy: string): boolean {
  try {
    linkSync(file, copy);
    return true;
  } catch {
    return false;
  }
}
