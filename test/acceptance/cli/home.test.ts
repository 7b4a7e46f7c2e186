import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, makeHome, quern, quernProcess } from '../../support/quern.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

describe('quern init', () => {
  it('creates a home with private files, and a project', async () => {
    const cwd = makeFolder();
    const { exitCode, stdout } = await quern(['init', 'work'], { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    const home = path.join(cwd, 'work/.quern');
    for (const file of ['catalog.db', 'secret.key'])
      expect(statSync(path.join(home, file)).mode & 0o077).toBe(0);
    expect(readFileSync(path.join(home, '.gitignore'), 'utf8')).toBe('*\n');
    const hello = await quern(['exec', 'hello.sql'], { cwd: path.join(cwd, 'work') });
    expect(hello.stdout).toBe('greeting\n"Hello, world!"\n');
  });

  it('creates a complete home, also when its output is not read', async () => {
    const cwd = makeFolder();
    const line = `"${process.execPath}" ${bin} init 2>&1 | true; exit "$\{PIPESTATUS[0]}"`;
    const { exitCode } = await execa('/bin/bash', ['-c', line], { cwd, reject: false });
    expect(exitCode).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual(['.quern', 'hello.sql', 'project.toml']);
  });

  it('creates the home that QUERN_HOME names', async () => {
    const cwd = makeFolder();
    const env = { QUERN_HOME: path.join(cwd, 'named') };
    const { exitCode, stderr } = await quern(['init', '--empty'], { cwd, env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `created a home in ${env.QUERN_HOME}, owned by admin\n`,
    });
    expect(readdirSync(cwd)).toEqual(['named']);
    expect((await quern(['catalog', 'ls'], { cwd, env })).exitCode).toBe(0);
  });

  it('says that commands use the home of QUERN_HOME instead of the new one', async () => {
    const cwd = makeFolder();
    const env = { QUERN_HOME: path.join(cwd, 'named') };
    const { exitCode, stderr } = await quern(['init', '--empty', 'other'], { cwd, env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `created a home in ${path.join(cwd, 'other/.quern')}, owned by admin\nnote: QUERN_HOME names another home, ${env.QUERN_HOME}\n`,
    });
  });

  it('changes nothing where there is a home', async () => {
    const cwd = makeFolder();
    await quern(['init'], { cwd });
    writeFileSync(path.join(cwd, 'hello.sql'), 'mine');
    const again = await quern(['init'], { cwd });
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toBe(
      `error: a home already exists in ${path.join(cwd, '.quern')}; nothing was changed\n`,
    );
    expect(readFileSync(path.join(cwd, 'hello.sql'), 'utf8')).toBe('mine');
  });

  it.each([
    ['that is short', 'seven77', 'a password needs at least 8 characters'],
    ['that cannot be typed', 'correct horse\n', 'a password must be on one line'],
  ])('refuses a password %s and creates nothing', async (_, password, message) => {
    const cwd = makeFolder();
    const { exitCode, stderr } = await quern(['init'], { cwd, env: { QUERN_ADMIN_PASSWORD: password } });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`error: QUERN_ADMIN_PASSWORD: ${message}\n`);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['no name', ['--admin', ''], 'User name is required'],
    ['a blank after the name', ['--admin', 'ada '], 'User name must not begin or end with a blank: `ada `'],
    ['a name of two lines', ['--admin', 'a\nb'], 'User name must not have control characters'],
    ['an invalid address', ['--admin-email', 'ada'], 'E-mail is not valid: ada'],
  ])('refuses an administrator with %s and creates nothing', async (_, options, message) => {
    const cwd = makeFolder();
    const { exitCode, stderr } = await quern(['init', ...options], { cwd });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `error: ${message}\n` });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    [['--admin', 'ada'], 'ada  ADMIN  admin@localhost\n'],
    [['--admin', 'ada@example.org'], 'ada@example.org  ADMIN  ada@example.org\n'],
    [
      ['--admin', 'ada@example.org', '--admin-email', 'al@example.org'],
      'ada@example.org  ADMIN  al@example.org\n',
    ],
  ])('reads an address from %j', async (options, listed) => {
    const cwd = makeFolder();
    await quern(['init', '--empty', ...options], { cwd });
    expect((await quern(['user', 'ls'], { cwd })).stdout).toBe(listed);
  });

  it('reports a folder in which it cannot write', async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, 'file'), '');
    const made = await quern(['init', 'file'], { cwd });
    expect(made.exitCode).toBe(2);
    expect(made.stderr).toMatch(
      /^error: \S+\/file\/\.quern cannot be prepared: a part of the path is not a folder\n$/,
    );
    const demo = await quern(['demo', 'file/x'], { cwd });
    expect(demo.exitCode).toBe(2);
    expect(demo.stderr).toMatch(/^error: cannot write \S+\/file\/x: a part of the path is not a folder\n$/);
  });

  it('stores a password only as a hash', async () => {
    const cwd = makeFolder();
    const password = 'correct horse battery';
    const { exitCode } = await quern(['init', '--empty'], { cwd, env: { QUERN_ADMIN_PASSWORD: password } });
    expect(exitCode).toBe(0);
    const bytes = readFileSync(path.join(cwd, '.quern/catalog.db'), 'latin1');
    expect(bytes).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(bytes).not.toContain(password);
  });
});

