import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasOpenpyxl, readWithOpenpyxl } from '../../support/openpyxl.ts';
import { makeHome, quern, quernProcess, writeFiles } from '../../support/quern.ts';

/** Each expression, and its cell in openpyxl: type, and value as Python prints it. */
const CELLS: readonly (readonly [sql: string, type: string, value: string])[] = [
  ['999999999999999', 'n', '999999999999999'],
  ['1000000000000000', 's', '1000000000000000'],
  ["'170141183460469231731687303715884105727'::HUGEINT", 's', '170141183460469231731687303715884105727'],
  ['12.30::DECIMAL(9, 2)', 'n', '12.3'],
  ["'12345678901.23456'::DECIMAL(18, 5)", 's', '12345678901.23456'],
  ['0.1::DOUBLE', 'n', '0.1'],
  ['1e300::DOUBLE', 'n', '1e+300'],
  ["'nan'::DOUBLE", 's', 'nan'],
  ["'inf'::FLOAT", 's', 'inf'],
  ['-5', 'n', '-5'],
  ['true', 'b', 'True'],
  ["DATE '2024-02-29'", 'd', '2024-02-29 00:00:00'],
  ["DATE '1900-03-01'", 'd', '1900-03-01 00:00:00'],
  ["DATE '1900-02-28'", 's', '1900-02-28'],
  ["DATE '9999-12-31'", 'd', '9999-12-31 00:00:00'],
  ["DATE '10000-01-01'", 's', '10000-01-01'],
  ["TIMESTAMP '9999-12-31 23:59:59.999999'", 'd', '9999-12-31 23:59:59.999000'],
  ["TIMESTAMPTZ '2024-01-01 00:00:00.5+01'", 'd', '2023-12-31 23:00:00.500000'],
  ["TIME '01:02:03'", 's', '01:02:03'],
  ["'=1+1'", 's', '=1+1'],
  ["'@SUM(1)'", 's', '@SUM(1)'],
  ["'007'", 's', '007'],
  ["' a '", 's', ' a '],
  ["'<&>\"' || chr(10) || '😀'", 's', '<&>"\n😀'],
  ["chr(1) || chr(13) || '_x0041_'", 's', '\u0001\r_x0041_'],
  ["''", 's', ''],
  ['[1, NULL]', 's', '[1, NULL]'],
];

const SELECT = `SELECT ${CELLS.map(([sql], i) => `${sql} AS "c${i}"`).join(', ')}, NULL AS nothing`;

describe('quern sql --format xlsx', () => {
  it.skipIf(!hasOpenpyxl)('writes a workbook that openpyxl reads cell by cell', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'q.sql': SELECT });
    const { exitCode, stderr } = await quern(['sql', '--file', 'q.sql', '--output', 'a.xlsx'], { cwd });
    expect([exitCode, stderr]).toEqual([0, '']);
    const { frozen, rows } = readWithOpenpyxl(path.join(cwd, 'a.xlsx'));
    const names = [...CELLS.map((_, i) => `c${i}`), 'nothing'];
    expect(rows[0]).toEqual(names.map((name) => ['s', name, true]));
    expect(rows[1]).toEqual([...CELLS.map(([, type, value]) => [type, value, false]), null]);
    expect([rows.length, frozen]).toEqual([2, 'A2']);
  });

  it('writes a workbook that quern load reads, with the same values', async () => {
    const cwd = await makeHome();
    const sql = `SELECT range AS id, 'name ' || range AS name, DATE '2000-01-01' + range::INTEGER AS day,
      CASE WHEN range % 3 > 0 THEN range / 8 END AS number, range % 2 = 0 AS even FROM range(20000)`;
    await quern(['sql', `CREATE TABLE made AS ${sql}`], { cwd });
    await quern(['sql', 'FROM made', '--format', 'xlsx', '--output', 'made.xlsx'], { cwd });
    await quern(['load', 'made.xlsx', '--table', 'loaded'], { cwd });
    const differing = '(FROM made EXCEPT ALL FROM loaded) UNION ALL (FROM loaded EXCEPT ALL FROM made)';
    const { stdout } = await quern(['sql', `SELECT count(*) AS n FROM (${differing})`, '--json'], { cwd });
    expect(JSON.parse(stdout).result.data).toEqual([[0]]);
    const counted = await quern(['sql', 'SELECT count(*) AS n FROM loaded', '--json'], { cwd });
    expect(JSON.parse(counted.stdout).result.data).toEqual([[20_000]]);
  });

  it('writes to a pipe, and an empty sheet without a result', async () => {
    const cwd = await makeHome();
    await quern(['sql', 'SELECT 1 AS a', '--output', 'a.xlsx'], { cwd });
    const { stdout } = await quernProcess(['sql', 'SELECT 1 AS a', '--format', 'xlsx'], { cwd });
    expect(stdout.slice(0, 2)).toBe('PK');
    const { exitCode } = await quern(['sql', 'CREATE TABLE t (i INTEGER)', '--output', 'b.xlsx'], { cwd });
    expect([exitCode, readFileSync(path.join(cwd, 'b.xlsx'), 'latin1').slice(0, 2)]).toEqual([0, 'PK']);
  });

  it.each([
    ['FROM range(2000000)', 'The result cannot be written as xlsx: it has more than 1,048,575 rows'],
    [
      "SELECT repeat('x', 1000000) AS a FROM range(3000) ORDER BY range DESC",
      'The column "a" cannot be written as xlsx: a text has 1,000,000 characters, more than 32,767',
    ],
    [
      `SELECT ${Array.from({ length: 16_385 }, () => '1').join()}`,
      'The result cannot be written as xlsx: it has 16,385 columns, more than 16,384',
    ],
  ])('refuses what a sheet cannot hold, and leaves no file', async (sql, message) => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'q.sql': sql });
    const before = readdirSync(cwd);
    const refused = await quern(['sql', '--file', 'q.sql', '--output', 'a.xlsx'], { cwd });
    expect(refused.stderr).toBe(`error: ${message}. Choose another format, such as csv\n`);
    expect([refused.exitCode, refused.stdout, existsSync(path.join(cwd, 'a.xlsx'))]).toEqual([3, '', false]);
    expect(readdirSync(cwd)).toEqual(before);
  });

  it('refuses --no-header, and writes nothing', async () => {
    const cwd = await makeHome();
    const refused = await quern(['sql', 'SELECT 1', '--output', 'a.xlsx', '--no-header'], { cwd });
    const message = 'error: --no-header has no effect on xlsx: use --format csv or tsv\n';
    expect([refused.stderr, refused.exitCode]).toEqual([message, 2]);
    expect(existsSync(path.join(cwd, 'a.xlsx'))).toBe(false);
  });
});
