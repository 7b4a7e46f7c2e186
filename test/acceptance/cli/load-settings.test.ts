import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** A home next to these files. */
async function makeFiles(files: Files): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, files);
  return cwd;
}

async function readTable(cwd: string, table = 't'): Promise<unknown> {
  return (await quern(['sql', `from ${table}`], { cwd })).stdout;
}

async function load(files: Files, ...args: readonly string[]) {
  const cwd = await makeFiles(files);
  const { exitCode, stdout, stderr } = await quern(['load', ...args, '--table', 't'], { cwd });
  return { cwd, exitCode, stdout, stderr: String(stderr).replaceAll(`${cwd}/`, '') };
}

function printRows(count: number, print: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => `${print(n)}\n`).join('');
}

const QUOTES_KEPT =
  'kept a quote (") at the start or end, because some quotes are not closed or doubled. ' +
  `--quote '"' shows the first invalid line; --quote '' reads quotes as part of the values`;
const UNION =
  '--union-by-name creates a table with the columns of all files, and NULL where a file lacks a column';

describe('quern load warns', () => {
  it.each([
    [
      'of quotes that stayed in values',
      'id,name,note\n1,"Ada,x\n2,Bo,y\n3,Cy,z\n',
      `a.csv: 1 value of \`name\` ${QUOTES_KEPT}`,
      3,
    ],
    [
      'of a header that was left out',
      `id,name\n${printRows(20, (n) => `${n},a,x`)}`,
      'a.csv: the first line was skipped, because the lines below have different numbers of values',
      20,
    ],
    [
      'of lines that were read as comments',
      'id,name\n#1,a\n2,b\n3,c\n',
      'a.csv: the rest of a line after `#` was skipped as a comment',
      2,
    ],
    [
      'of one value that makes a column text',
      `id,price\n${printRows(20, (n) => `${n},${n === 7 ? "it's free" : n}`)}`,
      "`price` is VARCHAR, because 1 of 20 values is not a number: `it's free`. " +
        "--null 'it'\\''s free' reads this text as NULL; --types 'price=DOUBLE' names the line of the first one",
      20,
    ],
    [
      'of a few values that make a column text',
      `id,day\n${printRows(40, (n) => `${n},${n % 20 === 0 ? `never ${n}` : '2026-03-01'}`)}`,
      '`day` is VARCHAR, because 2 of 40 values are not dates or times, such as `never 0`. ' +
        "--null TEXT reads a text as NULL; --types 'day=TIMESTAMP' names the line of the first one",
      40,
    ],
    ['of an empty file', '', 'a.csv is empty: no rows were loaded from it', 0],
  ])('%s', async (_, content, warning, rows) => {
    const { exitCode, stderr } = await load({ 'a.csv': content }, 'a.csv');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `warning: ${warning}\nloaded ${rows} rows into t\n`,
    });
  });

  it('not of correct quotes, of prose in one column, nor of intended quotes in values', async () => {
    const quoted = 'id,name\n1,"Ada, ""the first"""\n2,"Bo"\n';
    expect((await load({ 'a.csv': quoted }, 'a.csv')).stderr).toBe('loaded 2 rows into t\n');
    const prose = 'line\nOne, two\nthree\nfour, five, six\nseven\n';
    expect((await load({ 'a.csv': prose }, 'a.csv', '--header')).stderr).toBe('loaded 4 rows into t\n');
    const damaged = 'id,name\n1,"Ada\n2,Bo\n';
    expect((await load({ 'a.csv': damaged }, 'a.csv', '--quote', '')).stderr).toBe('loaded 2 rows into t\n');
  });

  it('of a value in a later file that makes a column text', async () => {
    const files = { 'a.csv': `n\n${printRows(30_000, String)}`, 'b.csv': 'n\n-\n' };
    expect((await load(files, 'a.csv', 'b.csv')).stderr).toContain(
      '`n` is VARCHAR, because 1 of 30,001 values is not a number: `-`. --null - reads this text as NULL',
    );
  });

  it('not of a column with a type in --types, nor of names and codes', async () => {
    const codes = `code,name\n${printRows(20, (n) => `${n % 4 === 0 ? 'x' : n},a${n}`)}`;
    expect((await load({ 'a.csv': codes }, 'a.csv')).stderr).toBe('loaded 20 rows into t\n');
    const typed = `id,price\n${printRows(20, (n) => `${n},${n === 7 ? 'x' : n}`)}`;
    expect((await load({ 'a.csv': typed }, 'a.csv', '--types', 'price=VARCHAR')).stderr).toBe(
      'loaded 20 rows into t\n',
    );
  });

  it('of an empty file among others, and keeps a table that would have no replacement', async () => {
    const { cwd, stderr } = await load({ 'a.csv': 'x\n1\n', 'e.csv': '' }, 'e.csv', 'a.csv');
    expect(stderr).toBe('warning: e.csv is empty: no rows were loaded from it\nloaded 1 row into t\n');
    const empty = await quern(['load', 'e.csv', '--table', 't', '--replace'], { cwd });
    expect(empty).toMatchObject({
      exitCode: 1,
      stderr: 'error: e.csv: no data to load, and t did not change\n',
    });
    expect(await readTable(cwd)).toBe('x\n1\n');
  });
});

