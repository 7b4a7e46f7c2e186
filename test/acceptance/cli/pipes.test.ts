import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';
import { waitUntil } from '../../support/waiting.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
const ROWS = 'id,name\n1,Ada\n2,Bo\n';

/** Runs a line of bash in which `quern` is the command line. */
function bash(line: string, cwd: string) {
  const script = `quern() { "${process.execPath}" "${bin}" "$@"; }; ${line}`;
  return execa('bash', ['-c', script], {
    cwd,
    reject: false,
    stripFinalNewline: false,
    env: { HOME: cwd, QUERN_HOME: '' },
  });
}

async function readTable(cwd: string, table: string): Promise<unknown> {
  return (await quern(['sql', `from ${table} order by all`], { cwd })).stdout;
}

function listTemporary(cwd: string): readonly string[] {
  return readdirSync(path.join(cwd, '.quern', 'tmp'), { recursive: true }).map(String);
}

describe('quern load from a pipe', () => {
  it.each([
    ['/dev/stdin', 'cat x.csv | quern load /dev/stdin --type csv --table t'],
    [
      '/dev/stdin, which names the table',
      'cat x.csv | quern load /dev/stdin; quern sql "create table t as from stdin"',
    ],
    ['- without a type', 'cat x.csv | quern load - --table t'],
    ['- from a file', 'quern load - --table t < x.csv'],
    ['a process substitution', 'quern load <(cat x.csv) --table t'],
    ['compressed bytes in a process substitution', 'quern load <(cat x.csv.gz) --table t'],
    ['bytes compressed by zstd', 'cat x.csv.zst | quern load - --table t'],
    ['JSON lines', 'cat x.jsonl | quern load - --table t'],
    ['a JSON array', 'printf \'[{"id":1,"name":"Ada"},{"id":2,"name":"Bo"}]\' | quern load - --table t'],
    ['parquet', 'cat x.parquet | quern load - --table t'],
    ['a FIFO, which names the table', 'mkfifo t.csv; (cat x.csv > t.csv) & quern load t.csv'],
    ['a pipe next to a file', '(echo id,name; echo 2,Bo) | quern load first.csv - --table t'],
  ])('loads every row of %s', async (_, line) => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'x.csv'), ROWS);
    writeFileSync(path.join(cwd, 'first.csv'), 'id,name\n1,Ada\n');
    writeFileSync(path.join(cwd, 'x.csv.gz'), gzipSync(ROWS));
    writeFileSync(path.join(cwd, 'x.csv.zst'), zstdCompressSync(ROWS));
    writeFileSync(path.join(cwd, 'x.jsonl'), '{"id":1,"name":"Ada"}\n{"id":2,"name":"Bo"}\n');
    await quern(['sql', `copy (from '${cwd}/x.csv') to '${cwd}/x.parquet'`], { cwd });
    const loaded = await bash(line, cwd);
    expect({ exitCode: loaded.exitCode, stderr: loaded.stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^loaded 2 rows into (?:t|stdin)\n$/),
    });
    expect(await readTable(cwd, 't')).toBe(ROWS);
    expect(listTemporary(cwd)).toEqual([]);
  });

  it('loads more than a pipe contains at once, and the engine can read it repeatedly', async () => {
    const cwd = await makeHome();
    const { stderr } = await bash('(echo n; seq 1 300000) | quern load - --table t', cwd);
    expect(stderr).toBe('loaded 300,000 rows into t\n');
    expect(await readTable(cwd, '(select sum(n) as s from t)')).toBe('s\n45000150000\n');
  });

  it.each([
    [
      'a pipe without a name for the table',
      'cat x.csv | quern load -',
      'standard input has no name for the table: set one with --table',
    ],
    [
      'a process substitution without one',
      'quern load <(cat x.csv)',
      '/dev/fd/63 has no name for the table: set one with --table',
    ],
    [
      'an endless device',
      'quern load /dev/zero --type csv --table t',
      'cannot read /dev/zero: it is a device, and may have no end',
    ],
    [
      'an endless device as standard input',
      'quern load - --table t < /dev/urandom',
      'cannot read standard input: it is a device, and may have no end',
    ],
    [
      'a folder as standard input',
      'quern load - --table t < .',
      'cannot read standard input: it is a folder',
    ],
    [
      'pipes of different types',
      'quern load x.csv <(echo "{}") --table t',
      'the files are of different types: load them one type at a time',
    ],
    [
      'a web page instead of data',
      'echo "<!DOCTYPE html>" | quern load - --table t',
      'standard input is a web page or XML: read its content, or convert it to csv, parquet or json first',
    ],
    [
      'parquet with the name of a csv file',
      'quern load p.csv',
      'p.csv is parquet by its first bytes: use --type parquet',
    ],
  ])('refuses %s', async (_, line, message) => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'x.csv'), ROWS);
    await quern(['sql', `copy (select 1 as x) to '${cwd}/p.csv' (format parquet)`], { cwd });
    const { exitCode, stderr } = await bash(line, cwd);
    // The error of a folder is a wrong kind of item; the others are wrong usage.
    const code = message.endsWith('it is a folder') ? 1 : 2;
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: `error: ${message}\n` });
    expect(listTemporary(cwd)).toEqual([]);
  });

  it('refuses endless bytes as soon as they are invalid as text', async () => {
    const cwd = await makeHome();
    const { stderr } = await bash('cat /dev/zero | quern load - --table t', cwd);
    expect(stderr).toMatch(/^error: standard input is not text: /);
    expect(listTemporary(cwd)).toEqual([]);
  });

  it.each(['x.csv.gz', 'x.csv.zst'])('refuses truncated %s, in a pipe and as a file', async (name) => {
    const cwd = await makeHome();
    const rows = Array.from({ length: 20_000 }, (_, n) => `${n},${(n * 7919) % 10007}`).join('\n');
    const packed = name.endsWith('gz') ? gzipSync(`a,b\n${rows}`) : zstdCompressSync(`a,b\n${rows}`);
    writeFileSync(path.join(cwd, name), packed.subarray(0, packed.length / 2));
    await quern(['sql', 'create table t as select 7 as kept'], { cwd });
    const reason = 'is damaged or incomplete, and nothing was loaded: unexpected end of file';
    expect(await quern(['load', name, '--table', 't', '--replace'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: `error: ${name} ${reason}\n`,
    });
    expect(await bash(`cat ${name} | quern load - --table t --replace`, cwd)).toMatchObject({
      exitCode: 1,
      stderr: `error: standard input ${reason}\n`,
    });
    expect(await readTable(cwd, 't')).toBe('kept\n7\n');
  });

  it('names standard input in messages of the engine', async () => {
    const cwd = await makeHome();
    const { exitCode, stderr } = await bash('echo \'{"a": 1\' | quern load - --table t', cwd);
    expect(exitCode).toBe(3);
    expect(stderr).toContain('in file "standard input"');
    expect(stderr).not.toContain('.quern');
  });

  it('reports how much was read when the disk is full, and leaves nothing behind', async () => {
    const cwd = await makeHome();
    const { exitCode, stderr } = await bash(
      'ulimit -f 4000; yes 1,2,3 | head -3000000 | quern load - --table t',
      cwd,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: no space is left in .*\.quern\/tmp for standard input: [\d,]+ bytes were read, and nothing was loaded\n$/,
    );
    expect(listTemporary(cwd)).toEqual([]);
  });

  it.each([
    ['without a writer', 'mkfifo p.csv; exec quern load p.csv'],
    ['whose writer sends nothing', 'mkfifo p.csv; exec 3<> p.csv; exec quern load p.csv'],
  ])('waits for a FIFO %s until Ctrl-C, and leaves nothing behind', async (_, line) => {
    const cwd = await makeHome();
    const script = line.replace('exec quern', `exec "${process.execPath}" "${bin}"`);
    const child = execa('bash', ['-c', script], {
      cwd,
      reject: false,
      detached: true,
      env: { HOME: cwd, QUERN_HOME: '' },
    });
    await waitUntil(() => listTemporary(cwd).some((name) => name.includes('load-')));
    process.kill(-child.pid!, 'SIGINT');
    const { signal, stderr } = await child;
    expect({ signal, stderr }).toEqual({ signal: 'SIGINT', stderr: '' });
    expect(listTemporary(cwd)).toEqual([]);
  });
});

