import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createZstdCompress, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openPassage } from '../../../src/server/exec/compression.ts';
import { readFrameLengths } from './zstd-frames.ts';

/** This number of random bytes becomes a frame that exactly fills the buffer of Node's zstd stream. */
const FILLING_BYTES = 16_375;

type Passage = ReturnType<typeof openPassage>['stream'];

/** The output of a stream after some writes; the last ones may still wait at the end. */
async function encode(stream: Passage, writes: readonly Buffer[], { waits = false } = {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const bytes of writes) {
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.write(bytes, () => resolve());
    if (waits) await promise;
  }
  const ended = once(stream, 'end');
  stream.end();
  await ended;
  return Buffer.concat(chunks);
}

/** Writes of every kind: none, empty, incompressible, and many that wait together. */
const CASES: readonly (readonly [string, readonly Buffer[]])[] = [
  ['one write', [Buffer.alloc(70_000, 'abc')]],
  ['writes that wait', Array.from({ length: 20 }, () => randomBytes(50_000))],
  ['a frame that fills the buffer', [randomBytes(FILLING_BYTES)]],
  ['one byte', [Buffer.from('x')]],
  ['an empty write at the end', [Buffer.from('abc'), Buffer.alloc(0)]],
];

describe('a compressed answer', () => {
  it.each(CASES)('is exactly one zstd frame: %s', async (_title, writes) => {
    for (const waits of [false, true]) {
      const body = await encode(openPassage('zstd').stream, writes, { waits });
      expect(readFrameLengths(body)).toEqual([body.length]);
      expect(zstdDecompressSync(body).equals(Buffer.concat(writes))).toBe(true);
    }
  });

  it('is one zstd frame after a flush in the middle', async () => {
    const { stream, flush } = openPassage('zstd');
    const writes = Array.from({ length: 9 }, () => randomBytes(FILLING_BYTES));
    stream.on('data', () => undefined);
    const encoded = encode(stream, writes);
    flush();
    const body = await encoded;
    expect(readFrameLengths(body)).toEqual([body.length]);
    expect(zstdDecompressSync(body).equals(Buffer.concat(writes))).toBe(true);
  });

  it('is empty when nothing was written', async () => {
    expect(await encode(openPassage('zstd').stream, [])).toEqual(Buffer.alloc(0));
    expect(await encode(openPassage('zstd').stream, [Buffer.alloc(0)])).toEqual(Buffer.alloc(0));
  });

  it('arrives as soon as it is flushed', async () => {
    for (const encoding of ['zstd', 'gzip'] as const) {
      const { stream, flush } = openPassage(encoding);
      const arrived = once(stream, 'data');
      stream.write('the first rows');
      flush();
      const [first] = (await arrived) as [Buffer];
      expect(first.length).toBeGreaterThan(0);
      stream.destroy();
    }
  });

  it('is a complete gzip member', async () => {
    const writes = Array.from({ length: 5 }, () => randomBytes(50_000));
    const body = await encode(openPassage('gzip').stream, writes);
    expect(gunzipSync(body).equals(Buffer.concat(writes))).toBe(true);
  });
});

describe('the count of frames', () => {
  it('finds the extra frame of a plain stream of Node', async () => {
    const plain = await encode(createZstdCompress(), [randomBytes(FILLING_BYTES)], { waits: true });
    expect(readFrameLengths(plain)).toEqual([FILLING_BYTES + 9, 9]);
  });

  it('refuses an incomplete frame', async () => {
    const body = await encode(openPassage('zstd').stream, [randomBytes(1_000)]);
    expect(() => readFrameLengths(body.subarray(0, -4))).toThrow();
  });
});
