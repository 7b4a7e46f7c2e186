import { createReadStream, fstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { explainFileError } from '../../errors/explain-file-error.ts';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { EXIT } from '../context/exit-codes.ts';
import { adviseSimilarFile } from './similar-file.ts';

/** The size of a read, in bytes. */
const PART = 1024 * 1024;
/** Paths of standard input; those of sockets cannot be opened. */
const STDIN_PATHS = ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];
/** Devices with a finite number of bytes. */
const FINITE_DEVICE = /^\/dev\/(?:tty\w*|pts\/\d+|console|null)$/;

/** Whether this name means standard input. */
function isStandardInput(name: string): boolean {
  return name === '-' || STDIN_PATHS.includes(name);
}

/** Whether a name is that of an open file, as from `<(…)` of a shell: it says nothing about the content. */
export function isDescriptor(name: string): boolean {
  return isStandardInput(name) || /^(?:\/dev\/fd|\/proc\/self\/fd)\/\d+$/.test(name);
}

/** The name of an input in messages. */
export function sourceName(name: string): string {
  return isStandardInput(name) ? 'standard input' : name;
}

/** Opens a file, a pipe or standard input. Throws a UsageError for a missing file, a folder, or an endless device. */
export function openInput(context: CliContext, name: string): NodeJS.ReadableStream {
  checkInput(context, name);
  if (isStandardInput(name)) return openStdin(context);
  return createReadStream(path.resolve(context.cwd, name), { highWaterMark: PART });
}

function openStdin({ stdin }: CliContext): NodeJS.ReadableStream {
  if (!stdin.readableDidRead) return stdin;
  throw new UsageError('standard input can be read only once: use a file for the other input');
}

/** Returns the status of an input; throws the errors of `openInput`. */
export function checkInput(context: CliContext, name: string): Stats {
  const stats = statInput(context, name);
  if (stats.isDirectory())
    throw new UsageError(`cannot read ${sourceName(name)}: it is a folder`, EXIT.failed);
  const isDevice = stats.isBlockDevice() || (stats.isCharacterDevice() && !hasEnd(context, name));
  if (isDevice) throw new UsageError(`cannot read ${sourceName(name)}: it is a device, and may have no end`);
  return stats;
}

/** Returns the status of an input. Throws a UsageError for a missing one. */
function statInput(context: CliContext, name: string): Stats {
  try {
    return isStandardInput(name) ? fstatSync(context.stdin.fd) : statSync(path.resolve(context.cwd, name));
  } catch (error) {
    throw cannotRead(name, error, isMissing(error) ? adviseSimilarFile(context, name) : undefined);
  }
}

/** The error for an input that cannot be read, with advice if there is any. */
export function cannotRead(name: string, error: unknown, advice?: string): UsageError {
  const reason = isMissing(error) ? 'there is no such file' : explainFileError(error);
  return new UsageError(`cannot read ${sourceName(name)}: ${reason}`, EXIT.failed, advice);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function hasEnd({ cwd, stdin }: CliContext, name: string): boolean {
  try {
    return FINITE_DEVICE.test(
      realpathSync(isStandardInput(name) ? `/dev/fd/${stdin.fd}` : path.resolve(cwd, name)),
    );
  } catch {
    // If the system does not know, for example for a terminal of another container.
    return isStandardInput(name) && stdin.isTTY;
  }
}
