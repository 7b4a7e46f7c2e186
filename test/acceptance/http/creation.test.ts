import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient, expectRefusal, type Item, type Kind } from '../../support/http.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { covers } from './rows.ts';

const shared = shareServer();
/** A user who may see `@Shared/seen`, and has no rights in `@Shared/hidden`. */
let outsider: Client;

const LONG = 'x'.repeat(256);
const LIMIT = 15_728_640;

beforeAll(async () => {
  const { server, admin } = shared;
  await runQuern(server.cwd, 'user create outsider');
  outsider = createClient(server.url, await createToken(server.cwd, 'outsider'));
  for (const name of ['box', 'seen', 'hidden']) await admin.make('folders', `@Shared/${name}`);
  await admin.make('assets', '@Shared/box/script');
  await admin.make('folders', '@Shared/hidden/inner');
  await admin.make('assets', '@Shared/hidden/script');
  for (const name of ['seen', 'hidden']) {
    await runQuern(server.cwd, ['grant', 'restrict', `@Shared/${name}`]);
  }
  await runQuern(server.cwd, 'grant add user:outsider view @Shared/seen');
});

const box = { parent_path: '@Shared/box' };

/** A refused creation: the rows that it covers, the body, the status and the detail. */
type Refusal = readonly [rows: string, body: unknown, status: number, detail: string];

const FOLDERS: readonly Refusal[] = [
  [covers('new folder: parent_path missing', 'status 400'), { name: 'n' }, 400, 'Parent path is required'],
  [covers('new folder: parent_path missing'), { parent_path: '', name: 'n' }, 400, 'Parent path is required'],
  [covers('new folder: name missing'), box, 400, 'Name is required'],
  [covers('new folder: name missing', 'empty name'), { ...box, name: '' }, 400, 'Name is required'],
  [
    covers('new folder: name with a slash', 'limit: no slash in a name'),
    { ...box, name: 'a/b' },
    400,
    "Name cannot contain '/' character",
  ],
  [
    covers('new folder: name too long', 'limit: name of a folder'),
    { ...box, name: LONG },
    400,
    'Name exceeds maximum length of 255 characters',
  ],
  [
    covers('new folder: invalid folder_type'),
    { ...box, name: 'n', folder_type: 'REGULAR_FOLDER' },
    400,
    'Invalid value for folder_type',
  ],
  [
    covers('new folder: invalid folder_type'),
    { ...box, name: 'n', folder_type: '' },
    400,
    'Invalid value for folder_type',
  ],
  [
    covers('new folder: invalid folder_type'),
    { ...box, name: 'n', folder_type: 'project' },
    400,
    'Invalid value for folder_type',
  ],
  [
    covers('new folder: parent not found', 'path in a detail'),
    { parent_path: '/@Shared/no where/', name: 'n' },
    404,
    'Path not found: /@Shared/no where/',
  ],
  [
    covers('new folder: parent not found', 'not a namespace'),
    { parent_path: 'x', name: 'n' },
    404,
    'Path not found: x',
  ],
  [covers('new folder: name exists'), { ...box, name: 'script' }, 400, 'Name already exists.'],
  [
    covers('new folder: parent is an asset', 'folder below an asset', 'status 422'),
    { parent_path: '@Shared/box/script', name: 'n' },
    422,
    'Parent path must be a folder',
  ],
];

const ASSETS: readonly Refusal[] = [
  [covers('new asset: parent_path missing'), { name: 'n', content: '' }, 400, 'Parent path is required'],
  [covers('new asset: name missing'), { ...box, content: '' }, 400, 'Name is required'],
  [
    covers('new asset: name missing', 'empty name'),
    { ...box, name: '', content: '' },
    400,
    'Name is required',
  ],
  [
    covers('new asset: name with a slash', 'limit: no slash in a name'),
    { ...box, name: '/', content: '' },
    400,
    "Name cannot contain '/' character",
  ],
  [
    covers('new asset: name too long', 'limit: name of an asset'),
    { ...box, name: LONG, content: '' },
    400,
    'Name exceeds maximum length of 255 characters',
  ],
  [covers('new asset: content missing'), { ...box, name: 'n' }, 400, 'Content is required'],
  [
    covers('new asset: content too large', 'limit: content', '15 MB'),
    { ...box, name: 'n', content: 'x'.repeat(LIMIT + 1) },
    400,
    'Content exceeds the 15 MB size limit',
  ],
  [
    covers('new asset: content too large', '15 MB'),
    { ...box, name: 'n', content: 'é'.repeat(LIMIT / 2 + 1) },
    400,
    'Content exceeds the 15 MB size limit',
  ],
  [
    covers('new asset: parent not found', 'path in a detail'),
    { parent_path: '@Shared/nowhere', name: 'n', content: '' },
    404,
    'Path not found: @Shared/nowhere',
  ],
  [covers('new asset: name exists'), { ...box, name: 'script', content: '' }, 400, 'Name already exists.'],
  [
    covers('asset below an asset', 'new asset: parent is an asset'),
    { parent_path: '/@Shared/box/script', name: 'n', content: '' },
    404,
    'Path not found: /@Shared/box/script',
  ],
];