/**
 * A folder with a home that belongs to another user, for root; otherwise with a home that no user can read.
 */
async function makeForbiddenHome() {
  const cwd = await makeHome();
  const home = path.join(cwd, '.quern');
  chmodSync(cwd, 0o755);
  if (process.getuid?.() === 0) {
    return { cwd, home, uid: { uid: 65_534 }, whose: ', and it belongs to another user' };
  }
  chmodSync(home, 0o000);
  onTestFinished(() => chmodSync(home, 0o700));
  return { cwd, home, uid: {}, whose: '' };
}

describe('the home of a command', () => {
  it('is the one in --home, otherwise in QUERN_HOME, otherwise the nearest one above', async () => {
    const cwd = await makeHome();
    const other = await makeHome();
    const below = path.join(cwd, 'a/b');
    mkdirSync(below, { recursive: true });
    await quern(['catalog', 'mkdir', '@Shared/here'], { cwd });
    await quern(['catalog', 'mkdir', '@Shared/there'], { cwd: other });
    const home = path.join(other, '.quern');
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd: below })).stdout).toBe('here/\n');
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd, env: { QUERN_HOME: home } })).stdout).toBe(
      'there/\n',
    );
    expect((await quern(['--home', home, 'catalog', 'ls', '@Shared'], { cwd })).stdout).toBe('there/\n');
    expect((await quern(['catalog', 'ls', '@Shared', '--home', home], { cwd })).stdout).toBe('there/\n');
  });

  it('is the .quern of the named folder', async () => {
    const cwd = makeFolder();
    const other = await makeHome();
    await quern(['catalog', 'mkdir', '@Shared/there'], { cwd: other });
    expect((await quern(['--home', other, 'catalog', 'ls', '@Shared'], { cwd })).stdout).toBe('there/\n');
    const env = { QUERN_HOME: other };
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd, env })).stdout).toBe('there/\n');
    expect(await quern(['--home', other, 'init', '--empty'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: `error: a home already exists in ${other}/.quern; nothing was changed\n`,
    });
    expect(await quern(['--home', other, 'admin', 'check'], { cwd })).toMatchObject({ exitCode: 0 });
    expect(readdirSync(other)).toEqual(['.quern']);
  });

  it('is reported as missing, and nothing is created', async () => {
    const cwd = makeFolder();
    const { exitCode, stderr } = await quern(['catalog', 'ls'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no home here: run `quern init`');
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('is created in the missing folder by the recommended command', async () => {
    const cwd = makeFolder();
    const env = { QUERN_HOME: path.join(cwd, 'other') };
    const missing = await quern(['catalog', 'ls'], { cwd, env });
    const [advice] = /(?<=run `quern ).*(?=`)/.exec(String(missing.stderr))!;
    expect(advice).toBe(`--home ${env.QUERN_HOME} init --empty`);
    await quern(advice.split(' '), { cwd, env });
    expect((await quern(['catalog', 'ls'], { cwd, env })).exitCode).toBe(0);
    expect(readdirSync(cwd)).toEqual(['other']);
  });

  it('cannot have an empty name', async () => {
    const cwd = makeFolder();
    const { exitCode, stderr } = await quern(['--home', '', 'serve', '--port', '0'], { cwd });
    expect([exitCode, stderr.split('\n')[0]]).toEqual([
      2,
      "error: option '--home <dir>' argument '' is invalid. It must name a folder.",
    ]);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([['catalog', 'ls'], ['init'], ['serve', '--port', '0'], ['admin', 'backup', 'x.tar'], ['test']])(
    'is named with the reason when %s %s cannot read it',
    async (...args) => {
      const { cwd, home, uid, whose } = await makeForbiddenHome();
      expect(await quernProcess(args, { cwd, ...uid })).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: `error: ${home} cannot be read: permission denied${whose}. Grant yourself permission to read and write it, or name another home with --home\n`,
      });
    },
  );

  it.each([
    ['catalog ls', 2, 'error: the current folder cannot be read: change to another'],
    ['--version', 0, ''],
  ])('is not searched by %s in a deleted folder', async (call, code, message) => {
    const line = `rmdir "$PWD" && exec "${process.execPath}" ${bin} ${call}`;
    const { exitCode, stderr } = await execa('/bin/bash', ['-c', line], { cwd: makeFolder(), reject: false });
    expect([exitCode, stderr]).toEqual([code, message]);
  });

  it('is checked completely, with the reason for each unreadable part', async () => {
    const { cwd, home, uid, whose } = await makeForbiddenHome();
    const reason = `${home} cannot be read: permission denied${whose}. `;
    const check = await quernProcess(['admin', 'check'], { cwd, ...uid });
    expect([check.exitCode, check.stdout]).toEqual([1, expect.stringContaining(`problem home  ${reason}`)]);
    const { exitCode, stdout } = await quernProcess(['doctor'], { cwd, ...uid });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`problem home     ${home}: permission denied\n`);
    expect(stdout).toContain(`problem catalog  ${reason}`);
    const none = await quern(['doctor'], { cwd: makeFolder() });
    expect(none.stdout).toMatch(/^problem home {5}\S+\/\.quern: there is no such folder$/m);
  });

  it('must contain the user of --as', async () => {
    const cwd = await makeHome();
    expect((await quern(['--as', 'ADMIN', 'catalog', 'ls', '@Shared'], { cwd })).exitCode).toBe(0);
    const { exitCode, stderr } = await quern(['--as', 'eve', 'catalog', 'ls', '@Shared'], { cwd });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr: 'error: there is no user eve in this home\n',
    });
  });
});

