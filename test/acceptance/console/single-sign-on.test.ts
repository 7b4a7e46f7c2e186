import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeMetadata } from '../../identity/saml/saml-world.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { expectRefusal, send } from '../../support/http.ts';
import { quern } from '../../support/quern.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { openTab } from './browser.ts';
import { askToSignIn, createUser, PASSWORD, setPassword } from './console.ts';
import { visit } from './visit.ts';

const BASE_URL = 'https://quern.example.org';
const SSO = { name: 'Contoso', url: '/api/auth/login/saml2', only: false };

/** Configures SAML for the home of a server. */
async function setSaml({ cwd }: TestServer, ...args: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await quern(['sso', 'saml', 'set', ...args], {
    cwd,
    env: { QUERN_BASE_URL: BASE_URL },
  });
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
}

async function startWithSaml(...args: readonly string[]): Promise<TestServer> {
  const { server } = await startServer('--base-url', BASE_URL);
  writeFileSync(path.join(server.cwd, 'idp.xml'), await makeMetadata());
  await setSaml(server, '--metadata', 'idp.xml', '--name', 'Contoso', ...args);
  return server;
}

const askForSetup = ({ url }: TestServer) => send(url, 'GET', '/console/api/setup');

describe('single sign-on at the console', () => {
  it('appears on the sign-in page while it is configured', async () => {
    const server = await startWithSaml();
    expect((await askForSetup(server)).body).toEqual({ administrator_has_password: false, sso: SSO });
    await setSaml(server, '--sso-only', 'on');
    expect((await askForSetup(server)).body).toMatchObject({ sso: { ...SSO, only: true } });
    await quern(['sso', 'saml', 'rm', '--yes'], { cwd: server.cwd });
    expect((await askForSetup(server)).body).toMatchObject({ sso: null });
  });

  it('is not offered without an https base URL', async () => {
    const { server } = await startServer();
    writeFileSync(path.join(server.cwd, 'idp.xml'), await makeMetadata());
    await setSaml(server, '--metadata', 'idp.xml', '--sso-only', 'on');
    expect((await askForSetup(server)).body).toMatchObject({ sso: null });
    await createUser(server.cwd, 'ada');
    expect((await askToSignIn(server.url, { login: 'ada', password: PASSWORD })).status).toBe(200);
  });

  it('can be required for all users except administrators', async () => {
    const server = await startWithSaml('--sso-only', 'on');
    await setPassword(server.cwd, 'admin');
    await createUser(server.cwd, 'ada');
    const headers = { origin: BASE_URL };
    const answer = await askToSignIn(server.url, { login: 'ada', password: PASSWORD }, headers);
    expectRefusal(answer, 401, 'User name or password is wrong');
    const admin = await askToSignIn(server.url, { login: 'admin', password: PASSWORD }, headers);
    expect(admin.status).toBe(200);
  });
});

describe.skipIf(chromiumPath === null)('the sign-in page', () => {
  it('has a button for single sign-on, which keeps the requested page', async () => {
    const server = await startWithSaml();
    const { page, complaints } = await openTab(server.url, '/profile/tokens?x=1');
    const link = page.getByRole('link', { name: 'Sign in with Contoso' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${SSO.url}?return_to=%2Fprofile%2Ftokens%3Fx%3D1`);
    expect(await page.getByLabel('Password').count()).toBe(1);
    await page.goto(`${server.url}/login?return=${encodeURIComponent('//evil.example')}`);
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${SSO.url}?return_to=%2F`);
    expect(complaints).toEqual([]);
  });

  it('has no form where only administrators have passwords, unless it is requested', async () => {
    const server = await startWithSaml('--sso-only', 'on');
    const { page, complaints } = await openTab(server.url, '/login');
    await page.getByRole('link', { name: 'Sign in with Contoso' }).waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await visit(page, 'sign-in-sso-only');
    await page.getByRole('link', { name: 'Administrators' }).click();
    await page.getByLabel('Password').waitFor();
    await page.getByRole('link', { name: 'Sign in with Contoso' }).waitFor();
    expect(new URL(page.url()).search).toBe('?local=1');
    await page.reload();
    await page.getByLabel('Password').waitFor();
    expect(complaints).toEqual([]);
  });
});
