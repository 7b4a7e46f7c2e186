import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { runQuern, shareServer } from '../../support/server.ts';
import { openTab } from './browser.ts';
import { visit } from './visit.ts';

const shared = shareServer('--base-url', 'https://quern.example.org');

/** The path of the link of a new invitation. */
async function invite(...options: readonly string[]): Promise<string> {
  const env = ['user', 'invite', ...options, '--json'];
  await runQuern(shared.server.cwd, 'config set server.base_url https://quern.example.org');
  const { link } = JSON.parse(await runQuern(shared.server.cwd, env)) as { link: string };
  return link.replace('https://quern.example.org', '');
}

describe.skipIf(chromiumPath === null)('the page of an invitation', () => {
  it('lets a person choose a password and signs them in, and works once', async () => {
    const target = await invite('ivy', '--email', 'ivy@example.org');
    const { page, complaints } = await openTab(shared.server.url, target);
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    await visit(page, 'invitation');
    await page.getByLabel('New password').fill('ivy@example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('easily guessed').waitFor();
    await page.getByLabel('New password').fill('a mill of two stones');
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    await page.getByRole('button', { name: 'Profile menu of ivy' }).waitFor();
    // The secret is not in the history of the browser.
    expect(new URL(page.url()).pathname).toMatch(/^\/catalog/);
    expect(complaints).toEqual([]);
    const again = await openTab(shared.server.url, target);
    await again.page.getByLabel('New password').fill('a mill of three stones');
    await again.page.keyboard.press('Enter');
    await again.page.getByRole('alert').getByText('ask an administrator for a new one').waitFor();
    await visit(again.page, 'invitation-ended');
  });

  it('says that a link without its secret is not complete', async () => {
    const { page } = await openTab(shared.server.url, '/invitation');
    await page.getByText('This link is not complete').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
  });
});
