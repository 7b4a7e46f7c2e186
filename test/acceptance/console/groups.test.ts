import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { runQuern } from '../../support/server.ts';
import { openAs } from './browser.ts';
import { shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ ada: { display_name: 'Ada Lovelace' }, bob: { role: 'VIEWER' } });

const openGroups = (query = '') => openAs(shared.server.url, 'admin', `/administration/groups${query}`);
const getPanel = (page: Page, name: string) => page.getByRole('complementary', { name });

describe.skipIf(chromiumPath === null)('the page of groups', () => {
  it('says what to do in a home without groups, and creates the first one', async () => {
    const { page, complaints } = await openGroups();
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await visit(page, 'groups-empty');
    await page.getByRole('button', { name: 'Create the first group' }).click();
    const form = page.getByRole('dialog', { name: 'Create a group' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('everyone');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByRole('alert').getByText('is part of every home').waitFor();
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('analysts');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Created the group analysts').waitFor();
    await page.getByText('1 group', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  describe('with groups', () => {
    beforeAll(async () => {
      const { cwd } = shared.server;
      await runQuern(cwd, 'group create readers');
      await runQuern(cwd, 'group add-member readers bob');
      await runQuern(cwd, 'grant add group:readers edit @Shared');
    });

    it('adds and removes members, who are searched by the server', async () => {
      const { page, complaints } = await openGroups();
      await page.getByRole('link', { name: 'readers' }).click();
      const panel = getPanel(page, 'readers');
      await panel.getByText('EDIT', { exact: true }).first().waitFor();
      await panel.getByLabel('Add a member').first().fill('LOVELACE');
      await page.getByRole('option', { name: 'ada (Ada Lovelace)' }).click();
      await page.getByText('Added ada to readers').waitFor();
      await panel.getByRole('button', { name: 'Remove bob' }).click();
      await page.getByText('Removed bob from readers').waitFor();
      await visit(page, 'groups-panel');
      await page.getByRole('row', { name: 'readers' }).getByText('1', { exact: true }).waitFor();
      expect((await shared.admin.send('GET', '/manage/groups/readers')).body).toMatchObject({
        members: ['ada'],
      });
      await panel.getByRole('link', { name: 'ada' }).click();
      await getPanel(page, 'ada').waitFor();
      await page.goBack();
      await panel.waitFor();
      expect(complaints).toEqual([]);
    });

    it('searches the members of a group that has more than one page of them', async () => {
      const { cwd } = shared.server;
      const { admin } = shared;
      const names = Array.from({ length: 101 }, (_, index) => `reader${String(index).padStart(3, '0')}`);
      for (const user_name of names) {
        const made = await admin.send('POST', '/manage/users', {
          body: { user_name, display_name: `The ${user_name}` },
        });
        expect(made.status, made.text).toBe(201);
      }
      await runQuern(cwd, 'group create many');
      expect(
        (await admin.send('POST', '/manage/groups/many/members', { body: { members: names } })).status,
      ).toBe(200);
      const { page, complaints } = await openGroups('?group=many');
      const panel = getPanel(page, 'many');
      await panel.getByRole('button', { name: 'Show more of 101' }).waitFor();
      const search = panel.getByLabel('Search members');
      await search.fill('THE READER10');
      const members = panel.getByRole('list', { name: 'Members' }).getByRole('link');
      await expect.poll(() => members.allTextContents()).toEqual(['reader100']);
      await panel.getByRole('button', { name: 'Remove reader100' }).click();
      await panel.getByText('No member has this text').waitFor();
      await visit(page, 'groups-members-search');
      await panel.getByRole('button', { name: 'Clear the text' }).click();
      await expect.poll(() => members.count()).toBe(100);
      await search.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'readers' }).click();
      expect(await getPanel(page, 'readers').getByLabel('Search members').count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('renames a group, and then deletes it', async () => {
      const { page, complaints } = await openGroups('?group=readers');
      await getPanel(page, 'readers').getByRole('button', { name: 'Rename' }).click();
      const form = page.getByRole('dialog', { name: 'Rename readers' });
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill('all readers');
      await form.getByLabel('Display name').fill('Everybody who reads');
      await form.getByRole('button', { name: 'Save' }).click();
      await getPanel(page, 'all readers').getByText('Everybody who reads').waitFor();
      await page.getByLabel('Search groups').fill('EVERYBODY');
      await page.getByText('1 group', { exact: true }).waitFor();
      await getPanel(page, 'all readers').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete group' }).click();
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
      expect((await shared.admin.send('GET', '/manage/groups/all%20readers')).status).toBe(404);
      expect(complaints).toEqual([]);
    });
  });
});
