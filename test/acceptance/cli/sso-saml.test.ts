import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TestOutcome } from '../../../src/identity/sign-on/test-body.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { homeAt } from '../../../src/workspace/home/home.ts';
import { createServices } from '../../../src/workspace/services/services.ts';
import { makeMetadata } from '../../identity/saml/saml-world.ts';
import { makeHome, quern, quernProcess } from '../../support/quern.ts';
import { serveDocuments } from '../../support/sso/serve-documents.ts';

const BASE_URL = 'https://quern.example.org';

let metadata = '';

beforeAll(async () => {
  metadata = await makeMetadata();
});

interface Ran {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  // Node reads the certificates that it trusts when it starts.
  const start = 'NODE_EXTRA_CA_CERTS' in env ? quernProcess : quern;
  const ran = await start(['sso', 'saml', ...args], { cwd, env: { QUERN_BASE_URL: BASE_URL, ...env } });
  return { exitCode: ran.exitCode, stdout: String(ran.stdout), stderr: String(ran.stderr) };
}

async function makeConfigured(): Promise<string> {
  const cwd = await makeHome();
  writeFileSync(path.join(cwd, 'idp.xml'), metadata);
  expect(await run(cwd, ['set', '--metadata', 'idp.xml'])).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'set SAML with https://idp.example.org/metadata\n',
  });
  return cwd;
}

/** Ends the test sign-in that is starting, as the server does after a sign-in. */
function finishTest(cwd: string, outcome: TestOutcome): void {
  const home = homeAt(path.join(cwd, '.quern'));
  const database = openDatabase(home.folder, { clock: () => new Date() });
  onTestFinished(() => database.close());
  const { signOnTests } = createServices(database, home).accounts;
  const timer = setInterval(() => {
    const row = database.statement<{ id: string }>('SELECT id FROM test_sign_ins').get();
    if (row !== undefined) signOnTests.finish(row.id, outcome);
  }, 50);
  onTestFinished(() => clearInterval(timer));
}

