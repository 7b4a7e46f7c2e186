import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

it('a host that an earlier version has stored is shown with what is wrong, and still used', async () => {
  const cwd = await makeHome();
  const options = ['host=127.0.0.1', 'port=1', 'user=quern', 'sslmode=disable'];
  const set = options.flatMap((pair) => ['--set', pair]);
  await quern(['connection', 'create', 'pg', '--kind', 'postgresql', ...set], { cwd });
  const catalog = new Sqlite(path.join(cwd, '.quern', 'catalog.db'));
  catalog.exec(`UPDATE connections SET options = replace(options, '127.0.0.1', '[::1]') WHERE name = 'pg'`);
  catalog.close();
  const reason = 'option host must be an address without brackets';
  const shown = await quern(['connection', 'show', 'pg'], { cwd });
  expect(shown).toMatchObject({ exitCode: 0, stderr: `warning: ${reason}\n` });
  expect(shown.stdout).toContain('[::1]');
  const checked = await quern(['admin', 'check'], { cwd });
  expect(checked.exitCode).toBe(1);
  expect(checked.stdout).toContain(`the connection pg: ${reason}`);
  const tested = await quern(['connection', 'test', 'pg'], { cwd });
  expect(tested.stderr).toContain('[::1]:1');
});
