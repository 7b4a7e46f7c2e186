import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach } from 'vitest';
import { type Client, createClient, type Kind } from '../../support/http.ts';
import { createToken, runQuern, type Shared, shareKeptServer } from '../../support/server.ts';

/** The items that tests change. */
export interface ChangeWorld extends Shared {
  /** The folder of the file of tests, with `seen` and `hidden`. */
  readonly base: string;
  /** A user who may see `seen` and nothing of `hidden`. */
  readonly outsider: Client;
  /**
   * New for each test: a folder with `folder`, which was changed once, and in it `script`, `other` and
   * `deep`; and `empty`.
   */
  readonly root: string;
  /** The ETags of the items in `PATHS`. */
  readonly etags: Readonly<Record<Kind, string>>;
}

/** One of each kind below the root. */
export const PATHS: Readonly<Record<Kind, string>> = { folders: 'folder', assets: 'folder/script' };
export const KINDS = Object.keys(PATHS) as Kind[];

/** The detail of a 412. */
export function printModified(etag: string): string {
  return `Entity has been modified. Refresh and retry with current ETag: ${etag}`;
}

/** A server with items to change in a folder of each file of tests; the returned objects exist while the tests run. */
export function shareChangeWorld(): ChangeWorld {
  const world = shareKeptServer() as { -readonly [Key in keyof ChangeWorld]: ChangeWorld[Key] };
  let count = 0;

  beforeAll(async () => {
    const { server, admin } = world;
    const name = `outsider-${randomUUID()}`;
    await runQuern(server.cwd, ['user', 'create', name]);
    world.outsider = createClient(server.url, await createToken(server.cwd, name));
    world.base = await admin.make('folders', `@Shared/${randomUUID()}`);
    for (const path of [`${world.base}/seen`, `${world.base}/hidden`]) {
      await admin.make('folders', path);
      await admin.make('folders', `${path}/folder`);
      await admin.make('assets', `${path}/script`);
      await runQuern(server.cwd, ['grant', 'restrict', path]);
    }
    await runQuern(server.cwd, ['grant', 'add', `user:${name}`, 'view', `${world.base}/seen`]);
  });

  beforeEach(async () => {
    const { admin } = world;
    world.root = await admin.make('folders', `${world.base}/change ${++count}`);
    for (const name of ['folder', 'empty']) await admin.make('folders', `${world.root}/${name}`);
    for (const name of ['script', 'other']) await admin.make('assets', `${world.root}/folder/${name}`);
    await admin.make('folders', `${world.root}/folder/deep`);
    const second = { description: 'the second revision' };
    await admin.update('folders', `${world.root}/folder`, '*', second);
    const read = async (kind: Kind) => (await admin.read(`${world.root}/${PATHS[kind]}`)).headers.etag!;
    world.etags = { folders: await read('folders'), assets: await read('assets') };
  });

  return world;
}
