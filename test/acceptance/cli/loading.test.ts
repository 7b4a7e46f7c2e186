import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeFolder, makeHome, quern } from '../../support/quern.ts';

describe('quern load', () => {
  it('creates a table from a csv, parquet or json file, and shows its types', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'a.csv'), 'id,day\n1,2026-01-02\n2,2026-01-03\n');
    writeFileSync(path.join(cwd, 'b.jsonl'), '{"x": 1.5}\n');
    writeFileSync(path.join(cwd, 'c.tsv.gz'), gzipSync('x\ty\n1\t2\n'));
    await quern(['sql', `copy (select 7 as n) to '${cwd}/d.parquet'`], { cwd });
    const loaded = await quern(['load', 'a.csv'], { cwd });
    expect(loaded).toMatchObject({
      exitCode: 0,
      stdout: 'id   BIGINT\nday  DATE\n',
      stderr: 'loaded 2 rows into a\n',
    });
    for (const file of ['b.jsonl', 'c.tsv.gz', 'd.parquet']) {
      expect((await quern(['load', file], { cwd })).exitCode).toBe(0);
    }
    const { stdout } = await quern(['sql', 'select b.x as b, y, n from b, c, d'], { cwd });
    expect(stdout).toBe('b,y,n\n1.5,2,7\n');
  });

  it('keeps the order of columns whose names are numbers', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 'a.csv'), 'region,2025,2024\nnorth,1,2\n');
    await quern(['load', 'a.csv', '--header'], { cwd });
    expect((await quern(['sql', 'from a'], { cwd })).stdout).toBe('region,2025,2024\nnorth,1,2\n');
  });

  it('refuses JSON that is nested too deeply, and leaves the table unchanged', async () => {
    const cwd = await makeHome();
    const nest = (levels: number) => `{"x": "\\"[[", "y": ${'['.repeat(levels)}1${']'.repeat(levels)}}\n`;
    writeFileSync(path.join(cwd, 'deep.json'), nest(99));
    expect((await quern(['load', 'deep.json', '--table', 't'], { cwd })).exitCode).toBe(0);
    const tooDeep = 'JSON with more than 100 levels, and nothing was loaded: flatten it first\n';
    for (const [name, bytes] of [
      ['deep.json', nest(100)],
      ['crash.json', `${'{"x": "[[[["}\n'.repeat(100)}${nest(100_000)}`],
      ['packed.json.gz', gzipSync(nest(100_000))],
    ] as const) {
      writeFileSync(path.join(cwd, name), bytes);
      const { exitCode, stderr } = await quern(['load', name, '--table', 't', '--replace'], { cwd });
      expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: `error: ${name} has ${tooDeep}` });
    }
    const args = ['load', '-', '--type', 'json', '--table', 't', '--replace'];
    const piped = await quern(args, { cwd, input: nest(100_000) });
    expect(piped).toMatchObject({ exitCode: 3, stderr: `error: standard input has ${tooDeep}` });
    const { stdout } = await quern(['sql', 'SELECT length(x) AS n FROM t', '--format', 'csv'], { cwd });
    expect(stdout).toBe('n\n3\n');
  });

  it('accepts names with any characters', async () => {
    const cwd = await makeHome();
    for (const name of ["2026 it's [1]*.csv", '2026 it.csv'])
      writeFileSync(path.join(cwd, name), `name\n${name}\n`);
    const { exitCode, stderr } = await quern(['load', "2026 it's [1]*.csv"], { cwd });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'loaded 1 row into _2026_it_s_1_\n' });
  });

  it('creates one table from several files', async () => {
    const cwd = await makeHome();
    for (const day of [1, 2, 3]) writeFileSync(path.join(cwd, `d${day}.csv`), `day\n${day}\n`);
    const { stdout } = await quern(['load', 'd*.csv', '--table', 'shop.days', '--json'], { cwd });
    expect(JSON.parse(String(stdout))).toEqual({
      table: 'shop.days',
      rows: 3,
      columns: [{ name: 'day', type: 'BIGINT' }],
    });
    expect((await quern(['sql', 'select sum(day) as s from shop.days'], { cwd })).stdout).toBe('s\n6\n');
  });

  it('leaves an existing table unchanged, unless it is to be replaced', async () => {
    const cwd = await makeHome();
    writeFileSync(path.join(cwd, 't.csv'), 'x\n1\n');
    await quern(['load', 't.csv'], { cwd });
    writeFileSync(path.join(cwd, 't.csv'), 'x\n2\n');
    const again = await quern(['load', 't.csv'], { cwd });
    expect(again.exitCode).toBe(3);
    expect(again.stderr).toBe(
      'error: there is already a table t\n' +
        '--replace replaces it; --append adds rows to it; --table sets another name\n',
    );
    expect((await quern(['sql', 'from t'], { cwd })).stdout).toBe('x\n1\n');
    writeFileSync(path.join(cwd, 'bad.csv'), 'x\n1\nz"\n'.repeat(3));
    await quern(['load', 'bad.csv', '--table', 't', '--replace', '--type', 'parquet'], { cwd });
    expect((await quern(['sql', 'from t'], { cwd })).stdout).toBe('x\n1\n');
    expect((await quern(['load', 't.csv', '--replace'], { cwd })).exitCode).toBe(0);
    expect((await quern(['sql', 'from t'], { cwd })).stdout).toBe('x\n2\n');
  });

  it('refuses a file that is not found', async () => {
    expect(await quern(['load', 'none.csv'], { cwd: await makeHome() })).toMatchObject({
      exitCode: 1,
      stderr: 'error: cannot read none.csv: there is no such file\n',
    });
  });

  it('refuses an empty file name', async () => {
    expect(await quern(['load', ''], { cwd: await makeHome() })).toMatchObject({
      exitCode: 2,
      stderr: 'error: the name of a file is empty: use `.` for this folder\n',
    });
  });

  it('suggests a file with a similar name', async () => {
    const cwd = await makeHome();
    mkdirSync(path.join(cwd, 'data'));
    writeFileSync(path.join(cwd, 'data', 'orders.csv'), 'x\n1\n');
    expect(await quern(['load', 'data/oders.csv'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr:
        'error: cannot read data/oders.csv: there is no such file\nhint: did you mean `data/orders.csv`?\n',
    });
  });

  it.each([
    [
      'a type that the name does not show',
      ['t.bin'],
      'error: cannot derive the type of t.bin from its name: set it with --type\n',
    ],
    [
      'an unknown type',
      ['t.bin', '--type', 'xls'],
      'error: unknown type `xls`: use csv, parquet, json, xlsx\n',
    ],
    [
      'files of two types',
      ['t.csv', 't.json'],
      'error: the files are of different types: load them one type at a time\n',
    ],
    [
      'a bad table',
      ['t.csv', '--table', 'a.b.c'],
      'error: --table a.b.c: expected `name` or `schema.name`\n',
    ],
  ])('refuses %s', async (_, args, message) => {
    const cwd = await makeHome();
    for (const name of ['t.bin', 't.csv', 't.json']) writeFileSync(path.join(cwd, name), '[]');
    const { exitCode, stderr } = await quern(['load', ...args], { cwd });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: message });
  });
});

