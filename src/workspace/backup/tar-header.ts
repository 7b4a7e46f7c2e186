import { elementAt } from '../../invariants/must.ts';

/** One file or folder of a tar archive. */
export interface TarEntry {
  /** Slashes between the names; none at either end. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Bytes of the file; 0 of a folder. */
  readonly size: number;
  /** When it was last changed, in whole seconds since 1970. */
  readonly modified: number;
}

/** The block size of tar, in bytes: a header takes one block, and files are padded to full blocks. */
export const BLOCK = 512;

const MAX_NAME_LENGTH = 100;
const MAX_OCTAL = 8 ** 11 - 1;
const MODES = { file: 0o600, folder: 0o700 } as const;

/** The padding that completes the last block of a file, in bytes. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** The header of an entry (POSIX ustar), preceded by a pax header where the path or the size needs it. */
export function printHeader({ path, kind, size, modified }: TarEntry): Buffer {
  const name = kind === 'folder' ? `${path}/` : path;
  const records: string[] = [];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant, all of it
  if (Buffer.byteLength(name) > MAX_NAME_LENGTH || !/^[\x00-\x7f]*$/.test(name)) {
    records.push(printRecord('path', name));
  }
  if (size > MAX_OCTAL) records.push(printRecord('size', String(size)));
  const type = kind === 'folder' ? '5' : '0';
  const plain = printBlock({ name, type, mode: MODES[kind], size: Math.min(size, MAX_OCTAL), modified });
  if (records.length === 0) return plain;
  const body = Buffer.from(records.join(''));
  const extended = printBlock({ name: 'PaxHeader', type: 'x', mode: 0o600, size: body.length, modified });
  return Buffer.concat([extended, body, Buffer.alloc(paddingOf(body.length)), plain]);
}

/** The length of a record includes its own digits. */
function printRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes;
  while (length !== bytes + String(length).length) length = bytes + String(length).length;
  return `${length}${rest}`;
}

interface Block {
  readonly name: string;
  readonly type: string;
  readonly mode: number;
  readonly size: number;
  readonly modified: number;
}

function printBlock({ name, type, mode, size, modified }: Block): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number) => {
    block.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  };
  block.write(name, 0, MAX_NAME_LENGTH, 'utf8');
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(Math.min(Math.max(modified, 0), MAX_OCTAL), 136, 11);
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  octal(sumOf(block), 148, 6);
  block[155] = 0x20;
  return block;
}

/** The checksum of a header: the sum of its bytes, with spaces in the checksum field. */
export function sumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += elementAt(block, i);
  return sum;
}
