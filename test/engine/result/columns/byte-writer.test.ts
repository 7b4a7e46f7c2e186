import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ByteWriter } from '../../../../src/engine/result/columns/byte-writer.ts';

/** A writer whose blocks are copied late: a test notices memory that is used again before the sink is done with it. */
function createWriter() {
  const blocks: Buffer[] = [];
  const memories: ArrayBufferLike[] = [];
  const write = async (bytes: Uint8Array) => {
    await setImmediate();
    blocks.push(Buffer.from(bytes));
    memories.push(bytes.buffer);
  };
  return { blocks, memories, out: new ByteWriter({ write }) };
}

it('needs little memory for a short text', async () => {
  const { blocks, memories, out } = createWriter();
  out.text('one\n');
  out.text('two\n');
  await out.flush();
  expect(blocks.map(String)).toEqual(['one\ntwo\n']);
  expect(memories[0]!.byteLength).toBeLessThan(8 * 1024);
});

it('writes nothing without text', async () => {
  const { blocks, out } = createWriter();
  await out.flush();
  expect(blocks).toEqual([]);
  expect(out.isFull).toBe(false);
});

it('grows its first block to 64 KB, and uses one of 256 KB for all others', async () => {
  const { blocks, memories, out } = createWriter();
  const lines = Array.from({ length: 90_000 }, (_, i) => `line ${i}é\n`);
  for (const line of lines) {
    out.text(line);
    if (out.isFull) await out.flush();
  }
  await out.flush();
  expect(Buffer.concat(blocks).toString()).toBe(lines.join(''));
  const sizes = memories.map(({ byteLength }) => byteLength / 1024);
  expect(sizes).toEqual([64, ...Array(sizes.length - 1).fill(256)]);
  expect(sizes.length).toBeGreaterThan(3);
  expect(new Set(memories).size).toBe(2);
});

it('does not use a block again whose write has failed', async () => {
  const taken: Uint8Array[] = [];
  const out = new ByteWriter({
    write: async (bytes) => {
      taken.push(bytes);
      if (taken.length > 1) throw new Error('closed');
    },
  });
  const fill = (text: string) => {
    while (!out.isFull) out.text(text);
  };
  fill('first ');
  await out.flush();
  fill('second ');
  await expect(out.flush()).rejects.toThrow('closed');
  fill('third ');
  expect(Buffer.from(taken[1]!).toString()).toMatch(/^(?:second )+$/);
});

it('does not keep a block that is longer than the others', async () => {
  const { memories, out } = createWriter();
  for (const length of [1, 3_000_000, 1]) {
    out.text('x'.repeat(length));
    await out.flush();
  }
  expect(memories[1]!.byteLength).toBeGreaterThan(3_000_000);
  expect(memories[2]!.byteLength).toBe(256 * 1024);
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
