import path from 'node:path';
import Sqlite from 'better-sqlite3';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { encodePath } from '../../../support/http.ts';
import { openTab, type Tab } from '../browser.ts';
import { signIn, type Visit } from '../console.ts';

/** A page of the catalog, and a client that sends other requests of its user. */
export interface CatalogTab extends Tab {
  readonly visit: Visit;
}

/** Opens an item of the catalog in a new browser, where the user is signed in; `query` as `view=properties`. */
export async function openCatalog(
  url: string,
  login: string,
  target: string,
  options: BrowserContextOptions & { readonly query?: string } = {},
): Promise<CatalogTab> {
  const { query = '', ...context } = options;
  const visit = await signIn(url, login);
  const tab = await openTab(url, '/login', context);
  const [name, value] = visit.cookie.split('=') as [string, string];
  await tab.page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  await goTo(tab.page, url, target, query);
  return { ...tab, visit };
}

/** Opens the address of an item. */
export async function goTo(page: Page, url: string, target: string, query = ''): Promise<void> {
  await page.goto(`${url}/catalog/${encodePath(target)}${query === '' ? '' : `?${query}`}`);
  await page.getByRole('tree', { name: 'Catalog' }).waitFor();
}

/** A row of the tree. */
export function findTreeItem(page: Page, name: string): Locator {
  return page.getByRole('tree', { name: 'Catalog' }).getByRole('treeitem', { name, exact: true });
}

/** The name of the tree's row that the keyboard acts on. */
export async function readActive(page: Page): Promise<string | null> {
  const id = await page.getByRole('tree', { name: 'Catalog' }).getAttribute('aria-activedescendant');
  return page.locator(`[id="${id}"]`).textContent();
}

/** Puts scripts below `@Shared/NAME` of a home that is not served: one transaction, however many there are. */
export function fillFolder(cwd: string, folder: string, names: readonly string[]): void {
  const database = new Sqlite(path.join(cwd, '.quern/catalog.db'), { fileMustExist: true });
  const now = '2026-01-01T00:00:00.000Z';
  const root = database.prepare("SELECT id FROM catalog_items WHERE parent_id IS NULL AND name = '@Shared'");
  const { id: rootId } = root.get() as { id: string };
  const insert = database.prepare(`
    INSERT INTO catalog_items (id, parent_id, name, type, description, revision, created_at, updated_at)
    VALUES (?, ?, ?, ?, '', 1, '${now}', '${now}')
  `);
  const write = database.prepare('INSERT INTO catalog_contents (item_id, content) VALUES (?, ?)');
  database.transaction(() => {
    insert.run(folder, rootId, folder, 'REGULAR_FOLDER');
    for (const name of names) {
      const id = `${folder}/${name}`;
      insert.run(id, folder, name, 'SQL_SCRIPT');
      write.run(id, 'SELECT 1');
    }
  })();
  database.close();
}