describe.each([
  ['folders', FOLDERS],
  ['assets', ASSETS],
] as const)('creating %s is refused', (kind, refusals) => {
  it.each(refusals)('%s', async (_rows, body, status, detail) => {
    const before = await shared.admin.readTree('@Shared');
    expectRefusal(await shared.admin.create(kind, body), status, detail);
    expect(await shared.admin.readTree('@Shared')).toEqual(before);
  });

  const title = covers('new folder: no permission', 'new asset: no permission', 'parent before kind');
  it.each([
    '@Shared/seen',
    '@Shared/hidden',
    '@Shared/hidden/inner',
    '@Shared/hidden/script',
    '@Shared/hidden/script/x',
    '@Shared/hidden/nowhere',
  ])(`${title}: %s`, async (parent) => {
    const answer = await outsider.create(kind, { parent_path: parent, name: 'n', content: '' });
    expectRefusal(answer, 404, `Path not found: ${parent}`);
    expect((await shared.admin.read(`${parent}/n`)).status).toBe(404);
  });
});

const KINDS: readonly Kind[] = ['folders', 'assets'];

describe.each(KINDS)('a body for %s', (kind) => {
  const create = (body: unknown) => shared.admin.create(kind, body);
  const rest = kind === 'assets' ? { content: '' } : {};

  it.each([[[]], [['x']], ['"x"'], ['1'], ['true']])(
    `${covers('no coercion')}: not an object: %j`,
    async (body) => {
      expectRefusal(await create(body), 400, 'Body must be a JSON object');
    },
  );

  it.each([
    ['parent_path', 'Parent path must be a string'],
    ['name', 'Name must be a string'],
    ['description', 'Description must be a string'],
    kind === 'assets'
      ? ['content', 'Content must be a string']
      : ['folder_type', 'Invalid value for folder_type'],
  ])(`${covers('wrong type', 'no coercion')}: %s`, async (field, message) => {
    for (const value of [1, 0, true, false, [], ['x'], {}, { toString: 'x' }]) {
      expectRefusal(await create({ ...box, name: 'n', ...rest, [field!]: value }), 400, message!);
    }
    expect((await shared.admin.read('@Shared/box/n')).status).toBe(404);
  });

  it(covers('null is absent'), async () => {
    const body = { ...box, name: `null ${kind}`, ...rest };
    expectRefusal(await create({ ...body, parent_path: null }), 400, 'Parent path is required');
    expectRefusal(await create({ ...body, name: null }), 400, 'Name is required');
    if (kind === 'assets')
      expectRefusal(await create({ ...body, content: null }), 400, 'Content is required');
    const answer = await create({ ...body, folder_type: null, description: null });
    expect(answer).toMatchObject({ status: 201 });
    expect((await shared.admin.read(`@Shared/box/null ${kind}`)).body).toMatchObject({ description: '' });
    expectRefusal(await create('null'), 400, 'Parent path is required');
  });

  it(covers('unknown fields'), async () => {
    const extra = { id: 7, type: 'PROJECT', revision: 9, path: '@Personal', constructor: {}, data: [] };
    const answer = await create({ ...box, name: `extra ${kind}`, ...rest, ...extra });
    const type = kind === 'folders' ? 'REGULAR_FOLDER' : 'SQL_SCRIPT';
    expect(answer).toMatchObject({ status: 201, body: { type } });
    expect(answer.headers.etag).not.toBe('"9"');
  });

  it(covers('names of dots', 'control characters'), async () => {
    for (const name of ['.', '..', '\0', 'a\nb', 'tab\t', '\u007f', '\u0085', '\u009f']) {
      expectRefusal(await create({ ...box, name, ...rest }), 400, 'Name is not allowed');
    }
    for (const name of ['...', '. ', '.hidden', ' ', '\u200e', '\u2028', '\ufeff']) {
      const answer = await create({ ...box, name: `${name}`, ...rest });
      expect([answer.status, (answer.body as Item).name]).toEqual([201, name]);
      await shared.admin.remove(kind, `@Shared/box/${name}`, '*');
    }
  });

  it(`${covers('framework errors')}: half a surrogate pair cannot be stored`, async () => {
    const answer = await create(`{"parent_path":"@Shared/box","name":"\\ud83d","content":""}`);
    expectRefusal(answer, 400, 'Name must be well-formed Unicode');
  });

  it(covers('creation order'), async () => {
    // Each body also has all later errors, and the row in the test must answer.
    const wrong = { name: 'a/b', folder_type: 'x' };
    expectRefusal(await create({ ...wrong, parent_path: '' }), 400, 'Parent path is required');
    expectRefusal(await create({ parent_path: '@Nowhere' }), 400, 'Name is required');
    expectRefusal(
      await create({ ...wrong, parent_path: '@Nowhere' }),
      400,
      "Name cannot contain '/' character",
    );
    expectRefusal(
      await create({ parent_path: '@Nowhere', name: `/${LONG}` }),
      400,
      "Name cannot contain '/' character",
    );
    const last = kind === 'folders' ? 'Invalid value for folder_type' : 'Content is required';
    expectRefusal(await create({ parent_path: '@Nowhere', name: 'n', folder_type: 'x' }), 400, last);
    const parent_path = '@Shared/box/script';
    const [status, detail] =
      kind === 'folders' ? [422, 'Parent path must be a folder'] : [404, `Path not found: ${parent_path}`];
    expectRefusal(await create({ parent_path, name: 'n', content: '' }), status as number, detail);
  });

  it(covers('name length in code points'), async () => {
    for (const name of ['x'.repeat(255), '😀'.repeat(255), 'é'.repeat(255), 'x']) {
      const { status, body, headers } = await create({ ...box, name, ...rest });
      expect({ status, body }).toMatchObject({ status: 201, body: { name, path: `@Shared/box/${name}` } });
      const read = await shared.admin.send('GET', headers.location!.replace('/api/v1', ''));
      expect(read).toMatchObject({ status: 200, body: { name } });
      expect((await shared.admin.remove(kind, `@Shared/box/${name}`, headers.etag)).status).toBe(204);
    }
    const answer = await create({ ...box, name: '😀'.repeat(256), ...rest });
    expectRefusal(answer, 400, 'Name exceeds maximum length of 255 characters');
  });

  it(covers('names are exact'), async () => {
    const names = ['same', 'Same', ' same', 'same ', 'caf\u00e9', 'cafe\u0301', 'ﬁ', 'fi', 'ss', 'ß'];
    const folder = await shared.admin.make('folders', `@Shared/exact ${kind}`);
    for (const name of names) expect((await create({ parent_path: folder, name, ...rest })).status).toBe(201);
    for (const name of names) {
      expect((await shared.admin.read(`${folder}/${name}`)).body).toMatchObject({ name });
      expectRefusal(await create({ parent_path: folder, name, ...rest }), 400, 'Name already exists.');
    }
  });
});