describe('pipes for other commands', () => {
  it.each([
    ['exec - ', 'cat a.sql | quern exec -'],
    ['exec /dev/stdin', 'cat a.sql | quern exec /dev/stdin'],
    ['exec <(…)', 'quern exec <(cat a.sql)'],
    ['a FIFO', 'mkfifo f; (cat a.sql > f) & quern exec f'],
    ['sql --file /dev/stdin', 'cat a.sql | quern sql --file /dev/stdin'],
    ['parameters', 'quern exec a.sql --params-file <(echo "{}")'],
    ['a script and parameters', 'cat a.sql | quern exec - --params-file <(echo "{}")'],
    ['catalog put', 'quern catalog put <(cat a.sql) @Shared/a 2> out; quern exec @Shared/a'],
  ])('are read by %s', async (_, line) => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'a.sql'), 'select 1 as a');
    const { exitCode, stdout, stderr } = await bash(line, cwd);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: 'a\n1\n', stderr: '' });
  });

  it('may be sockets as standard input, which have no path', async () => {
    const cwd = await makeHome();
    const { stdout, stderr } = await quern(['exec', '/dev/stdin'], { cwd, input: 'select 1 as a' });
    expect({ stdout, stderr }).toEqual({ stdout: 'a\n1\n', stderr: '' });
  });

  const NOT_HERE = 'here: write the script to a file first';
  it.each([
    ['check -', 'quern check - < a.sql', `cannot read standard input ${NOT_HERE}`],
    ['check <(…)', 'quern check <(cat a.sql)', `cannot read /dev/fd/63 ${NOT_HERE}`],
    [
      'exec of a FIFO among scripts',
      'mkfifo x.sql; quern exec x.sql',
      'cannot read x.sql: it is a named pipe; `quern exec - < x.sql` reads it',
    ],
    ['compile of a FIFO', 'mkfifo f; quern compile f', `cannot read f ${NOT_HERE}`],
    [
      'two uses of standard input',
      'quern exec - --params-file - < a.sql',
      'standard input can be read only once: use a file for the other input',
    ],
    [
      'catalog put without a name',
      'quern catalog put <(cat a.sql) @Shared',
      '@Shared is a folder: name the asset in it',
    ],
    ['a device', 'quern exec /dev/zero', 'cannot read /dev/zero: it is a device, and may have no end'],
    [
      'a backup in a pipe',
      'cat a.sql | quern admin restore -',
      'standard input is not a file: write the backup to a file first',
    ],
    [
      'a device as a backup',
      'quern admin restore /dev/zero',
      'cannot read /dev/zero: it is a device, and may have no end',
    ],
  ])('are refused with advice: %s', async (_, line, message) => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'a.sql'), 'select 1 as a');
    const { exitCode, stderr } = await bash(line, cwd);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `error: ${message}\n` });
  });

  it('accept a file called - with its folder in the path', async () => {
    const cwd = makeFolder();
    mkdirSync(path.join(cwd, 'd'));
    writeFileSync(path.join(cwd, '-'), 'select 1 as a');
    expect((await quern(['check', './-'], { cwd })).exitCode).toBe(0);
  });
});
