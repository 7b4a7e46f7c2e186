import { createReadStream, fstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { explainFileError } from '../terminal/output-file.ts';

/** Read at once, in bytes. */
const PART = 1024 * 1024;
/** Paths of standard input; those of sockets cannot be opened. */
const STDIN_PATHS = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];
/** Devices whose bytes have an end. */
const FINITE_DEVICE = /^\/dev\/(?:tty\w*|pts\/\d+|console|null)$/;

/** Whether a command reads standard input when it is given this name. */
function isStandardInput(name: string): boolean {
  return name === '-' || STDIN_PATHS.includes(name);
}

/** Whether a name is that of an open file, as `<(…)` of a shell gives it: it says nothing about what is inside. */
export function isDescriptor(name: string): boolean {
  return isStandardInput(name) || /^(?:\/dev\/fd|\/proc\/self\/fd)\/\d+$/.test(name);
}

/** How messages call what is read under this name. */
export function sourceName(name: string): string {
  return isStandardInput(name) ? 'standard input' : name;
}

/**
 * Opens a file, a pipe or standard input. Throws a UsageError for what is not there, a folder, or a device whose bytes
 * have no end.
 */
export function openInput(context: CliContext, name: string): NodeJS.ReadableStream {
  checkInput(context, name);
  if (isStandardInput(name)) return openStdin(context);
  return createReadStream(path.resolve(context.cwd, name), { highWaterMark: PART });
}

function openStdin({ stdin }: CliContext): NodeJS.ReadableStream {
  if (!stdin.readableDidRead) return stdin;
  throw new UsageError('standard input can be read once: give what else is needed as a file');
}

/** What stands behind a name; throws as `openInput` does. */
export function checkInput(context: CliContext, name: string): Stats {
  const stats = statInput(context, name);
  if (stats.isDirectory())
    throw new UsageError(`cannot read ${sourceName(name)}: it is a folder`, EXIT.failed);
  const isDevice = stats.isBlockDevice() || (stats.isCharacterDevice() && !hasEnd(context, name));
  if (isDevice) throw new UsageError(`cannot read ${sourceName(name)}: it is a device, and may have no end`);
  return stats;
}

/** What stands behind a name. Throws a UsageError when nothing does. */
function statInput({ cwd }: CliContext, name: string): Stats {
  try {
    return isStandardInput(name) ? fstatSync(0) : statSync(path.resolve(cwd, name));
  } catch (error) {
    throw cannotRead(name, error);
  }
}

/** Why a name could not be read. */
export function cannotRead(name: string, error: unknown): UsageError {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const reason = isMissing ? 'there is no such file' : explainFileError(error);
  return new UsageError(`cannot read ${sourceName(name)}: ${reason}`, EXIT.failed);
}

function hasEnd({ cwd }: CliContext, name: string): boolean {
  try {
    return FINITE_DEVICE.test(realpathSync(isStandardInput(name) ? '/dev/fd/0' : path.resolve(cwd, name)));
  } catch {
    // Where the system does not tell, as for a terminal of another container.
    return isStandardInput(name) && process.stdin.isTTY;
  }
}
