import { describe, expect, it } from 'vitest';
import { type Answer, type Client, createClient, expectRefusal, type Kind } from '../../support/http.ts';
import { KINDS, PATHS, printModified, shareChangeWorld } from './change-world.ts';
import { covers } from './rows.ts';

const world = shareChangeWorld();

const LONG = 'x'.repeat(256);
const TOO_MUCH = 'x'.repeat(15_728_641);

type Method = 'put' | 'delete';

/** A refused request: the rows that it covers, the request, and the answer; the path is below `root`. */
interface Refusal {
  readonly rows: string;
  readonly method: Method;
  readonly kind: Kind;
  readonly path?: string;
  /** The item's own ETag by default; null sends no header. */
  readonly ifMatch?: string | null;
  readonly body?: unknown;
  readonly status: number;
  readonly detail: string | ((path: string, etag: string) => string);
}

const notFound = (path: string) => `Path not found: ${path}`;
const modified = (_path: string, etag: string) => printModified(etag);
const missing = 'If-Match header is required';
const slash = "Name cannot contain '/' character";
const tooLong = 'Name exceeds maximum length of 255 characters';
const exists = 'Name already exists.';

const put = (kind: Kind, rows: string, refusal: Omit<Refusal, 'rows' | 'method' | 'kind'>): Refusal => ({
  rows,
  method: 'put',
  kind,
  ...refusal,
});
const remove = (kind: Kind, rows: string, refusal: Omit<Refusal, 'rows' | 'method' | 'kind'>): Refusal => ({
  rows,
  method: 'delete',
  kind,
  ...refusal,
});
const nowhere = { path: 'folder/nowhere', status: 404, detail: notFound };

const REFUSALS: readonly Refusal[] = [
  put('folders', covers('put folder: if-match missing'), { ifMatch: null, status: 428, detail: missing }),
  put('assets', covers('put asset: if-match missing'), { ifMatch: null, status: 428, detail: missing }),
  remove('folders', covers('delete folder: if-match missing', 'no if-match', 'status 428'), {
    ifMatch: null,
    status: 428,
    detail: missing,
  }),
  remove('assets', covers('delete asset: if-match missing'), { ifMatch: null, status: 428, detail: missing }),
  put('folders', covers('put folder: etag mismatch'), {
    ifMatch: '"1"',
    status: 412,
    detail: modified,
  }),
  put('assets', covers('put asset: etag mismatch'), {
    ifMatch: '"1"',
    status: 412,
    detail: modified,
  }),
  remove('folders', covers('delete folder: etag mismatch'), {
    ifMatch: '"3"',
    status: 412,
    detail: modified,
  }),
  remove('assets', covers('delete asset: etag mismatch', 'status 412'), {
    ifMatch: '"0"',
    status: 412,
    detail: modified,
  }),
  put('folders', covers('put folder: path not found'), nowhere),
  put('assets', covers('put asset: path not found'), nowhere),
  remove('folders', covers('delete folder: path not found'), nowhere),
  remove('assets', covers('delete asset: path not found', 'status 404'), nowhere),
  put('assets', covers('put asset: path not found'), { ...nowhere, path: 'folder/script/below' }),
  put('folders', covers('put folder: given an asset'), {
    path: 'folder/script',
    status: 422,
    detail: 'Path must be a folder',
  }),
  remove('folders', covers('delete folder: given an asset'), {
    path: 'folder/script',
    status: 422,
    detail: 'Path must be a folder',
  }),
  put('assets', covers('put asset: given a folder'), {
    path: 'empty',
    status: 422,
    detail: 'Path must be an asset',
  }),
  remove('assets', covers('delete asset: given a folder'), {
    path: 'empty',
    status: 422,
    detail: 'Path must be an asset',
  }),
  put('folders', covers('put folder: name with a slash', 'limit: no slash in a name'), {
    body: { name: 'a/b' },
    status: 400,
    detail: slash,
  }),
  put('assets', covers('put asset: name with a slash'), { body: { name: '/' }, status: 400, detail: slash }),
  put('folders', covers('put folder: name too long', 'limit: name of a folder'), {
    body: { name: LONG },
    status: 400,
    detail: tooLong,
  }),
  put('assets', covers('put asset: name too long', 'limit: name of an asset'), {
    body: { name: '😀'.repeat(256) },
    status: 400,
    detail: tooLong,
  }),
  put('folders', covers('put folder: name exists'), { body: { name: 'empty' }, status: 400, detail: exists }),
  put('assets', covers('put asset: name exists'), { body: { name: 'other' }, status: 400, detail: exists }),
  put('assets', covers('put asset: name exists'), {
    body: { name: 'deep', content: 'SELECT 2' },
    status: 400,
    detail: exists,
  }),
  put('assets', covers('put asset: content too large', 'limit: content'), {
    body: { content: TOO_MUCH },
    status: 400,
    detail: 'Content exceeds the 15 MB size limit',
  }),
  put('assets', covers('put asset with nothing'), {
    body: {},
    status: 400,
    detail: 'Name or content is required',
  }),
  put('assets', covers('put asset with nothing', 'null is absent', 'empty name'), {
    body: { name: '', content: null, description: null },
    status: 400,
    detail: 'Name or content is required',
  }),
  put('assets', covers('put asset with nothing'), {
    body: { text: 'SELECT 2', type: 'SERVICE_SCRIPT' },
    status: 400,
    detail: 'Name or content is required',
  }),
  put('folders', covers('names of dots'), {
    body: { name: '..' },
    status: 400,
    detail: 'Name is not allowed',
  }),
  put('assets', covers('control characters'), {
    body: { name: 'a\nb' },
    status: 400,
    detail: 'Name is not allowed',
  }),
  remove('folders', covers('delete folder: not empty'), { status: 400, detail: 'Folder is not empty' }),
];

