import { createReadStream, createWriteStream, linkSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { nameUnfinished, sweepUnfinished } from '../../engine/run/publish/unfinished-files.ts';
import { elementAt } from '../../invariants/must.ts';
import { toError } from '../../invariants/narrow.ts';
import type { DataFile } from '../api/data-input.ts';
import type { LoadOutcome } from '../api/workspace-api.ts';
import { type Home, removeFolder } from '../home/home.ts';
import { loadErrors } from './errors.ts';
import type { PreparedFile } from './prepare-inputs.ts';

/** Files for a server to load. */
interface FilesToStage {
  readonly home: Home;
  readonly files: readonly PreparedFile[];
  /** Folders to remove when this process is about to end. */
  readonly ownFolders: Set<string>;
  readonly signal: AbortSignal;
}

/**
 * Calls `load` with paths that a server may read: links to the files, or copies where links are not possible, in a
 * temporary folder below the server's folder for files. Rejects with a ServiceError 422 for files that cannot be read.
 */
export async function stageFiles(
  { home, files, ownFolders, signal }: FilesToStage,
  load: (staged: readonly PreparedFile[]) => Promise<LoadOutcome>,
): Promise<LoadOutcome> {
  sweepUnfinished(home.files);
  // The server compares resolved paths.
  const folder = nameUnfinished(realpathSync(home.files));
  ownFolders.add(folder);
  try {
    const staged = files.map((file, at) => ({
      ...file,
      path: path.join(folder, String(at), path.basename(file.path)),
    }));
    for (const [at, copy] of staged.entries()) await stageFile(elementAt(files, at), copy.path, signal);
    return await load(staged);
  } finally {
    removeFolder(folder);
    ownFolders.delete(folder);
  }
}

/** Throws a ServiceError 422. */
async function stageFile({ path: file, name }: DataFile, copy: string, signal: AbortSignal): Promise<void> {
  try {
    mkdirSync(path.dirname(copy), { recursive: true, mode: 0o700 });
    const real = realpathSync(file);
    if (tryToLink(real, copy)) return;
    await pipeline(createReadStream(real), createWriteStream(copy, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw loadErrors.notStageable(name, toError(error));
  }
}

/** Returns false for a file on another disk or of another owner. */
function tryToLink(file: string, copy: string): boolean {
  try {
    linkSync(file, copy);
    return true;
  } catch {
    return false;
  }
}
