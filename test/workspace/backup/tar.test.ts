import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTar } from '../../../src/workspace/backup/read-tar.ts';
import { paddingOf, printHeader, type TarEntry } from '../../../src/workspace/backup/tar-header.ts';
import { makeFolder } from '../../support/quern.ts';
import { share } from '../../support/rotation.ts';
import { AWKWARD_NAMES } from './home-with-everything.ts';

const END = Buffer.alloc(1024);

function printEntry(entry: Omit<TarEntry, 'size'>, body: string): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    printHeader({ ...entry, size: bytes.length }),
    bytes,
    Buffer.alloc(paddingOf(bytes.length)),
  ]);
}

async function* inPortions(bytes: Buffer, size = 700): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, portion?: number) {
  const found: (TarEntry & { text: string })[] = [];
  for await (const { body, ...entry } of readTar(inPortions(bytes, portion))) {
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part);
    found.push({ ...entry, text: Buffer.concat(parts).toString('utf8') });
  }
  return found;
}

const path300 = `${'ä'.repeat(100)}/${'b'.repeat(99)}`;

describe('tar archives', () => {
  it('are read as they were written, with any names and chunk sizes', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
      .filter((text) => !/^[./]|[/\0]/.test(text));
    const entry = fc.record({
      path: fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/')),
      modified: fc.integer({ min: 0, max: 8 ** 11 - 1 }),
      text: fc.string({ unit: 'grapheme', maxLength: 600 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 5 }),
        fc.integer({ min: 1, max: 2000 }),
        async (all, portion) => {
          const bytes = all.map(({ text, ...rest }) => printEntry({ ...rest, kind: 'file' }, text));
          const found = await read(Buffer.concat([...bytes, END]), portion);
          expect(found).toEqual(
            all.map((each) => ({ ...each, kind: 'file', size: Buffer.byteLength(each.text) })),
          );
        },
      ),
    );
  });

  it.each([8 ** 11 - 1, 8 ** 11, 2 ** 40])('can have files of %d bytes', async (size) => {
    const header = printHeader({ path: 'big', kind: 'file', size, modified: 7 });
    const first = await readTar(inPortions(header)).next();
    expect(first.value).toMatchObject({ path: 'big', size, modified: 7 });
  });

  it('can be read by tar', () => {
    const folder = makeFolder();
    const names = [...AWKWARD_NAMES, path300];
    const files = names.map((name) => printEntry({ path: name, kind: 'file', modified: 1e9 }, `of ${name}`));
    const empty = printHeader({ path: 'empty', kind: 'folder', size: 0, modified: 1e9 });
    writeFileSync(path.join(folder, 'a.tar'), Buffer.concat([empty, ...files, END]));
    const target = path.join(folder, 'out');
    mkdirSync(target);
    execFileSync('tar', ['xf', '../a.tar'], { cwd: target });
    for (const name of names) expect(readFileSync(path.join(target, name), 'utf8')).toBe(`of ${name}`);
    expect(readdirSync(path.join(target, 'empty'))).toEqual([]);
    const big = Buffer.concat([printHeader({ path: 'big', kind: 'file', size: 2 ** 34, modified: 0 })]);
    writeFileSync(path.join(folder, 'big.tar'), big);
    const listed = execFileSync('sh', ['-c', 'tar tvf big.tar 2>/dev/null || true'], { cwd: folder });
    expect(listed.toString()).toContain(String(2 ** 34));
  });

  it.each(['gnu', 'posix', 'ustar', 'v7'])('that tar has written can be read (%s)', async (format) => {
    const folder = makeFolder();
    const names =
      format === 'gnu' || format === 'posix' ? [...AWKWARD_NAMES, path300] : ['with space', 'b/c'];
    for (const name of names) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), `of ${name}`);
    }
    const bytes = execFileSync('tar', ['cf', '-', `--format=${format}`, '.'], { cwd: folder });
    const found = (await read(bytes)).filter(({ kind }) => kind === 'file');
    expect(new Map(found.map((entry) => [entry.path, entry.text]))).toEqual(
      new Map(names.map((name) => [name, `of ${name}`])),
    );
  });

  it('have sizes over 8 GB in the format of tar', async () => {
    const folder = makeFolder();
    writeFileSync(path.join(folder, 'sparse'), '');
    truncateSync(path.join(folder, 'sparse'), 9 * 1024 ** 3);
    for (const format of ['gnu', 'posix']) {
      const command = `tar cf - --format=${format} sparse 2>/dev/null | head -c 4096`;
      const start = execFileSync('sh', ['-c', command], { cwd: folder });
      const first = await readTar(inPortions(start)).next();
      expect(first.value).toMatchObject({ path: 'sparse', size: 9 * 1024 ** 3 });
    }
  });

  it('cannot have links', async () => {
    const folder = makeFolder();
    symlinkSync('/etc/passwd', path.join(folder, 'link'));
    const bytes = execFileSync('tar', ['cf', '-', 'link'], { cwd: folder });
    await expect(read(bytes)).rejects.toThrow('it has an entry that is neither a file nor a folder: "link"');
  });

  it('are refused when they end early, at any position', async () => {
    const whole = Buffer.concat([
      printEntry({ path: 'a', kind: 'file', modified: 1 }, 'x'.repeat(600)),
      printEntry({ path: path300, kind: 'file', modified: 1 }, 'y'),
      END,
    ]);
    expect(await read(whole)).toHaveLength(2);
    for (let length = 512; length < whole.length - 1024; length += 97) {
      await expect(read(whole.subarray(0, length))).rejects.toThrow('its end is missing');
    }
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'it is not a tar file'],
    ['a text', Buffer.from('hello '.repeat(500)), 'it is not a tar file'],
  ])('are refused as %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message);
  });

  it('with damaged headers are always refused with an archive error', async () => {
    const whole = Buffer.concat([
      printEntry({ path: path300, kind: 'file', modified: 1 }, 'x'.repeat(600)),
      printEntry({ path: 'b', kind: 'file', modified: 1 }, 'y'),
      END,
    ]);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= change;
        const fault = await read(bytes).then(
          () => null,
          (error: Error) => error.constructor.name,
        );
        expect([null, 'ArchiveError']).toContain(fault);
      }),
      { numRuns: share(500) },
    );
  });
});
