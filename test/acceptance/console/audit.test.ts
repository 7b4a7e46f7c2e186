import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { runQuern } from '../../support/server.ts';
import { openAs } from './browser.ts';
import { askToSignIn, shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ bob: { role: 'VIEWER' } });

beforeAll(async () => {
  const { cwd, url } = shared.server;
  await runQuern(cwd, 'group create analysts');
  await runQuern(cwd, 'grant add group:analysts edit @Shared');
  await askToSignIn(url, { login: 'mallory', password: 'wrong' });
});

const openAudit = (query = '') => openAs(shared.server.url, 'admin', `/administration/audit${query}`);

describe.skipIf(chromiumPath === null)('the page of the audit log', () => {
  it('says in sentences what was done, and shows all parts of an entry', async () => {
    const { page, complaints } = await openAudit();
    await page.getByRole('link', { name: 'admin created the group analysts' }).waitFor();
    await page.getByRole('link', { name: 'A sign-in as mallory was refused' }).click();
    const panel = page.getByRole('complementary', { name: 'Entry' });
    await panel.getByText('"action": "sign-in"').waitFor();
    await visit(page, 'audit');
    const { searchParams } = new URL(page.url());
    await page.goto(
      `${shared.server.url}/administration/audit?action=group.create&entry=${searchParams.get('entry')}`,
    );
    await panel.getByText('"object": "mallory"').waitFor();
    await page.goto(`${shared.server.url}/administration/audit?entry=missing`);
    await panel.getByText('The log has no entry with this id').waitFor();
    expect(complaints).toEqual([]);
  });

  it('filters by text, action and day, and exports what it shows', async () => {
    const { page, complaints } = await openAudit();
    await page.getByLabel('Search entries').fill('ANALYSTS');
    await expect.poll(() => page.getByRole('row').count()).toBe(3);
    await page.getByLabel('Action').selectOption('grant.set');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    const today = new Date().toISOString().slice(0, 10);
    await page.getByLabel('From (day, UTC)').fill(today);
    await page.getByLabel('To (day, UTC)').fill(today);
    await page.getByRole('link', { name: 'admin granted EDIT on @Shared to group:analysts' }).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('audit.csv');
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/grant\.set,.*analysts/);
    await page.getByLabel('To (day, UTC)').fill('2020-01-01');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is not for others', async () => {
    const { page } = await openAs(shared.server.url, 'bob', '/administration/audit');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    for (const target of ['manage/audit', 'manage/audit/actions', 'manage/audit/export']) {
      const status = await page.evaluate(async (to) => (await fetch(`/console/api/${to}`)).status, target);
      expect(status, target).toBe(403);
    }
  });
});
