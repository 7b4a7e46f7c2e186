import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

/** Runs a command, expects success, and returns its output. */
async function run(cwd: string, line: string, input = ''): Promise<{ stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = await quern(line.split(' '), { cwd, input });
  expect(exitCode, `${line}: ${stderr}`).toBe(0);
  return { stdout: String(stdout), stderr: String(stderr) };
}

async function list(cwd: string, what: 'user' | 'group'): Promise<Record<string, unknown>[]> {
  return JSON.parse((await run(cwd, `${what} ls --json`)).stdout).data;
}

describe('quern user', () => {
  it('allows a viewer to read, and to change nothing', async () => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada --role VIEWER');
    await run(cwd, 'catalog mkdir @Shared/team');
    expect((await run(cwd, 'catalog ls @Shared --as ada')).stdout).toContain('team');
    const put = await quern(['catalog', 'put', '-', '@Shared/team/a', '--as', 'ada'], {
      cwd,
      input: 'SELECT 1',
    });
    expect([put.exitCode, String(put.stderr)]).toEqual([1, expect.stringContaining('Path not found')]);
    await run(cwd, 'user set ada --role EDITOR');
    await run(cwd, 'catalog put - @Shared/team/a --as ada', 'SELECT 1');
  });

  it('creates, lists, changes and deletes accounts', async () => {
    const cwd = await makeHome();
    expect(await run(cwd, 'user create ada --email ada@example.org --role viewer')).toEqual({
      stdout: '',
      stderr: 'created the user ada (VIEWER)\n',
    });
    await run(cwd, 'user create bob --disabled --display-name Bob');
    expect((await run(cwd, 'user ls')).stdout).toBe(
      [
        'ada    VIEWER             ada@example.org',
        'admin  ADMIN              admin@localhost',
        'bob    EDITOR (disabled)                   Bob',
        '',
      ].join('\n'),
    );
    const { stdout } = await run(cwd, 'user set BOB --enabled --email b@example.org --json');
    expect(JSON.parse(stdout)).toMatchObject({
      user_name: 'bob',
      email: 'b@example.org',
      display_name: 'Bob',
      role: 'EDITOR',
      active: true,
    });
    await run(cwd, 'user rm bob --yes');
    expect((await list(cwd, 'user')).map(({ user_name }) => user_name)).toEqual(['ada', 'admin']);
  });

  it('allows an account to act until it is disabled or deleted, and deletes its own folder with it', async () => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada');
    await run(cwd, 'catalog put - @Personal/mine --as ada', 'SELECT 1');
    await run(cwd, 'catalog mkdir @Personal/deep --as ada');
    await run(cwd, 'catalog put - @Personal/deep/too --as ada', 'SELECT 2');
    await run(cwd, 'catalog put - @Shared/ours --as ada', 'SELECT 3');
    await run(cwd, 'user set ada --disabled');
    const asAda = () => quern(['catalog', 'ls', '@Personal', '--as', 'ada'], { cwd });
    expect(await asAda()).toMatchObject({ exitCode: 4, stderr: 'error: the user ada is disabled\n' });
    await run(cwd, 'user set ada --enabled');
    expect((await asAda()).stdout).toContain('mine');
    await run(cwd, 'user rm ada --yes');
    expect(await asAda()).toMatchObject({
      exitCode: 4,
      stderr: 'error: there is no user ada in this home\n',
    });
    await run(cwd, 'user create ada');
    expect((await asAda()).stdout).toBe('');
    expect((await run(cwd, 'catalog get @Shared/ours')).stdout).toContain('SELECT 3');
  });

  it('gives users with an unknown role the default role, and changes no others', async () => {
    const cwd = await makeHome();
    for (const line of [
      'user create ada',
      'user create eve --role editor',
      'user create admin2 --role admin',
    ])
      await run(cwd, line);
    const mayWrite = async (user: string) =>
      (await quern(['catalog', 'mkdir', `@Shared/${user}`, '--as', user], { cwd })).exitCode;
    writeFileSync(path.join(cwd, '.quern/config.toml'), '[users]\ndefault_role = "viewer"\n');
    expect((await run(cwd, 'user ls')).stdout).toMatch(/^ada +VIEWER\n.*admin2 +ADMIN\neve +EDITOR\n$/s);
    expect(await Promise.all(['ada', 'eve', 'admin2'].map(mayWrite))).toEqual([1, 0, 0]);
    rmSync(path.join(cwd, '.quern/config.toml'));
    expect(await mayWrite('ada')).toBe(0);
  });

  it.each([
    ['default_role = "ADMIN"', '`users.default_role` must be EDITOR or VIEWER, not `ADMIN`'],
    ['default_roll = "VIEWER"', 'there is no setting `default_roll`; did you mean `default_role`?'],
  ])('refuses users without a role while the setting is %s', async (setting, message) => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada');
    writeFileSync(path.join(cwd, '.quern/config.toml'), `[users]\n${setting}\n`);
    const { stderr, exitCode } = await quern(['catalog', 'ls', '@Shared', '--as', 'ada'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd })).exitCode).toBe(0);
  });

  it('reads passwords from standard input, and shows none', async () => {
    const cwd = await makeHome();
    const made = await run(cwd, 'user create ada --password-stdin --json', 'long enough\n');
    await run(cwd, 'user set ada --password-stdin', 'another one\r\n');
    expect(`${made.stdout}${(await run(cwd, 'user ls --json')).stdout}`).not.toMatch(
      /long|another|argon|hash/,
    );
    for (const [input, message] of [
      ['short\n', 'error: Password refused: a password needs at least 8 characters\n'],
      ['\n', 'error: standard input has no password\n'],
      ['long enough\n\n', 'error: standard input has several lines: pass only the password\n'],
      ['user: bob\npassword: x\n', 'error: standard input has several lines: pass only the password\n'],
    ] as const) {
      const { exitCode, stderr } = await quern(['user', 'create', 'bob', '--password-stdin'], { cwd, input });
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: message });
    }
    expect(await list(cwd, 'user')).toHaveLength(2);
  });

  it.each([
    [
      'user rm admin --yes',
      1,
      /^error: admin is the last active administrator, and cannot be deleted, disabled /,
    ],
    ['user set admin --role editor', 1, /is the last active administrator/],
    ['user set admin --disabled', 1, /is the last active administrator/],
    ['user create ADA', 1, /^error: User name already exists: ADA\n$/],
    ['user create bob --email ADA@example.org', 1, /^error: E-mail already exists: ADA@example.org\n$/],
    ['user create bob --email bob', 2, /^error: E-mail is not valid: bob\n$/],
    ['user create bob --role admn', 2, /^error: unknown role admn: use ADMIN, EDITOR, VIEWER\n$/],
    ['user set ada', 2, /^error: nothing to change: /],
    ['user set ada --disabled --enabled', 2, /^error: --disabled and --enabled contradict each other\n$/],
    ['user rm adda', 1, /^error: User not found: adda, did you mean `ada`\?\n$/],
    ['user ls --as ada', 4, /^error: You don't have permission to perform the request\n$/],
    ['user create eve --role ADMIN --as ada', 4, /permission/],
    ['user set ada --role ADMIN --as ada', 4, /permission/],
    ['user rm admin --yes --as ada', 4, /permission/],
    ['group ls --as ada', 4, /permission/],
    ['group create mine --as ada', 4, /permission/],
  ])('refuses %s', async (line, code, message) => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada --email ada@example.org');
    const before = await list(cwd, 'user');
    const { exitCode, stderr, stdout } = await quern(line.split(' '), { cwd });
    expect(stderr).toMatch(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(await list(cwd, 'user')).toEqual(before);
  });

  it('keeps one administrator when two processes demote each other', async () => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada --role ADMIN');
    const both = await Promise.all([
      quern(['user', 'set', 'ada', '--role', 'EDITOR', '--as', 'admin'], { cwd }),
      quern(['user', 'set', 'admin', '--role', 'EDITOR', '--as', 'admin'], { cwd }),
    ]);
    expect(both.filter(({ exitCode }) => exitCode === 0)).toHaveLength(1);
    const as = both[0].exitCode === 0 ? 'admin' : 'ada';
    const { stdout } = await quern(['user', 'ls', '--json', '--as', as], { cwd });
    const { data } = JSON.parse(String(stdout));
    expect(data.filter(({ role }: { role: string }) => role === 'ADMIN')).toHaveLength(1);
  });
});

