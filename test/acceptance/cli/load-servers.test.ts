import { appendFileSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { makeHome, quern, quernProcess, writeFiles } from '../../support/quern.ts';
import { waitUntil } from '../../support/waiting.ts';
import { LAST, NAMES, WHOLE, WHOLE_FIRST, WHOLE_LAST, WHOLE_ROWS } from './whole-file.ts';

const SERVERS = [
  ['postgresql', inject('postgresql')],
  ['mysql', inject('mariadb')],
] as const;

describe.each(SERVERS)('quern load into %s', (kind, server) => {
  const schema = `quern_load_${process.pid}_${kind}`;
  let cwd: string;
  const run = (...args: string[]) => quern([...args, '--connection', 'db'], { cwd });
  const rowsOf = async (sql: string): Promise<unknown[][]> => {
    const { stdout, stderr } = await run('sql', sql, '--format', 'json');
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout).result.data;
  };
  const quote = (name: string) => (kind === 'mysql' ? `\`${name}\`` : `"${name}"`);
  const toText = (name: string) =>
    kind === 'mysql' ? `CAST(${quote(name)} AS CHAR)` : `${quote(name)}::text`;
  const load = async (files: Readonly<Record<string, string | Uint8Array>>, ...args: string[]) => {
    writeFiles(cwd, files);
    const { exitCode, stdout, stderr } = await run('load', ...args);
    return { exitCode, stdout, stderr: stderr.replaceAll(`${cwd}/`, '') };
  };
  const listTables = async () =>
    (
      await rowsOf(
        `SELECT table_name FROM information_schema.tables WHERE table_schema = '${schema}' ORDER BY table_name`,
      )
    ).flat();

  beforeEach(async (context) => {
    if (server === null) return context.skip();
    cwd = await makeHome();
    const { password, ...options } = server;
    const set = Object.entries(options).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const args = ['connection', 'create', 'db', '--kind', kind, ...set, '--secret', 'password=env:SECRET'];
    const { exitCode, stderr } = await quern(args, { cwd, env: { SECRET: password } });
    if (exitCode !== 0) throw new Error(stderr);
    await run('sql', `CREATE SCHEMA ${schema}`);
  });
  afterEach(async () => {
    await run('sql', `DROP SCHEMA ${schema}${kind === 'postgresql' ? ' CASCADE' : ''}`);
  });

  it('reads all rows before it chooses types, as into DuckDB', { timeout: 120_000 }, async () => {
    const t = `${schema}.t`;
    const loaded = await load({ 't.csv': WHOLE }, 't.csv', '--table', t, '--json');
    expect(loaded).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(loaded.stdout)).toMatchObject({ table: t, rows: WHOLE_ROWS + 1 });
    const [last] = await rowsOf(`SELECT ${NAMES.map(toText).join(', ')} FROM ${t} WHERE fraction > 1`);
    const expected = NAMES.map((name, at) => {
      if (name === 'empty') return null;
      if (name === 'exponent') return kind === 'mysql' ? '1e300' : LAST[at];
      return LAST[at];
    });
    expect(last).toEqual(expected);
    expect(await rowsOf(`SELECT count(*), count(${quote('empty')}) FROM ${t}`)).toEqual([[25_001, 25_000]]);
    const dry = await load({}, 't.csv', '--table', `${schema}.dry`, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout).columns.map(({ name }: { name: string }) => name)).toEqual(NAMES);
    expect(await listTables()).toEqual(['t']);
  });

  it('reads a sheet of a workbook, as into DuckDB', async () => {
    const book = readFileSync(path.join(import.meta.dirname, '../../../fixtures/workbooks/libreoffice.xlsx'));
    const t = `${schema}.book`;
    expect((await load({ 'book.xlsx': book }, 'book.xlsx', '--table', t)).exitCode).toBe(0);
    const here = await quern(['load', 'book.xlsx'], { cwd });
    expect(here.exitCode).toBe(0);
    const names = here.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/)[0] ?? '');
    const duckdb = await quern(
      ['sql', 'SELECT COLUMNS(*)::VARCHAR FROM book ORDER BY ALL', '--format', 'json'],
      { cwd },
    );
    const rows = await rowsOf(`SELECT ${names.map(toText).join(', ')} FROM ${t}`);
    // Each database has a form of its zeros at the end, and MySQL stores booleans as numbers.
    const toForm = (value: unknown) =>
      typeof value === 'string'
        ? value
            .replace(/\.0+$/, '')
            .replace(/^true$/, '1')
            .replace(/^false$/, '0')
        : value;
    const toForms = (row: unknown[]) => JSON.stringify(row.map(toForm));
    const sorted = (all: unknown[][]) => all.map(toForms).toSorted();
    expect(sorted(rows)).toEqual(sorted(JSON.parse(duckdb.stdout).result.data));
    const wrong = await load({}, 'book.xlsx', '--table', `${t}2`, '--sheet', 'Nope');
    expect(wrong.exitCode).not.toBe(0);
    expect(wrong.stderr).toContain('Nope');
    expect(await listTables()).toEqual(['book']);
  });

  it.each([
    ['compressed', 'gzip t.csv; quern load t.csv.gz --table T'],
    ['in two files', 'quern load first.csv last.csv --table T'],
    ['from standard input', 'quern load - --table T < t.csv'],
    ['from a FIFO', 'mkfifo f; (cat t.csv > f) & quern load f --type csv --table T'],
  ])('loads the same rows %s', { timeout: 120_000 }, async (_, line) => {
    writeFiles(cwd, { 't.csv': WHOLE, 'first.csv': WHOLE_FIRST, 'last.csv': WHOLE_LAST });
    const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');
    const script = `quern() { "${process.execPath}" "${bin}" "$@" --connection db; }; ${line.replace(' T', ` ${schema}.t`)}`;
    const { stderr } = await execa('bash', ['-c', script], { cwd, env: { HOME: cwd, QUERN_HOME: '' } });
    expect(stderr).toContain(`loaded 25,001 rows into ${schema}.t`);
    const sql = `SELECT ${toText('huge')}, ${toText('lines')}, ${toText('fine')} FROM ${schema}.t WHERE fraction > 1`;
    expect(await rowsOf(sql)).toEqual([['9223372036854775808', 'a\nb', '2026-01-15 10:00:00.123456']]);
  });

  it('stores texts as they are', async () => {
    const texts = [
      "it's",
      'a\\b',
      "\\'",
      'a"b',
      'line\nline',
      '$name',
      '{{ x }}',
      'ä€😀',
      '; DROP TABLE x; --',
      ' x ',
      '/*',
      'a\tb\r\nc',
      '\\.',
      '\\N',
      '\\\\x41\\t',
    ];
    const csv = `id,x\n${texts.map((text, at) => `${at},"${text.replaceAll('"', '""')}"\n`).join('')}`;
    expect(await load({ 't.csv': csv }, 't.csv', '--table', `${schema}.t`)).toMatchObject({ exitCode: 0 });
    expect((await rowsOf(`SELECT x FROM ${schema}.t ORDER BY id`)).flat()).toEqual(texts);
  });

  it('stores values of JSON and of each declared type', async () => {
    const types =
      'b=BOOLEAN,u=UUID,d=DATE,ts=TIMESTAMP,tz=TIMESTAMPTZ,t=TIME,n=DECIMAL(20,4),h=HUGEINT,f=DOUBLE';
    const csv =
      'b,u,d,ts,tz,t,n,h,f\ntrue,c0ffee00-0000-4000-8000-000000000000,2026-01-15,2026-01-15 23:59:59.123456,' +
      '2026-01-15 23:59:59+02,23:59:59.5,1234567890123456.7891,170141183460469231731687303715884105727,0.1\n,,,,,,,,\n';
    expect(await load({ 't.csv': csv }, 't.csv', '--table', `${schema}.t`, '--types', types)).toMatchObject({
      exitCode: 0,
      stderr: `loaded 2 rows into ${schema}.t\n`,
    });
    const names = ['b', 'u', 'd', 'ts', 'tz', 't', 'n', 'h', 'f'];
    const [row, empty] = await rowsOf(
      `SELECT ${names.map(toText).join(', ')} FROM ${schema}.t ORDER BY f IS NULL`,
    );
    expect(empty).toEqual(names.map(() => null));
    const [truth, zoned, clock] =
      kind === 'mysql'
        ? ['1', '2026-01-15 21:59:59.000000', '23:59:59.500000']
        : ['true', expect.stringMatching(/^2026-01-15 21:59:59\+00$/), '23:59:59.5'];
    expect(row).toEqual([
      truth,
      'c0ffee00-0000-4000-8000-000000000000',
      '2026-01-15',
      '2026-01-15 23:59:59.123456',
      zoned,
      clock,
      '1234567890123456.7891',
      '170141183460469231731687303715884105727',
      '0.1',
    ]);
    const json = '{"id":1,"tags":["a","it\'s"],"o":{"k":"\\\\"}}\n';
    expect(await load({ 'j.json': json }, 'j.json', '--table', `${schema}.j`)).toMatchObject({ exitCode: 0 });
    const [tags] = await rowsOf(`SELECT ${toText('tags')}, ${toText('o')} FROM ${schema}.j`);
    expect(tags!.map((text) => JSON.parse(String(text)))).toEqual([['a', "it's"], { k: '\\' }]);
  });

  it('replaces a table at once, and refuses an existing one and a view', async () => {
    const t = `${schema}.t`;
    await load({ 't.csv': 'x\n1\n', 'u.csv': 'x\n2\n3\n' }, 't.csv', '--table', t);
    expect(await load({}, 'u.csv', '--table', t)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining(`there is already a table ${t}\n--replace replaces it`),
    });
    expect(await load({}, 'u.csv', '--table', t, '--replace')).toMatchObject({ exitCode: 0 });
    expect((await rowsOf(`SELECT x FROM ${t} ORDER BY x`)).flat().map(Number)).toEqual([2, 3]);
    await run('sql', `CREATE VIEW ${schema}.v AS SELECT 1 AS x`);
    expect(await load({}, 'u.csv', '--table', `${schema}.v`, '--replace')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is a view'),
    });
    expect(await load({}, 'u.csv', '--table', `${schema}.v`, '--append')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is a view'),
    });
    expect(await listTables()).toEqual(['t', 'v']);
    await run('sql', `DROP VIEW ${schema}.v`);
  });

  it('appends all rows or none, and refuses what a column does not hold', async () => {
    const t = `${schema}.t`;
    await run(
      'sql',
      `CREATE TABLE ${t} (id integer PRIMARY KEY, price decimal(9,2), code varchar(3), at timestamp(0))`,
    );
    const good = 'code,id,at,price\nabc,1,2026-01-15 10:00:00,1.25\n';
    expect(await load({ 't.csv': good }, 't.csv', '--table', t, '--append')).toMatchObject({
      exitCode: 0,
      stderr: `added 1 row to ${t}\n`,
    });
    const append = (...row: string[]) =>
      load(
        { 't.csv': `id,price,code,at\n9,1.00,x,2026-01-15 10:00:00\n${row.join()}\n` },
        't.csv',
        '--table',
        t,
        '--append',
      );
    const at = '2026-01-15 10:00:00';
    for (const [row, message] of [
      [['1.5', '1', 'a', at], 'integer does not hold `1.5`|int\\(11\\) does not hold `1.5`'],
      [['2147483648', '1', 'a', at], 'is not a valid int'],
      [['2', '1.239', 'a', at], 't.csv:3: \\S+ does not hold `1.239`'],
      [
        ['2', '1', 'abcd', at],
        't.csv:3: .*varying?\\(3\\) does not hold `abcd`|varchar\\(3\\) does not hold',
      ],
      [['2', '1', 'abc ', at], 'does not hold `abc `'],
      [['2', '1', 'a', `${at}.5`], 'does not hold `2026-01-15 10:00:00.5`'],
      [['9', '1', 'a', at], 'duplicate|Duplicate'],
      [['1', '1', 'a', at], 'duplicate|Duplicate'],
    ] as const) {
      expect(await append(...row)).toEqual({
        exitCode: 3,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(message)),
      });
    }
    expect((await rowsOf(`SELECT id FROM ${t}`)).flat()).toEqual([1]);
    expect(await listTables()).toEqual(['t']);
  });

  it('leaves missing columns NULL with --union-by-name, and adds new ones', async () => {
    const t = `${schema}.t`;
    await run('sql', `CREATE TABLE ${t} (id integer, x integer)`);
    const few = await load({ 't.csv': 'id\n1\n' }, 't.csv', '--table', t, '--append');
    expect(few).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('`x` missing') });
    const filled = await load({}, 't.csv', '--table', t, '--append', '--union-by-name');
    expect(filled).toMatchObject({ exitCode: 0, stderr: `added 1 row to ${t}\n` });
    const more = (csv: string) =>
      load({ 'u.csv': csv }, 'u.csv', '--table', t, '--append', '--union-by-name');
    expect(await more('id,y\n2,a\n')).toMatchObject({
      exitCode: 0,
      stderr: `warning: ${t} gets the column \`y\`, which is NULL in its earlier rows\nadded 1 row to ${t}\n`,
    });
    expect(await more('z\n2026-01-15\n')).toMatchObject({ exitCode: 0 });
    expect(await rowsOf(`SELECT id, x, y, ${toText('z')} FROM ${t} ORDER BY id IS NULL, id`)).toEqual([
      [1, null, null, null],
      [2, null, 'a', null],
      [null, null, null, '2026-01-15'],
    ]);
  });

  it('adds no column if the rows of --union-by-name fail', async () => {
    const t = `${schema}.t`;
    await run('sql', `CREATE TABLE ${t} (id integer PRIMARY KEY); INSERT INTO ${t} VALUES (1)`);
    const failed = await load(
      { 't.csv': 'id,y\n2,a\n1,b\n' },
      't.csv',
      '--table',
      t,
      '--append',
      '--union-by-name',
    );
    expect(failed).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(/duplicate/i) });
    const columns = `SELECT column_name FROM information_schema.columns WHERE table_schema = '${schema}'`;
    expect((await rowsOf(columns)).flat()).toEqual(['id']);
    expect((await rowsOf(`SELECT id FROM ${t}`)).flat()).toEqual([1]);
  });

  it('refuses to append to a column of a type that it does not know', async () => {
    const [type, name] = kind === 'mysql' ? ['year', 'year(4)'] : ['inet', 'inet'];
    await run('sql', `CREATE TABLE ${schema}.t (id ${type})`);
    const refused = await load({ 't.csv': 'id\n1\n' }, 't.csv', '--table', `${schema}.t`, '--append');
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`has the column \`id\` of type ${name}, which is not loaded`),
    });
  });

  it('drops its table at Ctrl-C', async () => {
    const t = `${schema}.t`;
    await run('sql', `CREATE TABLE ${t} (id integer)`);
    writeFiles(cwd, { 't.csv': `id\n${'1\n'.repeat(1000)}` });
    const lock =
      kind === 'mysql'
        ? `LOCK TABLES ${t} READ; SELECT sleep(600)`
        : `BEGIN; LOCK TABLE ${t} IN SHARE MODE; SELECT pg_sleep(600)`;
    const locking = quernProcess(['sql', lock, '--connection', 'db'], { cwd });
    const count = `SELECT count(*) FROM information_schema.processlist WHERE info LIKE '%sleep(600)%'`;
    const locks =
      kind === 'mysql'
        ? count
        : `SELECT count(*)::int FROM pg_locks WHERE mode = 'ShareLock' AND granted AND relation = '${t}'::regclass`;
    await waitUntil(async () => Number((await rowsOf(locks))[0]![0]) > (kind === 'mysql' ? 1 : 0));
    const loading = quernProcess(['load', 't.csv', '--table', t, '--append', '--connection', 'db'], { cwd });
    expect(await waitUntil(async () => (await listTables()).length > 1)).toBe(true);
    loading.kill('SIGINT');
    await loading;
    expect(await listTables()).toEqual(['t']);
    locking.kill('SIGINT');
    await locking;
    expect(Number((await rowsOf(`SELECT count(*) FROM ${t}`))[0]![0])).toBe(0);
  });

  it('loads all files of --each or none, and makes their schema', async () => {
    const raw = `${schema}_raw`;
    const files = { 'd/a.csv': 'x\n1\n', 'd/b.csv': 'x\n2\n' };
    try {
      expect(await load(files, 'd', '--each', '--schema', raw)).toMatchObject({ exitCode: 0 });
      expect(
        (await rowsOf(`SELECT x FROM ${raw}.a UNION SELECT x FROM ${raw}.b ORDER BY x`)).flat().map(Number),
      ).toEqual([1, 2]);
      expect(
        await load(
          { 'd/a.csv': 'x\n5\n', 'd/b.csv': 'x,y\n6\n' },
          'd',
          '--each',
          '--schema',
          raw,
          '--replace',
        ),
      ).toMatchObject({ exitCode: 3 });
      expect((await rowsOf(`SELECT x FROM ${raw}.a`)).flat().map(Number)).toEqual([1]);
      expect(await load(files, 'd', '--each', '--schema', raw, '--replace')).toMatchObject({ exitCode: 0 });
    } finally {
      await run('sql', `DROP SCHEMA ${raw}${kind === 'postgresql' ? ' CASCADE' : ''}`);
    }
  });

  it('leaves nothing behind if the server refuses a value, a file changes, or it is interrupted', async () => {
    const t = `${schema}.t`;
    const refused = await load(
      { 't.csv': `id,x\n${'1,1\n'.repeat(25_000)}2,nan\n` },
      't.csv',
      '--table',
      t,
      '--types',
      kind === 'mysql' ? 'x=DOUBLE' : 'x=VARCHAR,id=VARCHAR',
    );
    expect(refused.exitCode).toBe(kind === 'mysql' ? 3 : 0);
    if (kind !== 'mysql') {
      await run('sql', `DROP TABLE ${t}`);
      const zero = await load({ 'z.csv': 'id,x\n1,a\0b\n' }, 'z.csv', '--table', t, '--all-text');
      expect(zero).toMatchObject({ exitCode: 3 });
    }
    expect(await listTables()).toEqual([]);
    writeFiles(cwd, { 'a.csv': 'x\n1\n' });
    await execa('mkfifo', [path.join(cwd, 'f')]);
    const loading = quernProcess(
      ['load', 'a.csv', 'f', '--type', 'csv', '--table', t, '--connection', 'db'],
      { cwd },
    );
    const writer = await open(path.join(cwd, 'f'), 'w');
    appendFileSync(path.join(cwd, 'a.csv'), '2\n');
    await writer.writeFile('x\n9\n');
    await writer.close();
    expect((await loading).stderr).toContain('a.csv changed while it was read');
    expect(await listTables()).toEqual([]);
  });
});
