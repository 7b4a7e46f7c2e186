import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { makeFolder, writeFiles } from '../../../support/quern.ts';
import { shareConsole } from '../console.ts';
import { openCatalog } from './open-catalog.ts';

const shared = shareConsole({ ada: {} });
/** The maximum of elements between two that a story uses. */
const MAX_STEPS = 60;

beforeAll(async () => {
  const { admin } = shared;
  await admin.make('folders', '@Shared/sales');
  await admin.make('folders', '@Shared/stock');
});

/** Presses Tab until the focus is on the element with this label or text. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<string>(`(() => {
      const { ariaLabel, labels, textContent } = document.activeElement;
      return (ariaLabel ?? labels?.[0]?.textContent ?? textContent).replace(' *', '').trim().slice(0, 40);
    })()`);
    if (focused === name) return;
    seen.push(focused);
  }
  throw new Error(`Tab does not reach ${name}, but: ${seen.join(', ')}`);
}

describe.skipIf(chromiumPath === null)('with the keyboard alone', () => {
  it('a user gets and loses a level on a folder', async () => {
    const { page, complaints } = await openCatalog(shared.server.url, 'admin', '@Shared/sales');
    await page.getByRole('heading', { name: 'sales' }).waitFor();
    await tabTo(page, 'Contents');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Grants on this item' }).waitFor();
    await tabTo(page, 'User name');
    await page.keyboard.type('ada');
    await page.keyboard.press('Escape');
    await tabTo(page, 'Level');
    await page.keyboard.type('EDIT');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Grant');
    await page.keyboard.press('Enter');
    await page.getByLabel('Level of ada').waitFor();
    await page.locator('main h1').focus();
    await tabTo(page, 'Revoke the grant of ada');
    await page.keyboard.press('Enter');
    await page.getByLabel('Level of ada').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('a file is uploaded', async () => {
    const files = makeFolder();
    writeFiles(files, { 'count.sql': 'SELECT 42 AS answer\n' });
    const { page, complaints } = await openCatalog(shared.server.url, 'admin', '@Shared/stock');
    await page.getByRole('heading', { name: 'stock' }).waitFor();
    await tabTo(page, 'Upload');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Upload files' }).waitFor();
    // The browser reports a file chooser some time after the request to report it.
    const chooser = page.waitForEvent('filechooser');
    await tabTo(page, 'Choose files');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(path.join(files, 'count.sql'));
    await page.getByText('1 file').waitFor();
    await page.getByRole('button', { name: 'Upload', exact: true }).last().waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1 item uploaded').waitFor();
    const { body } = await shared.admin.read('@Shared/stock/count');
    expect(body).toMatchObject({ data: { content: 'SELECT 42 AS answer\n' } });
    expect(complaints).toEqual([]);
  });
});
