/** The magic number at the start of a zstd frame (RFC 8878, 3.1.1). */
const MAGIC = 0xfd2fb528;
/** Bytes of a frame's content size, by the two highest bits of its descriptor. */
const SIZE_BYTES = [0, 2, 4, 8];
const DICTIONARY_BYTES = [0, 1, 2, 4];
/** The type of a block that repeats one byte. */
const RUN = 1;

/** The lengths of the zstd frames in a body; throws if the body contains anything else. */
export function readFrameLengths(body: Buffer): number[] {
  const lengths: number[] = [];
  for (let at = 0; at < body.length; ) {
    const end = skipFrame(body, at);
    lengths.push(end - at);
    at = end;
  }
  return lengths;
}

function skipFrame(body: Buffer, start: number): number {
  if (body.readUInt32LE(start) !== MAGIC) throw new Error(`no zstd frame at byte ${start}`);
  const descriptor = body.readUInt8(start + 4);
  const isSingle = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const sizeBytes = descriptor >> 6 === 0 && isSingle ? 1 : (SIZE_BYTES[descriptor >> 6] ?? 0);
  let at = start + 5 + (isSingle ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + sizeBytes;
  for (let isLast = false; !isLast; ) {
    const header = body.readUIntLE(at, 3);
    isLast = (header & 1) === 1;
    at += 3 + (((header >> 1) & 3) === RUN ? 1 : header >> 3);
  }
  const end = at + (hasChecksum ? 4 : 0);
  if (end > body.length) throw new Error(`the zstd frame at byte ${start} breaks off`);
  return end;
}