describe('a damaged home', () => {
  it('reports that the catalog is corrupt and changes nothing', async () => {
    const cwd = await makeHome();
    const file = path.join(cwd, '.quern/catalog.db');
    writeFileSync(file, 'this is no database, whatever its name says, and quite long enough');
    const { exitCode, stderr } = await quern(['catalog', 'ls'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('catalog.db');
    expect(readFileSync(file, 'utf8')).toContain('this is no database');
    expect(existsSync(`${file}-wal`)).toBe(false);
    expect((await quern(['doctor'], { cwd })).exitCode).toBe(1);
  });

  it('reports that the data file is not a database', async () => {
    const cwd = await makeHome();
    await quern(['sql', 'create table t as from range(10)'], { cwd });
    const file = path.join(cwd, '.quern/db/main.duckdb');
    truncateSync(file, 100);
    const { exitCode, stderr } = await quern(['sql', 'select 1'], { cwd });
    expect(exitCode).toBe(5);
    expect(stderr).toContain('main.duckdb');
  });

  it('reports that it cannot be written', async () => {
    const cwd = await makeHome();
    const home = path.join(cwd, '.quern');
    // Root has every permission: the command then runs as another user.
    const uid = process.getuid?.() === 0 ? 65_534 : undefined;
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${uid}`, cwd]);
    chmodSync(path.join(home, 'catalog.db'), 0o400);
    const args = ['catalog', 'mkdir', '@Shared/x'];
    const { exitCode, stderr } = await quernProcess(args, { cwd, ...(uid === undefined ? {} : { uid }) });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('catalog.db');
    chmodSync(path.join(home, 'catalog.db'), 0o600);
    expect((await quern(['catalog', 'ls', '@Shared'], { cwd })).stdout).toBe('');
  });
});

describe('a data file that another process holds', () => {
  it('is refused with the process id of its holder', async () => {
    const cwd = await makeHome();
    const holder = quernProcess(
      ['sql', 'select count(*) from range(10000000000) a, range(10000000000) b where a.range=b.range+1'],
      { cwd },
    );
    await expect.poll(() => existsSync(path.join(cwd, '.quern/db/main.duckdb'))).toBe(true);
    await expect.poll(async () => (await quern(['sql', 'select 1'], { cwd })).exitCode).toBe(5);
    const { stderr } = await quern(['sql', 'select 1'], { cwd });
    expect(stderr).toContain(String(holder.pid));
    holder.kill('SIGINT');
    await holder;
    expect((await quern(['sql', 'select 1 as x'], { cwd })).stdout).toBe('x\n1\n');
  });
});

describe('quern doctor', () => {
  it('finds no problem in a new home', async () => {
    const cwd = await makeHome();
    const { exitCode, stdout } = await quern(['doctor', '--json'], { cwd });
    const { checks } = JSON.parse(String(stdout));
    expect(checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([]);
    expect(checks.length).toBeGreaterThan(4);
    const seen = expect.stringMatching(/^(?:not )?confined on a server/);
    expect(checks.at(-1)).toEqual({ name: 'engine', ok: true, seen });
    expect(exitCode).toBe(0);
  });
});
