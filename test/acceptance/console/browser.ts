import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage } from '../../support/chromium.ts';
import { PASSWORD, signIn, type Visit } from './console.ts';

/** A page of a new user, and the errors of its console. */
export interface Tab {
  readonly page: Page;
  /** Errors of scripts and of the content policy; not refused requests, whose errors the pages show. */
  readonly complaints: readonly string[];
}

/** A page of a user who is signed in, and a client that sends other requests of the session. */
export interface SignedInTab extends Tab {
  readonly visit: Visit;
}

/** Opens an address of a server in a new browser context. */
export async function openTab(url: string, target = '/', options: BrowserContextOptions = {}): Promise<Tab> {
  // Without animations, what a test sees does not depend on when it looks.
  const page = await openPage({ reducedMotion: 'reduce', ...options });
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    const isRefusal = message.location().url.startsWith(`${url}/console/api/`);
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  await page.goto(`${url}${target}`);
  return { page, complaints };
}

/** Signs in, and waits for the page that was requested. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.getByLabel('User name or e-mail').fill(login);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `Profile menu of ${login}` }).waitFor();
}

/** Opens an address in a new browser context that has a session of a user already. */
export async function openAs(
  url: string,
  login: string,
  target: string,
  options: BrowserContextOptions = {},
): Promise<SignedInTab> {
  const visit = await signIn(url, login);
  const [name, value] = visit.cookie.split('=') as [string, string];
  const cookie = { name, value, path: '/', expires: -1, httpOnly: true, sameSite: 'Lax' } as const;
  const cookies = [{ ...cookie, domain: new URL(url).hostname, secure: url.startsWith('https:') }];
  const tab = await openTab(url, target, { ...options, storageState: { cookies, origins: [] } });
  return { ...tab, visit };
}

/** Opens the page of tokens in a new browser context that has a session of a user already. */
export async function openSignedIn(
  url: string,
  login: string,
  options?: BrowserContextOptions,
): Promise<SignedInTab> {
  const tab = await openAs(url, login, '/profile/tokens', options);
  await tab.page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  return tab;
}

/** Opens the page of tokens in a new browser context, and signs in at the page that asks for it. */
export async function openAndSignIn(
  url: string,
  login: string,
  options?: BrowserContextOptions,
): Promise<Tab> {
  const tab = await openTab(url, '/profile/tokens', options);
  await signInAs(tab.page, login);
  await tab.page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
  return tab;
}

/** Opens the dialog that creates a token. */
export async function openTokenDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Create API key', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Create an API key' });
  await dialog.waitFor();
  return dialog;
}

/** Opens the panel of a token, and the dialog that deletes the token. */
export async function openDeletion(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('complementary', { name }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete this API key?' }).waitFor();
}

/** Creates a token at the page, and returns the displayed value; the dialog stays open. */
export async function createAtPage(page: Page, name: string, fill?: (dialog: Locator) => Promise<void>) {
  const dialog = await openTokenDialog(page);
  await dialog.getByLabel('Name').fill(name);
  await fill?.(dialog);
  await dialog.getByRole('button', { name: 'Create API key' }).click();
  const value = page.getByRole('dialog', { name: 'Your new API key' }).getByLabel(`API key ${name}`);
  const token = await value.inputValue();
  expect(token).toMatch(/^qrn_[0-9A-Za-z]{36}$/);
  return token;
}

/** Closes the dialog that shows a new token. */
export async function closeDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Waits until an element, or a part of it, has the keyboard focus. */
export async function waitForFocus(element: Locator): Promise<void> {
  const hasFocus = () => element.evaluate((node) => node.contains(node.ownerDocument.activeElement));
  await expect.poll(hasFocus).toBe(true);
}
