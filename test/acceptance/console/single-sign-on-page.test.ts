import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { openAs } from './browser.ts';
import { shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ bob: { role: 'VIEWER' } });

const openPage = (user = 'admin') => openAs(shared.server.url, user, '/administration/single-sign-on');

// With HTTPS, `acceptance/sso/set-up-by-pages.test.ts` tests it with a real identity provider.
describe.skipIf(chromiumPath === null)('the page of single sign-on', () => {
  it('says what to set without an https base URL', async () => {
    const { page } = await openPage();
    await page.getByRole('heading', { name: 'Single sign-on needs HTTPS' }).waitFor();
    await visit(page, 'sso-without-https');
    await page.getByRole('link', { name: 'The setting of the address' }).click();
    await page.getByRole('link', { name: 'server.base_url' }).waitFor();
  });

  it('is not for others', async () => {
    const { page, complaints } = await openPage('bob');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