describe('quern sso saml', () => {
  it('shows the settings, and changes the named ones', async () => {
    const cwd = await makeConfigured();
    const changed = await run(cwd, [
      ...['set', '--name', 'Contoso', '--entity-id', 'urn:quern', '--username', 'uid', '--groups', 'roles'],
      ...['--first-name', 'given', '--last-name', 'family', '--jit', 'on', '--group-sync', 'off'],
      ...['--create-groups', 'off', '--sso-only', 'on', '--sign-requests', 'on', '--skew', '0'],
      ...['--certificate-validity', '2', '--certificate-unit', 'years', '--json'],
    ]);
    const shown = {
      name: 'Contoso',
      entity_id: 'urn:quern',
      attributes: { user_name: 'uid', first_name: 'given', last_name: 'family', groups: 'roles' },
      jit: true,
      group_sync: false,
      create_groups: false,
      sso_only: true,
      sign_requests: true,
      skew_seconds: 0,
      certificate_validity: { count: 2, unit: 'years' },
    };
    expect(JSON.parse(changed.stdout)).toMatchObject(shown);
    const { stdout } = await run(cwd, ['set', '--jit', 'off', '--entity-id', '', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ...shown, jit: false, entity_id: BASE_URL });
    const text = await run(cwd, ['show']);
    expect(text.stdout).toMatch(/^name {5,}Contoso$/m);
    expect(text.stdout).toMatch(/^callback URL +https:\/\/quern\.example\.org\/api\/saml2\/callback$/m);
    expect(text.stdout).toMatch(/^ours, active {2}\S+ to \S+ {2}SHA-256 ([\dA-F]{2}:){31}[\dA-F]{2}$/m);
    expect((await run(cwd, ['show', '--json'])).stdout).toBe(stdout);
  });

  it('reports expired certificates', async () => {
    const cwd = await makeConfigured();
    const isMarked = async () => /^theirs .* {2}expired$/m.test((await run(cwd, ['show'])).stdout);
    expect(await isMarked()).toBe(false);
    writeFileSync(path.join(cwd, 'idp.xml'), await makeMetadata(new Date('2010-01-01')));
    await run(cwd, ['set', '--metadata', 'idp.xml']);
    expect(await isMarked()).toBe(true);
  });

  it('uses the base URL of the configuration', async () => {
    const cwd = await makeConfigured();
    const without = await run(cwd, ['show'], { QUERN_BASE_URL: '' });
    expect([without.exitCode, without.stderr]).toEqual([
      1,
      expect.stringContaining(
        'error: SAML needs an https base URL, but the base URL of this instance is not set',
      ),
    ]);
    writeFileSync(
      path.join(cwd, '.quern/config.toml'),
      '[server]\nbase_url = "https://other.example.org/"\n',
    );
    const { stdout } = await run(cwd, ['show'], { QUERN_BASE_URL: '' });
    expect(stdout).toContain('https://other.example.org/api/saml2/callback');
  });

  it.each<[string[], number, string]>([
    [['set'], 2, 'nothing to change: use an option such as `--metadata FILE` or `--jit on`'],
    [['set', '--jit', 'yes'], 2, '--jit must be on or off, not `yes`'],
    [['set', '--metadata', 'missing.xml'], 1, 'cannot read missing.xml: there is no such file'],
    [['set', '--metadata', 'http://idp.example.org'], 1, 'Metadata URL must be an https URL'],
    [['set', '--name', ''], 2, 'Name is required'],
    [['set', '--skew', '301'], 1, 'Skew must be 0 to 300 whole seconds'],
    [['set', '--certificate-unit', 'hours'], 1, 'Certificate validity must be'],
    [['show'], 1, 'SAML is not configured'],
    [['metadata'], 1, 'SAML is not configured'],
    [['certificate'], 1, 'SAML is not configured'],
    [['test'], 1, 'SAML is not configured'],
    [['link', 'admin', 'a@example.org'], 1, 'SAML is not configured'],
    [['rm', '--yes'], 1, 'SAML is not configured'],
    [['activate-certificate'], 1, 'SAML is not configured'],
  ])('refuses %j', async (args, exitCode, message) => {
    const ran = await run(await makeHome(), args);
    expect(ran).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(`error: ${message}`) });
  });

  it('reads metadata of an https URL, and keeps the last valid ones', async () => {
    const cwd = await makeHome();
    const { url, env } = await serveDocuments(cwd, {
      '/good': { status: 200, body: metadata },
      '/moved': { status: 302, body: '/good' },
      '/gone': { status: 404, body: 'no' },
      '/html': { status: 200, body: '<html/>' },
      '/large': { status: 200, body: 'x'.repeat(1024 * 1024 + 1) },
    });
    const set = (name: string, given: Readonly<Record<string, string>> = env) =>
      run(cwd, ['set', '--metadata', `${url}/${name}`], given);
    expect(await set('good')).toMatchObject({ exitCode: 0 });
    const { stdout } = await run(cwd, ['show', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ metadata_url: `${url}/good` });
    const readError = async (name: string, given = env) =>
      (await set(name, given)).stderr.split('. Nothing was changed')[0];
    const failed = (name: string) => `error: Metadata cannot be read from ${url}/${name}: `;
    expect(await readError('moved')).toBe(`${failed('moved')}unexpected redirect`);
    expect(await readError('gone')).toBe(`${failed('gone')}the response status is 404`);
    expect(await readError('large')).toBe(`${failed('large')}the response has more than 1048576 bytes`);
    expect(await readError('hangs')).toBe(`${failed('hangs')}no response within 5 seconds`);
    expect(await readError('html')).toContain('Invalid identity provider metadata');
    expect((await set('good', {})).stderr).toContain(`${failed('good')}self-signed certificate`);
    expect((await run(cwd, ['show', '--json'])).stdout).toBe(stdout);
  });

  it('prints the metadata and the certificate of this instance, and renews the certificate', async () => {
    const cwd = await makeConfigured();
    const first = (await run(cwd, ['certificate'])).stdout;
    const names = execFileSync('openssl', ['x509', '-noout', '-subject'], { input: first, encoding: 'utf8' });
    expect(names).toContain('CN = quern.example.org');
    expect((await run(cwd, ['activate-certificate'])).stderr).toContain('error: No certificate is pending');
    expect(await run(cwd, ['renew-certificate'])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await run(cwd, ['metadata', '--output', 'quern.xml'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    const xml = readFileSync(path.join(cwd, 'quern.xml'), 'utf8');
    expect(xml.match(/<md:KeyDescriptor /g)).toHaveLength(2);
    expect((await run(cwd, ['metadata'])).stdout).toBe(xml);
    expect((await run(cwd, ['certificate'])).stdout).toBe(first);
    const { stdout } = await run(cwd, ['activate-certificate', '--json']);
    expect(JSON.parse(stdout).certificates.map(({ state }: { state: string }) => state)).toEqual([
      'active',
      'former',
    ]);
    expect((await run(cwd, ['certificate'])).stdout).not.toBe(first);
  });

  it('links a user to a NameID', async () => {
    const cwd = await makeConfigured();
    const linked = await run(cwd, ['link', 'admin', 'boss@example.org', '--json']);
    expect(JSON.parse(linked.stdout)).toEqual({
      user_name: 'admin',
      name_id: 'boss@example.org',
      issuer: 'https://idp.example.org/metadata',
    });
    expect(await run(cwd, ['link', 'admin', 'boss'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('E-mail is not valid: boss'),
    });
  });

  it('starts a test sign-in, and waits for it up to the given time', async () => {
    const cwd = await makeConfigured();
    const { exitCode, stdout, stderr } = await run(cwd, ['test', '--timeout', '1']);
    expect([exitCode, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(
      /^open this link in a browser, and sign in there:\nhttps:\/\/quern\.example\.org\/api\/auth\/login\/saml2\?test=[\w-]{22}\nerror: no user signed in within 1 s: run the command again\n$/,
    );
  });

  it.each<[Partial<TestOutcome>, number, string]>([
    [
      { passed: true, text: 'the user eve would be created' },
      0,
      `passed: the user eve would be created

NameID                  eve@example.org
user name   username    eve
first name  firstName   not received
last name   lastName    not received
groups      groups      a, b
not mapped  department  R␛D
`,
    ],
    [
      { passed: false, check: 'audience', text: 'audience: …', subject: null, attributes: {} },
      1,
      `refused: audience: …

user name   username   not received
first name  firstName  not received
last name   lastName   not received
groups      groups     not received
`,
    ],
  ])('prints the result of a test sign-in: %j', async (given, exitCode, text) => {
    const cwd = await makeConfigured();
    const running = run(cwd, ['test']);
    finishTest(cwd, {
      passed: true,
      check: null,
      text: '',
      subject: 'eve@example.org',
      attributes: { username: ['eve'], groups: ['a', 'b'], department: ['R\u001bD'] },
      ...given,
    });
    expect(await running).toMatchObject({ exitCode, stdout: text });
  });

  it('asks before it deletes', async () => {
    const cwd = await makeConfigured();
    const refused = await run(cwd, ['rm']);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('not deleted: without a terminal, confirm with --yes'),
    ]);
    expect(await run(cwd, ['rm', '--yes'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'deleted the SAML configuration and the certificates\n',
    });
    expect((await run(cwd, ['show'])).exitCode).toBe(1);
  });

  it('is for administrators', async () => {
    const cwd = await makeConfigured();
    await quern(['user', 'create', 'ada'], { cwd });
    const all = [['show'], ['set', '--jit', 'on'], ['renew-certificate'], ['test'], ['rm', '--yes']];
    for (const args of all) {
      const ran = await quern(['--as', 'ada', 'sso', 'saml', ...args], {
        cwd,
        env: { QUERN_BASE_URL: BASE_URL },
      });
      expect([args, ran.exitCode]).toEqual([args, 4]);
    }
  });

  it('has examples in its help', async () => {
    const { stdout } = await run(await makeHome(), ['set', '--help']);
    expect(stdout).toContain('\nExamples:\n  $ quern sso saml set --metadata idp.xml');
  });

  it('has a key that only its home can decrypt', async () => {
    const cwd = await makeConfigured();
    const check = await quern(['admin', 'check'], { cwd });
    expect(String(check.stdout)).toMatch(/secrets +1, which the master key opens/);
    expect(readFileSync(path.join(cwd, '.quern/catalog.db'), 'latin1')).not.toContain('PRIVATE KEY');
  });
});