function ask(client: Client, refusal: Refusal, path: string): Promise<Answer> {
  const { method, kind, ifMatch = world.etags[kind], body = { name: 'renamed' } } = refusal;
  if (method === 'put') return client.update(kind, path, ifMatch ?? undefined, body);
  return client.remove(kind, path, ifMatch ?? undefined);
}

describe('a refused change changes nothing', () => {
  it.each(REFUSALS)('$method $kind: $rows', async (refusal) => {
    const path = `${world.root}/${refusal.path ?? PATHS[refusal.kind]}`;
    const before = await world.admin.readTree(world.root);
    const answer = await ask(world.admin, refusal, path);
    const { detail } = refusal;
    expectRefusal(
      answer,
      refusal.status,
      typeof detail === 'string' ? detail : detail(path, world.etags[refusal.kind]),
    );
    expect(await world.admin.readTree(world.root)).toEqual(before);
  });
});

describe('without the right to edit', () => {
  const title = covers(
    'put folder: no permission',
    'put asset: no permission',
    'delete folder: no permission',
    'delete asset: no permission',
  );

  it.each(['seen', 'hidden'])(`${title}, with any other errors, in a folder that is %s`, async (name) => {
    const before = await world.admin.readTree(`${world.base}/${name}`);
    for (const path of [
      `${world.base}/${name}`,
      `${world.base}/${name}/folder`,
      `${world.base}/${name}/script`,
    ]) {
      for (const kind of KINDS) {
        const { etag } = (await world.admin.read(path)).headers;
        for (const ifMatch of [etag, '"1"', '*', `W/${etag}`, undefined]) {
          for (const body of [{ name: 'stolen' }, { name: 'a/b' }, {}, []]) {
            expectRefusal(
              await world.outsider.update(kind, path, ifMatch, body),
              404,
              `Path not found: ${path}`,
            );
          }
          expectRefusal(await world.outsider.remove(kind, path, ifMatch), 404, `Path not found: ${path}`);
        }
      }
    }
    expect(await world.admin.readTree(`${world.base}/${name}`)).toEqual(before);
  });
});

describe('the order of checks', () => {
  it.each(['put', 'delete'] as const)(`%s: ${covers('change order')}`, async (method) => {
    const { url } = world.server;
    const anonymous = createClient(url);
    // Each request has one error fewer than the one before, and the first remaining error is the answer.
    const faults = async (kind: Kind, path: string, ifMatch?: string, client = world.admin) =>
      ask(
        client,
        { rows: '', method, kind, ifMatch: ifMatch ?? null, body: { name: 'a/b' }, status: 0, detail: '' },
        path,
      );
    const [other, path] = method === 'put' ? ['assets', 'folder'] : ['assets', 'empty'];
    const etag = (await world.admin.read(`${world.root}/${path}`)).headers.etag!;
    expect((await faults(other as Kind, `${world.root}/nowhere`, undefined, anonymous)).status).toBe(401);
    expectRefusal(
      await faults(other as Kind, `${world.root}/nowhere`),
      404,
      `Path not found: ${world.root}/nowhere`,
    );
    expectRefusal(await faults(other as Kind, `${world.root}/${path}`), 422, 'Path must be an asset');
    expectRefusal(await faults('folders', `${world.root}/${path}`), 428, missing);
    const stale = await faults('folders', `${world.root}/${path}`, '"1"');
    expectRefusal(stale, 412, printModified(etag));
    const last = await faults('folders', `${world.root}/${path}`, etag);
    if (method === 'put') expectRefusal(last, 400, slash);
    else expect(last.status).toBe(204);
  });

  it(`the body of an asset's update: ${covers('change order')}`, async () => {
    const update = (body: unknown) => world.admin.update('assets', `${world.root}/folder/script`, '*', body);
    expectRefusal(await update({ name: '/'.repeat(256), content: TOO_MUCH }), 400, slash);
    expectRefusal(await update({ name: LONG, content: TOO_MUCH }), 400, tooLong);
    expectRefusal(
      await update({ name: 'other', content: TOO_MUCH }),
      400,
      'Content exceeds the 15 MB size limit',
    );
    expectRefusal(await update({ name: 'other', parent_path: '@Nowhere' }), 404, 'Path not found: @Nowhere');
    expectRefusal(await update({ name: 'other' }), 400, exists);
  });

  it.each(KINDS)(`%s: ${covers('wrong type')}`, async (kind) => {
    const path = `${world.root}/${PATHS[kind]}`;
    const fields = [
      ['name', 'Name'],
      ['parent_path', 'Parent path'],
      ['description', 'Description'],
      ...(kind === 'assets' ? [['content', 'Content']] : []),
    ];
    for (const [field, shown] of fields) {
      for (const value of [1, false, [], {}]) {
        const answer = await world.admin.update(kind, path, world.etags[kind], { [field!]: value });
        expectRefusal(answer, 400, `${shown} must be a string`);
      }
    }
    for (const body of ['[]', '"x"', '1']) {
      expectRefusal(
        await world.admin.update(kind, path, world.etags[kind], body),
        400,
        'Body must be a JSON object',
      );
    }
    expect((await world.admin.read(path)).headers.etag).toBe(world.etags[kind]);
  });
});
