import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, expectRefusal, type Item } from '../../support/http.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { covers } from './rows.ts';

const shared = shareServer();
let ada: Client;

beforeAll(async () => {
  const { server, admin } = shared;
  await runQuern(server.cwd, 'user create ada');
  ada = createClient(server.url, await createToken(server.cwd, 'ada'));
  await admin.make('folders', '@Shared/box');
  await admin.make('assets', '@Shared/box/script', { content: 'SELECT 1', description: 'one' });
  await admin.make('folders', '@Shared/box/inner');
  await admin.make('assets', '@Shared/box/inner/below');
});

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** The number depends on earlier items. */
const revision = expect.stringMatching(/^"[1-9]\d*"$/);
const namesOf = ({ body }: { body: unknown }) => (body as { data: Item[] }).data.map(({ name }) => name);

describe('a listing', () => {
  it(covers('list children', 'list entry fields', 'json in and out', 'timestamps'), async () => {
    const answer = await shared.admin.list('@Shared/box');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const entry = (name: string, type: string) => ({
      name,
      path: `@Shared/box/${name}`,
      type,
      created_at: time,
      updated_at: time,
    });
    expect(answer.body).toEqual({ data: [entry('inner', 'REGULAR_FOLDER'), entry('script', 'SQL_SCRIPT')] });
    const { data } = answer.body as { data: Item[] };
    expect(Object.keys(data[0]!)).toEqual(['name', 'path', 'type', 'created_at', 'updated_at']);
    expect(answer.headers.etag).toBeUndefined();
  });

  it.each(['@Shared/nowhere', '@Shared/box/script/below', '@Shared/box/inner/x/y/z'])(
    `${covers('list: path not found')}: %s`,
    async (path) => {
      expectRefusal(await shared.admin.list(path), 404, `Path not found: ${path}`);
    },
  );

  it(covers('list: an asset'), async () => {
    expectRefusal(await shared.admin.list('@Shared/box/script'), 400, 'Not a folder: @Shared/box/script');
    const slashed = await shared.admin.send('GET', '/catalog/list/%2F@Shared/box/script%2F');
    expectRefusal(slashed, 400, 'Not a folder: /@Shared/box/script/');
  });

  it(covers('list: no permission', 'status 403'), async () => {
    const { admin, server } = shared;
    await admin.make('folders', '@Shared/closed');
    await admin.make('assets', '@Shared/closed/script');
    await runQuern(server.cwd, 'grant restrict @Shared/closed');
    for (const path of [
      '@Shared/closed',
      '@Shared/closed/script',
      '@Shared/closed/nowhere',
      '@Shared/closed/script/x',
    ]) {
      expectRefusal(await ada.list(path), 403, "You don't have permission to perform the request");
      expectRefusal(await ada.read(path), 404, `Path not found: ${path}`);
    }
    expectRefusal(await ada.list('@Shared/nowhere'), 404, 'Path not found: @Shared/nowhere');
  });

  it(covers('hidden children'), async () => {
    const { admin, server } = shared;
    await admin.make('folders', '@Shared/mixed');
    for (const name of ['open', 'shut']) await admin.make('folders', `@Shared/mixed/${name}`);
    for (const name of ['open.sql', 'shut.sql']) await admin.make('assets', `@Shared/mixed/${name}`);
    for (const name of ['shut', 'shut.sql'])
      await runQuern(server.cwd, `grant restrict @Shared/mixed/${name}`);
    expect(namesOf(await ada.list('@Shared/mixed'))).toEqual(['open', 'open.sql']);
    expect(namesOf(await admin.list('@Shared/mixed'))).toEqual(['open', 'shut', 'open.sql', 'shut.sql']);
  });

  it(covers('folders first', 'code point order'), async () => {
    const { admin } = shared;
    const folder = await admin.make('folders', '@Shared/order');
    // In UTF-16 code units the emoji would come before the private use area, and in any language `a` before
    // `B`.
    const names = [
      ' ',
      '!',
      '0',
      '10',
      '2',
      'A',
      'B',
      'a',
      'ab',
      'b',
      'e\u0301',
      'é',
      'א',
      '\ue000',
      '\uffff',
      '😀',
    ];
    for (const name of names.toReversed()) await admin.make('assets', `${folder}/${name}`);
    for (const name of ['zz', 'é1', '😀1']) await admin.make('folders', `${folder}/${name}`);
    expect(namesOf(await admin.list(folder))).toEqual(['zz', 'é1', '😀1', ...names]);
  });
});

