import { randomInt, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Client, createClient, type Item, type Kind } from '../../support/http.ts';
import { createToken, runQuern, shareKeptServer } from '../../support/server.ts';

const shared = shareKeptServer();
/** The folder of these tests. */
let base: string;
let clients: readonly Client[];

beforeAll(async () => {
  const { server } = shared;
  const names = ['ada', 'bob', 'cem', 'dia', 'eva'].map((name) => `${name}-${randomUUID()}`);
  base = await shared.admin.make('folders', `@Shared/${randomUUID()}`);
  for (const name of names) await runQuern(server.cwd, `user create ${name}`);
  const others = await Promise.all(
    names.map(async (name) => createClient(server.url, await createToken(server.cwd, name))),
  );
  clients = [shared.admin, ...others];
});

const count = <T>(values: readonly T[], value: T) => values.filter((each) => each === value).length;
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const pick = <T>(values: readonly T[]): T => values[randomInt(values.length)]!;

describe('one of many simultaneous identical requests succeeds', () => {
  it('two writers of one asset, in each of many rounds', async () => {
    const path = await shared.admin.make('assets', `${base}/duel`);
    for (let round = 1; round <= 50; round++) {
      const { etag } = (await shared.admin.read(path)).headers;
      const writers = clients.slice(0, 2);
      const answers = await Promise.all(
        writers.map((client, index) => client.update('assets', path, etag, { content: `${round} ${index}` })),
      );
      expect(statusesOf(answers).toSorted()).toEqual([200, 412]);
      const winner = answers.findIndex(({ status }) => status === 200);
      const read = await shared.admin.read(path);
      expect(read.headers.etag).toBe(answers[winner]!.headers.etag);
      expect((read.body as Item).data!.content).toBe(`${round} ${winner}`);
    }
  });

  it.each<Kind>(['folders', 'assets'])('200 creations of one name: %s', async (kind) => {
    const body = { parent_path: base, name: `rush for ${kind}`, content: 'x' };
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => clients[index % clients.length]!.create(kind, body)),
    );
    expect([count(statusesOf(answers), 201), count(statusesOf(answers), 400)]).toEqual([1, 199]);
    const details = new Set(answers.map(({ body: each }) => (each as { detail?: string }).detail));
    expect(details).toEqual(new Set([undefined, 'Name already exists.']));
  });

  it('creations of a folder and an asset, renames and moves onto one name', async () => {
    const { admin } = shared;
    for (let round = 0; round < 20; round++) {
      const folder = await admin.make('folders', `${base}/onto ${round}`);
      const one = await admin.make('assets', `${folder}/one`);
      const inner = await admin.make('folders', `${folder}/inner`);
      const two = await admin.make('assets', `${inner}/prize`);
      const answers = await Promise.all([
        clients[0]!.create('folders', { parent_path: folder, name: 'prize' }),
        clients[1]!.create('assets', { parent_path: folder, name: 'prize', content: '' }),
        clients[2]!.update('assets', one, '*', { name: 'prize' }),
        clients[3]!.update('assets', two, '*', { parent_path: folder }),
      ]);
      expect(statusesOf(answers).filter((status) => status < 300)).toHaveLength(1);
      expect(count(statusesOf(answers), 400)).toBe(3);
      expect((await admin.read(`${folder}/prize`)).status).toBe(200);
    }
  });

  it('deletions', async () => {
    for (const kind of ['folders', 'assets'] as const) {
      const path = await shared.admin.make(kind, `${base}/doomed`);
      const { etag } = (await shared.admin.read(path)).headers;
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) => clients[index % clients.length]!.remove(kind, path, etag)),
      );
      expect([count(statusesOf(answers), 204), count(statusesOf(answers), 404)]).toEqual([1, 59]);
    }
  });

  it('a child that is created while its folder is deleted: one of the two', async () => {
    for (let round = 0; round < 30; round++) {
      const folder = await shared.admin.make('folders', `${base}/closing ${round}`);
      const [made, removed] = await Promise.all([
        clients[0]!.create('assets', { parent_path: folder, name: 'x', content: '' }),
        clients[1]!.remove('folders', folder, '*'),
      ]);
      expect([`${made.status} ${removed.status}`]).toEqual([expect.stringMatching(/^(201 400|404 204)$/)]);
    }
  });
});

