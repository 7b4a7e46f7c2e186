import { appendFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkArchive } from '../../../src/workspace/backup/check-archive.ts';
import { isKnownPath } from '../../../src/workspace/backup/contents.ts';
import { backUp } from './backing-up.ts';
import { bless, editManifest, makeBackup, tamper } from './tampering.ts';

const { signal } = new AbortController();

const CHANGES: readonly (readonly [name: string, change: (out: string) => void, message: string])[] = [
  ['a changed file', (out) => appendFileSync(path.join(out, 'published.jsonl'), '\n'), 'published.jsonl'],
  ['a missing file', (out) => rmSync(path.join(out, 'config.toml')), 'config.toml'],
  [
    'a file without a line in the manifest',
    (out) => writeFileSync(path.join(out, 'files', 'x'), ''),
    'files/x',
  ],
  [
    'a file that no home has',
    (out) => {
      writeFileSync(path.join(out, 'notes.txt'), '');
      bless(out, 'notes.txt');
    },
    'a file whose path is not allowed: "notes.txt"',
  ],
  [
    'a database with another name',
    (out) => {
      renameSync(path.join(out, 'db', 'main.duckdb'), path.join(out, 'db', 'main.db'));
      editManifest(out, ({ files }) => {
        for (const file of files) file.path = file.path.replace('main.duckdb', 'main.db');
      });
    },
    'a file whose path is not allowed: "db/main.db"',
  ],
  ['no manifest', (out) => rmSync(path.join(out, 'manifest.json')), 'its end is missing'],
];

it('accepts a backup, compressed or not', async () => {
  const { folder, home, archive } = await makeBackup({ withKey: true });
  await expect(checkArchive(archive, signal)).resolves.toBeUndefined();
  const compressed = path.join(folder, 'b.tgz');
  await backUp(home, compressed);
  await expect(checkArchive(compressed, signal)).resolves.toBeUndefined();
});

it('refuses what cannot be restored', async () => {
  const world = await makeBackup();
  for (const [name, change, message] of CHANGES) {
    await expect(checkArchive(tamper(world, change), signal), name).rejects.toThrow(message);
  }
  const { length } = readFileSync(world.archive);
  truncateSync(world.archive, length / 2);
  await expect(checkArchive(world.archive, signal)).rejects.toThrow('its end is missing');
});

it.each([
  ['catalog.db', true],
  ['secret.key', true],
  ['config.toml', true],
  ['published.jsonl', true],
  ['db/a b.duckdb', true],
  ['files/a/b', true],
  ['publish/a\nb', true],
  ['files', false],
  ['files/', false],
  ['db/.duckdb', false],
  ['db/a/b.duckdb', false],
  ['db/a.duckdb.wal', false],
  ['catalog.db/x', false],
  ['queries.db', false],
  ['providers.db', false],
  ['', false],
])('a backup may contain %j: %s', (name, isKnown) => {
  expect(isKnownPath(name)).toBe(isKnown);
});