describe('quern load reads', () => {
  it.each([
    ['another delimiter', 'a.csv', 'a|b;c\n1|2;3\n', ['--delimiter', ';'], 'a|b,c\n1|2,3\n'],
    ['tabs', 'a.csv', 'a\tb,c\n1\t2,3\n', ['--delimiter', '\\t'], 'a,"b,c"\n1,"2,3"\n'],
    ['another quote', 'a.csv', "a,b\n1,'x,y'\n", ['--quote', "'"], 'a,b\n1,"x,y"\n'],
    ['a header of numbers', 'a.csv', '1,2\n3,4\n', ['--header'], '1,2\n3,4\n'],
    ['no header', 'a.csv', 'a,b\nc,d\n', ['--no-header'], 'column0,column1\na,b\nc,d\n'],
    ['texts for NULL', 'a.csv', 'a,b\n1,NA\n,2\n-,3\n', ['--null', 'NA', '--null', '-'], 'a,b\n1,\n,2\n,3\n'],
    ['types', 'a.csv', 'a,b\n007,1.5\n', ['--types', 'a=VARCHAR,b=DECIMAL(9,3)'], 'a,b\n007,1.500\n'],
    [
      'types of JSON',
      'a.json',
      '[{"a":"2020-01-01T00:00:00Z","b":1}]',
      ['--types', 'a=VARCHAR'],
      'a,b\n2020-01-01T00:00:00Z,1\n',
    ],
    [
      'windows-1252',
      'a.csv',
      Buffer.from('a\nZo\xeb \x80\n', 'latin1'),
      ['--encoding', 'windows-1252', '--header'],
      'a\nZoë €\n',
    ],
    ['UTF-16', 'a.csv', Buffer.from('\ufeffa,b\n1,ë\n', 'utf16le'), ['--encoding', 'utf-16'], 'a,b\n1,ë\n'],
    [
      'UTF-16, big-endian',
      'a.csv',
      Buffer.from('\ufeffa,b\n1,ë\n', 'utf16le').swap16(),
      ['--encoding', 'utf-16'],
      'a,b\n1,ë\n',
    ],
  ])('%s', async (_, name, content, args, rows) => {
    const { cwd, exitCode } = await load({ [name]: content }, name, ...args);
    expect(exitCode).toBe(0);
    expect(await readTable(cwd)).toBe(rows);
  });

  it('types and keys that appear late in JSON', async () => {
    const rows = printRows(30_000, (n) => (n === 25_000 ? '{"a":1,"b":2}' : '{"a":1}'));
    const { cwd, stdout } = await load({ 'a.jsonl': rows }, 'a.jsonl');
    expect(stdout).toBe('a  BIGINT\nb  BIGINT\n');
    expect(await readTable(cwd, '(select count(b) as n from t)')).toBe('n\n1\n');
  });

  it('a folder, and reports files that are left out', async () => {
    const files = {
      'd/a.csv': 'x\n1\n',
      'd/b.csv.': 'no',
      'd/c.csv': 'x\n2\n',
      'd/.hidden.csv': 'no',
      'd/e/f.csv': 'x\n3\n',
    };
    const cwd = await makeFiles(files);
    const loaded = await quern(['load', 'd/'], { cwd });
    expect(loaded).toMatchObject({
      exitCode: 0,
      stderr:
        'warning: 1 file was skipped, because its name does not match this type: d/b.csv.\nloaded 2 rows into d\n',
    });
    const more = ['load', 'd', 'd/*.csv', './d/a.csv', 'd/**/f.csv', '--table', 'all'];
    const { stderr } = await quern(more, { cwd });
    expect(stderr).toContain('loaded 3 rows into all\n');
    expect(stderr).toContain('warning: d/a.csv, d/c.csv given more than once, and loaded once\n');
    expect((await quern(['load', 'none*'], { cwd })).stderr).toBe(
      'error: cannot read none*: there is no such file\n',
    );
  });

  it('the columns of all files with --union-by-name, and refuses different columns without it', async () => {
    const files = { 'a.csv': 'x\n1\n', 'b.csv': 'x,y\n2,3\n' };
    const { cwd, exitCode, stderr } = await load(files, 'a.csv', 'b.csv');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `error: b.csv and a.csv have different columns (\`y\` added). Nothing was loaded; ${UNION}\n`,
    });
    await quern(['load', 'a.csv', 'b.csv', '--table', 't', '--union-by-name'], { cwd });
    expect(await readTable(cwd)).toBe('x,y\n1,\n2,3\n');
  });

  it('parquet of different types only with --union-by-name, because the first type would round values', async () => {
    const cwd = await makeHome();
    await quern(
      ['sql', `copy (select 1 as a) to '${cwd}/a.parquet'; copy (select 1.7 as a) to '${cwd}/b.parquet'`],
      { cwd },
    );
    const refused = await quern(['load', '*.parquet', '--table', 't'], { cwd });
    expect(refused.stderr).toBe(
      `error: b.parquet and a.parquet have different columns (\`a\` of another type). Nothing was loaded; ${UNION}\n`,
    );
    await quern(['load', '*.parquet', '--table', 't', '--union-by-name'], { cwd });
    expect(await readTable(cwd)).toBe('a\n1.0\n1.7\n');
  });
});

