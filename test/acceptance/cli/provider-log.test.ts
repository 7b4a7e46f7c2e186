import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeMetadata } from '../../identity/saml/saml-world.ts';
import { createClient } from '../../support/http.ts';
import { makeHome, quern } from '../../support/quern.ts';
import { createToken, runQuern, serve } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const SECRET = 'correct-horse-battery';

async function list(cwd: string, line: string): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse(await runQuern(cwd, `${line} --json`)).data;
}

describe('quern admin scim-log', () => {
  it('prints the requests of a provider, newest first, while a server runs and afterwards', async () => {
    const cwd = await makeHome();
    expect(await runQuern(cwd, 'admin scim-log')).toBe('');
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    const scim = createClient(
      server.url,
      await createToken(cwd, 'admin', '--scope', 'scim', '--name', 'okta'),
    );
    const body = { userName: 'ada@example.org', passWord: SECRET };
    for (const status of [201, 409]) {
      expect((await scim.send('POST', '/scim/v2/Users', { body })).status).toBe(status);
    }
    expect((await createClient(server.url, 'wrong').send('GET', '/scim/v2/Users')).status).toBe(401);
    await eventually(async () => expect(await list(cwd, 'admin scim-log')).toHaveLength(3));
    const expected = [
      `^${TIME} +- +GET +/Users +401 +\\d+ ms +1 +A valid personal access token is required: .*`,
      `${TIME} +okta +POST +/Users +409 uniqueness +\\d+ ms +1 +User name already exists: ada@example.org`,
      `${TIME} +okta +POST +/Users +201 +\\d+ ms +1 *\n$`,
    ];
    expect(await runQuern(cwd, 'admin scim-log')).toMatch(new RegExp(expected.join('\n')));
    const count = async (options: string) => (await list(cwd, `admin scim-log${options}`)).length;
    expect(await count(' --outcome failed')).toBe(1);
    expect(await count(' --query UNIQUENESS')).toBe(1);
    expect(await count(' --limit 2')).toBe(2);
    const admin = createClient(server.url, await createToken(cwd));
    const answer = await admin.send('GET', '/manage/scim/requests');
    expect((answer.body as { data: unknown }).data).toEqual(await list(cwd, 'admin scim-log'));
    expect(await server.stop()).toBe(0);
    expect(await count('')).toBe(3);
    const home = path.join(cwd, '.quern');
    const files = readdirSync(home).filter((name) => name.startsWith('providers'));
    expect(files).toEqual(['providers.db']);
    expect(readFileSync(path.join(home, 'providers.db'), 'latin1')).not.toContain(SECRET);
    expect(statSync(path.join(home, 'providers.db')).mode & 0o777).toBe(0o600);
    expect((await list(cwd, 'admin scim-log --query ada@'))[0]?.body).toContain('"passWord":"***"');
  });

  it.each<[string, number, RegExp]>([
    ['admin scim-log --as ada', 4, /^error: You don't have permission to perform the request\n$/],
    ['admin sso-failures --as ada', 4, /^error: You don't have permission to perform the request\n$/],
    ['admin scim-log --limit 1001', 2, /^error: Limit must be between 1 and 1000\n$/],
    ['admin sso-failures --limit 1001', 2, /^error: Limit must be between 1 and 1000\n$/],
    ['admin scim-log --outcome x', 2, /^error: --outcome must be one of done, failed, refused, not x\n$/],
  ])('refuses %s', async (line, code, message) => {
    const cwd = await makeHome();
    await runQuern(cwd, 'user create ada');
    const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: code,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  it('names a damaged log, without which provisioning works', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, '.quern/providers.db'), 'x'.repeat(10_000));
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    const scim = createClient(server.url, await createToken(cwd));
    expect((await scim.send('GET', '/scim/v2/Users')).status).toBe(200);
    await eventually(() => expect(server.log()).toContain('the log of identity providers cannot be written'));
    const { exitCode, stderr } = await quern(['admin', 'scim-log'], { cwd });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('providers.db cannot be used')]);
  });
});

describe('quern admin sso-failures', () => {
  it('finds a failed sign-in by the reference that the user saw', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'idp.xml'), await makeMetadata());
    await runQuern(cwd, 'config set server.base_url https://quern.example.org');
    await runQuern(cwd, 'sso saml set --metadata idp.xml');
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    const page = await fetch(`${server.url}/api/saml2/callback`, {
      method: 'POST',
      body: new URLSearchParams({ SAMLResponse: Buffer.from('<x/>').toString('base64') }),
    });
    expect(page.status).toBe(403);
    const reference = /Reference: <code>([\w-]+)</.exec(await page.text())?.[1];
    expect(await list(cwd, `admin sso-failures --reference ${reference}`)).toMatchObject([
      { reference, check: 'root', provider: 'saml', count: 1, name_id: null },
    ]);
    expect(await runQuern(cwd, 'admin sso-failures')).toMatch(
      new RegExp(`^${TIME}  ${reference}  saml  -  127.0.0.1  1  root  expected: the root is a Response`),
    );
    expect(await list(cwd, 'admin sso-failures --reference other')).toEqual([]);
    await server.stop();
  });
});