describe('quern group', () => {
  it('creates groups, fills and empties them, and deletes them', async () => {
    const cwd = await makeHome();
    await run(cwd, 'user create ada');
    await run(cwd, 'user create bob');
    expect((await run(cwd, 'group create analysts')).stderr).toBe('created the group analysts\n');
    await run(cwd, 'group create Web --display-name website --json');
    expect((await run(cwd, 'group add-member analysts bob ada')).stderr).toBe(
      'the group analysts has 2 members\n',
    );
    expect((await run(cwd, 'group ls')).stdout).toBe('analysts  ada, bob\nWeb                 website\n');
    expect((await run(cwd, 'group remove-member analysts bob')).stderr).toBe(
      'the group analysts has 1 member\n',
    );
    const { stdout } = await run(cwd, 'group add-member ANALYSTS admin --json');
    expect(JSON.parse(stdout)).toMatchObject({ name: 'analysts', members: ['ada', 'admin'] });
    await run(cwd, 'group rm web --yes');
    expect(await list(cwd, 'group')).toMatchObject([{ name: 'analysts', members: ['ada', 'admin'] }]);
  });

  it.each([
    ['group create ANALYSTS', 1, /^error: Group already exists: ANALYSTS\n$/],
    ['group create everyone', 1, /^error: Group everyone is part of every home: all users are in it\n$/],
    ['group add-member analysts', 2, /missing required argument|users/],
    ['group add-member analysts admin nobody', 1, /^error: User not found: nobody\n$/],
    ['group remove-member analysts admin', 1, /^error: admin is not a member of the group analysts\n$/],
    ['group rm analists', 1, /^error: Group not found: analists, did you mean `analysts`\?\n$/],
  ])('refuses %s', async (line, code, message) => {
    const cwd = await makeHome();
    await run(cwd, 'group create analysts');
    const { exitCode, stderr } = await quern(line.split(' '), { cwd });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(code);
    expect(await list(cwd, 'group')).toMatchObject([{ name: 'analysts', members: [] }]);
  });
});