describe('quern demo', () => {
  it('writes the sample, loads it and answers, twice', async () => {
    const cwd = makeFolder();
    const first = await quern(['demo'], { cwd });
    expect(first.exitCode).toBe(0);
    expect(first.stdout).toContain('│ ATL     │ Atlanta ');
    expect(first.stdout).toContain('│ CA    │    295 │ 360199 │   46280 │     21.8 │');
    expect(first.stdout).toContain('│ CA    │ 1898395 │ 2559388158 │ 1898395 │     22.1 │');
    expect(first.stderr).toContain('loaded 375,003 rows into flights');
    const folder = path.join(cwd, 'quern-demo');
    writeFileSync(path.join(folder, 'mine.sql'), 'mine');
    writeFileSync(path.join(folder, 'project', 'worst_days.sql'), 'changed');
    await quern(['sql', 'create table mine as select 1 as x; delete from flights'], { cwd: folder });
    await quern(['catalog', 'mkdir', '@Shared/flights/mine'], { cwd: folder });
    const second = await quern(['demo'], { cwd });
    expect(second.stdout).toBe(first.stdout);
    expect(readFileSync(path.join(folder, 'mine.sql'), 'utf8')).toBe('mine');
    expect(readFileSync(path.join(folder, 'project', 'worst_days.sql'), 'utf8')).not.toBe('changed');
    expect((await quern(['sql', 'from mine'], { cwd: folder })).stdout).toBe('x\n1\n');
    expect((await quern(['catalog', 'ls', '@Shared/flights'], { cwd: folder })).stdout).toContain('mine/\n');
  });

  it('answers the same for a semantic query and its SQL', async () => {
    const cwd = makeFolder();
    const { stdout, stderr } = await quern(['demo', 'd'], { cwd });
    const commands = [...String(stderr).matchAll(/^\$ quern (semantic query|sql) (.*)$/gm)];
    expect(commands.map(([, name]) => name)).toEqual(['semantic query', 'sql']);
    const answers: { readonly stdout: unknown; readonly stderr: unknown }[] = [];
    for (const [, name = '', rest = ''] of commands) {
      const args = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
      answers.push(await quern([...name.split(' '), ...args], { cwd: path.join(cwd, 'd') }));
    }
    const [question, inSql] = answers;
    expect(question).toMatchObject({ exitCode: 0, stderr: '' });
    expect(question!.stdout).toMatch(/^state,routes,miles,flights,late_pct\nCA,295,360199,46280,21\.8\n/);
    expect(String(question!.stdout).trimEnd().split('\n')).toHaveLength(6);
    expect(inSql).toMatchObject({ exitCode: 0, stdout: question!.stdout });
    const tables = String(stdout).match(/^┌.*\n│ state │ routes │[\s\S]*?^└.*$/gm) ?? [];
    expect([tables.length, new Set(tables).size]).toEqual([2, 1]);
  });

  it('does not change a folder with other content', async () => {
    const cwd = makeFolder();
    writeFileSync(path.join(cwd, 'README.md'), 'mine');
    const { exitCode, stderr } = await quern(['demo', '.'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toBe(`error: ${cwd} has other files: name another folder\n`);
    expect(readFileSync(path.join(cwd, 'README.md'), 'utf8')).toBe('mine');
  });

  it('runs every script of the sample', async () => {
    const cwd = makeFolder();
    await quern(['demo', 'd'], { cwd });
    const folder = path.join(cwd, 'd');
    const { stdout } = await quern(['catalog', 'ls', '@Shared/flights', '--json'], { cwd: folder });
    const scripts = JSON.parse(String(stdout)).data.filter(
      (item: { type: string }) => item.type === 'SQL_SCRIPT',
    );
    expect(scripts.length).toBeGreaterThan(5);
    const params = ['month=2001-02', 'min_flights=500', 'origin=SFO'].flatMap((param) => ['--param', param]);
    for (const script of scripts) {
      const result = await quern(['exec', script.path, ...params], { cwd: folder });
      expect(result).toMatchObject({ exitCode: 0, stderr: '' });
      expect(String(result.stdout).split('\n').length).toBeGreaterThan(3);
    }
  });
});
