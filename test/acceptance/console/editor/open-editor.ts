import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Client, encodePath } from '../../../support/http.ts';
import { openAs, type Tab } from '../browser.ts';

/** Opens an address of the editor (`@Shared/x`, `query-1`, or nothing) in a new browser, where the user is signed in. */
export function openEditor(
  url: string,
  login: string,
  target = '',
  options: BrowserContextOptions = {},
): Promise<Tab> {
  return openAs(url, login, `/sql/${encodePath(target)}`, options);
}

/** The text of the shown tab. */
export function findText(page: Page, name: string): Locator {
  return page.getByRole('textbox', { name: `Text of ${name}` });
}

/** The shown completions. */
export const findCompletions = (page: Page) => page.locator('.cm-tooltip-autocomplete [role=option]');

/** The completion with a label. */
export const findCompletion = (page: Page, label: string) =>
  findCompletions(page).filter({
    has: page.locator('.cm-completionLabel', { hasText: new RegExp(`^${label}$`) }),
  });

/** Waits until a text has these lines. */
export async function expectLines(text: Locator, lines: readonly string[]): Promise<void> {
  await text.waitFor();
  await expect.poll(() => text.locator('.cm-line').allTextContents()).toEqual(lines);
}

/** Types at the end of a text that can be changed. */
export async function typeAtEnd(page: Page, text: Locator, typed: string): Promise<void> {
  await text.waitFor();
  await expect.poll(() => text.getAttribute('aria-readonly')).toBe('false');
  await text.focus();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(typed);
}

/** The text of a script in the catalog. */
export async function readContent(admin: Client, path: string): Promise<string | undefined> {
  const { body } = await admin.read(path);
  return (body as { data: { content?: string } }).data.content;
}

/** Saves a text as another user does, in the current revision. */
export async function saveElsewhere(admin: Client, path: string, content: string): Promise<void> {
  const { headers } = await admin.read(path);
  const answer = await admin.update('assets', path, String(headers.etag), { content });
  expect(answer.status, answer.text).toBe(200);
}

/** Waits until the browser keeps a text that contains `part`. */
export async function expectKept(page: Page, part: string): Promise<void> {
  const read = () =>
    page.evaluate(
      () =>
        new Promise<string>((resolve, reject) => {
          const opening = indexedDB.open('quern-editor');
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const all = opening.result.transaction('drafts').objectStore('drafts').getAll();
            all.onsuccess = () => {
              opening.result.close();
              resolve(JSON.stringify(all.result));
            };
          };
        }),
    );
  await expect.poll(read).toContain(part);
}
