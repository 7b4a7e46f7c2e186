import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { createClient } from '../../support/http.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { BUSY, runSql, untilListed } from '../http/executing.ts';
import { openAs, openTab } from './browser.ts';
import { createUser, setPassword, signIn } from './console.ts';
import { visit } from './visit.ts';

const shared = shareServer('--base-url', 'http://quern.example.org');

beforeAll(async () => {
  const { cwd } = shared.server;
  await setPassword(cwd, 'admin');
  await runQuern(cwd, 'group create analysts');
  await createUser(cwd, 'ada', '--email', 'ada@example.org', '--display-name', 'Ada Lovelace');
  await createUser(cwd, 'bob', '--role', 'VIEWER');
  await runQuern(cwd, 'group add-member analysts ada');
  await runQuern(cwd, 'grant add group:analysts edit @Shared');
});

const openUsers = (query = '') => openAs(shared.server.url, 'admin', `/administration/users${query}`);
const getPanel = (page: Page, name: string) => page.getByRole('complementary', { name });
const listNames = (page: Page) =>
  page.getByRole('table', { name: 'Users' }).getByRole('link').allTextContents();

describe.skipIf(chromiumPath === null)('the page of users', () => {
  it('searches, filters and sorts at the server, and keeps it in the address', async () => {
    const { page, complaints } = await openUsers();
    await page.getByText('3 users').waitFor();
    expect(await listNames(page)).toEqual(['adaAda Lovelace', 'admin', 'bob']);
    await page.getByRole('button', { name: 'Name' }).click();
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await expect.poll(() => listNames(page)).toEqual(['bob', 'admin', 'adaAda Lovelace']);
    // The address follows the text, and does not take anything from it.
    await page.getByLabel('Search users').pressSequentially('analyst', { delay: 120 });
    expect(await page.getByLabel('Search users').inputValue()).toBe('analyst');
    await page.getByLabel('Search users').fill('LOVE');
    await page.getByText('1 user', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('LOVE');
    await page.reload();
    await page.getByText('1 user', { exact: true }).waitFor();
    expect(await page.getByLabel('Search users').inputValue()).toBe('LOVE');
    await page.getByLabel('State').selectOption('Disabled');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await visit(page, 'users-nothing-found');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.getByText('3 users').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens a user at an address, and moves by the keyboard', async () => {
    const { page, complaints } = await openUsers();
    await page.getByRole('link', { name: 'ada' }).click();
    await getPanel(page, 'ada').getByText('ada@example.org').waitFor();
    await getPanel(page, 'ada').getByText('EDIT by group:analysts').waitFor();
    expect(new URL(page.url()).searchParams.get('user')).toBe('ada');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('ada');
    await visit(page, 'users-panel');
    await page.getByRole('table', { name: 'Users' }).waitFor();
    await page.keyboard.press('Escape');
    await getPanel(page, 'ada').waitFor({ state: 'detached' });
    // The focus is on the row again, from which the arrow keys go to the next ones.
    await page.keyboard.press('Enter');
    await getPanel(page, 'ada').waitFor();
    await page.getByRole('link', { name: 'ada' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await getPanel(page, 'bob').getByText('Views at most').waitFor();
    await page.goto(`${shared.server.url}/administration/users?user=missing`);
    await page.getByText('User not found: missing').waitFor();
    await visit(page, 'users-panel-missing');
    expect(complaints).toEqual([]);
  });

  it('invites a person, who signs in on another browser', async () => {
    const { page, complaints } = await openUsers();
    await page.getByText('users').first().waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    const form = page.getByRole('dialog', { name: 'Invite a user' });
    await form.getByLabel('User name').fill('ada');
    await form.getByRole('button', { name: 'Create the link' }).click();
    await form.getByRole('alert').getByText('User name already exists').waitFor();
    await visit(page, 'users-invite');
    await form.getByLabel('User name').fill('ivy');
    await form.getByLabel('Groups').first().click();
    await page.getByRole('option', { name: 'analysts' }).click();
    await form.getByRole('button', { name: 'Create the link' }).click();
    const made = page.getByRole('dialog', { name: 'Link for ivy' });
    const link = await made.getByLabel('Link', { exact: true }).inputValue();
    await visit(page, 'users-link');
    await made.getByRole('button', { name: 'I have sent it' }).click();
    await page.getByRole('row', { name: 'ivy' }).getByText('Invited').waitFor();
    const other = await openTab(shared.server.url, link.replace('http://quern.example.org', ''));
    await other.page.getByLabel('New password').fill('a mill of two stones');
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('button', { name: 'Profile menu of ivy' }).waitFor();
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  it('stops a user: a session, an API key and a running query end, and enables the user again', async () => {
    const { cwd, url } = shared.server;
    await createUser(cwd, 'eve');
    await runQuern(cwd, 'grant add user:eve use connection:duckdb');
    const session = await signIn(url, 'eve');
    const client = createClient(url, await createToken(cwd, 'eve'));
    const running = runSql(client, BUSY);
    await untilListed(shared.admin, 1);
    const { page, complaints } = await openUsers('?user=eve');
    await getPanel(page, 'eve').getByRole('button', { name: 'Stop now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop eve?' });
    await dialog.getByText('1 session', { exact: true }).waitFor();
    await visit(page, 'users-stop');
    await dialog.getByRole('button', { name: 'Stop now' }).click();
    await page.getByText('Stopped eve: ended 1 session, 1 API key, 1 run').waitFor();
    expect((await running).body).toMatchObject({ code: 'execution_cancelled' });
    expect((await client.send('GET', '/me')).status).toBe(401);
    expect((await session.send('GET', 'profile')).status).toBe(401);
    await getPanel(page, 'eve').getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Enabled eve').waitFor();
    await signIn(url, 'eve');
    expect(complaints).toEqual([]);
  });

  it('changes the role and the groups, signs a user out, and deletes the user', async () => {
    const { cwd, url } = shared.server;
    await createUser(cwd, 'fay');
    const session = await signIn(url, 'fay');
    const { page, complaints } = await openUsers('?user=fay');
    const panel = getPanel(page, 'fay');
    await panel.getByLabel('Role').selectOption('VIEWER');
    await page.getByText('fay is VIEWER now').waitFor();
    await panel.getByRole('button', { name: 'Sign out' }).click();
    await panel.getByText('Not signed in').waitFor();
    expect((await session.send('GET', 'profile')).status).toBe(401);
    await panel.getByLabel('Add to a group').first().click();
    await page.getByRole('option', { name: 'analysts' }).click();
    await panel.getByRole('button', { name: 'Remove from analysts' }).click();
    await panel.getByText('In no group except everyone').waitFor();
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByText('Deleted the user fay').waitFor();
    await panel.waitFor({ state: 'detached' });
    expect((await shared.admin.send('GET', '/manage/users/fay')).status).toBe(404);
    expect(complaints).toEqual([]);
  });

  it('changes several users at once, and says whom it has not changed', async () => {
    const { cwd } = shared.server;
    for (const name of ['sel1', 'sel2']) await createUser(cwd, name);
    const { page, complaints } = await openUsers();
    for (const name of ['admin', 'sel1', 'sel2']) await page.getByLabel(`Select ${name}`).check();
    await page.getByText('3 users selected').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('menuitem', { name: 'Make VIEWER' }).click();
    await page.getByRole('dialog', { name: 'Make VIEWER: 3 users?' }).getByText('sel1').waitFor();
    await page.getByRole('button', { name: 'Make VIEWER' }).click();
    await page.getByText('admin: You cannot change yourself').waitFor();
    await visit(page, 'users-selection');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('row', { name: 'sel1' }).getByText('VIEWER').waitFor();
    await page.getByLabel('Select admin').uncheck();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('menuitem', { name: 'Add to groups' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to groups: 2 users?' });
    await dialog.getByLabel('Groups').first().click();
    await page.getByRole('option', { name: 'analysts' }).click();
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Add to groups' }).click();
    await page.getByText('Changed 2 of 2 users').waitFor();
    await page.getByText('users selected').waitFor({ state: 'detached' });
    const { body } = await shared.admin.send('GET', '/manage/groups/analysts');
    expect((body as { members: string[] }).members).toEqual(expect.arrayContaining(['sel1', 'sel2']));
    expect(complaints).toEqual([]);
  });

  it('creates a user, and does not let an administrator stop themselves', async () => {
    const { page, complaints } = await openUsers('?user=admin');
    await getPanel(page, 'admin').getByText('This is you').waitFor();
    expect(await getPanel(page, 'admin').getByRole('button', { name: 'Stop now' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Create a user' });
    await form.getByLabel('User name').fill('gus');
    await form.getByLabel('Password', { exact: true }).fill('password');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByRole('alert').getByText('easily guessed').waitFor();
    await form.getByLabel('Password', { exact: true }).fill('a mill of two stones');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Created the user gus').waitFor();
    await signIn(shared.server.url, 'gus');
    expect(complaints).toEqual([]);
  });

  it('is not for others, by its address or from the rail', async () => {
    const { page } = await openAs(shared.server.url, 'bob', '/administration/users?user=ada');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    await visit(page, 'users-forbidden');
    await page.getByRole('link', { name: 'Catalog' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    for (const target of ['manage/users', 'manage/users/ada', 'manage/invitations']) {
      const status = await page.evaluate(async (to) => (await fetch(`/console/api/${to}`)).status, target);
      expect(status, target).toBe(403);
    }
  });

  it('shows the rows of a long list as one scrolls', async () => {
    const { cwd } = shared.server;
    const names = Array.from({ length: 230 }, (_, n) => `many${String(n).padStart(3, '0')}`);
    for (const name of names) await runQuern(cwd, ['user', 'create', name]);
    const { page, complaints } = await openUsers('?q=many');
    await page.getByText('230 users').waitFor();
    const table = page.getByRole('table', { name: 'Users' });
    expect(await table.getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('link', { name: 'many000' }).hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return page.getByRole('link', { name: 'many229' }).count();
      })
      .toBe(1);
    expect(complaints).toEqual([]);
  });

  it('says that the next rows could not be loaded, and loads them when one tries again', async () => {
    const { page } = await openUsers('?q=many');
    await page.getByText('230 users').waitFor();
    await page.route('**/manage/users?*after=*', (route) => route.abort());
    await page.getByRole('link', { name: 'many000' }).hover();
    const alert = page.getByRole('alert').filter({ hasText: 'Not all users could be loaded' });
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return alert.count();
      })
      .toBe(1);
    await page.unroute('**/manage/users?*after=*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
    await page
      .getByRole('link', { name: 'many000' })
      .or(page.getByRole('link', { name: /many1/ }))
      .first()
      .waitFor();
  });
});
