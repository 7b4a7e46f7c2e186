import { createTarDecoder, type TarHeader } from 'modern-tar';
import { codeOf } from '../../invariants/narrow.ts';
import { ArchiveError, archiveErrors } from './errors.ts';

/** A file or folder of a tar archive; read `body` before the next one. */
export interface TarMember {
  /** Slashes between the names; none at either end. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** When it was last changed, in seconds since 1970. */
  readonly modified: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Reads the files and folders of a tar archive in order, in the formats of POSIX (ustar, pax) and GNU. Throws an
 * ArchiveError for any other entry, and for a damaged or truncated archive. Paths are not changed, except that `./` at
 * the start and `/` at the end are removed.
 */
export async function* readTar(input: AsyncIterable<Uint8Array>): AsyncGenerator<TarMember> {
  let isFirst = true;
  const { readable, writable } = createTarDecoder({ strict: true });
  const writer = writable.getWriter();
  // The entries fail with the same error.
  feed(writer, input).catch((error: unknown) => writer.abort(error).catch(() => {}));
  const convert = (error: unknown) => toArchiveError(error, isFirst);
  for await (const { header, body } of withErrors(readable, convert)) {
    isFirst = false;
    const modified = Math.floor((header.mtime?.getTime() ?? 0) / 1000) || 0;
    yield { path: clean(header.name), kind: findKind(header), modified, body: withErrors(body, convert) };
  }
}

async function feed(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  input: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const chunk of input) await writer.write(chunk);
  await writer.close();
}

async function* withErrors<T>(
  stream: ReadableStream<T>,
  convert: (error: unknown) => unknown,
): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    throw convert(error);
  }
}

/** The decoder throws plain errors, unlike the file system and decompression. */
function toArchiveError(error: unknown, isFirst: boolean): unknown {
  if (!(error instanceof Error) || error instanceof ArchiveError || codeOf(error) !== undefined) return error;
  if (isFirst) return archiveErrors.notTar();
  return /truncated/i.test(error.message) ? archiveErrors.truncated() : archiveErrors.damaged(error.message);
}

function findKind({ type, name }: TarHeader): 'file' | 'folder' {
  if (type === 'directory') return 'folder';
  if (type !== 'file') throw archiveErrors.notAFile(name);
  return 'file';
}

function clean(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
}
