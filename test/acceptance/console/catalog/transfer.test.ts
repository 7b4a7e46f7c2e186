import { readFileSync } from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../support/chromium.ts';
import { makeFolder, writeFiles } from '../../../support/quern.ts';
import { shareConsole } from '../console.ts';
import { visit } from '../visit.ts';
import { openCatalog } from './open-catalog.ts';

const shared = shareConsole({ ada: {} });

beforeAll(async () => {
  const { admin } = shared;
  for (const name of ['in', 'out', 'copies']) await admin.make('folders', `@Shared/${name}`);
});

async function readContent(target: string): Promise<unknown> {
  return ((await shared.admin.read(target)).body as { data?: { content?: string } }).data?.content;
}

async function startAction(page: Page, name: string, action: string): Promise<Locator> {
  await page
    .getByRole('button', { name: `Actions for ${name}`, exact: true })
    .last()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
  return page.getByRole('dialog');
}

async function chooseFolder(page: Page, folder: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload files' });
  await dialog.locator('input[aria-label="Folder"]').setInputFiles(folder);
  return dialog;
}

describe.skipIf(chromiumPath === null)('uploads, downloads and copies', () => {
  it('uploads a folder, says what became of each file, and asks about scripts that exist', async () => {
    const folder = path.join(makeFolder(), 'shop');
    writeFiles(folder, {
      'report.sql': 'SELECT 1',
      'project.toml': 'name = "shop"',
      'deep/lines.sql': '\ufeffSELECT 2\r\n',
      'image.png': Uint8Array.of(0x89, 0xff, 0),
      '.hidden': 'x',
    });
    const { page, complaints } = await openCatalog(shared.server.url, 'ada', '@Shared/in');
    const dialog = await chooseFolder(page, folder);
    await dialog.getByText('5 files, 2 new folders').waitFor();
    await visit(page, 'dialog-upload-new');
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await dialog.getByText('5 of 7 items uploaded').waitFor();
    await visit(page, 'dialog-upload-result');
    const others = dialog.getByRole('list', { name: 'Items that were not transferred' });
    expect((await others.getByRole('listitem').allTextContents()).toSorted()).toEqual([
      '@Shared/in/shop/.hiddenSkipped: Hidden file',
      '@Shared/in/shop/image.pngFailed: The file is not text in UTF-8',
    ]);
    expect(await readContent('@Shared/in/shop/report')).toBe('SELECT 1');
    expect(await readContent('@Shared/in/shop/project.toml')).toBe('name = "shop"');
    expect(await readContent('@Shared/in/shop/deep/lines')).toBe('\ufeffSELECT 2\r\n');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByRole('table').getByText('shop').waitFor();

    writeFiles(folder, { 'report.sql': 'SELECT 3' });
    for (const [choice, report, second] of [
      ['skip', 'SELECT 1', undefined],
      ['keep-both', 'SELECT 1', 'SELECT 3'],
      ['replace', 'SELECT 3', 'SELECT 3'],
    ]) {
      const again = await chooseFolder(page, folder);
      await again.getByLabel('3 scripts already in the catalog').selectOption(choice!);
      if (choice === 'replace') await visit(page, 'dialog-upload-existing');
      await again.getByRole('button', { name: 'Upload', exact: true }).click();
      await again.getByText(/of 5 items uploaded/).waitFor();
      expect(await readContent('@Shared/in/shop/report')).toBe(report);
      expect(await readContent('@Shared/in/shop/report (2)')).toBe(second);
      await again.getByRole('button', { name: 'Close', exact: true }).last().click();
    }
    expect(complaints).toEqual([]);
  });

  it('downloads a script, and a folder as a ZIP file from which no name leads out', async () => {
    const { admin, server } = shared;
    const contents = {
      'a/b c': '',
      plain: 'SELECT 1',
      PLAIN: 'SELECT 2',
      'models.yaml': 'x: 1',
      '..\\x': 'SELECT 4',
    };
    await admin.make('folders', '@Shared/out/a');
    for (const [name, content] of Object.entries(contents)) {
      await admin.make('assets', `@Shared/out/${name}`, { content });
    }
    const { page, complaints } = await openCatalog(server.url, 'ada', '@Shared/out');
    const started = page.waitForEvent('download');
    const dialog = await startAction(page, 'out', 'Download as ZIP');
    const file = await (await started).path();
    expect((await started).suggestedFilename()).toBe('out.zip');
    const entries = Object.entries(unzipSync(readFileSync(file)));
    const texts = Object.fromEntries(entries.map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]));
    expect(texts).toEqual({
      'out/a/': '',
      'out/a/b c.sql': '',
      'out/plain (2).sql': 'SELECT 1',
      'out/PLAIN.sql': 'SELECT 2',
      'out/models.yaml': 'x: 1',
      'out/.._x.sql': 'SELECT 4',
    });
    await dialog.getByText('6 of 6 items downloaded').waitFor();
    await visit(page, 'dialog-download');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByRole('table').getByRole('link', { name: 'plain', exact: true }).click();
    const single = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    expect((await single).suggestedFilename()).toBe('plain.sql');
    expect(readFileSync(await (await single).path(), 'utf8')).toBe('SELECT 1');
    expect(complaints).toEqual([]);
  });

  it('copies a folder with everything in it, and says where it stopped', async () => {
    const { admin, server } = shared;
    await admin.make('folders', '@Shared/copies/from', { folder_type: 'PROJECT', description: 'the first' });
    await admin.make('folders', '@Shared/copies/from/deep');
    await admin.make('assets', '@Shared/copies/from/deep/x', { content: 'SELECT 9' });
    const { page, complaints } = await openCatalog(server.url, 'ada', '@Shared/copies/from');
    const dialog = await startAction(page, 'from', 'Copy…');
    await dialog.getByLabel('Name of the copy').fill('to');
    await dialog.getByRole('treeitem', { name: 'copies' }).waitFor();
    await visit(page, 'dialog-copy');
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await dialog.getByText('3 of 3 items copied').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect((await admin.read('@Shared/copies/to')).body).toMatchObject({
      type: 'PROJECT',
      description: 'the first',
    });
    expect(await readContent('@Shared/copies/to/deep/x')).toBe('SELECT 9');
    const again = await startAction(page, 'from', 'Copy…');
    await again.getByLabel('Name of the copy').fill('to');
    await again.getByRole('button', { name: 'Copy', exact: true }).click();
    await again.getByText('0 of 3 items copied').waitFor();
    await again.getByRole('alert').getByText('Name already exists.').waitFor();
    await visit(page, 'dialog-copy-stopped');
    expect(complaints).toEqual([]);
  });

  it('copies the path and the text of a script', async () => {
    const { server, admin } = shared;
    await admin.make('assets', '@Shared/out/told', { content: 'SELECT 1\n' });
    const { page, complaints } = await openCatalog(server.url, 'ada', '@Shared/out/told');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const [what, text] of [
      ['path', '@Shared/out/told'],
      ['text', 'SELECT 1\n'],
    ] as const) {
      await startAction(page, 'told', `Copy the ${what}`);
      await page.getByText(`Copied the ${what}`).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
    }
    expect(complaints).toEqual([]);
  });
});
