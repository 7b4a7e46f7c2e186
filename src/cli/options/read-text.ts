import { constants } from 'node:buffer';
import type { CliContext } from '../context/context.ts';
import { UsageError } from '../context/errors.ts';
import { cannotRead, openInput, sourceName } from './open-input.ts';

/** The maximum size of a text input, in bytes. */
const MAX_BYTES = constants.MAX_STRING_LENGTH;

/**
 * Reads the text of a file or a pipe, or of standard input for `-`. It must be UTF-8; a byte order mark is removed,
 * except in the mode `exact`.
 */
export async function readText(context: CliContext, name: string, mode?: 'exact'): Promise<string> {
  const bytes = await readBytes(context, name);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: mode === 'exact' }).decode(bytes);
  } catch {
    const at = findBadByte(bytes);
    throw new UsageError(`${sourceName(name)} is not UTF-8 text: byte ${at + 1} is wrong; convert it first`);
  }
}

async function readBytes(context: CliContext, name: string): Promise<Buffer> {
  try {
    return await readAll(openInput(context, name), name);
  } catch (error) {
    throw error instanceof UsageError ? error : cannotRead(name, error);
  }
}

/** Throws a UsageError as soon as the input is larger than the limit: some files are endless. */
async function readAll(stream: NodeJS.ReadableStream, name: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    parts.push(Buffer.from(part));
    size += part.length;
    if (size > MAX_BYTES)
      throw new UsageError(`${sourceName(name)} has more than ${MAX_BYTES} bytes, the limit of text`);
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
