import { appendFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { LAST, NAMES, TYPES, WHOLE, WHOLE_FIRST, WHOLE_LAST, WHOLE_ROWS } from './whole-file.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

const EXPECTED = NAMES.map((name, at) => ({ name, type: TYPES[at] }));

/** Runs a line of bash in which `quern` is the command line. */
function bash(line: string, cwd: string) {
  const script = `quern() { "${process.execPath}" "${bin}" "$@"; }; ${line}`;
  const env = { HOME: cwd, QUERN_HOME: '' };
  return execa('bash', ['-c', script], { cwd, reject: false, stripFinalNewline: false, env });
}

/** The texts of the rows that differ from the first one. */
async function readLast(cwd: string, table = 't'): Promise<readonly (readonly (string | null)[])[]> {
  const sql = `SELECT DISTINCT columns(*)::VARCHAR FROM ${table} WHERE fraction <> 1`;
  const { stdout } = await quern(['sql', sql, '--format', 'json'], { cwd });
  return JSON.parse(stdout).result.data;
}

const LAST_TEXTS = [LAST.map((text) => (text === '' ? null : text))];

describe('a csv file whose last row differs, after 25,000 equal ones', () => {
  it.each([
    ['a file', 'quern load t.csv --json'],
    ['a compressed file', 'gzip t.csv; quern load t.csv.gz --json'],
    ['two files', 'quern load first.csv last.csv --table t --json'],
    ['two files in the other order', 'quern load last.csv first.csv --table t --json'],
    ['standard input', 'quern load - --table t --json < t.csv'],
    ['a FIFO', 'mkfifo f; (cat t.csv > f) & quern load f --type csv --table t --json'],
    ['a file after --dry-run', 'quern load t.csv --dry-run --json > dry; quern load t.csv --json'],
  ])('has the types of all rows in %s', { timeout: 120_000 }, async (_, line) => {
    const cwd = await makeHome();
    writeFiles(cwd, { 't.csv': WHOLE, 'first.csv': WHOLE_FIRST, 'last.csv': WHOLE_LAST });
    const { stdout, stderr } = await bash(line, cwd);
    expect({ stderr, ...JSON.parse(stdout) }).toMatchObject({ rows: WHOLE_ROWS + 1, columns: EXPECTED });
    expect(await readLast(cwd)).toEqual(LAST_TEXTS);
  });

  it('has the types of each file with --each, and is added by --append', { timeout: 120_000 }, async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'd/t.csv': WHOLE, 'd/u.csv': WHOLE_FIRST.replaceAll('true', 'false') });
    const { stdout } = await quern(['load', 'd', '--each', '--json'], { cwd });
    const { tables } = JSON.parse(stdout) as {
      tables: { table: string; columns: { name: string; type: string }[] }[];
    };
    expect(tables[0]!.columns).toEqual(EXPECTED);
    expect(tables[1]!.columns.map(({ type }) => type)).not.toEqual(TYPES);
    expect(await readLast(cwd)).toEqual(LAST_TEXTS);
    const added = await quern(['load', 'd/t.csv', '--append'], { cwd });
    expect(added.stderr).toContain('added 25,001 rows to t\n');
    expect((await quern(['sql', 'SELECT count(*) AS n FROM t WHERE huge > 1'], { cwd })).stdout).toBe(
      'n\n2\n',
    );
    const refused = await quern(['load', 'd/t.csv', '--table', 'u', '--append'], { cwd });
    expect(refused).toMatchObject({ exitCode: 3 });
    expect(refused.stderr).toContain('t.csv:25002: ');
    expect((await quern(['sql', 'SELECT count(*) AS n FROM u'], { cwd })).stdout).toBe(`n\n${WHOLE_ROWS}\n`);
  });

  it.each([
    ['1', '1.5', 'INTEGER', 'DOUBLE', 'does not hold `1.5`'],
    ['1', '2147483648', 'INTEGER', 'BIGINT', '`2147483648` in the column `x` is not a valid INTEGER'],
    ['1', '300', 'TINYINT', 'BIGINT', '`300` in the column `x` is not a valid TINYINT'],
    ['1', '-1', 'UBIGINT', 'BIGINT', '`-1` in the column `x` is not a valid UBIGINT'],
    ['1', '9223372036854775808', 'BIGINT', 'HUGEINT', '`9223372036854775808` in the column'],
    ['1.25', '1.239', 'DECIMAL(9,2)', 'DECIMAL(18,3)', 'DECIMAL(9,2) does not hold `1.239`'],
    ['1.25', '0.12345678901234567890', 'DOUBLE', 'DECIMAL(38,20)', 'DOUBLE does not hold'],
    ['1.5', '16777217', 'FLOAT', 'DOUBLE', 'FLOAT does not hold `16777217`'],
    ['2026-01-15', '2026-01-15 23:59:59', 'DATE', 'TIMESTAMP', 'DATE does not hold `2026-01-15 23:59:59`'],
    ['2026-01-15', '2026-02-30', 'DATE', 'VARCHAR', '`2026-02-30` in the column `x` is not a valid DATE'],
    ['2026-01-15 10:00', '2026-01-15 10:00:00.5', 'TIMESTAMP_S', 'TIMESTAMP', 'TIMESTAMP_S does not hold'],
    ['2026-01-15 10:00', '2026-01-15 10:00:00+02', 'TIMESTAMP', 'VARCHAR', 'does not hold'],
    ['10:00:00', '10:00:00.1234567', 'TIME', 'VARCHAR', 'TIME does not hold `10:00:00.1234567`'],
    ['true', 'maybe', 'BOOLEAN', 'VARCHAR', '`maybe` in the column `x` is not a valid BOOLEAN'],
    [
      'c0ffee00-0000-4000-8000-000000000000',
      'coffee',
      'UUID',
      'VARCHAR',
      '`coffee` in the column `x` is not a valid UUID',
    ],
  ])(
    'of %s, then %s, is refused as %s, and loaded as the advised %s',
    async (fill, last, type, holding, message) => {
      const cwd = await makeHome();
      writeFileSync(path.join(cwd, 't.csv'), `id,x\n${`1,${fill}\n`.repeat(WHOLE_ROWS)}1,${last}\n`);
      const { exitCode, stderr } = await quern(['load', 't.csv', '--types', `x=${type}`], { cwd });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 3,
        stderr: expect.stringContaining(`t.csv:25002: `),
      });
      expect(stderr).toContain(message);
      const advised = /--types ('[^']*'|\S+) (?:holds|reads)/.exec(stderr)?.[1]?.replaceAll("'", '');
      expect(advised).toBe(`x=${holding}`);
      const loaded = await quern(['load', 't.csv', '--types', `x=${holding}`], { cwd });
      expect({ exitCode: loaded.exitCode, stderr: loaded.stderr }).toEqual({
        exitCode: 0,
        stderr: 'loaded 25,001 rows into t\n',
      });
      expect((await quern(['sql', 'SELECT count(DISTINCT x) AS n FROM t'], { cwd })).stdout).toBe('n\n2\n');
    },
  );
});

