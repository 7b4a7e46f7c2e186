import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal, type Item, type Kind } from '../../support/http.ts';
import { runQuern, shareServer } from '../../support/server.ts';
import { covers } from './rows.ts';

const shared = shareServer();
/** A folder of revision 1 with `script`, of revision 1. */
let folder: string;
let count = 0;

beforeEach(async () => {
  folder = await shared.admin.make('folders', `@Shared/revisions ${++count}`);
  await shared.admin.make('assets', `${folder}/script`);
});

const KINDS: readonly Kind[] = ['folders', 'assets'];
const pathOf = (kind: Kind) => (kind === 'folders' ? folder : `${folder}/script`);
const modified = (revision: number) =>
  `Entity has been modified. Refresh and retry with current ETag: "${revision}"`;

async function etagOf(path: string): Promise<string | undefined> {
  return (await shared.admin.read(path)).headers.etag;
}

describe.each(KINDS)('the revision of %s', (kind) => {
  const update = (ifMatch: string | undefined, body: unknown) =>
    shared.admin.update(kind, pathOf(kind), ifMatch, body);

  it(covers('first revision', 'revision rises', 'etag of every answer', 'etag round trip'), async () => {
    expect(await etagOf(pathOf(kind))).toBe('"1"');
    for (let revision = 1; revision <= 12; revision++) {
      const answer = await update(await etagOf(pathOf(kind)), { description: `${revision}` });
      expect(answer).toMatchObject({ status: 200, headers: { etag: `"${revision + 1}"` } });
      expect(await etagOf(pathOf(kind))).toBe(`"${revision + 1}"`);
    }
    if (kind === 'folders') await shared.admin.remove('assets', `${folder}/script`, '"1"');
    const deleted = await shared.admin.remove(kind, pathOf(kind), await etagOf(pathOf(kind)));
    expect(deleted.status).toBe(204);
  });

  it(covers('updated_at', 'timestamps'), async () => {
    const before = (await shared.admin.read(pathOf(kind))).body as Item;
    expect(before.updated_at).toBe(before.created_at);
    await wait(5);
    const updated = (await update('"1"', { description: 'x' })).body as Item;
    expect(updated.updated_at > before.updated_at).toBe(true);
    expect(updated.created_at).toBe(before.created_at);
    expect(Math.abs(Date.parse(updated.updated_at) - Date.now())).toBeLessThan(60_000);
    await update('"1"', { description: 'stale' });
    await update('"2"', { name: 'a/b' });
    expect((await shared.admin.read(pathOf(kind))).body).toMatchObject({ updated_at: updated.updated_at });
  });

  it(covers('changed since', 'detail', 'message'), async () => {
    await update('"1"', { description: 'somebody was faster' });
    const late = await update('"1"', { description: 'late' });
    expect(late.body).toEqual({
      message: 'ETag does not match the current version',
      detail: 'Entity has been modified. Refresh and retry with current ETag: "2"',
    });
    expectRefusal(late, 412, modified(2));
    const [, current] = /current ETag: (.+)$/.exec((late.body as { detail: string }).detail)!;
    expect((await update(current, { description: 'again' })).status).toBe(200);
  });

  it(covers('no if-match'), async () => {
    expectRefusal(await update(undefined, { name: 'x' }), 428, 'If-Match header is required');
    expectRefusal(
      await shared.admin.remove(kind, pathOf(kind), undefined),
      428,
      'If-Match header is required',
    );
  });

  it.each([
    [covers('if-match quoted'), '"1"'],
    [covers('if-match bare'), '1'],
    [covers('if-match star'), '*'],
    [covers('if-match star'), ' * '],
    [covers('if-match list'), '"7", "1"'],
    [covers('if-match list'), '"1","7"'],
    [covers('if-match list'), '7,1'],
    [covers('if-match list'), 'W/"1", "1"'],
    [covers('if-match list'), ',,"1",'],
  ])('matches: %s: %s', async (_rows, header) => {
    expect((await update(header, { description: 'x' })).headers.etag).toBe('"2"');
  });

  it('matches a list in two headers', async () => {
    const answer = await shared.admin.send('PUT', `/catalog/${kind}/${encodeURI(pathOf(kind))}`, {
      headers: { 'if-match': ['"9"', '"1"'] },
      body: { description: 'x' },
    });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"2"' } });
  });

  it.each([
    [covers('if-match weak'), 'W/"1"'],
    [covers('if-match weak'), 'w/"1"'],
    [covers('if-match nonsense'), ''],
    [covers('if-match nonsense'), '01'],
    [covers('if-match nonsense'), '"01"'],
    [covers('if-match nonsense'), '1.0'],
    [covers('if-match nonsense'), '1e0'],
    [covers('if-match nonsense'), '+1'],
    [covers('if-match nonsense'), '"1'],
    [covers('if-match nonsense'), '""1""'],
    [covers('if-match nonsense'), "'1'"],
    [covers('if-match nonsense'), '"*"'],
    [covers('if-match nonsense'), '"1" "1"'],
    [covers('if-match nonsense'), '0'],
    [covers('if-match nonsense'), '2'],
    [covers('if-match nonsense'), 'x'.repeat(4000)],
  ])('does not match: %s: %j', async (_rows, header) => {
    expectRefusal(await update(header, { description: 'x' }), 412, modified(1));
    expectRefusal(await shared.admin.remove(kind, pathOf(kind), header), 412, modified(1));
    expect(await etagOf(pathOf(kind))).toBe('"1"');
  });
});

describe('nothing else raises a revision', () => {
  it(covers('children raise nothing'), async () => {
    const { admin } = shared;
    const before = (await admin.read(folder)).body;
    await admin.make('folders', `${folder}/inner`);
    await admin.update('assets', `${folder}/script`, '"1"', { name: 'renamed' });
    await admin.update('assets', `${folder}/renamed`, '"2"', { parent_path: `${folder}/inner` });
    await admin.remove('assets', `${folder}/inner/renamed`, '"3"');
    await admin.remove('folders', `${folder}/inner`, '"1"');
    const { headers, body } = await admin.read(folder);
    expect({ etag: headers.etag, body }).toEqual({ etag: '"1"', body: before });
  });

  it(covers('ancestors raise nothing'), async () => {
    const { admin } = shared;
    const before = (await admin.read(`${folder}/script`)).body as Item;
    const to = await admin.make('folders', `${folder} target`);
    await admin.update('folders', folder, '"1"', { name: 'moved', parent_path: to });
    const { headers, body } = await admin.read(`${to}/moved/script`);
    expect({ etag: headers.etag, body }).toEqual({
      etag: '"1"',
      body: { ...before, path: `${to}/moved/script` },
    });
  });

  it(covers('grants raise nothing'), async () => {
    const { admin, server } = shared;
    const before = await admin.readTree(folder);
    await runQuern(server.cwd, ['grant', 'add', 'everyone', 'view', folder]);
    await runQuern(server.cwd, ['grant', 'restrict', `${folder}/script`]);
    await runQuern(server.cwd, ['grant', 'restrict', folder]);
    expect(await admin.readTree(folder)).toEqual(before);
  });

  it('reads and refusals raise nothing', async () => {
    const { admin } = shared;
    const before = await admin.readTree(folder);
    await admin.list(folder);
    await admin.send('HEAD', `/catalog/by-path/${encodeURI(folder)}`);
    await admin.update('folders', folder, '"1"', { name: '/' });
    await admin.update('assets', `${folder}/script`, '"1"', {});
    await admin.create('assets', { parent_path: folder, name: 'script', content: '' });
    expect(await admin.readTree(folder)).toEqual(before);
  });
});
