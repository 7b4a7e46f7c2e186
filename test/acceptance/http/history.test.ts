import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient, encodePath, expectRefusal } from '../../support/http.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';

const shared = shareServer();
const LONG = 'x'.repeat(2 * 1024 ** 2);
/** Creates scripts in `@Shared` and does not manage it. */
let ada: Client;
let script: string;
/** The revisions of its three contents, oldest first. */
let revisions: readonly [number, number, number];
let count = 0;

beforeAll(async () => {
  const { cwd, url } = shared.server;
  await runQuern(cwd, 'user create ada');
  ada = createClient(url, await createToken(cwd, 'ada'));
});

beforeEach(async () => {
  script = await shared.admin.make('assets', `@Shared/script ${++count}`, { content: 'SELECT 1' });
  const first = await revisionOf(script);
  await ada.update('assets', script, '*', { content: LONG });
  const second = await revisionOf(script);
  await shared.admin.update('assets', script, '*', { content: '{{ three }}' });
  revisions = [first, second, await revisionOf(script)];
});

async function revisionOf(at: string): Promise<number> {
  return Number((await shared.admin.read(at)).headers.etag!.replaceAll('"', ''));
}

const target = (query = '', at = script) => `/manage/revisions/${encodePath(at)}${query}`;
const restore = (client: Client, revision: unknown, ifMatch?: string) =>
  client.send('POST', target(), {
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    body: { revision },
  });

describe('GET /manage/revisions', () => {
  it('lists the contents of a script with their users, newest first, and in pages', async () => {
    const { admin } = shared;
    const { body } = await ada.send('GET', target());
    const [first, second, third] = revisions;
    expect(body).toMatchObject({
      data: [
        {
          revision: third,
          ordinal: 3,
          is_current: true,
          user_name: 'admin',
          action: 'updated',
          source: 'api',
        },
        { revision: second, ordinal: 2, is_current: false, user_name: 'ada', bytes: LONG.length },
        { revision: first, ordinal: 1, action: 'created', restored_from: null, purged_at: null },
      ],
    });
    const page = await admin.send('GET', target(`?limit=1&before=${second}`));
    expect(page.body).toMatchObject({ data: [{ revision: first }] });
    const { body: renamed } = await admin.update('assets', script, '*', { name: `renamed ${count}` });
    script = (renamed as { path: string }).path;
    expect((await admin.send('GET', target())).body).toEqual(body);
  });

  it('returns one revision with its content, long or short', async () => {
    for (const [index, content] of ['SELECT 1', LONG, '{{ three }}'].entries()) {
      const answer = await ada.send('GET', target(`?revision=${revisions[index]}`));
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ ordinal: index + 1, data: { content } });
    }
  });

  it('is refused for a hidden path, a folder, an unknown revision and a wrong query', async () => {
    const { admin } = shared;
    await runQuern(shared.server.cwd, ['grant', 'restrict', script]);
    expectRefusal(await ada.send('GET', target()), 404, `Path not found: ${script}`);
    expectRefusal(await ada.send('GET', target('?revision=1')), 404, `Path not found: ${script}`);
    expectRefusal(await admin.send('GET', target('', '@Shared')), 422, 'Path must be an asset');
    expectRefusal(await admin.send('GET', target('?revision=1')), 404, 'Revision not found: 1');
    expectRefusal(await admin.send('GET', target('?revision=x')), 400, 'Revision must be a whole number');
    expectRefusal(await admin.send('GET', target('?before=-1')), 400, 'Before must be a whole number');
    expectRefusal(await admin.send('GET', target('?limit=0')), 400, 'Limit must be between 1 and 1000');
  });
});