describe('a JSON file whose last row differs, after 25,000 equal ones', () => {
  it.each([
    ['1', '9223372036854775807', 'BIGINT'],
    ['1', '9223372036854775808', 'HUGEINT'],
    ['1', '1.5', 'DOUBLE'],
    ['1', '"one"', 'VARCHAR'],
    ['1', 'true', 'VARCHAR'],
    ['true', '"yes"', 'VARCHAR'],
    ['"2026-01-15"', '"2026-01-15 23:59:59"', 'VARCHAR'],
    ['"2026-01-15"', '"never"', 'VARCHAR'],
    ['"a"', 'null', 'VARCHAR'],
    ['{"a":1}', '{"a":1.5}', 'STRUCT(a DOUBLE)'],
  ])('of %s, then %s, has the type of all rows', async (fill, last, type) => {
    const cwd = await makeHome();
    writeFileSync(
      path.join(cwd, 't.json'),
      `${`{"id":1,"x":${fill}}\n`.repeat(WHOLE_ROWS)}{"id":2,"x":${last}}\n`,
    );
    const { stdout } = await quern(['load', 't.json', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ rows: WHOLE_ROWS + 1, columns: [{}, { name: 'x', type }] });
    const sql = 'SELECT x::VARCHAR FROM t WHERE id = 2';
    const read = await quern(['sql', sql, '--format', 'json'], { cwd });
    const [[text]] = JSON.parse(read.stdout).result.data;
    const shown = type.startsWith('STRUCT')
      ? "{'a': 1.5}"
      : last === 'null'
        ? null
        : last.replaceAll('"', '');
    expect(text).toBe(shown);
  });
});

describe('a file that changes while it is read', () => {
  it.each([
    ['grows', (file: string) => appendFileSync(file, '2\n')],
    ['has other bytes of the same size', (file: string) => writeFileSync(file, 'x\n3\n')],
  ])('is refused if it %s', async (_, change) => {
    const cwd = await makeHome();
    const file = path.join(cwd, 'a.csv');
    writeFileSync(file, 'x\n1\n');
    await execa('mkfifo', [path.join(cwd, 'f')]);
    // The FIFO is read after the file was found, and before its rows are.
    const loading = bash('quern load a.csv f --type csv --table t', cwd);
    const writer = await open(path.join(cwd, 'f'), 'w');
    change(file);
    await writer.writeFile('x\n9\n');
    await writer.close();
    const { exitCode, stderr } = await loading;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr:
        'error: a.csv changed while it was read, and nothing was loaded\nLoad it again when nothing writes to it\n',
    });
    expect((await quern(['sql', 'from t'], { cwd })).exitCode).toBe(3);
  });
});

describe('a gzip file without its last bytes', () => {
  it('is refused', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 't.csv.gz': gzipSync(WHOLE).subarray(0, -100) });
    const { exitCode, stderr } = await quern(['load', 't.csv.gz'], { cwd });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/damaged or incomplete/),
    });
  });
});
