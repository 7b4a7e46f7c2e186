import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';
import { hasTerminal, typeOnTerminal } from '../../support/type-on-terminal.ts';

const SECRET = 'hunter2-geheim';

/** Adds a connection to a port without a server, with a secret from the environment. */
function addServer(cwd: string, name: string, ...more: string[]) {
  const set = ['--set', 'host=127.0.0.1', '--set', 'port=1', '--set', 'user=quern'];
  const args = ['connection', 'create', name, '--kind', 'postgresql', ...set, ...more];
  return quern([...args, '--secret', 'password=env:PGPASS'], { cwd, env: { PGPASS: SECRET } });
}

/** Adds a connection to a DuckDB file next to the home. */
function addFile(cwd: string, name: string, ...more: string[]) {
  return quern(['connection', 'create', name, '--kind', 'duckdb', '--set', `file=${name}.duckdb`, ...more], {
    cwd,
  });
}

/** The bytes of all files below a folder. */
function bytesBelow(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('quern connection create', () => {
  it('accepts a DuckDB file relative to the current folder, and SQL then runs on it', async () => {
    const cwd = await makeHome();
    mkdirSync(path.join(cwd, 'sub'));
    const added = await quern(
      ['connection', 'create', 'shop', '--kind', 'duckdb', '--set', 'file=../shop.duckdb'],
      { cwd: path.join(cwd, 'sub') },
    );
    expect(added).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'stored the connection shop (revision 1)\n',
    });
    expect(
      (await quern(['sql', 'create table t as select 42 as a', '--connection', 'shop'], { cwd })).exitCode,
    ).toBe(0);
    const elsewhere = path.join(cwd, 'sub');
    const read = await quern(['sql', 'from t', '--connection', 'shop'], { cwd: elsewhere });
    expect(read.stdout).toBe('a\n42\n');
    const other = await quern(['sql', 'from t'], { cwd });
    expect(other.exitCode).toBe(3);
    expect(existsSync(path.join(cwd, 'shop.duckdb'))).toBe(true);
  });

  it('creates a connection that environments of a project can name', async () => {
    const cwd = await makeHome();
    await addFile(cwd, 'shop');
    await quern(['sql', 'create schema raw; create table raw.t as select 7 as a', '--connection', 'shop'], {
      cwd,
    });
    writeFileSync(
      path.join(cwd, 'project.toml'),
      `[general]\nname = "p"\nversion = "1.0.0"\n\n[environment]\ndefault = "live"\n\n[environment.live]\nname = "Live"\nconnection = { name = "shop", overrides = { schema = "raw" } }\n`,
    );
    writeFileSync(path.join(cwd, 'q.sql'), 'SELECT a FROM t');
    expect((await quern(['exec', 'q.sql'], { cwd })).stdout).toBe('a\n7\n');
    const strict = await addFile(cwd, 'shop', '--no-overrides', '--replace');
    expect(strict.stderr).toBe('stored the connection shop (revision 2)\n');
    expect(await quern(['exec', 'q.sql'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: 'error: Override not allowed: schema\n',
    });
  });

  it('reads secrets from the environment or from standard input', async () => {
    const cwd = await makeHome();
    expect((await addServer(cwd, 'pg')).exitCode).toBe(0);
    const args = ['connection', 'create', 'my', '--kind', 'mysql', '--set', 'user=q', '--secret', 'password'];
    expect((await quern([...args, '--json'], { cwd, input: `${SECRET}\n` })).stdout).toContain(
      '"secrets":["password"]',
    );
    expect((await quern(args, { cwd, input: '\n' })).stderr).toBe(
      'error: standard input is empty: it must contain the secret password\n',
    );
    expect((await quern([...args, '--secret', 'other'], { cwd, input: 'x' })).stderr).toBe(
      'error: only one secret can be read from standard input: use --secret KEY=env:VARIABLE\n',
    );
    for (const [value, state] of [
      [undefined, 'not set'],
      ['', 'empty'],
    ] as const) {
      const env: Record<string, string> = value === undefined ? {} : { PGPASS: value };
      const { exitCode, stderr } = await quern([...args.slice(0, -1), 'password=env:PGPASS'], { cwd, env });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: `error: --secret password: the environment variable PGPASS is ${state}\n`,
      });
    }
  });

  it.each([
    ['--set', `password=${SECRET}`],
    ['--secret', `password=${SECRET}`],
    ['--secret', `password=env:`],
    ['--secret', `=${SECRET}`],
  ])('refuses a secret as an argument: %s %s', async (flag, value) => {
    const cwd = await makeHome();
    const args = ['connection', 'create', 'pg', '--kind', 'postgresql', '--set', 'user=q', flag, value];
    const { exitCode, stderr, stdout } = await quern(args, { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: \w+ is a secret, and other users can see arguments: use --secret \w+\n$/);
    expect(`${stdout}${stderr}${bytesBelow(path.join(cwd, '.quern'))}`).not.toContain(SECRET);
  });

  it('stores a secret only encrypted in the catalog', async () => {
    const cwd = await makeHome();
    await addServer(cwd, 'pg');
    await addServer(cwd, 'pg', '--replace');
    const printed = [
      await quern(['connection', 'ls'], { cwd }),
      await quern(['connection', 'ls', '--json'], { cwd }),
      await quern(['connection', 'show', 'pg'], { cwd }),
      await quern(['connection', 'show', 'pg', '--json'], { cwd }),
      await quern(['connection', 'test', 'pg'], { cwd }),
      await quern(['sql', 'select 1', '--connection', 'pg'], { cwd }),
      await quern(['sql', 'select 1', '--connection', 'pg', '--override', 'password=x'], { cwd }),
      await addServer(cwd, 'pg'),
      await addServer(cwd, 'pg', '--set', 'nonsense=1'),
      await quern(['doctor', '--json'], { cwd }),
    ].map(({ stdout, stderr }) => `${stdout}${stderr}`);
    expect(printed[2]).toContain('password         set (hidden)');
    expect(JSON.parse(printed[3]!).connection.secrets).toEqual(['password']);
    const everything = `${printed.join('\n')}${bytesBelow(cwd)}`;
    expect(everything).toContain('127.0.0.1');
    for (const form of [
      SECRET,
      Buffer.from(SECRET).toString('base64'),
      Buffer.from(SECRET).toString('hex'),
    ]) {
      expect(everything).not.toContain(form.slice(0, 12));
    }
  });

  it('refuses a name in use, also when two processes create it at once', async () => {
    const cwd = await makeHome();
    const both = await Promise.all([addFile(cwd, 'shop'), addFile(cwd, 'shop')]);
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr).sort()).toEqual([
      'error: Connection already exists: shop; --replace replaces it\n',
      'stored the connection shop (revision 1)\n',
    ]);
    const { stdout } = await quern(['connection', 'ls', '--json'], { cwd });
    expect(JSON.parse(String(stdout)).data).toHaveLength(2);
  });

  it.each([
    [
      ['--kind', 'postgres'],
      /^error: Unknown kind of connection: postgres; .*, did you mean `postgresql`\?\n$/,
    ],
    [[], /^error: Kind is required: one of duckdb, postgresql, mysql, trino, semantic\n$/],
    [['--kind', 'duckdb'], /^error: Option required for duckdb: file\n$/],
    [
      ['--kind', 'duckdb', '--set', 'fiel=x'],
      /^error: Unknown option for duckdb: fiel; .*, did you mean `file`\?\n$/,
    ],
    [['--kind', 'duckdb', '--set', 'file'], /^error: --set file: expected `name=value`\n$/],
    [['--kind', 'duckdb', '--set', 'file=a', '--set', 'file=b'], /^error: --set file is given twice\n$/],
    [
      ['--kind', 'duckdb', '--set', 'file=a', '--set', 'threads=many'],
      /^error: Option threads must be a whole number from 1 to 1024\n$/,
    ],
    [
      ['--kind', 'duckdb', '--set', 'file=a', '--no-overrides', '--allow-override', 'schema'],
      /^error: --no-overrides and --allow-override contradict each other\n$/,
    ],
    [
      ['--kind', 'duckdb', '--set', 'file=a', '--timeout', '604801'],
      /^error: --timeout 604801: at most 604800 seconds \(a week\)\n$/,
    ],
    [
      ['--kind', 'mysql', '--set', 'user=a', '--secret', 'user=env:HOME'],
      /^error: Option user is not a secret: pass it in options\n$/,
    ],
  ])('refuses %j as wrong usage', async (args, message) => {
    const cwd = await makeHome();
    const { exitCode, stderr } = await quern(['connection', 'create', 'x', ...args], { cwd });
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });

  it('stops runs after the timeout of the connection, unless they set another one', async () => {
    const cwd = await makeHome();
    await addFile(cwd, 'shop', '--timeout', '1');
    const endless = 'select count(*) from range(10_000_000_000) a, range(1000) b where a.range * b.range = 7';
    expect(await quern(['sql', endless, '--connection', 'shop'], { cwd })).toMatchObject({
      exitCode: 5,
      stderr:
        'error: the execution ran past its time limit of 1 s, set by the connection `shop`, and was stopped\n',
    });
    const { stdout } = await quern(['sql', 'select 1 as a', '--connection', 'shop', '--timeout', '50'], {
      cwd,
    });
    expect(stdout).toBe('a\n1\n');
  });
});

