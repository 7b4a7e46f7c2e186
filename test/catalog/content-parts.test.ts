import { once } from 'node:events';
import { expect, it } from 'vitest';
import type { Content } from '../../src/catalog/contents/content-store.ts';
import { inspectCatalog } from '../../src/store/inspect-catalog.ts';
import { readPackage } from '../engine/project/read-package.ts';
import { startChild } from '../store/processes.ts';
import { createWorld, idOf, makeAsset, refusalOf, type World } from './world.ts';

const PART = 1024 ** 2;
/** A well-formed text of three parts, with characters across the boundaries. */
const LONG = 'äé{}\u{1f600}'.repeat(PART / 4);
const PATH = '@Shared/a';

const count = ({ database }: World, table: string) =>
  database.statement<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()!.n;
/** Short contents, long ones and their parts, without those of histories. */
const countAll = (world: World) =>
  [
    'catalog_contents',
    'catalog_long_contents WHERE history_id IS NULL',
    'catalog_content_parts JOIN catalog_long_contents ON id = content_id WHERE history_id IS NULL',
  ].map((rows) => count(world, rows));
const read = ({ catalog, owner }: World, path = PATH) => catalog.get(owner, path).body.data.content;
const bodyOf = (content: Content) => ({ parentPath: '@Shared', name: 'a', content });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) =>
      refusalOf(() => {
        throw error;
      }),
  );

it('stores a long content as several rows, and returns the same text', () => {
  const world = createWorld();
  makeAsset(world, PATH, LONG);
  expect(countAll(world)).toEqual([0, 1, 3]);
  expect(read(world)).toBe(LONG);
  expect(
    world.catalog.withScripts(world.owner, (loader) => {
      const { id } = loader.findPackage('@Shared')!;
      return readPackage(loader, id)!.files[0]!.text;
    }),
  ).toBe(LONG);
});

it('stores one content for each item, short or long', () => {
  const world = createWorld();
  const { catalog, owner } = world;
  makeAsset(world, PATH, 'short');
  for (const content of [LONG, 'short', LONG, `${LONG}2`, 'short']) {
    const { body } = catalog.updateAsset(owner, PATH, '*', { content });
    expect(body.data.content).toBe(content);
    expect(read(world)).toBe(content);
    expect(countAll(world)).toEqual(content === 'short' ? [1, 0, 0] : [0, 1, 3]);
    expect(inspectCatalog(world.home).problems).toEqual([]);
  }
});

it('deletes the parts with their item, and with a deleted home', () => {
  const world = createWorld({ findBinDays: () => 0 });
  const { catalog, owner, guest } = world;
  makeAsset(world, PATH, LONG);
  catalog.createAsset(guest, { ...bodyOf(LONG), parentPath: '@Personal' });
  catalog.deleteAsset(owner, PATH, '*');
  expect(countAll(world)).toEqual([0, 1, 3]);
  world.database.write(() => catalog.deleteHome(guest.userId));
  expect(countAll(world)).toEqual([0, 0, 0]);
});

it('reads a long content of an earlier version, and stores the next one as several rows', () => {
  const world = createWorld();
  makeAsset(world, PATH, 'x');
  world.database.statement('UPDATE catalog_contents SET content = ?').run(LONG);
  expect(read(world)).toBe(LONG);
  expect(inspectCatalog(world.home).problems).toEqual([]);
  world.catalog.updateAsset(world.owner, PATH, '*', { content: `${LONG}2` });
  expect(read(world)).toBe(`${LONG}2`);
  expect(countAll(world)).toEqual([0, 1, 3]);
});

it('reports an item with a missing part or two contents', () => {
  const world = createWorld();
  makeAsset(world, PATH, LONG);
  const id = idOf(world, PATH);
  world.database.statement('INSERT INTO catalog_contents VALUES (?, ?)').run(id, 'x');
  expect(inspectCatalog(world.home).problems).toEqual([`an item has two contents: ${id}`]);
  world.database.statement('DELETE FROM catalog_contents').run();
  for (const part of [2, 1, 0]) {
    world.database.statement('DELETE FROM catalog_content_parts WHERE part = ?').run(part);
    expect(inspectCatalog(world.home).problems).toEqual([`the content of an item lacks a part: ${id}`]);
  }
  world.database.statement('DELETE FROM catalog_long_contents').run();
  expect(inspectCatalog(world.home).problems).toEqual([`an item has no content: ${id}`]);
});

