import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { runQuern } from '../../support/server.ts';
import { openAs } from './browser.ts';
import { shareConsole } from './console.ts';
import { visit } from './visit.ts';

const server = inject('postgresql');
const shared = shareConsole({ ada: { display_name: 'Ada Lovelace' }, bob: { role: 'VIEWER' } });

const openConnections = (query = '', user = 'admin') =>
  openAs(shared.server.url, user, `/administration/connections${query}`);
const getPanel = (page: Page, name: string) => page.getByRole('complementary', { name });

beforeAll(async () => {
  const { cwd } = shared.server;
  await runQuern(cwd, 'connection create shop --kind duckdb --set file=shop.duckdb');
  await runQuern(cwd, 'grant add user:ada use connection:shop');
});

describe.skipIf(chromiumPath === null)('the page of connections', () => {
  it.skipIf(server === null)('tests a connection, stores it, and rotates its secret', async () => {
    const { page, complaints } = await openConnections();
    await page.getByRole('button', { name: 'Create connection' }).click();
    const form = page.getByRole('dialog', { name: 'Create a connection' });
    const fill = (name: string, value: string) =>
      form.getByRole('textbox', { name, exact: true }).fill(value);
    await fill('Name', 'warehouse');
    await fill('host', server!.host);
    await fill('port', server!.port);
    await fill('user', server!.user);
    await fill('database', server!.database);
    await form.getByLabel('password', { exact: true }).fill('wrong');
    await form.getByRole('button', { name: 'Test' }).click();
    await form.getByRole('alert').getByText('The test failed').waitFor();
    await form.getByText('Sign in').waitFor();
    await form.getByRole('checkbox', { name: 'schema' }).uncheck();
    await visit(page, 'connections-form');
    // Untested settings are only stored after a second click.
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Not tested').waitFor();
    await form.getByRole('button', { name: 'Save without a test' }).click();
    await page.getByText('Created the connection warehouse').waitFor();
    const panel = getPanel(page, 'warehouse');
    await panel
      .getByText('A run may override')
      .locator('xpath=..')
      .getByText('database', { exact: true })
      .waitFor();
    await panel.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change warehouse' });
    await change.getByRole('group', { name: 'password' }).getByText('Set', { exact: true }).waitFor();
    await change.getByRole('button', { name: 'Replace password' }).click();
    await change.getByLabel('password', { exact: true }).fill(server!.password);
    await change.getByRole('button', { name: 'Test' }).click();
    await change.getByText(/The test passed in \d+ ms/).waitFor();
    await change.getByText(/^PostgreSQL \d+/).waitFor();
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed the connection warehouse').waitFor();
    await panel.getByRole('button', { name: 'Test' }).click();
    await panel.getByText(/The test passed in \d+ ms/).waitFor();
    await visit(page, 'connections-panel');
    expect(await page.content()).not.toContain(server!.password);
    expect(complaints).toEqual([]);
  });

  it('shows an error of the server at its field, and sends no stored secret to another host', async () => {
    await runQuern(
      shared.server.cwd,
      'connection create old --kind postgresql --set host=127.0.0.1 --set port=1 --set user=q --secret password',
      'secret words',
    );
    const { page, complaints } = await openConnections('?connection=old');
    await getPanel(page, 'old').getByRole('button', { name: 'Change' }).click();
    const form = page.getByRole('dialog', { name: 'Change old' });
    const port = form.getByRole('textbox', { name: 'port', exact: true });
    await port.fill('many');
    await form.getByRole('button', { name: 'Test' }).click();
    await form.getByText('Option port must be a whole number from 1 to 65535').waitFor();
    expect(await port.getAttribute('aria-invalid')).toBe('true');
    await port.fill('2');
    await form.getByRole('button', { name: 'Test' }).click();
    await form
      .getByRole('group', { name: 'password' })
      .getByText('The secret password was stored for another port: send it again')
      .waitFor();
    await form.getByRole('button', { name: 'Remove password' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('button', { name: 'Save without a test' }).click();
    await page.getByText('Changed the connection old').waitFor();
    expect((await shared.admin.send('GET', '/manage/connections/old')).body).toMatchObject({
      options: { port: '2' },
      secrets: [],
      revision: 2,
    });
    // The browser reports the refused requests.
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  });

  it('lists who may use a connection and why, filters, and deletes one', async () => {
    const { page, complaints } = await openConnections();
    await page.getByLabel('Kind').selectOption('duckdb');
    await page.getByText('2 connections', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'shop' }).click();
    const panel = getPanel(page, 'shop');
    const users = panel.getByRole('list', { name: 'Users' });
    await users.getByText('ada has USE on connection:shop').waitFor();
    await users.getByRole('link', { name: 'ada' }).click();
    await getPanel(page, 'ada').waitFor();
    await page.goBack();
    await page.getByLabel('Search connections').fill('SHO');
    await page.getByText('1 connection', { exact: true }).waitFor();
    await visit(page, 'connections');
    await panel.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete connection' }).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect((await shared.admin.send('GET', '/manage/connections/shop')).status).toBe(404);
    await page.goto(`${shared.server.url}/administration/connections?connection=duckdb`);
    await getPanel(page, 'duckdb').getByText('it cannot be changed or deleted').waitFor();
    expect(complaints).toEqual([]);
  });

  it('is not for others', async () => {
    const { page, complaints } = await openConnections('', 'bob');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
