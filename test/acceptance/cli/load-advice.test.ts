import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Case {
  readonly title: string;
  readonly files: Files;
  /** SQL that runs before. */
  readonly sql?: string;
  readonly args: readonly string[];
  /** A part of standard error. */
  readonly message: string;
  /** The advice, as the message prints it, and the arguments that replace `args`. */
  readonly advised: readonly (readonly [text: string, ...args: string[]])[];
}

/** Rows of `id,x` with the same value, except the last. */
function rows(count: number, fill: string, last: string): string {
  return `id,x\n${`1,${fill}\n`.repeat(count)}1,${last}\n`;
}

const UTF16 = Buffer.from('\ufeffid,x\n1,2\n', 'utf16le');

const CASES: readonly Case[] = [
  {
    title: 'a line with fewer values than the header',
    files: { 't.csv': 'id,x,y\n1,2\n3,4,5\n' },
    args: ['t.csv'],
    message: 't.csv:2: this line has 2 values, the header 3: `1,2`',
    advised: [['--fill-short reads missing values as NULL', 't.csv', '--fill-short']],
  },
  {
    title: 'a late line with fewer values than the header',
    files: { 't.csv': `id,x\n${'1,2\n'.repeat(25_000)}3\n` },
    args: ['t.csv'],
    message: 't.csv:25002: this line has 1 value, the header 2: `3`',
    advised: [['--fill-short reads missing values as NULL', 't.csv', '--fill-short']],
  },
  {
    title: 'a line with more values than the header',
    files: { 't.csv': 'id,x\n1,2,3\n3,4\n' },
    args: ['t.csv'],
    message: 't.csv:2: this line has 3 values, the header 2: `1,2,3`',
    advised: [['--fill-short adds a column for each value without a name', 't.csv', '--fill-short']],
  },
  {
    title: 'a late line with more values than the header',
    files: { 't.csv': `id,x\n${'1,2\n'.repeat(25_000)}3,4,5\n` },
    args: ['t.csv'],
    message: 't.csv:25002: this line has 3 values, the header 2: `3,4,5`',
    advised: [['--fill-short adds a column for each value without a name', 't.csv', '--fill-short']],
  },
  {
    title: 'a quote that is not closed',
    files: { 't.csv': 'id,x\n1,"Ada\n2,Bo\n' },
    args: ['t.csv', '--quote', '"'],
    message: 't.csv:2: a quote is not closed: `1,"Ada',
    advised: [["--quote '' reads quotes as part of the values", 't.csv', '--quote', '']],
  },
  {
    title: 'quotes that stayed in values',
    files: { 't.csv': 'id,name,note\n1,"Ada,x\n2,Bo,y\n3,Cy,z\n' },
    args: ['t.csv'],
    message: 'kept a quote (")',
    advised: [["--quote '' reads quotes as part of the values", 't.csv', '--replace', '--quote', '']],
  },
  {
    title: 'a value that a declared type cuts',
    files: { 't.csv': rows(3, '1.25', '1.239') },
    args: ['t.csv', '--types', 'x=DECIMAL(9,2)'],
    message: 't.csv:5: DECIMAL(9,2) does not hold `1.239` of the column `x` exactly',
    advised: [["--types 'x=DECIMAL(18,3)' holds it", 't.csv', '--types', 'x=DECIMAL(18,3)']],
  },
  {
    title: 'a word in a column of numbers',
    files: { 't.csv': rows(3, '1', 'n/a') },
    args: ['t.csv', '--types', 'x=INTEGER'],
    message: 't.csv:5: `n/a` in the column `x` is not a valid INTEGER',
    advised: [
      ['--null n/a reads this text as NULL', 't.csv', '--types', 'x=INTEGER', '--null', 'n/a'],
      ["--types 'x=VARCHAR' reads the column as text", 't.csv', '--replace', '--types', 'x=VARCHAR'],
    ],
  },
  {
    title: 'a few words in a column of numbers',
    files: { 't.csv': rows(30, '1', 'n/a') },
    args: ['t.csv'],
    message: '`x` is VARCHAR, because 1 of 31 values is not a number: `n/a`',
    advised: [['--null n/a reads this text as NULL', 't.csv', '--replace', '--null', 'n/a']],
  },
  {
    title: 'numbers with separators of thousands',
    files: { 't.csv': 'id;x\n1;1.234,5\n2;12.345.678,9\n' },
    args: ['t.csv'],
    message: '`x` is VARCHAR, because its numbers have separators, such as `12.345.678,9`',
    advised: [
      ['--decimal , --thousands . reads them', 't.csv', '--replace', '--decimal', ',', '--thousands', '.'],
    ],
  },
  {
    title: 'numbers with a comma that may mean two things',
    files: { 't.csv': 'id;x\n1;1,234\n2;5,678\n' },
    args: ['t.csv'],
    message: '`x` is VARCHAR, because its numbers have separators, such as `5,678`',
    advised: [
      ['--decimal , or', 't.csv', '--replace', '--decimal', ','],
      ['--thousands , reads them', 't.csv', '--replace', '--thousands', ','],
    ],
  },
  {
    title: 'dates that fit two formats',
    files: { 't.csv': 'id,day\n1,03/02/2026\n2,04/05/2026\n' },
    args: ['t.csv'],
    message: "`day` was read as '%d/%m/%Y', and '%m/%d/%Y' fits every value, too",
    advised: [
      ["--date-format '%m/%d/%Y' chooses that one", 't.csv', '--replace', '--date-format', '%m/%d/%Y'],
    ],
  },
  {
    title: 'times that fit two formats',
    files: { 't.csv': 'id,at\n1,03/02/2026 10:00:00\n2,04/05/2026 11:00:00\n' },
    args: ['t.csv'],
    message: "`at` was read as '%d/%m/%Y %H:%M:%S', and '%m/%d/%Y %H:%M:%S' fits every value, too",
    advised: [
      [
        "--timestamp-format '%m/%d/%Y %H:%M:%S' chooses that one",
        't.csv',
        '--replace',
        '--timestamp-format',
        '%m/%d/%Y %H:%M:%S',
      ],
    ],
  },
  {
    title: 'a format of dates that no value has',
    files: { 't.csv': 'id,x\n1,2026-01-15\n' },
    args: ['t.csv', '--date-format', '%d.%m.%Y'],
    message: "--date-format '%d.%m.%Y': no column has this format in every value",
    advised: [['omit it', 't.csv']],
  },
  {
    title: 'more skipped lines than the file has',
    files: { 't.csv': 'id,x\n1,2\n' },
    args: ['t.csv', '--skip', '9'],
    message: '--skip 9: t.csv has only 2 lines',
    advised: [['use a smaller number', 't.csv', '--skip', '0']],
  },
  {
    title: 'files with different columns',
    files: { 't.csv': 'id,x\n1,2\n', 'u.csv': 'id,y\n1,2\n' },
    args: ['t.csv', 'u.csv', '--table', 't'],
    message: 'u.csv and t.csv have different columns (`x` missing; `y` added)',
    advised: [
      [
        '--union-by-name creates a table with the columns of all files',
        't.csv',
        'u.csv',
        '--table',
        't',
        '--union-by-name',
      ],
    ],
  },
  {
    title: 'a file and a table with different columns',
    files: { 't.csv': 'id,y\n1,2\n' },
    sql: 'CREATE TABLE t (id BIGINT, x BIGINT)',
    args: ['t.csv', '--append'],
    message: 't.csv and t have different columns (`x` missing; `y` added)',
    advised: [['--union-by-name adds columns to the table', 't.csv', '--append', '--union-by-name']],
  },
  {
    title: 'a table that exists',
    files: { 't.csv': 'id\n1\n' },
    sql: 'CREATE TABLE t (id BIGINT)',
    args: ['t.csv'],
    message: 'there is already a table t',
    advised: [
      ['--append adds rows to it', 't.csv', '--append'],
      ['--table sets another name', 't.csv', '--table', 'u'],
      ['--replace replaces it', 't.csv', '--replace'],
    ],
  },
  {
    title: 'a table that exists, for a dry run',
    files: { 't.csv': 'id\n1\n' },
    sql: 'CREATE TABLE t (id BIGINT)',
    args: ['t.csv', '--dry-run'],
    message: 'there is already a table t',
    advised: [['--replace replaces it', 't.csv', '--dry-run', '--replace']],
  },
  {
    title: 'a table that exists, for one of several files',
    files: { 'd/t.csv': 'id\n1\n', 'd/u.csv': 'id\n1\n' },
    sql: 'CREATE TABLE u (id BIGINT)',
    args: ['d', '--each'],
    message: 'there is already a table u\n--replace replaces it\n',
    advised: [['--replace replaces it', 'd', '--each', '--replace']],
  },
  {
    title: 'a table that does not exist',
    files: { 't.csv': 'id\n1\n' },
    args: ['t.csv', '--append'],
    message: '--append: there is no table t',
    advised: [['omit --append to create it', 't.csv']],
  },
  {
    title: 'a view',
    files: { 't.csv': 'id\n1\n' },
    sql: 'CREATE TABLE u (id BIGINT); CREATE VIEW t AS FROM u',
    args: ['t.csv', '--append'],
    message: '--append: t is a view',
    advised: [['set the name of a table with --table', 't.csv', '--append', '--table', 'u']],
  },
  {
    title: 'two files of one name',
    files: { 'a/t.csv': 'id\n1\n', 'b/t.csv': 'id\n1\n' },
    args: ['a/t.csv', 'b/t.csv', '--each'],
    message: '--each: a/t.csv and b/t.csv have the same table t',
    advised: [['load one of them with --table', 'a/t.csv', '--table', 'u']],
  },
  {
    title: 'an unknown column',
    files: { 't.csv': 'id,price\n1,2\n' },
    args: ['t.csv', '--types', 'prise=DOUBLE'],
    message: '--types: there is no column `prise`',
    advised: [['did you mean `price`?', 't.csv', '--types', 'price=DOUBLE']],
  },
  {
    title: 'text in UTF-16',
    files: { 't.csv': UTF16 },
    args: ['t.csv'],
    message: 't.csv is text in UTF-16',
    advised: [['--encoding utf-16', 't.csv', '--encoding', 'utf-16']],
  },
  {
    title: 'bytes that are not UTF-8',
    files: { 't.csv': Buffer.from('id,x\n1,caf\xe9\n', 'latin1') },
    args: ['t.csv'],
    message: 't.csv:2: invalid UTF-8',
    advised: [['--encoding windows-1252', 't.csv', '--encoding', 'windows-1252']],
  },
  {
    title: 'late bytes that are not UTF-8',
    files: { 't.csv': Buffer.from(`id,x\n${'1,Ada\n'.repeat(25_000)}1,caf\xe9\n`, 'latin1') },
    args: ['t.csv'],
    message: 't.csv:25002: invalid UTF-8',
    advised: [['--encoding windows-1252', 't.csv', '--encoding', 'windows-1252']],
  },
  {
    title: 'a name without a type',
    files: { 't.data': 'id\n1\n' },
    args: ['t.data'],
    message: 'cannot derive the type of t.data from its name',
    advised: [['set it with --type', 't.data', '--type', 'csv']],
  },
  {
    title: 'csv by another name',
    files: { 't.parquet': 'id\n1\n' },
    args: ['t.parquet'],
    message: 't.parquet is not a parquet file by its first bytes',
    advised: [['use --type csv', 't.parquet', '--type', 'csv']],
  },
  {
    title: 'an option of csv for JSON',
    files: { 't.json': '[{"id":1}]' },
    args: ['t.json', '--skip', '1'],
    message: '--skip has no effect on json',
    advised: [['omit it', 't.json']],
  },
  {
    title: 'files of two types',
    files: { 't.json': '[{"id":1}]', 't.csv': 'id\n1\n' },
    args: ['t.json', 't.csv', '--table', 't'],
    message: 'the files are of different types',
    advised: [
      ['load them one type at a time', 't.json'],
      ['load them one type at a time', 't.csv', '--append'],
    ],
  },
];

