import path from 'node:path';
import Sqlite from 'better-sqlite3';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { encodePath } from '../../../support/http.ts';
import { openAs, type SignedInTab } from '../browser.ts';

/** Opens an item of the catalog in a new browser, where the user is signed in; `query` as `view=properties`. */
export async function openCatalog(
  url: string,
  login: string,
  target: string,
  options: BrowserContextOptions & { readonly query?: string } = {},
): Promise<SignedInTab> {
  const { query = '', ...context } = options;
  const tab = await openAs(url, login, toAddress(target, query), context);
  await findTree(tab.page).waitFor();
  return tab;
}

/** Opens the address of an item. */
export async function goTo(page: Page, url: string, target: string, query = ''): Promise<void> {
  await page.goto(`${url}${toAddress(target, query)}`);
  await findTree(page).waitFor();
}

function toAddress(target: string, query: string): string {
  return `/catalog/${encodePath(target)}${query === '' ? '' : `?${query}`}`;
}

function findTree(page: Page): Locator {
  return page.getByRole('tree', { name: 'Catalog' });
}

/** A row of the tree. */
export function findTreeItem(page: Page, name: string): Locator {
  return findTree(page).getByRole('treeitem', { name, exact: true });
}

/** The name of the tree's row that the keyboard acts on. */
export async function readActive(page: Page): Promise<string | null> {
  const id = await findTree(page).getAttribute('aria-activedescendant');
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
