import { beforeAll, beforeEach } from 'vitest';
import { type Client, createClient, type Kind } from '../../support/http.ts';
import { createToken, runQuern, type Shared, shareServer } from '../../support/server.ts';

/** The items that tests change. */
export interface ChangeWorld extends Shared {
  /** A user who may see `@Shared/seen` and nothing of `@Shared/hidden`. */
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

/** A server with items to change, for all tests of a file; the returned objects exist while the tests run. */
export function shareChangeWorld(): ChangeWorld {
  const world = shareServer() as { -readonly [Key in keyof ChangeWorld]: ChangeWorld[Key] };
  let count = 0;

  beforeAll(async () => {
    const { server, admin } = world;
    await runQuern(server.cwd, 'user create outsider');
    world.outsider = createClient(server.url, await createToken(server.cwd, 'outsider'));
    for (const name of ['seen', 'hidden']) {
      await admin.make('folders', `@Shared/${name}`);
      await admin.make('folders', `@Shared/${name}/folder`);
      await admin.make('assets', `@Shared/${name}/script`);
      await runQuern(server.cwd, ['grant', 'restrict', `@Shared/${name}`]);
    }
    await runQuern(server.cwd, 'grant add user:outsider view @Shared/seen');
  });

  beforeEach(async () => {
    const { admin } = world;
    world.root = await admin.make('folders', `@Shared/change ${++count}`);
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
