import { beforeEach, describe, expect, it } from 'vitest';
import { expectRefusal, type Item, type Kind } from '../../support/http.ts';
import { runQuern, shareServer } from '../../support/server.ts';
import { waitUntil } from '../../support/waiting.ts';
import { covers } from './rows.ts';

const shared = shareServer();
/** A folder with `script`, both new. */
let folder: string;
/** The ETags of both. */
let etags: Readonly<Record<Kind, string>>;
let count = 0;

beforeEach(async () => {
  folder = await shared.admin.make('folders', `@Shared/revisions ${++count}`);
  await shared.admin.make('assets', `${folder}/script`);
  etags = { folders: (await etagOf(folder))!, assets: (await etagOf(`${folder}/script`))! };
});

const KINDS: readonly Kind[] = ['folders', 'assets'];
const pathOf = (kind: Kind) => (kind === 'folders' ? folder : `${folder}/script`);
const numberIn = (etag: string | undefined) => Number(/^"([1-9]\d*)"$/.exec(etag ?? '')?.[1]);
const modified = (etag: string) => `Entity has been modified. Refresh and retry with current ETag: ${etag}`;

async function etagOf(path: string): Promise<string | undefined> {
  return (await shared.admin.read(path)).headers.etag;
}

describe.each(KINDS)('the revision of %s', (kind) => {
  const update = (ifMatch: string | undefined, body: unknown) =>
    shared.admin.update(kind, pathOf(kind), ifMatch, body);

  it(covers('first revision', 'revision rises', 'etag of every answer', 'etag round trip'), async () => {
    expect(numberIn(etags.assets)).toBe(numberIn(etags.folders) + 1);
    for (let round = 1; round <= 12; round++) {
      const answer = await update(await etagOf(pathOf(kind)), { description: `${round}` });
      const etag = `"${numberIn(etags.assets) + round}"`;
      expect(answer).toMatchObject({ status: 200, headers: { etag } });
      expect(await etagOf(pathOf(kind))).toBe(etag);
    }
    if (kind === 'folders') await shared.admin.remove('assets', `${folder}/script`, etags.assets);
    const deleted = await shared.admin.remove(kind, pathOf(kind), await etagOf(pathOf(kind)));
    expect(deleted.status).toBe(204);
  });

  it(covers('updated_at', 'timestamps'), async () => {
    const before = (await shared.admin.read(pathOf(kind))).body as Item;
    expect(before.updated_at).toBe(before.created_at);
    const asked = await waitUntil(() => {
      const now = new Date().toISOString();
      return now > before.updated_at && now;
    });
    const answer = await update(etags[kind], { description: 'x' });
    const updated = answer.body as Item;
    expect(updated.updated_at > before.updated_at).toBe(true);
    expect(updated.created_at).toBe(before.created_at);
    expect(updated.updated_at >= asked).toBe(true);
    expect(updated.updated_at <= new Date().toISOString()).toBe(true);
    await update(etags[kind], { description: 'stale' });
    await update(answer.headers.etag, { name: 'a/b' });
    expect((await shared.admin.read(pathOf(kind))).body).toMatchObject({ updated_at: updated.updated_at });
  });

  it(covers('changed since', 'detail', 'message'), async () => {
    const faster = await update(etags[kind], { description: 'somebody was faster' });
    const late = await update(etags[kind], { description: 'late' });
    expect(late.body).toMatchObject({
      message: modified(faster.headers.etag!),
      detail: modified(faster.headers.etag!),
      code: 'revision_mismatch',
    });
    expectRefusal(late, 412, modified(faster.headers.etag!));
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
    [covers('if-match quoted'), '"N"'],
    [covers('if-match bare'), 'N'],
    [covers('if-match star'), '*'],
    [covers('if-match star'), ' * '],
    [covers('if-match list'), '"0", "N"'],
    [covers('if-match list'), '"N","0"'],
    [covers('if-match list'), '0,N'],
    [covers('if-match list'), 'W/"N", "N"'],
    [covers('if-match list'), ',,"N",'],
  ])('matches: %s: %s', async (_rows, header) => {
    const answer = await update(toHeader(header, kind), { description: 'x' });
    expect(answer.status).toBe(200);
    expect(numberIn(answer.headers.etag)).toBeGreaterThan(numberIn(etags.assets));
  });

  it('matches a list in two headers', async () => {
    const answer = await shared.admin.send('PUT', `/catalog/${kind}/${encodeURI(pathOf(kind))}`, {
      headers: { 'if-match': ['"0"', etags[kind]] },
      body: { description: 'x' },
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    [covers('if-match weak'), 'W/"N"'],
    [covers('if-match weak'), 'w/"N"'],
    [covers('if-match nonsense'), ''],
    [covers('if-match nonsense'), '0N'],
    [covers('if-match nonsense'), '"0N"'],
    [covers('if-match nonsense'), 'N.0'],
    [covers('if-match nonsense'), 'Ne0'],
    [covers('if-match nonsense'), '+N'],
    [covers('if-match nonsense'), '"N'],
    [covers('if-match nonsense'), '""N""'],
    [covers('if-match nonsense'), "'N'"],
    [covers('if-match nonsense'), '"*"'],
    [covers('if-match nonsense'), '"N" "N"'],
    [covers('if-match nonsense'), '0'],
    [covers('if-match nonsense'), '1'],
    [covers('if-match nonsense'), 'x'.repeat(4000)],
  ])('does not match: %s: %j', async (_rows, header) => {
    const sent = toHeader(header, kind);
    expectRefusal(await update(sent, { description: 'x' }), 412, modified(etags[kind]));
    expectRefusal(await shared.admin.remove(kind, pathOf(kind), sent), 412, modified(etags[kind]));
    expect(await etagOf(pathOf(kind))).toBe(etags[kind]);
  });

  it(`${covers('revision is never reused')}: of an item that is deleted and created again`, async () => {
    const path = `${folder}/again`;
    await shared.admin.make(kind, path, { description: 'first' });
    const old = await etagOf(path);
    expect((await shared.admin.remove(kind, path, old)).status).toBe(204);
    await shared.admin.make(kind, path, { description: 'second' });
    const etag = (await etagOf(path))!;
    for (const stale of [old, '"1"']) {
      const late = await shared.admin.update(kind, path, stale, { description: 'lost' });
      expectRefusal(late, 412, modified(etag));
      expectRefusal(await shared.admin.remove(kind, path, stale), 412, modified(etag));
    }
    expect((await shared.admin.read(path)).body).toMatchObject({ description: 'second' });
  });

  it(`${covers('revision is never reused')}: of an item that another one has replaced`, async () => {
    const { admin } = shared;
    for (const name of ['left', 'right']) {
      await admin.make('folders', `${folder}/${name}`);
      await admin.make(kind, `${folder}/${name}/item`, { description: name });
    }
    const old = await etagOf(`${folder}/left/item`);
    for (const [from, name] of [
      ['left', 'other'],
      ['right', 'left'],
      ['other', 'right'],
    ]) {
      expect((await admin.update('folders', `${folder}/${from}`, '*', { name })).status).toBe(200);
    }
    const late = await admin.update(kind, `${folder}/left/item`, old, { description: 'lost' });
    expectRefusal(late, 412, modified((await etagOf(`${folder}/left/item`))!));
    expect(await etagOf(`${folder}/right/item`)).toBe(old);
    expect((await admin.read(`${folder}/left/item`)).body).toMatchObject({ description: 'right' });
  });
});

/** An If-Match in which N is replaced by the revision. */
function toHeader(header: string, kind: Kind): string {
  return header.replaceAll('N', String(numberIn(etags[kind])));
}

describe('nothing else raises a revision', () => {
  it(covers('children raise nothing'), async () => {
    const { admin } = shared;
    const before = (await admin.read(folder)).body;
    await admin.make('folders', `${folder}/inner`);
    await admin.update('assets', `${folder}/script`, '*', { name: 'renamed' });
    await admin.update('assets', `${folder}/renamed`, '*', { parent_path: `${folder}/inner` });
    expect((await admin.remove('assets', `${folder}/inner/renamed`, '*')).status).toBe(204);
    expect((await admin.remove('folders', `${folder}/inner`, '*')).status).toBe(204);
    const { headers, body } = await admin.read(folder);
    expect({ etag: headers.etag, body }).toEqual({ etag: etags.folders, body: before });
  });

  it(covers('ancestors raise nothing'), async () => {
    const { admin } = shared;
    const before = (await admin.read(`${folder}/script`)).body as Item;
    const to = await admin.make('folders', `${folder} target`);
    await admin.update('folders', folder, '*', { name: 'moved', parent_path: to });
    const { headers, body } = await admin.read(`${to}/moved/script`);
    expect({ etag: headers.etag, body }).toEqual({
      etag: etags.assets,
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

  it('reads and refused requests raise nothing', async () => {
    const { admin } = shared;
    const before = await admin.readTree(folder);
    await admin.list(folder);
    await admin.send('HEAD', `/catalog/by-path/${encodeURI(folder)}`);
    await admin.update('folders', folder, '*', { name: '/' });
    await admin.update('assets', `${folder}/script`, '*', {});
    await admin.create('assets', { parent_path: folder, name: 'script', content: '' });
    expect(await admin.readTree(folder)).toEqual(before);
  });
});
