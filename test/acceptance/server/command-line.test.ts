import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { send } from '../../support/http.ts';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';
import { createToken, serve, shareServer } from '../../support/server.ts';
import { eventually, waitUntil } from '../../support/waiting.ts';
import { run, serveHome, start } from './commands.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

const ROWS = `select range as n, range / 3 as d, 'ü ' || range as t, [range, null] as l,
  case when range % 3 = 0 then null else date '2024-01-01' + range::int end as day from range(30000)`;
const LATE =
  "select case when range = 3000000 then error('too late') else range end as n from range(5000000)";

const SCRIPT = `#+import "std/publication"
#+src sql Most(n) #+begin SELECT range AS x FROM range({{ n }}) #+end
#+src sql Kept()
#+meta { :publication { :type "table", :name "kept" } }
#+begin SELECT * FROM {{ Most(5) }} #+end
#+src sql Written()
#+meta { :publication { :type "parquet", :path "out/kept.parquet", :options { :overwrite true } } }
#+begin SELECT * FROM {{ Most(7) }} #+end
{{ publication.Run(blocks=[Kept, Written]) }};
SELECT sum(x) AS total FROM {{ Most($n) }}`;

/** The output of commands, without times. */
const withoutTimes = (printed: string) =>
  printed.replace(/"(?:started|finished)_at":"[^"]*"|"duration_ms":\d+/g, '');

