import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { runQuern } from '../../../support/server.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { findTreeItem, openCatalog, readActive } from './open-catalog.ts';

const shared = shareConsole({ ada: {} });
let folder: string;
let count = 0;

beforeEach(async () => {
  folder = await shared.admin.make('folders', `@Shared/drag ${++count}`);
  await shared.admin.make('assets', `${folder}/report`, { content: 'SELECT 42' });
  await shared.admin.make('folders', `${folder}/target`);
});

const open = () => openCatalog(shared.server.url, 'ada', `${folder}/report`);

describe.skipIf(chromiumPath === null)('an item that is dragged in the tree', () => {
  it('is moved to the folder on which it is dropped, and back with Undo', async () => {
    const { page, complaints } = await open();
    const report = findTreeItem(page, 'report');
    await report.getByText('report').dragTo(findTreeItem(page, 'target').getByText('target'));
    const messages = page.getByRole('region', { name: 'Notifications' });
    await messages.getByText(`Moved report to ${folder}/target`).waitFor();
    await page.waitForURL('**/target/report');
    expect((await shared.admin.read(`${folder}/target/report`)).status).toBe(200);
    await visit(page, 'catalog-dragged');
    await page
      .getByRole('link', { name: `drag ${count}` })
      .first()
      .click();
    await messages.getByRole('button', { name: 'Undo' }).click();
    await messages.getByText('1 item moved back').waitFor();
    expect((await shared.admin.read(`${folder}/report`)).status).toBe(200);
    await page.getByRole('table').getByRole('link', { name: 'report' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('stays where it is after Escape, on itself, and on a folder that the user may not change', async () => {
    const closed = await shared.admin.make('folders', `@Shared/closed ${count}`);
    await runQuern(shared.server.cwd, ['grant', 'restrict', closed]);
    await runQuern(shared.server.cwd, ['grant', 'add', 'user:ada', 'view', closed]);
    const { page, complaints } = await open();
    const report = findTreeItem(page, 'report').getByText('report');
    const target = findTreeItem(page, 'target').getByText('target');
    await report.hover();
    await page.mouse.down();
    await target.hover();
    await target.hover();
    await findTreeItem(page, 'target').and(page.locator('[data-over]')).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await target.dragTo(report);
    await report.dragTo(findTreeItem(page, `closed ${count}`).getByText(`closed ${count}`));
    const messages = page.getByRole('region', { name: 'Notifications' });
    await messages.getByText(`report was not moved: you may not change ${closed}`).waitFor();
    for (const name of ['report', 'target'])
      expect((await shared.admin.read(`${folder}/${name}`)).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  it('leaves the focus in the tree when a row is clicked', async () => {
    const { page } = await open();
    await findTreeItem(page, 'target').getByText('target').click();
    await page.waitForURL('**/target');
    await page.getByRole('tree', { name: 'Catalog' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await readActive(page)).toBe('report');
  });
});
