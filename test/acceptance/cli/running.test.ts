import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';

describe('quern sql', () => {
  it('runs SQL and prints CSV when it is piped', async () => {
    const cwd = await makeHome();
    const { stdout, stderr, exitCode } = await quern(['sql', "select 42 as answer, 'a,b' as text"], { cwd });
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: 'answer,text\n42,"a,b"\n',
      stderr: '',
      exitCode: 0,
    });
  });

  it("prints the interface's body as JSON", async () => {
    const cwd = await makeHome();
    const { stdout } = await quern(['sql', 'select 1 as a, null as b', '--format', 'json'], { cwd });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/);
    expect(JSON.parse(String(stdout))).toEqual({
      result: {
        columns: [
          { name: 'a', type: 'INTEGER' },
          { name: 'b', type: 'INTEGER' },
        ],
        data: [[1, null]],
      },
      stats: { started_at: time, finished_at: time, duration_ms: expect.any(Number) },
    });
  });

  it('prints nothing without a result set, except in JSON', async () => {
    const cwd = await makeHome();
    expect((await quern(['sql', 'create table t (x int)'], { cwd })).stdout).toBe('');
    const { stdout } = await quern(['sql', 'insert into t values (1)', '--format', 'json'], { cwd });
    expect(JSON.parse(String(stdout)).result).toEqual({ columns: [], data: [] });
  });

  it('reads a file and standard input', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'q.sql'), '\ufeffselect 1 as x;\r\n-- end');
    expect((await quern(['sql', '@q.sql'], { cwd })).stdout).toBe('x\n1\n');
    expect((await quern(['sql', '-'], { cwd, input: 'select 2 as x' })).stdout).toBe('x\n2\n');
  });

  it('accepts SQL that begins with a comment, after --', async () => {
    const cwd = await makeHome();
    const { stdout } = await quern(['sql', '--format', 'ndjson', '--', '-- all\nselect 1 as a'], { cwd });
    expect(stdout).toBe('{"a":1}\n');
  });

  it('stops at a limit', async () => {
    const cwd = await makeHome();
    const args = ['sql', 'select range as r from range(1000000000000)', '--limit', '3'];
    expect((await quern(args, { cwd })).stdout).toBe('r\n0\n1\n2\n');
  });

  it('runs with overrides', async () => {
    const cwd = await makeHome();
    await quern(['sql', 'create schema shop; create table shop.t as select 7 as n'], { cwd });
    const args = ['sql', 'select * from t', '--override', 'schema=shop'];
    expect((await quern(args, { cwd })).stdout).toBe('n\n7\n');
    const refused = await quern(['sql', 'select 1', '--override', 'role=x'], { cwd });
    expect(refused).toMatchObject({ exitCode: 1, stderr: 'error: Override not allowed: role\n' });
  });
});

