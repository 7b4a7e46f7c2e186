import { constants } from 'node:buffer';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { CliContext } from './context.ts';
import { explainFileError } from './terminal/output-file.ts';
import { UsageError } from './usage-error.ts';

/** So many bytes fit into a text, whatever they are. */
const MOST_BYTES = constants.MAX_STRING_LENGTH;
/** Read at once, in bytes. */
const PART = 1024 * 1024;

/**
 * The text of a file, or of standard input for `-`. It must be UTF-8; a byte order mark is dropped, unless
 * every byte is to be kept (`exact`).
 */
export async function readText(context: CliContext, name: string, mode?: 'exact'): Promise<string> {
  const bytes = name === '-' ? await readAll(context.stdin, name) : await readBytes(context, name);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: mode === 'exact' }).decode(bytes);
  } catch {
    const at = findBadByte(bytes);
    throw new UsageError(`${sourceName(name)} is not UTF-8 text: byte ${at + 1} is wrong; convert it first`);
  }
}

/** How messages call what `readText` read. */
export function sourceName(name: string): string {
  return name === '-' ? 'standard input' : name;
}

async function readBytes(context: CliContext, name: string): Promise<Buffer> {
  try {
    return await readAll(createReadStream(path.resolve(context.cwd, name), { highWaterMark: PART }), name);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new UsageError(
      `cannot read ${name}: ${missing ? 'there is no such file' : explainFileError(error)}`,
    );
  }
}

/** Throws a UsageError for more than a text can be, as soon as it is known: some files have no end. */
async function readAll(stream: NodeJS.ReadableStream, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    parts.push(Buffer.from(part));
    size += part.length;
    if (size > MOST_BYTES)
      throw new UsageError(`${sourceName(name)} has more than ${MOST_BYTES} bytes: it is no text`);
  }
  return Buffer.concat(parts);
}

/** Offset of the first byte that is not UTF-8: where decoding with replacement first differs. */
function findBadByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at++;
  return at;
}
