import { fsyncSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { explainFileError } from '../../errors/explain-file-error.ts';
import { UsageError } from '../context/errors.ts';

/** A file that appears under its name only when everything has been written. */
export interface OutputFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Renames the file to its final name. */
  keep(): Promise<void>;
  /** Removes the unfinished file; may be called at any time, also after `keep`, and never throws. */
  discard(): void;
}

/**
 * Opens a file for a result. A regular file is written next to its target and renamed, so that a failed run leaves an
 * older file unchanged; a device or a pipe is written directly.
 */
export async function openOutputFile(name: string, cwd: string): Promise<OutputFile> {
  const requested = path.resolve(cwd, name);
  try {
    const existing = await stat(requested).catch(ignoreMissing);
    if (existing?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (existing && !existing.isFile()) return directFile(await open(requested, 'w'), name);
    const target = existing ? await realpath(requested) : requested;
    const partial = `${target}.${process.pid}.partial`;
    const handle = await open(partial, 'w', existing ? 0o600 : 0o666);
    // The new file gets the mode of the older one; some file systems have no modes.
    if (existing) await handle.chmod(existing.mode & 0o777).catch(() => {});
    return asideFile(handle, partial, { name, target });
  } catch (error) {
    throw new UsageError(`cannot write ${name}: ${explainFileError(error)}`);
  }
}

/** Writes text to a file with `openOutputFile`. */
export async function writeTextFile(name: string, cwd: string, text: string): Promise<void> {
  const file = await openOutputFile(name, cwd);
  try {
    await file.write(Buffer.from(text));
    await file.keep();
  } finally {
    file.discard();
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function writeTo(handle: FileHandle, name: string): OutputFile['write'] {
  return async (bytes) => {
    try {
      await handle.writeFile(bytes);
    } catch (error) {
      throw new Error(`cannot write ${name}: ${explainFileError(error)}`, { cause: error });
    }
  };
}

function asideFile(
  handle: FileHandle,
  partial: string,
  { name, target }: { readonly name: string; readonly target: string },
): OutputFile {
  let isOpen = true;
  return {
    write: writeTo(handle, name),
    async keep() {
      fsyncSync(handle.fd);
      isOpen = false;
      await handle.close();
      renameSync(partial, target);
    },
    discard() {
      if (!isOpen) return;
      isOpen = false;
      rmSync(partial, { force: true });
      handle.close().catch(() => {});
    },
  };
}

function directFile(handle: FileHandle, name: string): OutputFile {
  return {
    write: writeTo(handle, name),
    keep: () => handle.close(),
    discard: () => void handle.close().catch(() => {}),
  };
}