describe('a created item', () => {
  it(
    covers('create a folder', 'list entry fields', 'etag of a folder', 'location of a folder', 'status 201'),
    async () => {
      const { status, headers, body } = await shared.admin.create('folders', {
        ...box,
        name: 'new folder@x',
      });
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          name: 'new folder@x',
          path: '@Shared/box/new folder@x',
          type: 'REGULAR_FOLDER',
          created_at: time,
          updated_at: time,
        },
      });
      expect(Object.keys(body as object)).toEqual(['name', 'path', 'type', 'created_at', 'updated_at']);
      expect(headers).toMatchObject({
        etag: expect.stringMatching(/^"[1-9]\d*"$/),
        location: '/api/v1/catalog/by-path/@Shared/box/new%20folder@x',
        'content-type': 'application/json; charset=utf-8',
      });
      const read = await shared.admin.send('GET', headers.location!.replace('/api/v1', ''));
      expect(read).toMatchObject({ status: 200, headers: { etag: headers.etag }, body: body as object });
    },
  );

  it(
    covers('create an asset', 'asset answer fields', 'location of both', 'etag of every answer'),
    async () => {
      const { status, headers, body } = await shared.admin.create('assets', {
        ...box,
        name: 'a%2Fé@',
        content: 'SELECT 1\n',
      });
      expect({ status, body }).toMatchObject({
        status: 201,
        body: { path: '@Shared/box/a%2Fé@', type: 'SQL_SCRIPT', data: { content: 'SELECT 1\n' } },
      });
      expect(Object.keys(body as object)).toEqual([
        'name',
        'path',
        'type',
        'data',
        'created_at',
        'updated_at',
      ]);
      expect(Object.keys((body as Item).data!)).toEqual(['content']);
      expect(headers).toMatchObject({
        etag: expect.stringMatching(/^"[1-9]\d*"$/),
        location: '/api/v1/catalog/by-path/@Shared/box/a%252F%C3%A9@',
      });
      const read = await shared.admin.send('GET', headers.location!.replace('/api/v1', ''));
      expect(read).toMatchObject({ status: 200, body: body as object });
    },
  );

  it(covers('folder types', 'regular folder'), async () => {
    const types = [
      [{}, 'REGULAR_FOLDER'],
      [{ folder_type: 'REGULAR' }, 'REGULAR_FOLDER'],
      [{ folder_type: 'PROJECT' }, 'PROJECT'],
    ] as const;
    for (const [index, [fields, type]] of types.entries()) {
      const answer = await shared.admin.create('folders', { ...box, name: `type ${index}`, ...fields });
      expect(answer).toMatchObject({ status: 201, body: { type } });
      expect((await shared.admin.read(`@Shared/box/type ${index}`)).body).toMatchObject({ type, data: {} });
    }
  });

  it(covers('new asset: folder_type does not count'), async () => {
    const answer = await shared.admin.create('assets', {
      ...box,
      name: 'typed',
      content: '',
      folder_type: 'x',
    });
    expect(answer.status).toBe(201);
  });

  it(covers('empty content'), async () => {
    const answer = await shared.admin.create('assets', { ...box, name: 'empty', content: '' });
    expect(answer).toMatchObject({ status: 201, body: { type: 'SQL_SCRIPT', data: { content: '' } } });
    expect((await shared.admin.read('@Shared/box/empty')).body).toMatchObject({ data: { content: '' } });
  });

  it.each(KINDS)(`${covers('send a description', 'no description')}: %s`, async (kind) => {
    const path = await shared.admin.make(kind, `@Shared/box/described ${kind}`, { description: 'häuser\n' });
    expect((await shared.admin.read(path)).body).toMatchObject({ description: 'häuser\n' });
    const plain = await shared.admin.make(kind, `@Shared/box/plain ${kind}`);
    expect((await shared.admin.read(plain)).body).toMatchObject({ description: '' });
    const update = await shared.admin.update(kind, path, '*', { description: '' });
    expect(update.status).toBe(200);
    expect((await shared.admin.read(path)).body).toMatchObject({ description: '' });
  });

  it(`${covers('15 MB', 'limit: content')}: exactly the limit, as ASCII, as two bytes each, as escapes of six`, async () => {
    const contents = ['x'.repeat(LIMIT), 'é'.repeat(LIMIT / 2)];
    for (const [index, content] of contents.entries()) {
      const path = await shared.admin.make('assets', `@Shared/box/large ${index}`, { content });
      expect(((await shared.admin.read(path)).body as Item).data?.content === content).toBe(true);
      expect((await shared.admin.remove('assets', path, '*')).status).toBe(204);
    }
    const escapes = `{"parent_path":"@Shared/box","name":"escapes","content":"${'\\u0041'.repeat(LIMIT)}"}`;
    const { status, body } = await shared.admin.create('assets', escapes);
    const { content } = (body as Item).data!;
    expect([status, content!.length, content === 'A'.repeat(LIMIT)]).toEqual([201, LIMIT, true]);
    const update = await shared.admin.update('assets', '@Shared/box/escapes', '*', {
      content: 'x'.repeat(LIMIT + 1),
    });
    expectRefusal(update, 400, 'Content exceeds the 15 MB size limit');
    const smaller = await shared.admin.update('assets', '@Shared/box/escapes', '*', {
      content: 'y'.repeat(LIMIT),
    });
    expect(smaller.status).toBe(200);
  });
});
