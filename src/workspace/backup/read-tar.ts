import { elementAt } from '../../invariants/must.ts';
import { type ByteReader, createByteReader } from './byte-reader.ts';
import { archiveErrors } from './errors.ts';
import { BLOCK, paddingOf, sumOf, type TarEntry } from './tar-header.ts';

/** An entry of the archive; read `body` before the next entry. */
export interface TarMember extends TarEntry {
  readonly body: AsyncIterable<Buffer>;
}

/** The limit of extension headers, which are kept in memory. */
const MAX_EXTENSION = 1024 ** 2;

/** Values of an extension that override the next header. */
interface Extension {
  path?: string;
  size?: number;
}

/**
 * Reads the files and folders of a tar archive in order, in the formats of POSIX (ustar, pax) and GNU. Throws an
 * ArchiveError for any other entry, and for a damaged or truncated archive. Paths are not changed, except that `./` at
 * the start and `/` at the end are removed.
 */
export async function* readTar(input: AsyncIterable<Buffer>): AsyncGenerator<TarMember> {
  const reader = createByteReader(input);
  let extension: Extension = {};
  for (let isFirst = true; ; isFirst = false) {
    const block = await readBlock(reader, isFirst);
    if (block.every((byte) => byte === 0)) break;
    const header = parseBlock(block, isFirst);
    if (isExtension(header.type)) {
      extension = { ...extension, ...(await readExtension(reader, header)) };
      continue;
    }
    const { size = header.size, path = header.path } = extension;
    extension = {};
    const kind = findKind(header.type, path);
    const rest = kind === 'file' ? size : 0;
    yield { path: clean(path), kind, size: rest, modified: header.modified, body: reader.take(rest) };
    await reader.skip(paddingOf(rest));
  }
  // The rest is padding; a compressed stream is verified at its end.
  await reader.drain();
}

async function readBlock(reader: ByteReader, isFirst: boolean): Promise<Buffer> {
  try {
    return await reader.exactly(BLOCK);
  } catch (error) {
    throw isFirst ? archiveErrors.notTar() : error;
  }
}

interface Header {
  readonly path: string;
  readonly type: string;
  readonly size: number;
  readonly modified: number;
}

function parseBlock(block: Buffer, isFirst: boolean): Header {
  if (parseNumber(block, 148, 8) !== sumOf(block)) {
    throw isFirst ? archiveErrors.notTar() : archiveErrors.damaged('a header has a wrong checksum');
  }
  const name = parseText(block, 0, 100);
  const prefix = block.toString('latin1', 257, 263) === 'ustar\0' ? parseText(block, 345, 155) : '';
  const size = parseNumber(block, 124, 12);
  if (!Number.isSafeInteger(size) || size < 0) throw archiveErrors.damaged('a header has no size');
  const modified = parseNumber(block, 136, 12);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    type: String.fromCharCode(elementAt(block, 156)),
    size,
    modified: Number.isSafeInteger(modified) ? modified : 0,
  };
}

function parseText(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? length : end);
}

/** Octal digits, or with the first bit set a big-endian number; NaN for anything else. */
function parseNumber(block: Buffer, at: number, length: number): number {
  const field = block.subarray(at, at + length);
  if (field[0] === 0x80) return Number(BigInt(`0x${field.toString('hex', 1)}`));
  const text = field.toString('latin1').replace(/^ +|[\0 ]+$/g, '');
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number.NaN;
}

function isExtension(type: string): boolean {
  return ['x', 'g', 'L', 'K'].includes(type);
}

async function readExtension(reader: ByteReader, { type, size }: Header): Promise<Extension> {
  if (size > MAX_EXTENSION) throw archiveErrors.damaged('a header is too long');
  const body = await reader.exactly(size);
  await reader.skip(paddingOf(size));
  if (type === 'L') return { path: body.toString('utf8').replace(/\0+$/, '') };
  return type === 'x' ? parseRecords(body) : {};
}

/** Records such as `18 path=some/file\n`, each with its length in bytes before it. */
function parseRecords(body: Buffer): Extension {
  const extension: Extension = {};
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = Number(body.toString('latin1', at, space));
    const end = at + length;
    if (space === -1 || !(length > space - at) || end > body.length || body[end - 1] !== 0x0a) {
      throw archiveErrors.damaged('a header has an invalid record');
    }
    const [, key, value = ''] = /^([^=]*)=(.*)$/s.exec(body.toString('utf8', space + 1, end - 1)) ?? [];
    if (key === 'path') extension.path = value;
    if (key === 'size') extension.size = parseSize(value);
    at = end;
  }
  return extension;
}

function parseSize(text: string): number {
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw archiveErrors.damaged('a header has no size');
  return size;
}

function findKind(type: string, path: string): 'file' | 'folder' {
  if (type === '5') return 'folder';
  if (type !== '0' && type !== '\0') throw archiveErrors.notAFile(path);
  return path.endsWith('/') ? 'folder' : 'file';
}

function clean(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
}
