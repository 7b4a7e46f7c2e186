import { open } from 'node:fs/promises';

const [SECTOR_SHIFT, FIRST_DIRECTORY] = [30, 48];
const HEADER_SIZE = 512;
const MAX_SECTOR_SHIFT = 12;
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Whether a compound file, the format of `.xls`, has an encrypted `.xlsx`. */
export async function hasEncryptedWorkbook(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(HEADER_SIZE);
    await file.read(header, 0, HEADER_SIZE, 0);
    const size = 1 << Math.min(header.readUInt16LE(SECTOR_SHIFT), MAX_SECTOR_SHIFT);
    const { buffer } = await file.read(
      Buffer.alloc(size),
      0,
      size,
      (header.readUInt32LE(FIRST_DIRECTORY) + 1) * size,
    );
    return buffer.includes(ENCRYPTED);
  } finally {
    await file.close();
  }
}