/** An accepted change of an item; the first line of the content names it. */
interface Change {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  /** The text that the change added; undefined for a rename or a move. */
  readonly mark: string | undefined;
}

const revisionOf = ({ headers }: Answer) => Number(headers.etag!.slice(1, -1));
const contentOf = ({ body }: Answer) => (body as Item).data!.content!;

/** Reads an item and changes it with its ETag; null when another client was faster. */
async function change(client: Client, folders: readonly string[], path: string): Promise<Change | null> {
  const read = await client.read(path);
  if (read.status === 404) return null;
  const id = contentOf(read).split('\n')[0]!;
  const mark = randomUUID();
  const body = pick([
    { content: `${contentOf(read)}\n${mark}` },
    { content: `${contentOf(read)}\n${mark}` },
    { name: `${id} ${pick(['a', 'b', 'c'])}` },
    { parent_path: pick(folders) },
  ]);
  const answer = await client.update('assets', path, read.headers.etag, body);
  if (answer.status === 404 || answer.status === 412) return null;
  expect(answer.status, answer.text).toBe(200);
  return {
    id,
    from: revisionOf(read),
    to: revisionOf(answer),
    mark: body.content === undefined ? undefined : mark,
  };
}

describe('no update is lost', () => {
  it('of six who write, rename and move at once', async () => {
    const { admin } = shared;
    const folders = await Promise.all(
      ['left', 'right'].map((name) => admin.make('folders', `${base}/${name}`)),
    );
    const ids = ['one', 'two', 'three', 'four'];
    const first = new Map<string, number>();
    for (const id of ids) {
      const path = await admin.make('assets', `${folders[0]}/${id} a`, { content: id });
      first.set(id, revisionOf(await admin.read(path)));
    }

    const changes: Change[] = [];
    const listAll = async (client: Client) => {
      const listings = await Promise.all(folders.map((folder) => client.list(folder)));
      return listings.flatMap(({ body }) => (body as { data: Item[] }).data.map(({ path }) => path));
    };
    await Promise.all(
      clients.map(async (client) => {
        for (let turn = 0; turn < 60; turn++) {
          const paths = await listAll(client);
          const done = paths.length === 0 ? null : await change(client, folders, pick(paths));
          if (done !== null) changes.push(done);
        }
      }),
    );

    const paths = await listAll(admin);
    expect(paths.map((path) => path.split('/').at(-1)!.split(' ')[0]).toSorted()).toEqual(ids.toSorted());
    expect(changes.length).toBeGreaterThan(60);
    for (const path of paths) {
      const read = await admin.read(path);
      const [id, ...marks] = contentOf(read).split('\n');
      const own = changes.filter((each) => each.id === id).toSorted((a, b) => a.to - b.to);
      // Each accepted change saw the revision of the one before it.
      expect(own.map(({ from }) => from)).toEqual([first.get(id!), ...own.map(({ to }) => to)].slice(0, -1));
      expect(revisionOf(read)).toBe(own.at(-1)?.to ?? first.get(id!));
      expect(marks).toEqual(own.flatMap(({ mark }) => mark ?? []));
    }
    expect(new Set(changes.map(({ to }) => to)).size).toBe(changes.length);
  });

  it('of a listing: each item is listed once while others are renamed', async () => {
    const { admin } = shared;
    const folder = await admin.make('folders', `${base}/stable`);
    const names = Array.from({ length: 40 }, (_, index) => `item ${index}`);
    for (const name of names) await admin.make('assets', `${folder}/${name}`);
    let isRenaming = true;
    let { etag } = (await admin.read(`${folder}/item 0`)).headers;
    const rename = async () => {
      for (let turn = 1; turn <= 60; turn++) {
        const [from, to] = turn % 2 === 1 ? ['item 0', 'renamed'] : ['renamed', 'item 0'];
        const answer = await clients[1]!.update('assets', `${folder}/${from}`, etag, { name: to });
        expect(answer.status).toBe(200);
        etag = answer.headers.etag;
      }
      isRenaming = false;
    };
    const watch = async () => {
      while (isRenaming) {
        const { body } = await clients[2]!.list(folder);
        const listed = (body as { data: Item[] }).data.map(({ name }) => name);
        expect(new Set(listed).size).toBe(names.length);
        expect(count(listed, 'item 0') + count(listed, 'renamed')).toBe(1);
      }
    };
    await Promise.all([rename(), watch(), watch()]);
  });
});