describe('the advice of quern load', () => {
  it.each(CASES.map((one) => [one.title, one] as const))(
    'works for %s',
    async (_, { files, sql, args, message, advised }) => {
      const cwd = await makeHome();
      writeFiles(cwd, files);
      if (sql !== undefined) await quern(['sql', sql], { cwd });
      const { stderr } = await quern(['load', ...args], { cwd });
      expect(stderr).toContain(message);
      for (const [text, ...better] of advised) {
        expect(stderr).toContain(text);
        const { exitCode, stderr: rest } = await quern(['load', ...better], { cwd });
        expect({ better, exitCode, rest }).toEqual({
          better,
          exitCode: 0,
          rest: expect.stringMatching(
            /^(?:warning: (?:t gets the column|t\.csv: column 3 has no name,) .*\n)?(?:loaded|added|would load) \d.*\n(?:loaded.*\n)?$/,
          ),
        });
      }
    },
  );

  it('changes the type of a table that does not hold a value', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 't.csv': 'id\n1.5\n' });
    await quern(['sql', 'CREATE TABLE t (id BIGINT)'], { cwd });
    const refused = await quern(['load', 't.csv', '--append'], { cwd });
    expect(refused.stderr).toContain('t.csv:2: BIGINT does not hold `1.5` of the column `id` exactly\n');
    const advised = /^quern sql '(.*)' makes the table hold it$/m.exec(refused.stderr)?.[1];
    expect(advised).toBe('ALTER TABLE t ALTER "id" TYPE DOUBLE');
    expect((await quern(['sql', advised ?? ''], { cwd })).exitCode).toBe(0);
    expect(await quern(['load', 't.csv', '--append'], { cwd })).toMatchObject({
      exitCode: 0,
      stderr: 'added 1 row to t\n',
    });
  });

  it.each(['bzip2', 'xz'])('decompresses by %s', async (tool) => {
    const cwd = await makeHome();
    const name = `t.csv.${tool === 'xz' ? 'xz' : 'bz2'}`;
    const packed = await execa(tool, ['-c'], { input: 'id\n1\n', encoding: 'buffer' });
    writeFiles(cwd, { [name]: packed.stdout });
    const { stderr } = await quern(['load', name], { cwd });
    expect(stderr).toContain(`decompress it first: ${tool} -dc FILE | quern load - --table NAME`);
    const { stdout } = await execa(tool, ['-dc', name], { cwd });
    expect(await quern(['load', '-', '--table', 't'], { cwd, input: `${stdout}\n` })).toMatchObject({
      exitCode: 0,
      stderr: 'loaded 1 row into t\n',
    });
  });
});
