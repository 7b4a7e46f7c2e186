import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

async function load(files: Readonly<Record<string, string | Uint8Array>>, ...args: readonly string[]) {
  const cwd = await makeHome();
  writeFiles(cwd, files);
  const { exitCode, stdout, stderr } = await quern(['load', ...args], { cwd });
  return { cwd, exitCode, stdout, stderr: stderr.replaceAll(`${cwd}/`, '') };
}

const RENAMED =
  'warning: t.csv: column 2 `id` has the name of another column, and is loaded as `id_1`\n' +
  'warning: t.csv: column 3 has no name, and is loaded as `column2`\n';

describe('quern load', () => {
  it.each([
    ['only a header', 'id,name\n', ['id  ', 'name'], 0],
    ['a header twice', 'id,name\nid,name\n1,Ada\n', ['id  ', 'name'], 2],
    ['names twice and no names', 'id,id,,x\n1,2,3,4\n', ['id     ', 'id_1   ', 'column2', 'x      '], 1],
  ])('loads a file of %s', async (_, content, names, rows) => {
    const { stdout, stderr } = await load({ 't.csv': content }, 't.csv');
    const warnings = names.length === 4 ? RENAMED : '';
    expect(stderr).toBe(`${warnings}loaded ${rows} ${rows === 1 ? 'row' : 'rows'} into t\n`);
    expect(stdout.split('\n').map((line) => line.slice(0, names[0]!.length))).toEqual([...names, '']);
  });

  it('loads 10,000 columns, and examines every one', { timeout: 120_000 }, async () => {
    const print = (text: (at: number) => string) =>
      `${Array.from({ length: 10_000 }, (_, at) => text(at)).join()}\n`;
    const content = print((at) => `c${at}`) + print(() => '1') + print((at) => (at === 9_999 ? 'x' : '2'));
    const { stderr, stdout } = await load({ 't.csv': content }, 't.csv', '--json');
    expect(stderr).toBe('');
    const { columns, rows } = JSON.parse(stdout);
    expect(rows).toBe(2);
    expect(columns).toEqual(
      Array.from({ length: 10_000 }, (_, at) => ({
        name: `c${at}`,
        type: at === 9_999 ? 'VARCHAR' : 'BIGINT',
      })),
    );
  });

  it('names the columns that are renamed because of case, and no others', async () => {
    expect((await load({ 't.csv': 'x,y_1,column9,X\n1,2,3,4\n' }, 't.csv')).stderr).toBe(
      'warning: t.csv: column 4 `X` has the name of another column, and is loaded as `X_1`\nloaded 1 row into t\n',
    );
  });

  it('loads the same file once, if it is given twice', async () => {
    expect((await load({ 't.csv': 'id\n1\n' }, 't.csv', './t.csv')).stderr).toBe(
      'warning: t.csv given more than once, and loaded once\nloaded 1 row into t\n',
    );
  });

  it.each([
    [
      'a line of 50 MB',
      { 't.csv': `id,x\n1,${'a'.repeat(50_000_000)}\n` },
      ['t.csv'],
      3,
      /^error: t\.csv:2: this line has more than 2000000 bytes\nSplit the line\. /,
    ],
    [
      'a long line after others',
      { 't.csv': `id,x\n1,a\n2,b\n3,${'c'.repeat(2_500_000)}\n4,d\n` },
      ['t.csv'],
      3,
      /^error: t\.csv:4: this line has more than 2000000 bytes\n/,
    ],
    [
      'a footer longer than the file',
      { 't.csv': 'id\n1\n' },
      ['t.csv', '--skip-footer', '9', '--replace'],
      1,
      /no data to load/,
    ],
    [
      'a value with a byte 0',
      { 't.csv': 'id,x\n1,a\0b\n' },
      ['t.csv', '--types', 'x=INTEGER'],
      3,
      /^error: t\.csv:2: /,
    ],
    [
      'a type that is more than a type',
      { 't.csv': 'id\n1\n' },
      ['t.csv', '--types', 'id=INTEGER); DROP TABLE x; --'],
      2,
      /there is no type/,
    ],
    [
      'a header with more values than the lines',
      { 't.csv': 'id,x,y\n1,2\n3,4\n5,6\n' },
      ['t.csv'],
      3,
      /^error: t\.csv:\d: .*values.*\n--fill-short/,
    ],
  ] as const)(
    'refuses %s, and makes no table',
    { timeout: 60_000 },
    async (_, files, args, code, message) => {
      const { cwd, exitCode, stderr } = await load(files, ...args);
      expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringMatching(message) });
      expect((await quern(['sql', 'SELECT count(*) AS n FROM duckdb_tables()'], { cwd })).stdout).toBe(
        'n\n0\n',
      );
    },
  );

  it.each([
    ['--append', '--replace'],
    ['--append', '--types', 'id=TEXT'],
    ['--append', '--all-text'],
    ['--each', '--append'],
    ['--each', '--table', 'x'],
    ['--each', '--union-by-name'],
    ['--all-text', '--types', 'id=TEXT'],
    ['--all-text', '--decimal', ','],
    ['--all-text', '--date-format', '%d'],
    ['--schema', 's', '--table', 'a.b'],
    ['--no-header', '--header'],
  ])('refuses %s with %s', async (...flags) => {
    const { exitCode, stderr } = await load({ 't.csv': 'id\n1\n' }, 't.csv', ...flags);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/^error: --[\w-]+ and --[\w-]+ contradict each other\n/),
    });
  });

  it('makes all tables of --each, or none', async () => {
    const files = { 'd/a.csv': 'id\n1\n', 'd/b.csv': 'id,x\n1\n' };
    const { cwd, exitCode, stderr } = await load(files, 'd', '--each', '--schema', 'raw');
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('d/b.csv:2: '),
    });
    expect((await quern(['sql', 'SELECT count(*) AS n FROM duckdb_tables()'], { cwd })).stdout).toBe(
      'n\n0\n',
    );
    const loaded = await quern(['load', 'd', '--each', '--schema', 'raw', '--fill-short'], { cwd });
    expect(loaded.stderr).toBe('loaded 1 row into raw.a\nloaded 1 row into raw.b\n');
  });
});