describe('a single item', () => {
  it(
    covers('read by path', 'single item fields', 'script data', 'etag of a read', 'sql script'),
    async () => {
      const answer = await shared.admin.read('@Shared/box/script');
      expect(answer).toMatchObject({ status: 200, headers: { etag: revision } });
      expect(answer.body).toEqual({
        name: 'script',
        description: 'one',
        path: '@Shared/box/script',
        type: 'SQL_SCRIPT',
        data: { content: 'SELECT 1' },
        created_at: time,
        updated_at: time,
      });
      const fields = ['name', 'description', 'path', 'type', 'data', 'created_at', 'updated_at'];
      expect(Object.keys(answer.body as object)).toEqual(fields);
    },
  );

  it(covers('read a folder by path', 'empty data', 'no description', 'etag of every answer'), async () => {
    const answer = await shared.admin.read('@Shared/box');
    expect(answer).toMatchObject({ status: 200, headers: { etag: revision } });
    expect(answer.body).toMatchObject({ type: 'REGULAR_FOLDER', description: '', data: {} });
    expect((answer.body as Item).data).toEqual({});
  });

  it.each(['@Shared/nowhere', '@Shared/box/script/x', '@Personal/x'])(
    `does not exist at %s`,
    async (path) => {
      expectRefusal(await shared.admin.read(path), 404, `Path not found: ${path}`);
    },
  );

  it(covers('service script', 'sql script', 'marker', 'braces', 'half braces'), async () => {
    const contents: [content: string, type: string][] = [
      ['#+src', 'SERVICE_SCRIPT'],
      ['-- #+src in a comment', 'SERVICE_SCRIPT'],
      ['SELECT {{ x }}', 'SERVICE_SCRIPT'],
      ['{{}}', 'SERVICE_SCRIPT'],
      ['SELECT \'{{\n\n\' || "}}"', 'SERVICE_SCRIPT'],
      ['}} {{ }}', 'SERVICE_SCRIPT'],
      ['SELECT 1', 'SQL_SCRIPT'],
      ['', 'SQL_SCRIPT'],
      ['#+SRC', 'SQL_SCRIPT'],
      ['# +src', 'SQL_SCRIPT'],
      ['{{', 'SQL_SCRIPT'],
      ['}}', 'SQL_SCRIPT'],
      ['}} {{', 'SQL_SCRIPT'],
      ['{ { } }', 'SQL_SCRIPT'],
    ];
    const { admin } = shared;
    for (const [index, [content, type]] of contents.entries()) {
      const path = await admin.make('assets', `@Shared/box/type ${index}`, { content });
      expect((await admin.read(path)).body, content).toMatchObject({ type, data: { content } });
    }
  });

  it(covers('type when written'), async () => {
    const { admin } = shared;
    const path = await admin.make('assets', '@Shared/box/becoming', { content: 'SELECT 1' });
    const steps = [
      [{ content: 'SELECT {{ 1 }}' }, 'SERVICE_SCRIPT'],
      [{ description: '#+src' }, 'SERVICE_SCRIPT'],
      [{ content: 'SELECT 1' }, 'SQL_SCRIPT'],
      [{ name: 'becoming' }, 'SQL_SCRIPT'],
    ] as const;
    for (const [body, type] of steps) {
      expect((await admin.update('assets', path, '*', body)).body).toMatchObject({ type });
      expect((await admin.read(path)).body).toMatchObject({ type });
    }
  });

  it(covers('manifest', 'no manifest', 'script data'), async () => {
    const { admin } = shared;
    await admin.make('folders', '@Shared/project', { folder_type: 'PROJECT' });
    await admin.make('folders', '@Shared/project/inner');
    const content = '{{ }} is no TOML';
    const manifest = await admin.make('assets', '@Shared/project/project.toml', { content });
    expect((await admin.read(manifest)).body).toMatchObject({ type: 'PROJECT_MANIFEST', data: { content } });
    for (const path of [
      '@Shared/project/inner/project.toml',
      '@Shared/project/Project.toml',
      '@Shared/project/project.toml.sql',
      '@Shared/box/project.toml',
    ]) {
      await admin.make('assets', path, { content });
      expect((await admin.read(path)).body).toMatchObject({ type: 'SERVICE_SCRIPT' });
    }
    const moved = await admin.update('assets', manifest, '*', { name: 'other' });
    expect(moved.body).toMatchObject({ type: 'SERVICE_SCRIPT', data: { content } });
    const back = await admin.update('assets', '@Shared/project/other', '*', { name: 'project.toml' });
    expect(back.body).toMatchObject({ type: 'PROJECT_MANIFEST', data: { content } });
  });

  it(covers('item types', 'foreign types', 'empty data'), async () => {
    const { admin, server } = shared;
    const folder = await admin.make('folders', '@Shared/foreign');
    const types = ['SCHEDULED_EVENTS', 'UPLOAD_TEMPLATE', 'DATA_INSERT_TEMPLATE'];
    for (const type of types) await admin.make('assets', `${folder}/${type}`);
    const database = new Sqlite(path.join(server.cwd, '.quern/catalog.db'));
    for (const type of types)
      database.prepare('UPDATE catalog_items SET type = ? WHERE name = ?').run(type, type);
    database.close();
    for (const type of types) {
      const { status, body } = await admin.read(`${folder}/${type}`);
      expect({ status, body }).toMatchObject({ status: 200, body: { type } });
      expect((body as Item).data).toEqual({});
      expectRefusal(await admin.list(`${folder}/${type}`), 400, `Not a folder: ${folder}/${type}`);
    }
    const { data } = (await admin.list(folder)).body as { data: Item[] };
    expect(data.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
  });
});

describe('namespaces', () => {
  it(
    covers('list without a path', 'types of the namespaces', 'roots can be read', 'namespaces'),
    async () => {
      const roots = [
        ['@Personal', 'USER_HOME'],
        ['@Project Hub', 'REGULAR_FOLDER'],
        ['@Shared', 'REGULAR_FOLDER'],
      ];
      for (const client of [shared.admin, ada]) {
        for (const target of ['/catalog/list', '/catalog/list/', '/catalog/list//']) {
          const { status, body } = await client.send('GET', target);
          expect(status).toBe(200);
          const { data } = body as { data: Item[] };
          expect(data.map(({ name, path, type }) => [name, path, type])).toEqual(
            roots.map(([name, type]) => [name, name, type]),
          );
        }
        for (const [name, type] of roots) {
          expect((await client.list(name!)).status).toBe(200);
          const read = await client.read(name!);
          expect(read).toMatchObject({
            status: 200,
            headers: { etag: revision },
            body: { name, path: name, type, data: {} },
          });
        }
      }
    },
  );

  it(covers('namespaces'), async () => {
    for (const parent of ['@Personal', '@Shared', '@Project Hub']) {
      const item = await shared.admin.make('folders', `${parent}/made here`);
      expect(namesOf(await shared.admin.list(parent))).toContain('made here');
      expect((await shared.admin.read(item)).body).toMatchObject({ path: item });
    }
    expect(namesOf(await ada.list('@Personal'))).toEqual([]);
  });

  it.each([
    'Shared',
    'shared',
    '@shared',
    '@SHARED',
    '@Project',
    '@ProjectHub',
    '@Project Hub ',
    '@',
    'box',
    '@Shared ',
    ' @Shared',
  ])(`${covers('not a namespace')}: %j`, async (name) => {
    for (const path of [name, `${name}/box`]) {
      expectRefusal(await shared.admin.list(path), 404, `Path not found: ${path}`);
      expectRefusal(await shared.admin.read(path), 404, `Path not found: ${path}`);
    }
  });

  it.each(['@Shared', '@Personal', '@Project Hub'])(
    `${covers('put on a root', 'delete on a root')}: %s`,
    async (path) => {
      for (const kind of ['folders', 'assets'] as const) {
        for (const ifMatch of ['"1"', '*', '"7"', undefined]) {
          expectRefusal(
            await shared.admin.update(kind, path, ifMatch, { name: 'x' }),
            404,
            `Path not found: ${path}`,
          );
          expectRefusal(await shared.admin.remove(kind, path, ifMatch), 404, `Path not found: ${path}`);
        }
      }
    },
  );

  it(`@Personal is always the caller's: ${covers('namespaces')}`, async () => {
    await ada.make('assets', '@Personal/mine', { content: 'ada' });
    expect((await shared.admin.read('@Personal/mine')).status).toBe(404);
    await shared.admin.make('assets', '@Personal/mine', { content: 'admin' });
    expect((await ada.read('@Personal/mine')).body).toMatchObject({ data: { content: 'ada' } });
  });
});

describe('the project hub', () => {
  const manifest = (version: string) => `[general]\nname = "shop"\nversion = "${version}"\n`;

  beforeAll(async () => {
    const { admin } = shared;
    await admin.make('folders', '@Project Hub/shop', { folder_type: 'PROJECT' });
    await admin.make('assets', '@Project Hub/shop/project.toml', { content: manifest('1.2.0') });
    await admin.make('folders', '@Project Hub/shop/reports');
    await admin.make('assets', '@Project Hub/shop/reports/sales');
  });

  it(covers('hub paths'), async () => {
    const { body } = await shared.admin.read('@Project Hub/shop/reports/sales');
    expect(body).toMatchObject({ path: '@Project Hub/shop/reports/sales', type: 'SQL_SCRIPT' });
    expect(namesOf(await shared.admin.list('@Project Hub/shop'))).toEqual(['reports', 'project.toml']);
  });

  it(covers('hub is restricted'), async () => {
    const { admin, server } = shared;
    await admin.make('folders', '@Project Hub/plain folder');
    await admin.make('assets', '@Project Hub/plain script');
    await runQuern(server.cwd, ['grant', 'add', 'user:ada', 'edit', '@Project Hub']);
    for (const name of ['shop', 'plain folder', 'plain script']) {
      expectRefusal(
        await ada.list(`@Project Hub/${name}`),
        403,
        "You don't have permission to perform the request",
      );
      expectRefusal(await ada.read(`@Project Hub/${name}`), 404, `Path not found: @Project Hub/${name}`);
    }
    expect(namesOf(await ada.list('@Project Hub'))).toEqual([]);
    await ada.make('folders', '@Project Hub/hers', { folder_type: 'PROJECT' });
    await ada.make('assets', '@Project Hub/hers/script');
    expect(namesOf(await ada.list('@Project Hub'))).toEqual(['hers']);
    await runQuern(server.cwd, ['grant', 'add', 'user:ada', 'view', '@Project Hub/shop']);
    expect(namesOf(await ada.list('@Project Hub'))).toEqual(['hers', 'shop']);
  });

  it(covers('right version', 'wrong version', 'version outside the hub'), async () => {
    const { admin } = shared;
    const get = (target: string, version: string) =>
      admin.send('GET', `/catalog/${target}?project_version=${encodeURIComponent(version)}`);
    const targets = [
      'list/@Project%20Hub/shop',
      'list/@Project%20Hub/shop/reports',
      'by-path/@Project%20Hub/shop/reports/sales',
      'by-path/@Project%20Hub/shop',
    ];
    for (const target of targets) {
      expect((await get(target, '1.2.0')).status).toBe(200);
      for (const version of ['1.2', '1.2.00', '9', '', ' 1.2.0']) {
        expectRefusal(await get(target, version), 404, `Project version not found: ${version}`);
      }
    }
    for (const target of [
      'list',
      'list/@Shared',
      'list/@Shared/box',
      'by-path/@Shared/box/script',
      'list/@Project%20Hub',
    ]) {
      expect((await get(target, '9')).status).toBe(200);
    }
    await admin.update('assets', '@Project Hub/shop/project.toml', '*', { content: manifest('2.0.0') });
    expect((await get(targets[0]!, '2.0.0')).status).toBe(200);
    expect((await get(targets[0]!, '1.2.0')).status).toBe(404);
    await admin.update('assets', '@Project Hub/shop/project.toml', '*', { content: 'no TOML' });
    expect((await get(targets[0]!, '2.0.0')).status).toBe(404);
    const twice = await admin.send('GET', `/catalog/${targets[0]}?project_version=1&project_version=2`);
    expectRefusal(twice, 400, expect.any(String));
  });
});
