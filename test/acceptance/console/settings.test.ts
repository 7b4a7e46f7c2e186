import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { runQuern } from '../../support/server.ts';
import { openAs } from './browser.ts';
import { shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ bob: {} });

describe.skipIf(chromiumPath === null)('the page of the settings', () => {
  it('shows values with their sources, and no secret', async () => {
    await runQuern(shared.server.cwd, 'config set saml.bind_super_users true');
    const { page, complaints } = await openAs(shared.server.url, 'admin', '/administration/settings');
    await page.getByLabel('Search settings').fill('bind_super');
    await page.getByText('1 setting', { exact: true }).waitFor();
    await page.getByRole('row', { name: 'saml.bind_super_users' }).getByText('config.toml').waitFor();
    await page.getByRole('link', { name: 'saml.bind_super_users' }).click();
    const panel = page.getByRole('complementary', { name: 'saml.bind_super_users' });
    await panel.getByText('Applies at once').waitFor();
    await panel.getByText(/config\.toml:\d+$/).waitFor();
    await visit(page, 'settings');
    await page.goto(`${shared.server.url}/administration/settings?setting=server.port`);
    const port = page.getByRole('complementary', { name: 'server.port' });
    await port.getByText('Applies when the server starts again').waitFor();
    await port.getByText('--port', { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('is not for others, and has no secret for administrators either', async () => {
    const { page } = await openAs(shared.server.url, 'bob', '/administration/settings');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    const status = await page.evaluate(async () => (await fetch('/console/api/manage/settings')).status);
    expect(status).toBe(403);
    const { body } = await shared.admin.send('GET', '/manage/settings');
    const { data } = body as { data: readonly { key: string; value: unknown; is_set: boolean }[] };
    expect(data.find(({ key }) => key === 'master_key')).toMatchObject({ value: null });
    expect(data.find(({ key }) => key === 'server.port')).toMatchObject({ is_set: true });
  });
});
