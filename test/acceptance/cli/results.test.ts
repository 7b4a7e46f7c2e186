import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';
import { shareServer } from '../../support/server.ts';

const TWO = 'select 1 as a; select 2 as b';

describe('several results', () => {
  it.each([
    ['csv', 'a\n1\n\nb\n2\n'],
    ['tsv', 'a\n1\n\nb\n2\n'],
    ['markdown', '| a |\n| ---: |\n| 1 |\n\n| b |\n| ---: |\n| 2 |\n'],
    ['table', '┌───┐\n│ a │\n├───┤\n│ 1 │\n└───┘\n1 row\n\n┌───┐\n│ b │\n├───┤\n│ 2 │\n└───┘\n1 row\n'],
  ])('are all printed as %s, with an empty line between', async (format, text) => {
    const cwd = await makeHome();
    const { stdout, stderr } = await quern(['sql', `${TWO}; create table t (x int)`, '--format', format], {
      cwd,
    });
    expect([stdout, stderr]).toEqual([text, '']);
  });

  it('are all printed for a script with statements that return no rows, and --limit holds for each', async () => {
    const cwd = await makeHome();
    writeFileSync(
      path.join(cwd, 's.sql'),
      'create table t as from range(3);\nfrom t;\ninsert into t values (9);\nfrom t;',
    );
    const { stdout } = await quern(['exec', 's.sql', '--limit', '2'], { cwd });
    expect(stdout).toBe('range\n0\n1\n\nrange\n0\n1\n');
    expect((await quern(['sql', 'select count(*) as n from t'], { cwd })).stdout).toBe('n\n4\n');
  });

  it.each(['json', 'ndjson'])('are one for %s, and standard error counts the others', async (format) => {
    const cwd = await makeHome();
    const three = await quern(['sql', `${TWO}; select 3 as c`, '--format', format], { cwd });
    expect(three.stdout).toContain('"a"');
    expect(three.stdout).not.toContain('"b"');
    expect(three.stderr).toBe('2 more results are not shown\n');
    const two = await quern(['sql', TWO, '--format', format, '--quiet'], { cwd });
    expect(two.stderr).toBe('1 more result is not shown\n');
  });

  it.each(['out.csv', 'out.parquet'])('are one in the file %s', async (file) => {
    const cwd = await makeHome();
    const { stderr } = await quern(['sql', TWO, '--output', file], { cwd });
    expect(stderr).toBe('1 more result is not shown\n');
    expect(existsSync(path.join(cwd, file))).toBe(true);
    if (file === 'out.csv') expect(readFileSync(path.join(cwd, file), 'utf8')).toBe('a\n1\n');
  });

  it('are printed before an error, which says what was done and what was rolled back', async () => {
    const cwd = await makeHome();
    await quern(['sql', 'create table t (x int)'], { cwd });
    const plain = await quern(['sql', 'select 1 as a; insert into t values (1); select nope'], { cwd });
    expect([plain.stdout, plain.exitCode]).toEqual(['a\n1\n', 3]);
    expect(plain.stderr).toMatch(/nope[\s\S]*\nDone before it: statements 1 and 2\n$/);
    const inside = await quern(
      ['sql', 'select 1; begin; insert into t values (2); update t set x = 3; select nope', '--json'],
      { cwd },
    );
    expect(inside.stdout).toBe('');
    expect(inside.stderr).toMatch(/\nDone before it: statement 1\nRolled back: statements 2 to 4\n$/);
    expect((await quern(['sql', 'from t'], { cwd })).stdout).toBe('x\n1\n');
  });

  it('mention no statement if the first one fails', async () => {
    const cwd = await makeHome();
    const { stderr } = await quern(['sql', 'select nope; select 1'], { cwd });
    expect(stderr).not.toContain('Done before');
  });
});

describe('several results on the home of a server', () => {
  const shared = shareServer();

  it('are the same', async () => {
    const { cwd } = shared.server;
    const all = await quern(['sql', TWO], { cwd });
    expect([all.stdout, all.stderr]).toEqual(['a\n1\n\nb\n2\n', '']);
    expect((await quern(['sql', TWO, '--json'], { cwd })).stderr).toBe('1 more result is not shown\n');
    const failed = await quern(['sql', `${TWO}; select nope`], { cwd });
    expect(failed.stderr).toMatch(/\nDone before it: statements 1 and 2\n$/);
  });
});

describe('--json, --format tsv and --no-header', () => {
  it('choose the format', async () => {
    const cwd = await makeHome();
    const json = await quern(['sql', 'select 1 as a', '--json'], { cwd });
    expect(JSON.parse(json.stdout).result.data).toEqual([[1]]);
    const tsv = await quern(['sql', "select 'a,b' as x, 'c' as y", '--format', 'tsv', '--no-header'], {
      cwd,
    });
    expect(tsv.stdout).toBe('a,b\tc\n');
    const sql = "select -5 as n, '-5' as t";
    await quern(['sql', sql, '--output', 'a.csv', '--bom', '--escape-formulas'], { cwd });
    expect(readFileSync(path.join(cwd, 'a.csv'), 'utf8')).toBe("\ufeffn,t\n-5,'-5\n");
    await quern(['sql', 'select 1 as a', '--output', 'a.tsv', '--no-header'], { cwd });
    expect(readFileSync(path.join(cwd, 'a.tsv'), 'utf8')).toBe('1\n');
  });

  it.each([
    [['--json', '--format', 'csv'], 'error: use either --json or --format csv\n'],
    [['--json', '--no-header'], 'error: --no-header has no effect on json: use --format csv or tsv\n'],
    [['--json', '--bom'], 'error: --bom has no effect on json: use --format csv\n'],
    [
      ['--format', 'tsv', '--escape-formulas'],
      'error: --escape-formulas has no effect on tsv: use --format csv\n',
    ],
    [['--output', 'a.xlsx', '--bom'], 'error: --bom has no effect on xlsx: use --format csv\n'],
    [['--json', '--expanded'], 'error: --expanded and --format json contradict each other\n'],
  ])('refuse %s', async (options, message) => {
    const cwd = await makeHome();
    const { stderr, exitCode, stdout } = await quern(['sql', 'create table t (x int)', ...options], { cwd });
    expect([stdout, stderr, exitCode]).toEqual(['', message, 2]);
    expect((await quern(['sql', 'from t'], { cwd })).exitCode).toBe(3);
  });
});

describe('quern sql without SQL', () => {
  const ADVICE = 'hint: pass it as an argument, with --file FILE, or on standard input\n';

  it('reads standard input', async () => {
    const cwd = await makeHome();
    expect((await quern(['sql'], { cwd, input: 'select 2 as x' })).stdout).toBe('x\n2\n');
    expect((await quern(['sql', 'select 1 as x'], { cwd, input: 'select 2 as x' })).stdout).toBe('x\n1\n');
  });

  it.each([[['sql']], [['sql', '-']]])('refuses an empty standard input: %s', async (args) => {
    const cwd = await makeHome();
    const { stderr, exitCode } = await quern(args, { cwd, input: ' \n' });
    expect([stderr, exitCode]).toEqual([`error: no SQL given\n${ADVICE}`, 2]);
  });

  it('says that -c names a connection', async () => {
    const cwd = await makeHome();
    const { stderr, exitCode } = await quern(['sql', '-c', 'SELECT 1'], { cwd });
    expect([stderr, exitCode]).toEqual(['error: -c names a connection; pass SQL as an argument\n', 2]);
  });
});
