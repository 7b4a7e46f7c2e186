import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fits, loadKernels } from '../../../src/engine/result/arrow/kernels.ts';
import { type BytesVector, isValid } from '../../../src/engine/result/columns/column.ts';
import { compileWat } from '../../support/compile-wat.ts';
import { share } from '../../support/rotation.ts';

const folder = path.resolve(import.meta.dirname, '../../../src/engine/result/arrow');

it('the compiled code is that of the text', async () => {
  const text = await compileWat(path.join(folder, 'kernels.wat'));
  await expect(text).toMatchFileSnapshot(path.join(folder, 'kernels-code.ts'));
});

/** Places texts in reverse, so that no value follows the one before. */
function place(texts: readonly (Buffer | null)[]): BytesVector {
  const bytes = Buffer.concat(texts.toReversed().map((text) => text ?? Buffer.alloc(0)));
  const lengths = Int32Array.from(texts, (text) => text?.length ?? 12345);
  const starts = new Int32Array(texts.length);
  let end = bytes.length;
  texts.forEach((text, row) => {
    end -= text?.length ?? 0;
    starts[row] = text === null ? -1 : end;
  });
  const validity = new Uint8Array((texts.length + 7) >> 3);
  texts.forEach((text, row) => {
    if (text !== null) validity[row >> 3]! |= 1 << (row & 7);
  });
  const hasNull = texts.includes(null);
  return { kind: 'bytes', bytes, starts, lengths, validity: hasNull ? validity : null, total: bytes.length };
}

/** The rows as `copyStrings` should append them, one by one. */
function copyPlainly(vector: BytesVector, from: number, to: number, size: number) {
  const parts: Uint8Array[] = [];
  const offsets = [size];
  for (let row = from; row < to; row += 1) {
    const start = vector.starts[row]!;
    const length = isValid(vector.validity, row) ? vector.lengths[row]! : 0;
    if (length > 0) parts.push(vector.bytes.subarray(start, start + length));
    offsets.push(offsets.at(-1)! + length);
  }
  return { values: Buffer.concat(parts), offsets };
}

function copy(vector: BytesVector, from: number, to: number, size: number) {
  const values = Buffer.alloc(size + vector.bytes.length, 0xee);
  const offsets = new Int32Array(to - from + 1);
  const end = loadKernels().copyStrings(vector, from, to, values, size, offsets);
  expect(values.subarray(0, size)).toEqual(Buffer.alloc(size, 0xee));
  expect(offsets.at(-1)).toBe(end);
  return { values: values.subarray(size, end), offsets: [...offsets] };
}

const text = fc.oneof(
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  fc.uint8Array({ minLength: 240, maxLength: 280 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(null),
);

it('copies strings of any length, and none for NULL', () => {
  const texts = fc.array(text, { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.nat(60), fc.nat(60), fc.nat(40), (given, one, other, size) => {
      const vector = place(given);
      const [from, to] = [Math.min(one, other, given.length), Math.min(Math.max(one, other), given.length)];
      expect(fits(vector)).toBe(true);
      expect(copy(vector, from, to, size)).toEqual(copyPlainly(vector, from, to, size));
    }),
    { numRuns: share(300) },
  );
});

it.each([
  ['rows as a chunk can have', Array.from({ length: 2048 }, (_, i) => Buffer.from(`row ${i}`))],
  ['bytes as fit', [Buffer.alloc(512 * 1024 - 5, 'a'), Buffer.from('bcdef')]],
])('copies as many %s', (_, texts) => {
  const vector = place(texts);
  expect(fits(vector)).toBe(true);
  expect(copy(vector, 0, texts.length, 3)).toEqual(copyPlainly(vector, 0, texts.length, 3));
});

it('leaves vectors that are too large, or have an unknown size', () => {
  const vector = place([Buffer.from('a')]);
  const { total: _, ...unknown } = vector;
  expect(fits(unknown)).toBe(false);
  expect(fits({ ...vector, total: 512 * 1024 + 1 })).toBe(false);
  expect(fits({ ...vector, bytes: Buffer.alloc(512 * 1024 + 1) })).toBe(false);
  expect(fits({ ...vector, lengths: new Int32Array(2049) })).toBe(false);
});

it('widens integers, more of them than fit at once', () => {
  const edges = [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n)];
  const values = BigInt64Array.from(
    { length: 5000 },
    (_, i) => edges[i] ?? BigInt(i * 7919) * (-1n) ** BigInt(i),
  );
  const target = new BigInt64Array(values.length * 2 + 4).fill(9n);
  loadKernels().widen(new Uint8Array(values.buffer), new Uint8Array(target.buffer), 16);
  const wide = [...values].flatMap((value) => [value, value < 0n ? -1n : 0n]);
  expect([...target]).toEqual([9n, 9n, ...wide, 9n, 9n]);
});