describe('quern exec', () => {
  it('runs a catalogued script with a parameter', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'hello.sql'), "select 'Hello, $name!' as greeting, $n + 1 as next");
    expect((await quern(['catalog', 'put', 'hello.sql', '@Shared/hello'], { cwd })).exitCode).toBe(0);
    const args = ['exec', '@Shared/hello', '--param', 'name=Ada', '--param', '$n=41'];
    expect((await quern(args, { cwd })).stdout).toBe('greeting,next\n"Hello, Ada!",42\n');
  });

  it('reads parameters from a file, keeps their digits, and prefers --param', async () => {
    const cwd = await makeHome();
    writeFileSync(
      path.join(cwd, 'p.json'),
      '{"$big": 9223372036854775807, "list": [1, 2], "b": true, "x": "no"}',
    );
    writeFileSync(path.join(cwd, 's.sql'), "select $big as big, [$list] as list, $b as b, '$x' as x");
    const args = ['exec', 's.sql', '--params-file', 'p.json', '--param', 'x=yes'];
    expect((await quern(args, { cwd })).stdout).toBe('big,list,b,x\n9223372036854775807,"[1, 2]",true,yes\n');
  });

  it('reports the position of an error in the original file', async () => {
    const cwd = await makeHome();
    writeFileSync(
      path.join(cwd, 's.sql'),
      'create table t (x int);\n\nselect $long_name_of_a_parameter,\n  nope\nfrom range(3)',
    );
    const args = ['exec', 's.sql', '--param', 'long_name_of_a_parameter=1'];
    const { stderr, stdout, exitCode } = await quern(args, { cwd });
    expect(exitCode).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain('s.sql:4:3: error: Binder Error: Referenced column "nope" not found');
    expect(stderr).toMatch(/\n\s*4 \| {3}nope\n\s*\| {3}\^~~~\n/);
  });

  it('names a parameter without a value before anything runs', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 's.sql'), 'create table made (x int);\nselect $month');
    const { stderr, exitCode } = await quern(['exec', 's.sql'], { cwd });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('s.sql:2:8: error: `$month` has no value. Set it with --param month=VALUE');
    expect((await quern(['sql', 'from made'], { cwd })).exitCode).toBe(3);
  });

  it.each([
    ['a missing catalog path', ['exec', '@Shared/none'], 1, 'error: Path not found: @Shared/none\n'],
    [
      'a folder',
      ['exec', '@Shared'],
      1,
      'error: Path must be an asset\nhint: the path is a folder; name a script in it\n',
    ],
    ['empty SQL', ['sql', ' '], 2, 'error: the SQL is empty: give a statement\n'],
    ['SQL without a statement', ['sql', ';'], 0, 'warning: sql has no statement, so nothing ran\n'],
    ['an empty file', ['sql', '--file', '/dev/null'], 2, 'error: /dev/null is empty: give a statement\n'],
    ['a missing file', ['exec', 'none.sql'], 1, 'error: cannot read none.sql: there is no such file\n'],
    ['a folder on disk', ['exec', '.'], 1, 'error: cannot read .: it is a folder\n'],
    [
      'an unknown connection',
      ['sql', 'select 1', '--connection', 'x'],
      1,
      'error: Connection not found: x\n',
    ],
    ['an unknown format', ['sql', 'select 1', '--format', 'xml'], 2, 'error: unknown format `xml`'],
    [
      'an unknown form of numbers',
      ['sql', 'select 1', '--numbers', 'x'],
      2,
      'error: --numbers x: use number or',
    ],
    ['a bad parameter', ['sql', 'select 1', '--param', 'x'], 2, 'error: --param x: expected `name=value`\n'],
    [
      'a parameter twice',
      ['sql', 'select 1', '--param', 'x=1', '--param', '$x=2'],
      2,
      'error: --param x is given twice',
    ],
    [
      'a missing parameter file',
      ['sql', 'select 1', '--params-file', 'p'],
      1,
      'error: cannot read p: there is no',
    ],
    [
      'a bad limit',
      ['sql', 'select 1', '--limit', '-1'],
      2,
      "error: option '--limit <rows>' argument '-1' is invalid",
    ],
    ['an unknown option', ['sql', 'select 1', '--formt', 'csv'], 2, "error: unknown option '--formt'"],
    [
      'a comment that looks like an option',
      ['sql', '-- all\nselect 1'],
      2,
      'error: an argument that starts with `--` is read as an option; put `--` before it: quern sql -- ',
    ],
    ['an unknown command', ['sqll'], 2, "error: unknown command 'sqll'"],
    ['a missing argument', ['exec'], 2, "error: missing required argument 'script'"],
    ['missing SQL', ['sql'], 2, 'error: no SQL given\nhint: pass it as an argument, with --file FILE, or on'],
  ])('refuses %s', async (_, args, exitCode, message) => {
    const cwd = await makeHome();
    const result = await quern(args, { cwd });
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(message);
    expect(result.stdout).toBe('');
  });

  it.each([
    ['not JSON', '{"a": }', 'p.json is not JSON'],
    ['no object', '[1]', 'p.json must contain one JSON object'],
    ['a map as a value', '{"a": {"b": 1}}', 'error: '],
    ['one name twice', '{"a": 1, "$a": 2}', 'p.json sets the parameter a twice'],
  ])('refuses a parameter file with %s', async (_, text, message) => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'p.json'), text);
    const result = await quern(['sql', 'select $a', '--params-file', 'p.json'], { cwd });
    expect(result.exitCode).toBeOneOf([2, 3]);
    expect(result.stderr).toContain(message);
  });

  it('suggests a file with a similar name', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'hello.sql'), 'select 1');
    const { exitCode, stderr } = await quern(['exec', 'helo.sql'], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'error: cannot read helo.sql: there is no such file\nhint: did you mean `hello.sql`?\n',
    );
  });

  it('sends only printable characters to a terminal, with any quoted text', async () => {
    const cwd = await makeHome();
    const commands = [
      ['sql', "select error('gone\u001b[2J\u0007')"],
      ['sql', 'select "no\u001b[31msuch"'],
      ['exec', '@Shared/no\u001b[31msuch'],
    ];
    for (const command of commands) {
      const { exitCode, stderr } = await quern(command, { cwd });
      expect(exitCode).not.toBe(0);
      expect(stderr).toMatch(/error: .*\u241b\[/);
      expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    }
  });

  it('refuses a file that is not UTF-8', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'latin.sql'), Buffer.from("select 'caf\xe9'", 'latin1'));
    const result = await quern(['exec', 'latin.sql'], { cwd });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toBe('error: latin.sql is not UTF-8 text: byte 12 is wrong; convert it first\n');
  });
});

