import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ResultLimitError } from '../../../src/execution/contract/errors.ts';
import { createResultFiles } from '../../../src/execution/results/result-files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const some = (length: number) => Buffer.alloc(length, 'x');

it('contains the written bytes in order, and creates no file without bytes', async () => {
  const files = createResultFiles(folder, { result: 100, perOwner: 100, total: 100 });
  const [one, none] = [files.create('one', 'ada'), files.create('none', 'ada')];
  for (const part of ['a', 'b', 'c']) await one.write(Buffer.from(part));
  expect(readdirSync(folder)).toEqual(['one']);
  await Promise.all([one.end(), none.end()]);
  expect(await text(await one.read())).toBe('abc');
  expect(await text(await none.read())).toBe('');
});

it('accepts bytes up to the limit and not one more', async () => {
  const files = createResultFiles(folder, { result: 10, perOwner: 15, total: 20 });
  const one = files.create('one', 'ada');
  await one.write(some(10));
  await expect(one.write(some(1))).rejects.toThrow('a stored result can have at most 10 bytes');
  expect(one.failure).toBeInstanceOf(ResultLimitError);
  const two = files.create('two', 'ada');
  await expect(two.write(some(6))).rejects.toThrow('can have at most 15 bytes in total');
  await two.write(some(5));
  const three = files.create('three', 'eve');
  await expect(three.write(some(6))).rejects.toThrow('can have at most 20 bytes in total');
  await three.write(some(5));
  one.remove();
  one.remove();
  const four = files.create('four', 'ada');
  await four.write(some(10));
  await expect(files.create('five', 'eve').write(some(1))).rejects.toThrow('in total');
  for (const file of [one, two, three, four]) await file.end();
});

it('leaves no file when it is removed during a write', async () => {
  const files = createResultFiles(folder, { result: 1e9, perOwner: 1e9, total: 1e9 });
  const one = files.create('one', 'ada');
  const writing = one.write(some(1_000_000));
  one.remove();
  await writing;
  await expect(one.write(some(1))).rejects.toThrow('removed');
  await expect(one.read()).rejects.toThrow('removed');
  await one.end();
  expect(readdirSync(folder)).toEqual([]);
});

it('can be read to the end when it is removed meanwhile', async () => {
  const files = createResultFiles(folder, { result: 1e9, perOwner: 1e9, total: 1e9 });
  const one = files.create('one', 'ada');
  await one.write(some(3_000_000));
  await one.end();
  const content = await one.read();
  one.remove();
  expect(await text(content)).toHaveLength(3_000_000);
  expect(readdirSync(folder)).toEqual([]);
});

it('reports errors of the file system', async () => {
  const files = createResultFiles(path.join(folder, 'missing'), { result: 1, perOwner: 1, total: 1 });
  const one = files.create('one', 'ada');
  await expect(one.write(some(1))).rejects.toThrow('ENOENT');
  expect(one.failure).not.toBeInstanceOf(ResultLimitError);
});
