import { beforeEach, describe, expect, inject, it } from 'vitest';
import { connectTo } from '../../support/connect-to.ts';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';

const DATABASES = [
  { name: 'duckdb', isThere: true, open: makeHome },
  {
    name: 'db',
    isThere: inject('postgresql') !== null,
    open: () => connectTo('postgresql', inject('postgresql')),
  },
] as const;

/** Values that would change the statement if they were a part of its text. */
const TEXTS = [
  "x' OR '1'='1",
  '0 or true',
  '$1',
  '$$',
  "'; DROP TABLE t; --",
  'a\\',
  '"',
  '😀',
  '',
  '?',
  '{a}',
  'NULL',
];

describe.each(DATABASES)('values that are bound on the connection $name', ({ name, isThere, open }) => {
  let cwd: string;
  beforeEach(async () => {
    if (isThere) cwd = await open();
  });

  /** The rows of a statement with the values of a JSON text. */
  async function bind(sql: string, values: string): Promise<readonly (readonly unknown[])[]> {
    writeFiles(cwd, { 'values.json': values });
    const args = ['sql', sql, '--connection', name, '--bind-file', 'values.json', '--format', 'json'];
    const { stdout, stderr } = await quern([...args], { cwd });
    expect(stderr).toBe('');
    return JSON.parse(String(stdout)).result.data;
  }

  async function refuse(sql: string, values: string): Promise<string> {
    writeFiles(cwd, { 'values.json': values });
    const args = ['sql', sql, '--connection', name, '--bind-file', 'values.json'];
    const { exitCode, stdout, stderr } = await quern(args, { cwd });
    expect([exitCode === 0, stdout]).toEqual([false, '']);
    return String(stderr);
  }

  it.skipIf(!isThere)('are texts as they are', async () => {
    const columns = TEXTS.map((_, at) => `CAST($${at + 1} AS VARCHAR) AS c${at}`).join(', ');
    expect(await bind(`SELECT ${columns}`, JSON.stringify(TEXTS))).toEqual([TEXTS]);
    const where = "SELECT 'found' AS a WHERE 'x' = $1";
    expect(await bind(where, JSON.stringify([TEXTS[0]]))).toEqual([]);
    expect(await bind(where, '["x"]')).toEqual([['found']]);
  });

  it.skipIf(!isThere)('keep the digits and the scale of numbers', async () => {
    const sql =
      'SELECT CAST($1 AS VARCHAR) AS a, CAST($2 AS VARCHAR) AS b, CAST($3 AS VARCHAR) AS c, CAST($4 + 1 AS VARCHAR) AS d';
    const values = '[12345678901234567890123456789012345.678, 1.10, 99999999999999999999, 41]';
    expect(await bind(sql, values)).toEqual([
      ['12345678901234567890123456789012345.678', '1.10', '99999999999999999999', '42'],
    ]);
  });

  it.skipIf(!isThere)('have the types that they name', async () => {
    const values = [
      { type: 'date', value: '2026-01-15' },
      { type: 'TIME', value: '09:30' },
      { type: 'timestamp', value: '2026-01-15T09:30:00.25' },
      { type: 'timestamp', value: '2026-01-15T09:30:00+01:00' },
      { type: 'decimal', value: '1.50' },
      { type: 'double', value: 0.1 },
      { type: 'integer', value: 7 },
      { type: 'boolean', value: false },
      { type: 'binary', value: 'AAEC' },
      { type: 'date', value: null },
      true,
      null,
    ];
    const columns = values.map((_, at) => `$${at + 1} AS c${at}`).join(', ');
    const [row = []] = await bind(`SELECT ${columns}`, JSON.stringify(values));
    const texts = row.map((value) =>
      typeof value === 'string' ? value.replace(/(:\d\d)\.250*$/, '$1.25') : value,
    );
    expect(texts.slice(0, 3)).toEqual(['2026-01-15', '09:30:00', '2026-01-15T09:30:00.25']);
    expect(texts.slice(3)).toEqual(['2026-01-15T08:30:00Z', 1.5, 0.1, 7, false, 'AAEC', null, true, null]);
  });

  it.skipIf(!isThere)('are arrays', async () => {
    expect(
      await bind(
        'SELECT 2 = ANY($1) AS a, 9 = ANY($1) AS b, $2 = ANY($3) AS c, 1.5 = ANY($4) AS d',
        '[[1, null, 2], "b\\"", ["a", "b\\""], [1, 1.5]]',
      ),
    ).toEqual([[true, null, true, true]]);
  });

  it.skipIf(!isThere)('have names, also twice and in a string', async () => {
    const sql =
      "SELECT CAST($b AS VARCHAR) AS b, CAST($a AS VARCHAR) AS a, CAST($b AS VARCHAR) AS c, '$9 ?' AS d -- $d\n";
    expect(await bind(sql, '{"a": "1", "$b": "2"}')).toEqual([['2', '1', '2', '$9 ?']]);
  });

  it.skipIf(!isThere)('show errors where the user has written them', async () => {
    const error = await refuse(
      'SELECT $long_name AS a,\n  $x AS b, nothing_here',
      '{"long_name": "1", "x": "2"}',
    );
    expect(error).toContain('sql:2:12: error: ');
  });

  it.skipIf(!isThere).each<[sql: string, values: string, message: string]>([
    ['SELECT $1, $2', '[1]', '`$2` has no value in `bind`.'],
    ['SELECT $1', '[1, 2]', '`bind` has a value for `$2`, but the statement has only `$1`.'],
    ["SELECT '$1'", '[1]', '`bind` has a value for `$1`, but the statement has no placeholder.'],
    ['SELECT 1 -- $1', '[1]', '`bind` has a value for `$1`, but the statement has no placeholder.'],
    ['SELECT $a', '{"b": 1}', '`$a` has no value in `bind`.'],
    ['SELECT $1; SELECT 2', '[1]', '`bind` is for one statement, and sql has 2.'],
    ['/* nothing */', '[1]', '`bind` is for one statement, and sql has 0.'],
    [
      'SELECT $1',
      '[{"type": "date", "value": "2026-02-30"}]',
      'The value of `$1` in `bind` is not a date such as 2026-01-15.',
    ],
    ['SELECT $1', '[{"type": "integer", "value": 1.5}]', 'The value of `$1` in `bind` is not an integer.'],
    [
      'SELECT $1',
      '[{"type": "money", "value": 1}]',
      'The value of `$1` in `bind` must be null, a boolean, a number, ',
    ],
    ['SELECT $1', '[{"a": {}}]', 'The value of `$1` in `bind` must be null, a boolean, a number, '],
    [
      'SELECT $1',
      '["a\\u0000b"]',
      'The value of `$1` in `bind` has a NUL character, which a database cannot store.',
    ],
    [
      'SELECT $1',
      '{"a b": 1}',
      '"a b" in `bind` is not a name of a placeholder: use letters, digits and _, or a number from 1.',
    ],
  ])('refuse %j with %s', async (sql, values, message) => {
    expect(await refuse(sql, values)).toContain(message);
  });
});

