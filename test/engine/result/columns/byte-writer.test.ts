import { expect, it } from 'vitest';
import { ByteWriter } from '../../../../src/engine/result/columns/byte-writer.ts';

function createWriter() {
  const blocks: Uint8Array[] = [];
  return { blocks, out: new ByteWriter({ write: (bytes) => void blocks.push(bytes) }) };
}

it('needs little memory for a short text', async () => {
  const { blocks, out } = createWriter();
  out.text('one\n');
  out.text('two\n');
  await out.flush();
  expect(blocks.map((block) => Buffer.from(block).toString())).toEqual(['one\ntwo\n']);
  expect(blocks[0]!.buffer.byteLength).toBeLessThan(8 * 1024);
});

it('writes nothing without text', async () => {
  const { blocks, out } = createWriter();
  await out.flush();
  expect(blocks).toEqual([]);
  expect(out.isFull).toBe(false);
});

it('grows its first block to 64 KB, allocates the others with 256 KB, and keeps their content', async () => {
  const { blocks, out } = createWriter();
  const lines = Array.from({ length: 90_000 }, (_, i) => `line ${i}é\n`);
  for (const line of lines) {
    out.text(line);
    if (out.isFull) await out.flush();
  }
  await out.flush();
  expect(Buffer.concat(blocks).toString()).toBe(lines.join(''));
  const sizes = blocks.map(({ buffer }) => buffer.byteLength / 1024);
  expect(sizes).toEqual([64, ...Array(sizes.length - 1).fill(256)]);
  expect(sizes.length).toBeGreaterThan(3);
});

it('does not grow beyond the size of a block', async () => {
  const { out } = createWriter();
  const sizes: number[] = [];
  while (out.grow()) sizes.push(out.view.byteLength / 1024);
  expect(sizes).toEqual([4, 16, 64]);
  out.text('x');
  await out.flush();
  expect([out.grow(), out.view.byteLength / 1024, out.grow()]).toEqual([true, 256, false]);
});

it('makes room for text that is longer than a block', async () => {
  const { blocks, out } = createWriter();
  out.text('ab');
  out.reserve(1_000_000);
  expect(out.room).toBeGreaterThanOrEqual(1_000_000);
  out.text('c'.repeat(300_000));
  expect(out.grow()).toBe(false);
  await out.flush();
  expect(Buffer.concat(blocks).toString()).toBe(`ab${'c'.repeat(300_000)}`);
});