describe('SQL on a running server', () => {
  it('returns the same bytes as without a server, in every format', async () => {
    const cwd = await makeHome();
    const all = async () => {
      const printed: string[] = [];
      for (const [sql, formats, others] of [
        [ROWS, ['table', 'json', 'ndjson', 'csv', 'markdown', 'arrow', 'parquet'], ''],
        [`${ROWS}; select 2`, ['csv', 'parquet'], '1 more result is not shown\n'],
        ['create or replace temp table t as select 1', ['json'], ''],
      ] as const) {
        for (const format of formats) {
          const name = path.join(makeFolder(), 'out');
          const { exitCode, stderr } = await run(cwd, 'sql', sql, '--format', format, '--output', name);
          expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: others });
          printed.push(withoutTimes(readFileSync(name, 'latin1')));
        }
      }
      return printed;
    };
    const alone = await all();
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    expect(await all()).toEqual(alone);
  });

  it('fails as without a server', async () => {
    const cwd = await makeHome();
    const all = async () => {
      const ran = [];
      for (const args of [
        ['select 1 +'],
        ['select 1;\n  select nope'],
        ['select $x'],
        [LATE, '--output', 'late.csv'],
        ['select 1', '--override', 'schema=nowhere'],
        ['select 1', '--connection', 'nowhere'],
        ['insert into nowhere values (1)', '--format', 'parquet', '--output', 'x.parquet'],
      ]) {
        ran.push(await run(cwd, 'sql', ...args));
      }
      expect(readdirSync(cwd)).toEqual(['.quern']);
      return ran;
    };
    const alone = await all();
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    expect(await all()).toEqual(alone);
  });

  it('accepts parameters, limits and deadlines', async () => {
    const { cwd } = await serveHome();
    expect(await run(cwd, 'sql', 'select $a as x', '--param', 'a=7')).toMatchObject({ stdout: 'x\n7\n' });
    const limited = await run(cwd, 'sql', 'select range as x from range(1000000)', '--limit', '2');
    expect(limited).toEqual({ exitCode: 0, stdout: 'x\n0\n1\n', stderr: '' });
    for (const stubborn of [
      'select len(range(500000000))',
      'select count(*) from range(1e10::bigint) a, range(100000) b',
    ]) {
      expect(await run(cwd, 'sql', stubborn, '--timeout', '1')).toEqual({
        exitCode: 5,
        stdout: '',
        stderr: 'error: the execution ran past its time limit of 1 s, set by `--timeout`, and was stopped\n',
      });
    }
    expect((await run(cwd, 'sql', 'select 1 as x')).stdout).toBe('x\n1\n');
  });

  it('is visible over HTTP at once, and the other way round', async () => {
    const { cwd, url } = await serveHome();
    const token = await createToken(cwd);
    const ask = (sql: string) =>
      send(url, 'POST', '/api/v1/exec/sql', {
        headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
        body: { sql, connection: { name: 'duckdb' } },
      });
    await run(cwd, 'sql', 'create table t as select 1 as x');
    expect((await ask('from t')).text).toBe('x\n1\n');
    // The log is written some moments after the answer.
    await eventually(async () =>
      expect((await run(cwd, 'admin', 'queries')).stdout).toMatch(/ admin .*duckdb.*\n.* admin .*duckdb/),
    );
    await ask('insert into t values (2)');
    expect((await run(cwd, 'sql', 'select count(*) as n from t')).stdout).toBe('n\n2\n');
  });

  it('of several commands runs simultaneously', async () => {
    const { cwd } = await serveHome();
    await run(cwd, 'sql', 'create table t (x int)');
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, at) => run(cwd, 'sql', `insert into t select ${at} from range(1000)`)),
    );
    expect(all.map(({ exitCode, stderr }) => `${exitCode} ${stderr}`)).toEqual(Array(6).fill('0 '));
    expect((await run(cwd, 'sql', 'select count(*) as n from t')).stdout).toBe('n\n6000\n');
  });

  it('ends quietly when its reader closes the pipe', async () => {
    const { cwd } = await serveHome();
    const command = `${process.execPath} ${bin} sql 'from range(100000000000)' | head -n 2; echo "$\{PIPESTATUS[0]}"`;
    const shell = spawn('bash', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    expect(await Promise.all([text(shell.stdout), text(shell.stderr)])).toEqual(['range\n0\n0\n', '']);
    expect((await run(cwd, 'ps')).stdout).toBe('');
  });

  it('follows the rules of the server, and reports them', async () => {
    const { cwd, pid, url } = await serveHome();
    writeFileSync(path.join(cwd, 'a.csv'), 'x\n1\n');
    const files = path.join(cwd, '.quern', 'files');
    const note = `A server runs on this home (process ${pid}, ${url}), and its rules for SQL apply to this command, too: stop it, or move the files to read below ${files}.\n`;
    for (const sql of [
      "copy (select 1) to 'x.csv'",
      "from read_csv('/etc/passwd')",
      "from 'a.csv'",
      "set TimeZone = 'Europe/Berlin'",
      "attach 'x.duckdb'",
    ]) {
      const { exitCode, stdout, stderr } = await run(cwd, 'sql', sql);
      expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
      expect(stderr).toMatch(/^sql:1:\d+: error: .*\n1 \| .*\n.*\^/);
      expect(stderr.endsWith(note)).toBe(true);
    }
    linkSync(path.join(cwd, 'a.csv'), path.join(files, 'a.csv'));
    expect((await run(cwd, 'sql', `from read_csv('${files}/a.csv')`)).stdout).toBe('x\n1\n');
    expect((await run(cwd, 'sql', 'select nope')).stderr).not.toContain('server');
  });

  it('acts for the user that `--as` names', async () => {
    const { cwd } = await serveHome(async (home) => {
      await run(home, 'user', 'create', 'ada', '--role', 'VIEWER');
      await run(home, 'grant', 'rm', 'everyone', 'connection:duckdb');
    });
    const refused = await run(cwd, '--as', 'ada', 'sql', 'select 1');
    expect(refused).toMatchObject({ exitCode: 4, stdout: '', stderr: expect.stringContaining('permission') });
    await run(cwd, 'grant', 'add', 'user:ada', 'use', 'connection:duckdb');
    expect((await run(cwd, '--as', 'ada', 'sql', 'select 1 as x')).stdout).toBe('x\n1\n');
  });
});