it('hides a long content from others until the server has written all of it', async () => {
  const world = createWorld();
  const { catalog, owner } = world;
  const other = createWorld({ home: world.home });
  let done = false;
  const made = catalog.served.createAsset(owner, bodyOf(Buffer.from(LONG))).finally(() => {
    done = true;
  });
  const seen = new Set<number>();
  while (!done) {
    seen.add(count(other, 'catalog_content_parts'));
    expect(catalog.list(owner, '@Shared').data).toEqual([]);
    expect(inspectCatalog(world.home).problems).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(seen.size).toBeGreaterThan(2);
  const { body, revision } = await made;
  expect(body.data.content!.toString()).toBe(LONG);
  expect(catalog.get(owner, PATH)).toMatchObject({ revision, body: { data: { content: LONG } } });

  const changed = catalog.served.updateAsset(owner, PATH, `"${revision}"`, { content: `${LONG}2` });
  expect(read(other)).toBe(LONG);
  expect((await changed).revision).toBe(revision + 1);
  expect(read(other)).toBe(`${LONG}2`);
  expect(countAll(world)).toEqual([0, 1, 3]);
});

it('stores nothing of a refused content, before or after its parts are written', async () => {
  const world = createWorld();
  const { catalog, owner, guest } = world;
  makeAsset(world, PATH, 'short');
  const at = catalog.get(owner, PATH).revision;
  const { served } = catalog;
  const other = createWorld({ home: world.home });
  const writes = () => other.database.readChangeMark();
  const before = writes();
  expect(await refusal(served.createAsset(owner, bodyOf(LONG)))).toMatchObject({ status: 400 });
  expect(
    await refusal(served.createAsset(guest, { ...bodyOf(LONG), parentPath: '@Shared/no' })),
  ).toMatchObject({
    status: 404,
  });
  expect(await refusal(served.updateAsset(owner, PATH, '"999"', { content: LONG }))).toMatchObject({
    status: 412,
  });
  const large = Buffer.alloc(15 * PART + 1, 'x');
  expect(await refusal(served.updateAsset(owner, PATH, '*', { content: large }))).toMatchObject({
    status: 400,
  });
  expect(writes()).toBe(before);

  const late = refusal(served.updateAsset(owner, PATH, `"${at}"`, { content: LONG }));
  catalog.updateAsset(owner, PATH, '*', { content: 'first' });
  expect(await late).toMatchObject({ status: 412 });
  const taken = refusal(served.createAsset(owner, { ...bodyOf(LONG), name: 'b' }));
  makeAsset(world, '@Shared/b', 'first, too');
  expect(await taken).toMatchObject({ status: 400 });
  expect([read(world), read(world, '@Shared/b'), countAll(world)]).toEqual([
    'first',
    'first, too',
    [2, 0, 0],
  ]);
});

it('keeps the previous content when a server is killed while it writes the next, and removes its parts', async () => {
  const world = createWorld();
  const { catalog, database, home } = world;
  makeAsset(world, PATH, LONG);
  for (const parts of [4, 7, 12]) {
    const script = new URL('parts-writer.ts', import.meta.url);
    const child = await startChild(script, home, PATH, String(15 * PART), String(parts));
    const ended = once(child.process, 'exit');
    expect(await child.go()).toBeUndefined();
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(count(world, 'catalog_content_parts')).toBeGreaterThanOrEqual(parts);
    expect(read(world)).toBe(LONG);
    expect(inspectCatalog(home).problems).toEqual([]);
    catalog.served.removeLeftParts();
    expect(countAll(world)).toEqual([0, 1, 3]);
    expect(read(world)).toBe(LONG);
  }
  expect(database.statement('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
});
