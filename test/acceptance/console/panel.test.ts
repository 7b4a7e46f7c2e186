import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { openAs } from './browser.ts';
import { shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ ada: {} });

const findPanel = (page: Page, name: string) => page.getByRole('navigation', { name, exact: true });
const readWidth = async (page: Page, name: string) => (await findPanel(page, name).boundingBox())?.width;

describe.skipIf(chromiumPath === null)('the left panel of a page', () => {
  it('has a width that keys and the pointer change, and that the browser remembers for each page', async () => {
    const { page, complaints } = await openAs(shared.server.url, 'admin', '/catalog');
    await findPanel(page, 'Catalog').waitFor();
    expect(await readWidth(page, 'Catalog')).toBe(240);
    const border = page.getByRole('separator', { name: 'Width of the panel Catalog' });
    await border.focus();
    await page.keyboard.press('ArrowRight');
    expect(await readWidth(page, 'Catalog')).toBe(260);
    await page.keyboard.press('Home');
    expect(await readWidth(page, 'Catalog')).toBe(180);
    await border.hover();
    await page.mouse.down();
    await page.mouse.move(400, 300, { steps: 4 });
    await page.mouse.up();
    const left = (await findPanel(page, 'Catalog').boundingBox())?.x ?? 0;
    expect(await readWidth(page, 'Catalog')).toBe(400 - left);
    await page.reload();
    await findPanel(page, 'Catalog').waitFor();
    expect(await readWidth(page, 'Catalog')).toBe(400 - left);
    await page.goto(`${shared.server.url}/administration/users`);
    await findPanel(page, 'Administration').waitFor();
    expect(await readWidth(page, 'Administration')).toBe(240);
    expect(complaints).toEqual([]);
  });

  it('can be closed, stays closed after a reload, and can be opened', async () => {
    const { page, complaints } = await openAs(shared.server.url, 'ada', '/catalog');
    await page.getByRole('button', { name: 'Close the panel Catalog' }).click();
    await findPanel(page, 'Catalog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Open the panel Catalog' }).waitFor();
    expect(await findPanel(page, 'Catalog').count()).toBe(0);
    await visit(page, 'panel-closed');
    await page.getByRole('button', { name: 'Open the panel Catalog' }).click();
    await findPanel(page, 'Catalog').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is a drawer on a narrow page, which closes when something is chosen', async () => {
    const { page, complaints } = await openAs(shared.server.url, 'admin', '/administration/users');
    await page.setViewportSize({ width: 720, height: 450 });
    await page.getByRole('button', { name: 'Sections' }).click();
    await findPanel(page, 'Administration').getByRole('link', { name: 'Audit' }).click();
    await page.waitForURL('**/administration/audit');
    await findPanel(page, 'Administration').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sections' }).click();
    await findPanel(page, 'Administration').waitFor();
    await page.keyboard.press('Escape');
    await findPanel(page, 'Administration').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
