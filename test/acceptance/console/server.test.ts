import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { quern } from '../../support/quern.ts';
import { runQuern, startServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';
import { BUSY, runSql, untilListed } from '../http/executing.ts';
import { openAs, openTab } from './browser.ts';
import { PASSWORD, shareConsole } from './console.ts';
import { visit } from './visit.ts';

const shared = shareConsole({ bob: {} });

/** Makes every session older than a download of a backup allows. */
function ageSessions(): void {
  const catalog = new Sqlite(path.join(shared.server.cwd, '.quern', 'catalog.db'));
  catalog.prepare("UPDATE sessions SET created_at = '2026-01-01T00:00:00.000Z'").run();
  catalog.close();
}

describe.skipIf(chromiumPath === null)('the page of the server', () => {
  it('shows health, sizes and limits, and makes, downloads and deletes a backup', async () => {
    const { url, cwd } = shared.server;
    const { page, complaints } = await openAs(url, 'admin', '/administration/server');
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByRole('listitem').filter({ hasText: 'Catalog' }).getByText('OK').waitFor();
    await page
      .getByRole('region', { name: 'Sizes' })
      .getByRole('progressbar', { name: 'Disk in use' })
      .waitFor();
    await page
      .getByRole('region', { name: 'Limits' })
      .getByText(/^0 of \d+$/)
      .first()
      .waitFor();
    const backups = page.getByRole('region', { name: 'Backups' });
    await backups.getByText('No backups yet.').waitFor();
    // It says so before anything is clicked.
    await backups.getByText(/^Queries wait while a database is copied/).waitFor();
    await visit(page, 'server-empty');
    await backups.getByRole('button', { name: 'Back up now' }).click();
    const download = backups.getByRole('button', { name: /^Download quern-backup-/ });
    await download.waitFor();
    await visit(page, 'server');
    ageSessions();
    await download.click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Password of admin').fill('wrong');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').waitFor();
    await visit(page, 'server-sign-in-again');
    await dialog.getByLabel('Password of admin').fill(PASSWORD);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Continue' }).click(),
    ]);
    const [name] = readdirSync(path.join(cwd, '.quern', 'backups'));
    expect(saved.suggestedFilename()).toBe(name);
    const file = await saved.path();
    expect(statSync(file).size).toBe(statSync(path.join(cwd, '.quern', 'backups', name!)).size);
    const restored = await quern(['--home', 'copy', 'admin', 'restore', file], { cwd });
    expect(restored).toMatchObject({ exitCode: 0 });
    await backups.getByRole('button', { name: `Delete ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete backup' }).click();
    await backups.getByText('No backups yet.').waitFor();
    expect(readdirSync(path.join(cwd, '.quern', 'backups'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('shows the progress of a backup, stops it, and says why one failed', async () => {
    const { admin, server } = shared;
    await runSql(admin, 'CREATE TABLE t AS SELECT 1 AS x');
    const running = runSql(admin, BUSY);
    const [busy] = await untilListed(admin, 1);
    const { page, complaints } = await openAs(server.url, 'admin', '/administration/server');
    const backups = page.getByRole('region', { name: 'Backups' });
    await backups.getByRole('button', { name: 'Back up now' }).click();
    // The backup waits for the query.
    await backups
      .getByRole('status')
      .getByText(/^Running: .* of at most .*$/)
      .waitFor();
    await visit(page, 'server-running');
    expect(await backups.getByRole('button', { name: 'Back up now' }).isDisabled()).toBe(true);
    await backups.getByRole('button', { name: /^Stop quern-backup-/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop backup' }).click();
    await backups.getByText('No backups yet.').waitFor();
    await admin.send('DELETE', `/executions/${busy!.id}`);
    await running;
    writeFileSync(path.join(server.cwd, '.quern', 'db', 'other.duckdb'), 'no database');
    await backups.getByRole('button', { name: 'Back up now' }).click();
    await backups
      .getByRole('alert')
      .getByText(/Nothing was backed up$/)
      .waitFor();
    await visit(page, 'server-failed');
    expect(complaints).toEqual([]);
  });

  it('leads an administrator without a password to one before a download', async () => {
    const { server } = await startServer();
    const file = (await runQuern(server.cwd, 'ui --no-open')).trim();
    const { page } = await openTab('', pathToFileURL(file).href);
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'Profile menu of admin' }).waitFor();
    await page.goto(`${server.url}/administration/server`);
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByRole('button', { name: /^Download quern-backup-/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByRole('link', { name: 'profile' }).click();
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Set the password').waitFor();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('link', { name: 'Server', exact: true }).click();
    await page.getByRole('button', { name: /^Download quern-backup-/ }).click();
    await dialog.getByLabel('Password of admin').fill(PASSWORD);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Continue' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^quern-backup-.*\.tar$/);
  });

  it('is not for others, by address and by request', async () => {
    const { page } = await openAs(shared.server.url, 'bob', '/administration/server');
    await page.getByRole('heading', { name: 'Only for administrators' }).waitFor();
    const statuses = await page.evaluate(async () => {
      const { csrf_token } = await (await fetch('/console/api/session')).json();
      const headers = { 'x-csrf-token': csrf_token };
      const ask = async (method: string, target: string) =>
        (await fetch(`/console/api/manage/${target}`, { method, headers })).status;
      return Promise.all([
        ask('GET', 'server'),
        ask('GET', 'backups'),
        ask('POST', 'backups'),
        ask('GET', 'backups/quern-backup-2026-03-01T12-00-00-000Z.tar'),
        ask('DELETE', 'backups/quern-backup-2026-03-01T12-00-00-000Z.tar'),
      ]);
    });
    expect(statuses).toEqual([403, 403, 403, 403, 403]);
  });

  it('keeps the state that it has while the server cannot be reached', async () => {
    const { page } = await openAs(shared.server.url, 'admin', '/administration/server');
    await page.getByRole('region', { name: 'Health' }).waitFor();
    await page.route('**/console/api/manage/backups', (route) =>
      route.fulfill({ status: 500, json: { detail: 'Internal error' } }),
    );
    await page.reload();
    await eventually(async () => expect(await page.getByText('The backups cannot be shown').count()).toBe(1));
    await page.getByRole('region', { name: 'Health' }).waitFor();
  });
});