describe('quern connection ls and describe', () => {
  it('show the existing connections', async () => {
    const cwd = await makeHome();
    await addFile(
      cwd,
      'shop',
      '--description',
      'orders',
      '--allow-override',
      'schema',
      '--max-sessions',
      '2',
    );
    expect((await quern(['connection', 'ls'], { cwd })).stdout).toBe(
      'duckdb  duckdb  the database of this home\nshop    duckdb  orders\n',
    );
    const { stdout } = await quern(['connection', 'show', 'shop', '--json'], { cwd });
    expect(JSON.parse(String(stdout))).toMatchObject({
      connection: {
        name: 'shop',
        kind: 'duckdb',
        description: 'orders',
        options: { file: path.join(cwd, 'shop.duckdb') },
        allowed_overrides: ['schema'],
        max_sessions: 2,
        timeout_ms: null,
        secrets: [],
        revision: 1,
      },
      kind: { kind: 'duckdb', overrides: ['database', 'schema'] },
    });
  });

  it('describe a kind, its options and which of them are secret', async () => {
    const cwd = await makeHome();
    const { stdout } = await quern(['connection', 'show', 'postgresql'], { cwd });
    expect(stdout).toMatch(/^user +required +the user name$/m);
    expect(stdout).toMatch(/^password +secret /m);
    expect(stdout).toMatch(/^port .*\(default: 5432\)$/m);
    const json = JSON.parse(String((await quern(['connection', 'show', 'mysql', '--json'], { cwd })).stdout));
    expect(json).toMatchObject({ connection: null, kind: { kind: 'mysql' } });
  });

  it('suggest a name for an unknown one', async () => {
    const cwd = await makeHome();
    expect(await quern(['connection', 'show', 'duckbd'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: 'error: there is no connection or kind duckbd; did you mean duckdb?\n',
    });
    expect(await quern(['connection', 'show', 'nothing-like-it'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr:
        'error: there is no connection or kind nothing-like-it; `quern connection ls` lists the connections\n',
    });
    expect(await quern(['sql', 'select 1', '--connection', 'duckbd'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: 'error: Connection not found: duckbd, did you mean `duckdb`?\n',
    });
  });
});

describe('quern connection test', () => {
  it('reports what answers', async () => {
    const cwd = await makeHome();
    expect((await quern(['connection', 'test', 'duckdb'], { cwd })).stdout).toMatch(
      /^duckdb {2}v\d\S* {2}\d+ ms\nlook up {2}\d+ ms {2}The file does not exist/,
    );
    await quern(['sql', 'SELECT 1'], { cwd });
    expect((await quern(['connection', 'test', 'duckdb'], { cwd })).stdout).toMatch(
      /^duckdb {2}v\d\S* {2}\d+ ms\n$/,
    );
    const { stdout } = await quern(['connection', 'test', 'duckdb', '--json'], { cwd });
    expect(JSON.parse(String(stdout))).toEqual({
      name: 'duckdb',
      version: expect.stringMatching(/^v\d/),
      duration_ms: expect.any(Number),
      passed: true,
      steps: [{ step: 'resolve' }, { step: 'connect' }, { step: 'sign_in' }, { step: 'ask' }].map((step) =>
        expect.objectContaining(step),
      ),
    });
  });

  it('exits with 5 and the reason when no server answers', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'notes.duckdb'), 'these are notes, not a database');
    await addFile(cwd, 'notes');
    const { exitCode, stdout, stderr } = await quern(['connection', 'test', 'notes'], { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toMatch(/^error: The file ".*notes\.duckdb" is not a DuckDB database\.\n$/);
    expect(await quern(['connection', 'test', 'noets'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: 'error: Connection not found: noets, did you mean `notes`?\n',
    });
  });
});

describe('quern connection rm', () => {
  it('deletes a connection and keeps its database', async () => {
    const cwd = await makeHome();
    await addFile(cwd, 'shop');
    await quern(['sql', 'SELECT 1', '--connection', 'shop'], { cwd });
    expect(await quern(['connection', 'rm', 'shop', '--yes'], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'deleted the connection shop\n',
    });
    expect((await quern(['connection', 'ls'], { cwd })).stdout).not.toContain('shop');
    expect(existsSync(path.join(cwd, 'shop.duckdb'))).toBe(true);
    expect((await quern(['connection', 'rm', 'shop', '--yes'], { cwd })).exitCode).toBe(1);
    expect(await quern(['connection', 'rm', 'duckdb', '--yes'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: 'error: Connection duckdb is part of every home: it can be neither removed nor replaced\n',
    });
  });
});

describe('the master key', () => {
  const key = 'ab'.repeat(32);

  it('can come from the environment, and a missing key is reported', async () => {
    const cwd = await makeHome();
    rmSync(path.join(cwd, '.quern/secret.key'));
    const env = { PGPASS: SECRET, QUERN_MASTER_KEY: key };
    const args = ['connection', 'create', 'pg', '--kind', 'postgresql', '--set', 'user=q'];
    const added = await quern([...args, '--secret', 'password=env:PGPASS'], { cwd, env });
    expect(added.exitCode).toBe(0);
    expect(await quern(['connection', 'test', 'pg'], { cwd })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /secret\.key is missing, but secrets of this home were encrypted with it/,
      ),
    });
    const wrong = { QUERN_MASTER_KEY: 'cd'.repeat(32) };
    expect(await quern(['connection', 'test', 'pg'], { cwd, env: wrong })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /^error: the password of the connection pg was encrypted with a different master key/,
      ),
    });
    const malformed = { QUERN_MASTER_KEY: 'secret passphrase' };
    const refused = await quern(['connection', 'test', 'pg'], { cwd, env: malformed });
    expect(refused.stderr).toBe(
      'error: QUERN_MASTER_KEY must hold 32 bytes, as 64 hexadecimal digits or as 44 characters of base64\n',
    );
    expect(refused.exitCode).toBe(2);
    expect((await quern(['connection', 'ls'], { cwd, env: malformed })).exitCode).toBe(0);
  });

  it.skipIf(process.platform === 'win32')('is refused in a file that others can read', async () => {
    const cwd = await makeHome();
    await addServer(cwd, 'pg');
    chmodSync(path.join(cwd, '.quern/secret.key'), 0o644);
    const { exitCode, stderr } = await quern(['connection', 'test', 'pg'], { cwd });
    expect(stderr).toMatch(/^error: .*secret\.key is accessible to other users: .*chmod 600/);
    expect(exitCode).toBe(2);
  });

  it('is created once, with the first secret of a home without a key', async () => {
    const cwd = await makeHome();
    rmSync(path.join(cwd, '.quern/secret.key'));
    const both = await Promise.all([addServer(cwd, 'one'), addServer(cwd, 'two')]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    for (const name of ['one', 'two']) {
      // The key is valid: only the server is missing.
      expect((await quern(['connection', 'test', name], { cwd })).exitCode).toBe(5);
    }
  });
});

describe.skipIf(!hasTerminal)('on a terminal', () => {
  const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

  /** Runs the command line on a terminal and types keys after its prompt has appeared. */
  const onTerminal = (args: string, prompt: string, keys: string, cwd: string) =>
    typeOnTerminal(`${process.execPath} ${bin} ${args}`, { cwd, env: {}, columns: 90 }, [[prompt, keys]]);

  it('asks for a secret without echo, and before a deletion', async () => {
    const cwd = await makeHome();
    const add = 'connection create pg --kind postgresql --set user=q --set port=1 --secret password';
    const added = await onTerminal(add, 'password:', `${SECRET}\r`, cwd);
    expect(added.code).toBe(0);
    expect(added.screen).toContain('password:');
    expect(added.screen).not.toContain(SECRET);
    expect(await onTerminal('connection rm pg', '(y/N)', 'n\r', cwd)).toMatchObject({
      code: 1,
      screen: expect.stringContaining('nothing was deleted'),
    });
    expect((await onTerminal('connection rm pg', '(y/N)', 'y\r', cwd)).code).toBe(0);
    expect((await quern(['connection', 'ls'], { cwd })).stdout).not.toContain('pg');
  });
});