describe('scripts on a running server', () => {
  it('run, publish and run tests', async () => {
    const { cwd } = await serveHome();
    writeFileSync(path.join(cwd, 'project.toml'), '[general]\nname = "p"\n');
    writeFileSync(path.join(cwd, 'main.sql'), SCRIPT);
    const script = await run(cwd, 'exec', 'main.sql', '--param', 'n=5');
    expect(script).toEqual({
      exitCode: 0,
      stdout: 'total\n10\n',
      stderr: expect.stringMatching(
        /^published kept \(create, 5 rows, [\d.]+ s\)\npublished out\/kept\.parquet \(write, [\d.]+ s\)\n$/,
      ),
    });
    expect((await run(cwd, 'sql', 'select count(*) as n from kept')).stdout).toBe('n\n5\n');
    expect(readdirSync(path.join(cwd, '.quern', 'publish', 'out'))).toEqual(['kept.parquet']);
    expect(readdirSync(path.join(cwd, '.quern', 'staging'))).toEqual([]);
    const block = await run(cwd, 'exec-block', '.', 'Most', '--arg', 'n=2', '--param', 'n=1');
    expect(block).toEqual({ exitCode: 0, stdout: 'x\n0\n1\n', stderr: '' });
    writeFileSync(
      path.join(cwd, 'tests.sql'),
      '#+test sql Good() #+begin SELECT 1 WHERE false #+end\n#+test sql Bad() #+begin SELECT 1 #+end\n',
    );
    const tested = await run(cwd, 'test', '--reporter', 'tap', '--param', 'n=1');
    expect(tested.exitCode).toBe(1);
    expect(tested.stdout).toMatch(/^ok .*Good$/m);
    expect(tested.stdout).toMatch(/^not ok .*Bad$/m);
    await run(cwd, 'catalog', 'put', 'main.sql', '@Shared/main');
    expect((await run(cwd, 'exec', '@Shared/main', '--param', 'n=4')).stdout).toBe('total\n6\n');
  });
});

