import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { eventually } from '../../support/waiting.ts';
import { openAs } from './browser.ts';
import { shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ bob: {} });

/** What the pages of administrators ask for. */
const REQUESTS = '**/console/api/manage/**';
const REQUEST_ID = 'ba307ea6-763e-45bb-b11f-0dfc87c39ee6';

/** The pages of administrators, and what each shows when it has no row. */
const PAGES = [
  ['users', 'Users', '?q=nothing-like-it', 'Nothing found'],
  ['groups', 'Groups', '?q=nothing-like-it', 'Nothing found'],
  ['permissions', 'Permissions', '?under=@Shared', 'This folder is empty'],
  ['connections', 'Connections', '?q=nothing-like-it', 'Nothing found'],
  ['single-sign-on', 'Single sign-on', '', 'needs HTTPS'],
  ['provisioning', 'Provisioning', '', 'No request'],
  ['api-keys', 'API keys', '?q=nothing-like-it', 'Nothing found'],
  ['audit', 'Audit', '?q=nothing-like-it', 'Nothing found'],
  ['server', 'Server', '', 'No backup'],
  ['settings', 'Settings', '?q=nothing-like-it', 'Nothing found'],
] as const;

const open = (page: Page, name: string, search = '') =>
  page.goto(`${shared.server.url}/administration/${name}${search}`);

describe.skipIf(chromiumPath === null)('the page of administrators', () => {
  it.each(PAGES)('%s has a heading while it loads, and then its content', async (name, title) => {
    const { page, complaints } = await openAs(shared.server.url, 'admin', '/catalog');
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(REQUESTS, async (route) => {
      await isReleased;
      await route.continue();
    });
    await open(page, name);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    const lines = page.locator('main .mantine-Skeleton-root');
    await lines.first().waitFor();
    await visit(page, `${name}-loading`);
    release();
    await eventually(async () => expect(await lines.count()).toBe(0));
    expect(complaints).toEqual([]);
  });

  it.each(PAGES)('%s says that the server failed, and tries again', async (name, title) => {
    const { page, complaints } = await openAs(shared.server.url, 'admin', '/catalog');
    // The server has no internal error on request.
    await page.route(REQUESTS, (route) => {
      const headers = { 'x-request-id': REQUEST_ID };
      return route.fulfill({ status: 500, headers, json: { message: 'Error', detail: 'Internal error' } });
    });
    await open(page, name);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    const alert = page.getByRole('main').getByRole('alert').first();
    await alert.getByText(REQUEST_ID).waitFor();
    await visit(page, `${name}-failed`);
    await page.unroute(REQUESTS);
    const retries = page.getByRole('main').getByRole('button', { name: 'Try again' });
    await retries.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click();
    });
    await alert.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it.each(PAGES)('%s says when it has nothing to show', async (name, _, search, text) => {
    const { page, complaints } = await openAs(shared.server.url, 'admin', `/administration/${name}${search}`);
    await page.getByRole('main').getByText(text).first().waitFor();
    await visit(page, `${name}-empty`);
    expect(complaints).toEqual([]);
  });

  it.each(PAGES)('%s is not for others', async (name) => {
    const { page } = await openAs(shared.server.url, 'bob', `/administration/${name}`);
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
  });
});
