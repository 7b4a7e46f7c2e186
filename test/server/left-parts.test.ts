import { once } from 'node:events';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openInstance } from '../../src/workspace/instance/instance.ts';
import { createHome } from '../../src/workspace/setup/create-home.ts';
import { startChild } from '../store/processes.ts';
import { makeFolder } from '../support/quern.ts';

const MEGABYTE = 1024 ** 2;
const PATH = '@Shared/a';

it('a server removes incomplete parts of a content after a kill, and keeps the previous content', async () => {
  const home = makeFolder();
  await createHome(home, { userName: 'admin', email: 'admin@localhost', password: null });
  const open = () => {
    const instance = openInstance({ home });
    const database = new Sqlite(`${home}/catalog.db`, { readonly: true });
    onTestFinished(() => void database.close());
    const count = () => database.prepare('SELECT count(*) FROM catalog_content_parts').pluck().get();
    const userId = String(database.prepare('SELECT id FROM users').pluck().get());
    const admin = { userId, userName: 'admin', superUser: true, viewsOnly: false };
    return { instance, admin, count };
  };
  const first = open();
  const content = 'é'.repeat(MEGABYTE + 1);
  const { revision } = await first.instance.catalog.createAsset(first.admin, {
    parentPath: '@Shared',
    name: 'a',
    content,
  });
  expect(first.count()).toBe(3);
  await first.instance.close();

  const script = new URL('../catalog/parts-writer.ts', import.meta.url);
  const child = await startChild(script, home, PATH, String(15 * MEGABYTE), '9');
  const ended = once(child.process, 'exit');
  await child.go();
  expect(await ended).toEqual([null, 'SIGKILL']);

  const second = open();
  expect(second.count()).toBe(3);
  const read = second.instance.catalog.get(second.admin, PATH);
  expect(read).toMatchObject({ revision, body: { data: { content: Buffer.from(content) } } });
  await second.instance.close();
});