describe('quern load on a running server', () => {
  const shared = shareServer();

  it.each([
    ['plain.csv', 'plain'],
    ['a b.csv', 'space'],
    ['ü-日本-🦆.csv', 'letters'],
    ["it's.csv", 'quote'],
    ['d*[1]?.csv', 'pattern'],
    ['{x}.csv', 'braces'],
    ['-rf.csv', 'option'],
  ])('accepts %s, and leaves nothing behind', async (name, table) => {
    const { cwd } = shared.server;
    writeFileSync(path.join(cwd, name), 'a,b\n1,x\n2,y\n');
    const given = name.startsWith('-') ? `./${name}` : name;
    expect(await run(cwd, 'load', given, '--table', table, '--json')).toEqual({
      exitCode: 0,
      stdout: `{"table":"${table}","rows":2,"columns":[{"name":"a","type":"BIGINT"},{"name":"b","type":"VARCHAR"}]}\n`,
      stderr: '',
    });
    expect(readdirSync(path.join(cwd, '.quern', 'files'))).toEqual([]);
    expect(readFileSync(path.join(cwd, name), 'utf8')).toBe('a,b\n1,x\n2,y\n');
  });

  it('accepts several with the same name, links, and special files', async () => {
    const { cwd } = await serveHome();
    for (const folder of ['one', 'two']) {
      mkdirSync(path.join(cwd, folder));
      writeFileSync(path.join(cwd, folder, 'same.csv'), `a\n${folder}\n`);
    }
    symlinkSync(path.join(cwd, 'one', 'same.csv'), path.join(cwd, 'link.csv'));
    const loaded = await run(cwd, 'load', 'one/same.csv', 'two/same.csv', 'link.csv', '--table', 's.t');
    expect(loaded).toMatchObject({ exitCode: 0, stderr: 'loaded 3 rows into s.t\n' });
    expect((await run(cwd, 'sql', 'select a from s.t order by a')).stdout).toBe('a\none\none\ntwo\n');
    const shell = spawn(
      'bash',
      [
        '-c',
        `mkfifo pipe.csv; (printf 'a\\n5\\n' > pipe.csv) & exec ${process.execPath} ${bin} load pipe.csv --table p`,
      ],
      { cwd, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    expect(await text(shell.stderr)).toBe('loaded 1 row into p\n');
    writeFileSync(path.join(cwd, 'text.csv'), Buffer.from('a;b\n1;\xe9\n2;"x\n3;NA\n', 'latin1'));
    const settings = ['--delimiter', ';', '--encoding', 'latin1', '--null', 'NA', '--types', 'a=INTEGER'];
    expect(await run(cwd, 'load', 'text.csv', ...settings)).toEqual({
      exitCode: 0,
      stdout: 'a  INTEGER\nb  VARCHAR\n',
      stderr: expect.stringMatching(
        /^warning: text\.csv: 1 value of `b` kept a quote .*\nloaded 3 rows into text\n$/,
      ),
    });
    const piped = await quern(['load', '-', '--table', 'q'], { cwd, input: 'a\n6\n' });
    expect(piped).toMatchObject({ exitCode: 0, stderr: 'loaded 1 row into q\n' });
    expect(readdirSync(path.join(cwd, '.quern', 'files'))).toEqual([]);
  });

  it('names the given files when it fails, and leaves nothing behind', async () => {
    const { cwd } = await serveHome();
    writeFileSync(path.join(cwd, 'bad.json'), '{"a": 1');
    const failed = await run(cwd, 'load', 'bad.json');
    expect({ ...failed, stderr: '' }).toEqual({ exitCode: 3, stdout: '', stderr: '' });
    expect(failed.stderr).toContain('"bad.json"');
    expect(failed.stderr).not.toContain(path.join('.quern', 'files'));
    mkdirSync(path.join(cwd, 'folder.csv'));
    expect(await run(cwd, 'load', 'folder.csv')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        "error: folder.csv has no csv, parquet, json or xlsx files: to load those of subfolders, use 'folder.csv/**/*.csv'\n",
    });
    expect(readdirSync(path.join(cwd, '.quern', 'files'))).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted, and removes files of a killed load', async () => {
    const { cwd } = await serveHome();
    const files = path.join(cwd, '.quern', 'tmp');
    const before = readdirSync(files).length;
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const shell = spawn('bash', ['-c', 'mkfifo never.csv'], { cwd });
      await new Promise((resolve) => shell.once('close', resolve));
      const child = start(cwd, ['load', 'never.csv']);
      await waitUntil(() => readdirSync(files).length > before || child.hasEnded());
      child.kill(signal);
      const { stderr } = await child.ended;
      expect({ stderr, left: readdirSync(files).length - before }).toEqual({
        stderr: '',
        left: signal === 'SIGINT' ? 0 : 1,
      });
    }
    writeFileSync(path.join(cwd, 'a.csv'), 'a\n1\n');
    await run(cwd, 'load', 'a.csv');
    expect(readdirSync(files).length).toBe(before);
  });
});

describe('other commands on a running server', () => {
  it('reach DuckDB through it', async () => {
    const { cwd } = await serveHome();
    expect((await run(cwd, 'connection', 'test', 'duckdb')).stdout).toMatch(/^duckdb {2}v\d/);
    expect(await run(cwd, 'doctor')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^ok .*duckdb .*v\d/m),
    });
    expect((await run(cwd, 'admin', 'check')).exitCode).toBe(0);
  });

  it('create the sample again', async () => {
    const cwd = makeFolder();
    expect((await run(cwd, 'demo')).exitCode).toBe(0);
    const server = await serve(path.join(cwd, 'quern-demo'));
    onTestFinished(() => server.kill());
    const again = await run(cwd, 'demo');
    expect(again).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('loaded 375,003 rows into flights'),
    });
    expect(existsSync(path.join(server.cwd, '.quern', 'serve.sock'))).toBe(true);
  });

  it('reach a server in a folder with a long name', async () => {
    const cwd = path.join(makeFolder(), 'f'.repeat(100), 'g'.repeat(60));
    mkdirSync(cwd, { recursive: true });
    await run(cwd, 'init', '--empty');
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    await run(cwd, 'sql', 'create table t as select 1 as x');
    expect((await run(cwd, 'sql', 'from t')).stdout).toBe('x\n1\n');
    expect((await run(cwd, 'ps')).stderr).toBe('');
    await server.stop();
    expect(readdirSync(path.join(cwd, '.quern'))).not.toContain('serve.sock');
  });
});
