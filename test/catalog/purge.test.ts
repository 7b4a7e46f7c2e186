import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { inspectCatalog } from '../../src/store/inspect-catalog.ts';
import { close, createWorld, makeAsset, refusalOf, revisionOf, type World } from './world.ts';

const MEGABYTE = 1024 ** 2;
const PATH = '@Shared/a';

/** The files of a home that have one of these words. */
function findWords(home: string, words: readonly string[]): string[] {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ parentPath, name }) => {
    const bytes = readFileSync(path.join(parentPath, name));
    return words.filter((word) => bytes.includes(word)).map((word) => `${name}: ${word}`);
  });
}

const put = ({ catalog, owner }: World, content: string, at = PATH) =>
  catalog.updateAsset(owner, at, '*', { content }).revision;

/** How a promise was refused; undefined when it was not. */
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) =>
      refusalOf(() => {
        throw error;
      }),
  );

it('leaves no byte of a former text in the files of the home, and keeps its entry', async () => {
  const world = createWorld();
  const { history, audit, owner, home } = world;
  const texts = ['word-one ', 'word-two '.repeat(2_000), `word-three ${'x'.repeat(2 * MEGABYTE)} word-four`];
  makeAsset(world, PATH, texts[0]!);
  const revisions = [revisionOf(world, PATH), put(world, texts[1]!), put(world, texts[2]!)];
  put(world, 'kept');
  const words = ['word-one', 'word-two', 'word-three', 'word-four'];
  expect(findWords(home, words).length).toBeGreaterThanOrEqual(4);
  for (const revision of revisions) await history.purge(owner, PATH, revision);
  expect(findWords(home, words)).toEqual([]);

  expect(history.list(owner, PATH)[1]).toMatchObject({
    ordinal: 3,
    sha256: null,
    purged_at: expect.stringMatching(/^2026-03-01T/),
    purged_by: owner.userName,
  });
  expect(refusalOf(() => history.get(owner, PATH, revisions[0]!))).toMatchObject({
    status: 404,
    code: 'revision_purged',
    detail: `Revision has been purged: ${revisions[0]}`,
  });
  await history.purge(owner, PATH, revisions[0]!);
  expect(audit.find({ action: 'catalog.purge' }, 9).map(({ object }) => object)).toEqual(
    revisions.toReversed().map((revision) => `${PATH} revision ${revision}`),
  );
  expect(inspectCatalog(home).problems).toEqual([]);
});

it('leaves no byte in a large catalog either, whose unused space is not rewritten', async () => {
  const world = createWorld();
  const { history, owner, home } = world;
  for (let at = 0; at < 6; at += 1) makeAsset(world, `@Shared/filler-${at}`, `${at}`.repeat(MEGABYTE));
  const purged: string[] = [];
  for (let at = 0; at < 60; at += 1) makeAsset(world, `@Shared/s${at}`, `start-${at} `.repeat(at * 7 + 1));
  for (let at = 0; at < 60; at += 1) {
    const name = `@Shared/s${at}`;
    const revision = put(world, `secret-${at}; `.repeat(((at * 37) % 900) + 1), name);
    put(world, `later-${at} `.repeat(((at * 53) % 400) + 1), name);
    if (at % 3 !== 0) continue;
    await history.purge(owner, name, revision);
    purged.push(`secret-${at};`);
  }
  expect(findWords(home, purged)).toEqual([]);
  expect(findWords(home, ['secret-1;'])).not.toEqual([]);
  expect(inspectCatalog(home).problems).toEqual([]);
});

it('needs MANAGE, a revision of the asset, and a later content', async () => {
  const world = createWorld();
  const { history, guest, owner } = world;
  makeAsset(world, PATH, 'one');
  const first = revisionOf(world, PATH);
  const second = put(world, 'two');
  expect(await refusal(history.purge(owner, PATH, second))).toMatchObject({
    status: 422,
    code: 'revision_is_current',
  });
  expect(await refusal(history.purge(owner, PATH, 999))).toMatchObject({
    status: 404,
    code: 'revision_not_found',
  });
  expect(await refusal(history.purge(owner, '@Shared', 1))).toMatchObject({ status: 422 });
  const hidden = { status: 404, detail: `Path not found: ${PATH}` };
  expect(await refusal(history.purge(guest, PATH, first))).toMatchObject(hidden);
  close(world, PATH, 'EDIT');
  expect(await refusal(history.purge(guest, PATH, first))).toMatchObject(hidden);
  expect(history.get(owner, PATH, first).data.content!.toString()).toBe('one');
});

it('waits for another reader of the catalog, and says when that takes too long', async () => {
  const world = createWorld();
  const { history, database, home, owner } = world;
  makeAsset(world, PATH, 'word-one');
  const first = revisionOf(world, PATH);
  put(world, 'two');
  const other = createWorld({ home }).database;
  const begin = (sql: string) => other.statement(sql).run();
  begin('BEGIN');
  other.statement('SELECT count(*) FROM catalog_items').get();
  expect(await refusal(history.purge(owner, PATH, first))).toMatchObject({
    status: 503,
    code: 'purge_incomplete',
  });
  expect(database.statement('SELECT 1 FROM catalog_former_contents').all()).toEqual([]);
  const again = history.purge(owner, PATH, first);
  begin('COMMIT');
  await again;
  expect(findWords(home, ['word-one'])).toEqual([]);
});