describe('`--bind`', () => {
  it('reads numbers and booleans, and overwrites those of the file', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, { 'values.json': '{"a": 1, "b": "file"}' });
    const sql = 'SELECT typeof($a) AS a, $b AS b, typeof($c) AS c, $d AS d';
    const args = [
      'sql',
      sql,
      '--bind-file',
      'values.json',
      '--bind',
      'b=true',
      '--bind',
      'c=1.50',
      '--bind',
      'd=007',
    ];
    const { stdout } = await quern([...args, '--format', 'csv'], { cwd });
    expect(stdout).toBe('a,b,c,d\nINTEGER,true,"DECIMAL(3,2)",007\n');
  });

  it.each([
    [['SELECT $a', '--bind', 'a=1', '--param', 'a=2'], '`a` is in `bind` and in `params`: keep one of them.'],
    [['SELECT $a', '--bind', 'a'], '--bind a: expected `name=value`'],
    [
      ['SELECT $a', '--bind', 'a=1', '--format', 'parquet', '--output', 'a.parquet'],
      '`bind` cannot be used with Parquet',
    ],
    [['SELECT $1'], '`$1` is a placeholder, which has no value. Bind one with --bind 1=VALUE'],
  ])('refuses %j', async (args, message) => {
    const cwd = await makeHome();
    const { exitCode, stderr } = await quern(['sql', ...args], { cwd });
    expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining(message)]);
  });
});