describe('POST /manage/revisions', () => {
  it('stores a former content as the next one, with the type of that content', async () => {
    const [first, second, third] = revisions;
    const short = await restore(ada, first, `"${third}"`);
    expect(short).toMatchObject({
      status: 200,
      headers: { etag: `"${third + 1}"` },
      body: { path: script, type: 'SQL_SCRIPT', data: { content: 'SELECT 1' } },
    });
    const long = await restore(ada, second, '*');
    expect(long).toMatchObject({ status: 200, body: { data: { content: LONG } } });
    expect((await ada.send('GET', target('?limit=2'))).body).toMatchObject({
      data: [
        { action: 'restored', restored_from: second, user_name: 'ada', ordinal: 5 },
        { action: 'restored', restored_from: first, user_name: 'ada', ordinal: 4 },
      ],
    });
    const audit = await shared.admin.send('GET', '/manage/audit?action=catalog.restore&limit=1');
    expect(audit.body).toMatchObject({ data: [{ actor: 'ada', object: `${script} revision ${second}` }] });
  });

  it('is refused like an update, and then changes nothing', async () => {
    const { admin } = shared;
    const [first, , third] = revisions;
    expectRefusal(await restore(admin, first), 428, 'If-Match header is required');
    const stale = await restore(admin, first, `"${first}"`);
    expectRefusal(stale, 412, `Entity has been modified. Refresh and retry with current ETag: "${third}"`);
    expectRefusal(await restore(admin, 'x', '*'), 400, 'Revision must be a whole number');
    expectRefusal(await restore(admin, null, '*'), 400, 'Revision is required');
    expectRefusal(await restore(admin, 1, '*'), 404, 'Revision not found: 1');
    await runQuern(shared.server.cwd, ['grant', 'restrict', script]);
    await runQuern(shared.server.cwd, ['grant', 'add', 'user:ada', 'view', script]);
    expectRefusal(await restore(ada, first, '*'), 404, `Path not found: ${script}`);
    expect(await revisionOf(script)).toBe(third);
  });
});

describe('DELETE /manage/revisions', () => {
  it('removes a former content from every file of the home, while the server runs', async () => {
    const { admin, server } = shared;
    const words = ['sesame-open', `sesame-close-${'y'.repeat(2 * 1024 ** 2)}-end`];
    const former: number[] = [];
    for (const word of words) {
      await admin.update('assets', script, '*', { content: `SELECT '${word}'` });
      former.push(await revisionOf(script));
    }
    await admin.update('assets', script, '*', { content: 'SELECT 2' });
    expect(findWord(server.cwd, 'sesame-').length).toBeGreaterThan(0);
    for (const revision of [...former, former[0]])
      expect((await admin.send('DELETE', target(`?revision=${revision}`))).status).toBe(204);
    expect(findWord(server.cwd, 'sesame-')).toEqual([]);
    const gone = `Revision has been purged: ${former[0]}`;
    expectRefusal(await admin.send('GET', target(`?revision=${former[0]}`)), 404, gone);
    expectRefusal(await restore(admin, former[0], '*'), 404, gone);
    expect((await ada.send('GET', target())).body).toMatchObject({
      data: [{ purged_at: null }, ...former.map(() => ({ purged_by: 'admin', sha256: null })), {}, {}, {}],
    });
    const audit = await admin.send('GET', '/manage/audit?action=catalog.purge&limit=2');
    expect(audit.body).toMatchObject({
      data: former.toReversed().map((revision) => ({ object: `${script} revision ${revision}` })),
    });
  });

  it('is refused for the current content, an unknown revision and a caller without MANAGE', async () => {
    const { admin } = shared;
    const [first, , third] = revisions;
    const current = `Revision is the current content: ${third}`;
    expectRefusal(await admin.send('DELETE', target(`?revision=${third}`)), 422, current);
    expectRefusal(await admin.send('DELETE', target('?revision=1')), 404, 'Revision not found: 1');
    expectRefusal(await admin.send('DELETE', target()), 400, 'Revision is required');
    expectRefusal(await ada.send('DELETE', target(`?revision=${first}`)), 404, `Path not found: ${script}`);
    expect((await ada.send('GET', target(`?revision=${first}`))).status).toBe(200);
  });
});

/** The files below a folder that have a word. */
function findWord(folder: string, word: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => readFileSync(file).includes(word));
}
