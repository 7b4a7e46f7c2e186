import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { emptyBinRegularly } from '../../../src/server/catalog/empty-bin.ts';
import { createLog } from '../../../src/server/log/log.ts';
import { openInstance } from '../../../src/workspace/instance/instance.ts';
import { createHome } from '../../../src/workspace/setup/create-home.ts';
import { makeFolder } from '../../support/quern.ts';

async function makeWorld() {
  const home = makeFolder();
  await createHome(home, { userName: 'admin', email: 'admin@localhost', password: null });
  const instance = openInstance({ home });
  const database = new Sqlite(`${home}/catalog.db`);
  onTestFinished(() => void database.close());
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const admin = instance.findPrincipal(undefined);
  for (const name of ['old', 'new']) {
    await instance.catalog.createAsset(admin, { parentPath: '@Shared', name, content: 'SELECT 1' });
    await instance.catalog.deleteAsset(admin, `@Shared/${name}`, '*');
  }
  database.prepare("UPDATE catalog_deleted SET deleted_at = '2020-01-01' WHERE name = 'old'").run();
  const list = () => instance.bin.list(admin).map(({ path }) => path);
  return { instance, log, lines, list };
}

it('a server removes what the bin does not keep any more when it starts', async () => {
  const { instance, log, lines, list } = await makeWorld();
  expect(list()).toEqual(['@Shared/new', '@Shared/old']);
  const stop = emptyBinRegularly(instance, log);
  await expect.poll(list).toEqual(['@Shared/new']);
  stop();
  await instance.close();
  expect(lines).toEqual([]);
});

it('a failure to empty the bin goes to the log', async () => {
  const { instance, log, lines } = await makeWorld();
  await instance.close();
  const stop = emptyBinRegularly(instance, log);
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toContain('the bin was not emptied');
  stop();
});