describe('quern load refuses with its own options', () => {
  const LONG = printRows(30_000, (n) => (n === 25_000 ? 'x,a' : `${n},a`));
  it.each([
    [
      'a string in a column of numbers',
      `id,name\n${LONG}`,
      ['--types', 'id=BIGINT'],
      "a.csv:25002: `x` in the column `id` is not a valid BIGINT\n--null x reads this text as NULL; --types 'id=VARCHAR' reads the column as text",
    ],
    [
      'a quote that folds the columns into one',
      'id,name,note\n1,"Ada, x\n2,"Bo, y",z\n3,"Cy",w\n',
      [],
      "a.csv:2: a quote is not closed: `1,\"Ada, x`\n--quote '' --fill-short reads quotes as part of the values",
    ],
    [
      'a line with another number of values that folds the columns into one',
      `id;name;note\n1;a\n${printRows(20, (n) => `${n};a;n`)}`,
      [],
      'a.csv:2: this line has 2 values, the header 3: `1;a`\n--fill-short reads missing values as NULL',
    ],
    [
      'a row that is too short',
      `id,name\n${LONG.replace('x,a', '7')}`,
      [],
      'a.csv:25002: this line has 1 value, the header 2: `7`\n--fill-short reads missing values as NULL',
    ],
    [
      'a quote that is not closed',
      `id,name\n${LONG.replace('x,a', '7,"a')}`,
      ['--quote', '"'],
      "a.csv:25002: a quote is not closed: `7,\"a`\nFix the file; --quote '' reads quotes as part of the values",
    ],
    [
      'text that is not UTF-8',
      Buffer.from('id,name\n1,Zo\xeb\n', 'latin1'),
      [],
      'a.csv:2: invalid UTF-8\nSet the encoding of the file, for example --encoding windows-1252',
    ],
    [
      'rows that a delimiter does not split',
      `id,name,note\n${printRows(20, (n) => (n === 9 ? '9,a' : `${n},a,n`))}`,
      ['--delimiter', ','],
      'a.csv:11: this line has 2 values, the header 3: `9,a`\n--fill-short reads missing values as NULL',
    ],
    ['an unknown type', 'id\n1\n', ['--types', 'id=INTT'], '--types: there is no type `INTT`'],
  ])('%s', async (_, content, args, message) => {
    const { exitCode, stderr } = await load({ 'a.csv': content }, 'a.csv', ...args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: `error: ${message}\n` });
  });

  it.each([
    [['a.csv', '--delimiter', ''], '--delimiter ``: expected 1 to 4 characters, such as , or ; or tab'],
    [['a.csv', '--quote', 'ab'], "--quote `ab`: expected one character, or '' for none"],
    [['a.csv', '--quote', ';', '--delimiter', ';'], '--quote and --delimiter have a character in common'],
    [
      ['a.csv', '--encoding', 'klingon'],
      '--encoding `klingon`: use a name such as utf-16, windows-1252 or shift_jis',
    ],
    [['a.csv', '--types', 'id'], '--types id: expected `column=TYPE`, for example id=VARCHAR'],
    [['a.csv', '--types', 'idd=TEXT'], '--types: there is no column `idd`, did you mean `id`?'],
    [['a.json', '--delimiter', ';'], '--delimiter has no effect on json: omit it'],
    [['a.xls'], 'cannot load a.xls: a .xls file is not csv, parquet, json or xlsx; save it as .xlsx first'],
    [['zip.csv'], 'zip.csv is a zip archive: unpack it first'],
    [
      ['https://example.com/a.csv'],
      "cannot load https://example.com/a.csv: only files and pipes are loaded; download it first: curl -fsSL 'https://example.com/a.csv' | quern load - --table NAME",
    ],
    [
      ['s3://bucket/a.parquet'],
      "cannot load s3://bucket/a.parquet: only files and pipes are loaded; copy it first: aws s3 cp 's3://bucket/a.parquet' - | quern load - --table NAME",
    ],
    [['wide.csv'], 'wide.csv is text in UTF-16: set its encoding, for example --encoding utf-16'],
  ])('a wrong call: %j', async (args, message) => {
    const { exitCode, stderr } = await load(
      {
        'a.csv': 'id,n\n1,2\n',
        'a.json': '[]',
        'a.xls': 'PK\x03\x04',
        'zip.csv': 'PK\x03\x04',
        'wide.csv': Buffer.from('\ufeffa\n', 'utf16le'),
      },
      ...args,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `error: ${message}\n` });
  });
});