describe('--output', () => {
  it('writes the file, in the format of its extension', async () => {
    const cwd = await makeHome();
    await quern(['sql', 'select 1 as a', '--output', 'a.json'], { cwd });
    expect(JSON.parse(readFileSync(path.join(cwd, 'a.json'), 'utf8')).result.data).toEqual([[1]]);
    await quern(['sql', 'select 1 as a', '--output', 'a.csv'], { cwd });
    expect(readFileSync(path.join(cwd, 'a.csv'), 'utf8')).toBe('a\n1\n');
    await quern(['sql', 'select 1 as a', '--output', 'B.NDJSON'], { cwd });
    expect(readFileSync(path.join(cwd, 'B.NDJSON'), 'utf8')).toBe('{"a":1}\n');
  });

  it('refuses an output file with an unknown extension, and accepts any extension with --format', async () => {
    const cwd = await makeHome();
    const refused = await quern(['sql', 'create table made as select 1', '--output', 'a.xslx'], { cwd });
    expect([refused.stderr, refused.exitCode]).toEqual([
      'error: --output a.xslx: no format has the ending `.xslx`; use ' +
        '.json, .ndjson, .jsonl, .csv, .tsv, .md, .arrow, .arrows, .parquet, .xlsx, or set --format\n',
      2,
    ]);
    expect((await quern(['sql', 'from made'], { cwd })).exitCode).toBe(3);
    await quern(['sql', 'select 1 as a', '--output', 'a.txt', '--format', 'ndjson'], { cwd });
    expect(readFileSync(path.join(cwd, 'a.txt'), 'utf8')).toBe('{"a":1}\n');
    await quern(['sql', 'select 1 as a', '--output', 'a'], { cwd });
    expect(readFileSync(path.join(cwd, 'a'), 'utf8')).toBe('a\n1\n');
  });

  it('keeps the permissions of an older file', async () => {
    const cwd = await makeHome();
    const file = path.join(cwd, 'private.csv');
    writeFileSync(file, 'old');
    chmodSync(file, 0o640);
    await quern(['sql', 'select 1 as a', '--output', 'private.csv'], { cwd });
    expect(readFileSync(file, 'utf8')).toBe('a\n1\n');
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });

  it('leaves no file, or the older one unchanged, when the run fails late', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'old.csv'), 'old');
    const late =
      "select case when range = 3000000 then error('too late') else range end as r from range(5000000)";
    for (const name of ['new.csv', 'old.csv']) {
      const { exitCode, stderr } = await quern(['sql', late, '--output', name], { cwd });
      expect(exitCode).toBe(3);
      expect(stderr).toContain('too late');
    }
    expect(readdirSync(cwd).sort()).toEqual(['.quern', 'old.csv']);
    expect(readFileSync(path.join(cwd, 'old.csv'), 'utf8')).toBe('old');
  });

  it('refuses an unwritable path before anything runs', async () => {
    const cwd = await makeHome();
    const args = ['sql', 'create table made (x int)', '--output', 'no/such/file.csv'];
    const { exitCode, stderr } = await quern(args, { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toBe('error: cannot write no/such/file.csv: there is no such folder\n');
    expect((await quern(['sql', 'from made'], { cwd })).exitCode).toBe(3);
    expect((await quern(['sql', 'select 1', '--output', '.'], { cwd })).exitCode).toBe(2);
  });

  it.skipIf(!existsSync('/dev/full'))('reports that standard output is full', async () => {
    const cwd = await makeHome();
    for (const sql of ['SELECT 1', 'FROM range(1000000)', 'SELECT 1; SELECT 2']) {
      const command = `exec ${process.execPath} ${path.join(import.meta.dirname, '../../../bin/quern.js')} sql '${sql}' > /dev/full`;
      const { status, stderr } = spawnSync('bash', ['-c', command], { cwd, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 1, stderr: 'error: no space is left on the disk\n' });
    }
  });

  it.skipIf(!existsSync('/dev/full'))('reports that the disk is full', async () => {
    const cwd = await makeHome();
    const { exitCode, stderr } = await quern(['sql', 'select 1', '--output', '/dev/full'], { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toBe('error: cannot write /dev/full: no space is left on the disk\n');
    expect(existsSync('/dev/full')).toBe(true);
  });
});
