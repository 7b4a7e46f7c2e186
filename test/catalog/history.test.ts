import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inspectCatalog } from '../../src/store/inspect-catalog.ts';
import { close, createWorld, makeAsset, makeFolders, refusalOf, revisionOf, type World } from './world.ts';

const MEGABYTE = 1024 ** 2;
/** A well-formed text of three parts, whose characters lie across their edges. */
const LONG = 'äé{}\u{1f600}'.repeat(MEGABYTE / 4);
const PATH = '@Shared/a';

const put = ({ catalog, owner }: World, content: string, principal = owner) =>
  catalog.updateAsset(principal, PATH, '*', { content }).revision;
const list = ({ history, owner }: World, path = PATH) => history.list(owner, path);
const read = ({ history, owner }: World, revision: number, path = PATH) =>
  history.get(owner, path, revision).data.content!.toString();
const count = ({ database }: World, table: string) =>
  database.statement<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()!.n;

/** An asset with these contents, one after another; returns their revisions. */
function write(world: World, ...contents: readonly [string, ...string[]]): number[] {
  const [first, ...others] = contents;
  makeAsset(world, PATH, first);
  return [revisionOf(world, PATH), ...others.map((content) => put(world, content))];
}

describe('a history', () => {
  it('has each content of an asset: who wrote it, when, how and from where', () => {
    const world = createWorld();
    const { owner, guest } = world;
    write(world, 'one');
    const token = { tokenId: 't', scope: 'all', address: null, requestId: null } as const;
    put(world, 'zwölf', { ...guest, origin: token });
    put(world, 'three', { ...owner, origin: { ...token, tokenId: null, sessionId: 's' } });
    const { updated_at } = world.catalog.get(owner, PATH).body;
    const entries = list(world);
    expect(entries[0]).toEqual({
      revision: revisionOf(world, PATH),
      ordinal: 3,
      is_current: true,
      created_at: updated_at,
      user_id: owner.userId,
      user_name: owner.userName,
      action: 'updated',
      source: 'console',
      restored_from: null,
      bytes: 5,
      sha256: createHash('sha256').update('three').digest('hex'),
      purged_at: null,
      purged_by: null,
    });
    const rows = entries.map(({ ordinal, user_name, action, source, bytes }) => [
      ordinal,
      user_name,
      action,
      source,
      bytes,
    ]);
    expect(rows.slice(1)).toEqual([
      [2, 'guest', 'updated', 'api', 6],
      [1, owner.userName, 'created', 'command-line', 3],
    ]);
    expect(entries.map(({ revision }) => read(world, revision))).toEqual(['three', 'zwölf', 'one']);
    expect(inspectCatalog(world.home).problems).toEqual([]);
  });

  it('has no entry for a change that keeps the content, such as a new name', () => {
    const world = createWorld();
    const { catalog, owner } = world;
    const [first] = write(world, 'one');
    put(world, 'one');
    catalog.updateAsset(owner, PATH, '*', { name: 'b', description: 'x' });
    expect(list(world, '@Shared/b').map(({ revision }) => revision)).toEqual([first]);
    expect(revisionOf(world, '@Shared/b')).toBe(first! + 2);
    expect(read(world, first!, '@Shared/b')).toBe('one');
  });

  it('keeps the parts of a long content, and gives back each text as it was', async () => {
    const world = createWorld();
    const { catalog, owner } = world;
    const revisions = write(world, LONG, 'short', `${LONG}2`, `${LONG}3`, 'end');
    expect(revisions.map((revision) => read(world, revision))).toEqual([
      LONG,
      'short',
      `${LONG}2`,
      `${LONG}3`,
      'end',
    ]);
    expect([count(world, 'catalog_long_contents'), count(world, 'catalog_former_contents')]).toEqual([3, 1]);
    expect(inspectCatalog(world.home).problems).toEqual([]);

    const { served } = catalog;
    for (const content of [LONG, LONG, `${LONG}5`])
      await served.updateAsset(owner, PATH, '*', { content: Buffer.from(content) });
    expect(list(world).map(({ ordinal }) => ordinal)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(count(world, 'catalog_long_contents')).toBe(5);
    catalog.served.removeLeftParts();
    expect(read(world, list(world)[1]!.revision)).toBe(LONG);
    expect(inspectCatalog(world.home).problems).toEqual([]);
  });

  it('keeps as many former contents as the setting says, and drops the oldest first', () => {
    let limit = 2;
    const world = createWorld({ findHistoryLimit: () => limit });
    const revisions = write(world, 'one', 'two', LONG, 'four', 'five');
    expect(list(world).map(({ revision }) => revision)).toEqual(revisions.slice(2).reverse());
    expect(refusalOf(() => read(world, revisions[1]!))).toMatchObject({
      status: 404,
      code: 'revision_not_found',
      detail: `Revision not found: ${revisions[1]}`,
    });
    limit = 0;
    put(world, 'six');
    expect(list(world).map(({ ordinal }) => ordinal)).toEqual([6]);
    expect(count(world, 'catalog_former_contents') + count(world, 'catalog_long_contents')).toBe(0);
    expect(inspectCatalog(world.home).problems).toEqual([]);
  });

  it('keeps at most 64 MB of former contents, and drops the oldest first', () => {
    const world = createWorld();
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
    const [first, ...others] = texts.map((letter) => letter.repeat(15 * MEGABYTE));
    write(world, first!, ...others);
    expect(list(world).map(({ ordinal }) => ordinal)).toEqual([6, 5, 4, 3, 2]);
    put(world, 'x');
    expect(list(world).map(({ ordinal }) => ordinal)).toEqual([7, 6, 5, 4, 3]);
    expect(count(world, 'catalog_content_parts')).toBe(4 * 15);
  });

  it('ends with its asset, also on a server', async () => {
    const world = createWorld({ findBinDays: () => 0 });
    const { catalog, owner } = world;
    for (const { deleteAsset } of [catalog, catalog.served]) {
      const [first] = write(world, LONG, 'two', LONG, 'four', LONG);
      await deleteAsset(owner, PATH, '*');
      for (const table of ['history', 'former_contents', 'long_contents', 'content_parts'])
        expect(count(world, `catalog_${table}`)).toBe(0);
      makeAsset(world, PATH, 'again');
      expect(list(world).map(({ ordinal }) => ordinal)).toEqual([1]);
      expect(refusalOf(() => read(world, first!))).toMatchObject({ status: 404 });
      await deleteAsset(owner, PATH, '*');
    }
  });

  it('is listed in pages, newest first', () => {
    const world = createWorld();
    const { history, owner } = world;
    const [first, second, third] = write(world, 'one', 'two', 'three');
    const page = (range: { limit?: number; before?: number }) =>
      history.list(owner, PATH, range).map(({ revision, is_current }) => [revision, is_current]);
    expect(page({ limit: 2 })).toEqual([
      [third, true],
      [second, false],
    ]);
    expect(page({ limit: 2, before: second! })).toEqual([[first, false]]);
    for (const limit of [0, 1001])
      expect(refusalOf(() => page({ limit }))).toMatchObject({ status: 400, code: 'limit_out_of_range' });
  });

  it('is readable by callers who may view the asset now, and by no others', () => {
    const world = createWorld();
    const { history, guest } = world;
    makeFolders(world, '@Shared/f');
    const [first] = write(world, 'one', 'two');
    expect(history.list(guest, PATH)).toHaveLength(2);
    close(world, PATH, 'VIEW');
    expect(history.get(guest, PATH, first!).data.content!.toString()).toBe('one');
    close(world, '@Shared/f');
    makeAsset(world, '@Shared/f/b');
    const at = revisionOf(world, '@Shared/f/b');
    const notFound = { status: 404, detail: 'Path not found: @Shared/f/b' };
    expect(refusalOf(() => history.list(guest, '@Shared/f/b'))).toMatchObject(notFound);
    expect(refusalOf(() => history.get(guest, '@Shared/f/b', at))).toMatchObject(notFound);
    for (const path of ['@Shared', '@Shared/f', '@Personal'])
      expect(refusalOf(() => list(world, path))).toMatchObject({ status: 422, code: 'path_must_be_asset' });
  });
});

describe('a restore', () => {
  const restore = ({ history, owner }: World, revision: number, ifMatch = '*', principal = owner) =>
    history.restore(principal, PATH, ifMatch, revision);

  it('writes a former text as the next content, with the type of that text', async () => {
    const world = createWorld();
    const { history, audit, owner } = world;
    const [first, second] = write(world, '{{ x }}', 'two');
    const { body, revision } = restore(world, first!, `"${second}"`);
    expect(body).toMatchObject({ path: PATH, type: 'SERVICE_SCRIPT' });
    expect(revision).toBe(second! + 1);
    expect(list(world)[0]).toMatchObject({ action: 'restored', restored_from: first, ordinal: 3, revision });
    expect(world.catalog.get(owner, PATH).body.data.content).toBe('{{ x }}');
    expect(audit.find({}, 1)).toMatchObject([
      { action: 'catalog.restore', actor: owner.userName, object: `${PATH} revision ${first}` },
    ]);

    put(world, LONG);
    put(world, 'end');
    const long = list(world)[1]!.revision;
    await history.served.restore(owner, PATH, '*', long);
    expect(list(world)[0]).toMatchObject({ action: 'restored', restored_from: long });
    expect(world.catalog.get(owner, PATH).body.data.content).toBe(LONG);
    expect(audit.find({ action: 'catalog.restore' }, 9)).toHaveLength(2);
    expect(inspectCatalog(world.home).problems).toEqual([]);
  });

  it('of the current text gives the asset a revision, but its history no entry', () => {
    const world = createWorld();
    const [first] = write(world, 'one');
    expect(restore(world, first!).revision).toBe(first! + 1);
    expect(list(world)).toHaveLength(1);
  });

  it('is refused as an update is, and then changes nothing', async () => {
    let mayChange = true;
    const world = createWorld({ mayChange: () => mayChange });
    const { history, guest, owner } = world;
    const [first, second] = write(world, 'one', 'two');
    const current = { detail: expect.stringContaining(`"${second}"`), status: 412 };
    expect(refusalOf(() => restore(world, first!, '"1"'))).toMatchObject(current);
    expect(refusalOf(() => history.restore(owner, PATH, undefined, first!))).toMatchObject({
      status: 428,
    });
    expect(refusalOf(() => restore(world, 1))).toMatchObject({ status: 404, code: 'revision_not_found' });
    await history.purge(owner, PATH, first!);
    expect(refusalOf(() => restore(world, first!))).toMatchObject({ status: 404, code: 'revision_purged' });
    mayChange = false;
    expect(refusalOf(() => restore(world, second!))).toMatchObject({ status: 404 });
    mayChange = true;
    close(world, PATH, 'VIEW');
    const hidden = { status: 404, detail: `Path not found: ${PATH}` };
    expect(refusalOf(() => restore(world, second!, '*', guest))).toMatchObject(hidden);
    expect(await refusal(history.served.restore(guest, PATH, '*', second!))).toMatchObject(hidden);
    expect([list(world).length, revisionOf(world, PATH)]).toEqual([2, second]);
  });
});

/** How a promise was refused; undefined when it was not. */
function refusal(promise: Promise<unknown>) {
  return promise.then(
    () => undefined,
    (error: unknown) =>
      refusalOf(() => {
        throw error;
      }),
  );
}
