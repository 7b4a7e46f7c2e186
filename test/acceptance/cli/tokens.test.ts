import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

async function run(cwd: string, line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd });
  expect({ exitCode, stderr }, line).toEqual({ exitCode: 0, stderr: expect.stringMatching(noticeOf(line)) });
  return String(stdout);
}

/** The confirmation that a command prints on standard error. */
function noticeOf(line: string): RegExp {
  if (line.startsWith('token rm ')) return /^deleted the token \S+ of \S+\n$/;
  if (!line.startsWith('token create ') || line.includes('--expires')) return /^$/;
  return /^the token expires on \d{4}-\d{2}-\d{2}; --expires sets another day or `never`\n$/;
}

async function makeHomeWithAda(): Promise<string> {
  const cwd = await makeHome();
  await quern(['user', 'create', 'ada'], { cwd });
  return cwd;
}

describe('quern token', () => {
  it('prints only a new token, once, and stores no more than it shows', async () => {
    const cwd = await makeHome();
    const token = await run(cwd, 'token create --name ci --description nightly --expires never');
    expect(token).toMatch(/^qrn_[0-9A-Za-z]{36}\n$/);
    const listed = await run(cwd, 'token ls');
    expect(listed).toBe(
      `ci  ${token.slice(0, 8)}…${token.slice(36, 40)}  all  never expires  never used  nightly\n`,
    );
    const home = path.join(cwd, '.quern');
    const bytes = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');
    expect(bytes).toContain(token.slice(0, 8));
    expect(`${bytes}${await run(cwd, 'token ls --json')}`).not.toContain(token.slice(8, 20));
  });

  it('accepts days, dates and never', async () => {
    const cwd = await makeHome();
    const before = Date.now();
    for (const [name, when] of [
      ['days', '90d'],
      ['date', '2999-01-31'],
      ['none', 'never'],
    ]) {
      await run(cwd, `token create --name ${name} --expires ${when} --read-only`);
    }
    const { data } = JSON.parse(await run(cwd, 'token ls --json'));
    expect(data).toMatchObject([
      { name: 'date', expires_at: '2999-01-31T00:00:00.000Z', read_only: true, owner: 'admin' },
      { name: 'days' },
      { name: 'none', expires_at: null },
    ]);
    const days = (Date.parse(data[1].expires_at) - before) / 86_400_000;
    expect(Math.floor(days)).toBe(90);
    expect(await run(cwd, 'token ls')).toMatch(
      /^date .* {2}read {2}expires 2999-01-31T00:00:00.000Z {2}never used$/m,
    );
  });

  it('expires after 90 days by default, and names the day', async () => {
    const cwd = await makeHome();
    const before = Date.now();
    const { stderr } = await quern(['token', 'create', '--name', 'ci'], { cwd });
    const [{ expires_at }] = JSON.parse(await run(cwd, 'token ls --json')).data;
    expect(Math.floor((Date.parse(expires_at) - before) / 86_400_000)).toBe(90);
    expect(stderr).toContain(`expires on ${expires_at.slice(0, 10)}`);
    expect((await quern(['token', 'create', '--name', 'quiet', '--quiet'], { cwd })).stderr).toBe('');
  });

  it('creates, lists and deletes those of others for administrators', async () => {
    const cwd = await makeHomeWithAda();
    const made = JSON.parse(await run(cwd, 'token create --name ci --user ada --json'));
    expect(made).toMatchObject({ name: 'ci', owner: 'ada', creator: 'admin' });
    expect(made.token.startsWith(made.first8)).toBe(true);
    expect(await run(cwd, 'token ls')).toBe('');
    expect(await run(cwd, 'token ls --as ada')).toContain('ci');
    await run(cwd, 'token create --name own --as ada');
    await run(cwd, `token rm ${made.id} --as ada --yes`);
    await run(cwd, 'token rm own --user ada --yes');
    expect(await run(cwd, 'token ls --user ada')).toBe('');
  });

  it('finds owners also by their e-mail address', async () => {
    const cwd = await makeHomeWithAda();
    await quern(['user', 'set', 'ada', '--email', 'ada@example.org'], { cwd });
    const made = JSON.parse(await run(cwd, 'token create --name ci --user Ada@example.org --json'));
    expect(made).toMatchObject({ owner: 'ada', creator: 'admin' });
    expect(await run(cwd, 'token ls --as ada --user ada@example.org')).toContain('ci');
    expect(await run(cwd, 'token ls --user admin@localhost')).toBe('');
    await run(cwd, 'token rm ci --user ada@example.org --yes');
    expect(await run(cwd, 'token ls --user ada')).toBe('');
  });

  it.each([
    ['token create', 2, /^error: missing `--name NAME`: the purpose of the token\n$/],
    ['token create --name ci', 1, /^error: Token already exists: ci\n$/],
    ['token create --name x --expires 0d', 2, /^error: --expires 0d: use days such as 90d /],
    ['token create --name x --expires 36501d', 2, /^error: --expires 36501d: /],
    ['token create --name x --expires soon', 2, /^error: --expires soon: /],
    ['token create --name x --expires 2027-02-30', 2, /^error: --expires 2027-02-30: /],
    ['token create --name x --expires 2027-13-01', 2, /^error: --expires 2027-13-01: /],
    ['token create --name x --expires 2001-01-31', 2, /^error: Expiry must be in the future\n$/],
    ['token create --name x --user nobody', 1, /^error: User not found: nobody\n$/],
    ['token create --name x --user admin --as ada', 4, /^error: You don't have permission /],
    ['token ls --user admin --as ada', 4, /permission/],
    ['token rm ci --user admin --as ada', 4, /permission/],
    ['token rm ci --as ada', 1, /^error: Token not found: ci\n$/],
    ['token rm cii', 1, /^error: Token not found: cii, did you mean `ci`\?\n$/],
  ])('refuses %s', async (line, code, message) => {
    const cwd = await makeHomeWithAda();
    await run(cwd, 'token create --name ci');
    const { exitCode, stderr, stdout } = await quern(line.split(' '), { cwd });
    expect(stderr).toMatch(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(JSON.parse(await run(cwd, 'token ls --json')).data).toHaveLength(1);
  });
});
