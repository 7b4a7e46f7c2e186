import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished } from 'vitest';
import type { SsoFailureListBody } from '../../../src/provider-log/provider-log-body.ts';
import { canTrust, chromiumPath, launchTrusting, openPage } from '../../support/chromium.ts';
import { findPort } from '../../support/find-port.ts';
import { copyHome } from '../../support/quern.ts';
import { serve, type TestServer } from '../../support/server.ts';
import { createTlsFiles, type TlsFiles } from '../../support/sso/certificates.ts';
import { fetchHttps } from '../../support/sso/https.ts';
import type { ProviderServer, ProviderUser } from '../../support/sso/provider.ts';

/** An instance at `localhost`, and an identity provider at `127.0.0.1`, both over HTTPS. */
export interface SsoWorld<P extends ProviderServer = ProviderServer> {
  readonly url: string;
  readonly server: TestServer;
  readonly tls: TlsFiles;
  readonly provider: P;
  /** It trusts the certificates of both. */
  readonly browser: Browser;
  /**
   * Sends a request of the administrator below `/api/v1/manage`; returns the JSON, or undefined without a
   * body.
   */
  manage<T = unknown>(method: string, target: string, body?: unknown): Promise<T>;
}

/**
 * Whether sign-ins at an identity provider can be tested here; prints the reason if not. `parts` are the
 * required programs, and whether they are installed.
 */
export function canSignInAt(provider: string, parts: Readonly<Record<string, boolean>>): boolean {
  const all = { Chromium: chromiumPath !== null, 'certutil of NSS': canTrust, ...parts };
  const missing = Object.entries(all).flatMap(([name, isThere]) => (isThere ? [] : [name]));
  if (missing.length === 0) return true;
  process.stderr.write(
    `tests of ${provider} are skipped: ${missing.join(', ')} missing; \`.ci/run\` installs it\n`,
  );
  return false;
}

/** Longer than the start of the identity provider on a busy machine. */
const START_MS = 240_000;

/**
 * Starts both for all tests of a file, and exchanges their metadata; the returned objects exist while the
 * tests run.
 */
export function shareSsoWorld<P extends ProviderServer>(
  startProvider: (folder: string, tls: TlsFiles) => Promise<P>,
): SsoWorld<P> {
  let folder: string;
  const shared: { -readonly [Key in keyof SsoWorld<P>]?: SsoWorld<P>[Key] } = {};
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
    const tls = await createTlsFiles(folder);
    shared.browser = await launchTrusting(tls.authority, path.join(folder, 'browser'));
    // Each is assigned when it runs, because the other one may fail to start.
    await Promise.all([
      startProvider(folder, tls).then((provider) => Object.assign(shared, { provider })),
      startInstance(path.join(folder, 'instance'), tls).then((own) => Object.assign(shared, own)),
    ]);
    await connect(shared as SsoWorld<P>);
  }, START_MS);
  afterAll(async () => {
    await Promise.all([shared.provider?.stop(), shared.server?.kill(), shared.browser?.close()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  return shared as SsoWorld<P>;
}

async function startInstance(cwd: string, tls: TlsFiles) {
  mkdirSync(cwd);
  await copyHome('adminHome', cwd);
  const port = await findPort();
  const url = `https://localhost:${port}`;
  const args = ['--port', `${port}`, '--base-url', url, '--tls-cert', tls.certificate, '--tls-key', tls.key];
  const server = await serve(cwd, args, { NODE_EXTRA_CA_CERTS: tls.authority });
  const manage = async <T>(method: string, target: string, body?: unknown): Promise<T> => {
    const authorization = `Bearer ${inject('adminToken')}`;
    const sending = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const { text } = await fetchHttps(`${url}/api/v1/manage${target}`, tls.authority, {
      method,
      headers: { authorization, ...type },
      ...sending,
    });
    return text === '' ? (undefined as T) : JSON.parse(text);
  };
  return { url, server, tls, manage };
}

/** Gives each the metadata of the other. */
async function connect(world: SsoWorld): Promise<void> {
  // Its first answer can take longer than the instance's timeout.
  await world.provider.readMetadata();
  await world.manage('PUT', '/sso/saml', {
    metadata_url: world.provider.metadataUrl,
    name: 'the mill',
    jit: true,
    sign_requests: true,
  });
  await register(world);
}

/** Gives the provider the metadata of the instance. */
export async function register({ url, tls, provider }: SsoWorld): Promise<void> {
  await provider.register((await fetchHttps(`${url}/saml2/metadata`, tls.authority)).text);
}

/** Changes settings until the test ends. */
export async function changeSettings({ manage }: SsoWorld, change: object, back: object): Promise<void> {
  onTestFinished(() => manage('PUT', '/sso/saml', back));
  await manage('PUT', '/sso/saml', change);
}

/** A new user at the identity provider. */
export async function addUser(
  { provider }: SsoWorld,
  more: Partial<ProviderUser> = {},
): Promise<ProviderUser & { readonly name: string }> {
  const name = `user-${randomBytes(4).toString('hex')}`;
  const user = { email: `${name}@example.org`, firstName: 'Ada', lastName: 'Miller', groups: [], ...more };
  await provider.setUser(name, user);
  return { name, ...user };
}

/** Starts a sign-in with the link of the sign-in page, in a new browser. */
export async function openAtProvider({ url, provider, browser }: SsoWorld): Promise<Page> {
  const page = await openPage({}, browser);
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/login`);
  await followLink(page);
  await page.waitForURL(`${provider.url}/**`);
  await provider.waitForForm(page);
  return page;
}

/** Follows the link of the sign-in page to the identity provider. */
export async function followLink(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with the mill' }).click();
}

/** Signs in in a new browser; returns the resulting page. */
export async function signInAs(world: SsoWorld, name: string): Promise<Page> {
  const page = await openAtProvider(world);
  await world.provider.signIn(page, name);
  await page.waitForURL(`${world.url}/**`);
  return page;
}

/** Waits until the console shows the user's name. */
export async function expectConsole(page: Page, userName: string): Promise<void> {
  const menu = page.getByRole('button', { name: `Profile menu of ${userName}` });
  await menu.waitFor();
  expect(await menu.count()).toBe(1);
}

/** The text of a page about a failed sign-in, and the entry with its reference. */
export async function readRefusal(
  page: Page,
  world: SsoWorld,
): Promise<{ readonly text: string; readonly check: string; readonly detail: string }> {
  await page.getByRole('heading', { name: 'Sign-in failed' }).waitFor();
  const text = await page.getByRole('main').innerText();
  const reference = await page.locator('code').innerText();
  return { text, ...(await readReason(reference, world)) };
}

/** The entry of a refused sign-in, as an administrator finds it by its reference. */
export async function readReason(
  reference: string,
  { manage }: SsoWorld,
): Promise<{ readonly check: string; readonly detail: string; readonly name_id: string | null }> {
  const { data } = await manage<SsoFailureListBody>('GET', `/sso/failures?reference=${reference}`);
  expect(data).toHaveLength(1);
  return data[0]!;
}

/** The groups of a user. */
export async function readGroups({ manage }: SsoWorld, userName: string): Promise<readonly string[]> {
  const { data } = await manage<{ data: { name: string; members: string[] }[] }>('GET', '/groups');
  return data.filter(({ members }) => members.includes(userName)).map(({ name }) => name);
}
