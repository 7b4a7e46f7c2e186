import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { packTar } from 'modern-tar';
import { describe, expect, it } from 'vitest';
import { readTar } from '../../../src/workspace/backup/read-tar.ts';
import { makeFolder } from '../../support/quern.ts';
import { share } from '../../support/rotation.ts';
import { AWKWARD_NAMES } from './home-with-everything.ts';

interface File {
  readonly path: string;
  readonly text: string;
  readonly modified: number;
}

async function pack(files: readonly File[]): Promise<Buffer> {
  const entries = files.map(({ path: name, text, modified }) => {
    const size = Buffer.byteLength(text);
    return { header: { name, size, type: 'file', mtime: new Date(modified * 1000) }, body: text } as const;
  });
  return Buffer.from(await packTar(entries));
}

async function* inPortions(bytes: Buffer, size = 700): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, portion?: number) {
  const found: (File & { kind: string })[] = [];
  for await (const { body, ...entry } of readTar(inPortions(bytes, portion))) {
    const parts: Uint8Array[] = [];
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
        async (files, portion) => {
          const found = await read(await pack(files), portion);
          expect(found).toEqual(files.map((file) => ({ ...file, kind: 'file' })));
        },
      ),
    );
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
      let size = 0;
      const read = async () => {
        for await (const { path: name, body } of readTar(inPortions(start))) {
          expect(name).toBe('sparse');
          for await (const part of body) size += part.length;
        }
      };
      await expect(read()).rejects.toThrow('its end is missing');
      expect(size).toBe(4096 - (format === 'gnu' ? 512 : 1536));
    }
  });

  it('cannot have links', async () => {
    const folder = makeFolder();
    symlinkSync('/etc/passwd', path.join(folder, 'link'));
    const bytes = execFileSync('tar', ['cf', '-', 'link'], { cwd: folder });
    await expect(read(bytes)).rejects.toThrow('it has an entry that is neither a file nor a folder: "link"');
  });

  it('are refused when they end early, at any position', async () => {
    const whole = await pack([
      { path: 'a', text: 'x'.repeat(600), modified: 1 },
      { path: path300, text: 'y', modified: 1 },
    ]);
    expect(await read(whole)).toHaveLength(2);
    for (let length = 512; length < whole.length; length += 97) {
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
    const whole = await pack([
      { path: path300, text: 'x'.repeat(600), modified: 1 },
      { path: 'b', text: 'y', modified: 1 },
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
