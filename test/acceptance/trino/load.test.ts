import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLUSTER_COMMAND_MS } from '../../support/patience.ts';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { LAST, NAMES, WHOLE, WHOLE_ROWS } from '../cli/whole-file.ts';
import { connect, run } from './demo.ts';

describe.skipIf(!hasCluster)('quern load into Trino', () => {
  const getCluster = useCluster();
  const schema = `load_${process.pid}`;
  let cwd: string;

  const rowsOf = async (sql: string): Promise<unknown[][]> =>
    JSON.parse(await run(cwd, 'sql', sql, '--connection', 'lake', '--format', 'json')).result.data;
  const load = async (files: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    writeFiles(cwd, files);
    const connection = args.some((arg) => arg.startsWith(`${schema}.`)) ? 'cluster' : 'lake';
    const all = ['load', ...args, '--connection', connection];
    const { exitCode, stdout, stderr } = await quern(all, { cwd, limitMs: CLUSTER_COMMAND_MS });
    return { exitCode, stdout, stderr: stderr.replaceAll(`${cwd}/`, '') };
  };
  const listTables = async () => (await rowsOf(`SHOW TABLES FROM ${schema}`)).flat();

  beforeEach(async () => {
    cwd = await makeHome();
    await connect(cwd, 'cluster', getCluster(), { catalog: 'iceberg' });
    await connect(cwd, 'lake', getCluster(), { catalog: 'iceberg', schema });
  });
  afterEach(async () => {
    await run(cwd, 'sql', `DROP SCHEMA IF EXISTS ${schema} CASCADE`, '--connection', 'cluster');
  });

  it('makes the schema, and reads all rows before it chooses types', {
    timeout: CLUSTER_COMMAND_MS,
  }, async () => {
    const table = `${schema}.T`;
    const loaded = await load({ 't.csv': WHOLE }, 't.csv', '--table', table, '--json');
    expect(loaded).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(loaded.stdout)).toMatchObject({ rows: WHOLE_ROWS + 1 });
    const texts = NAMES.map((name) => `CAST("${name}" AS varchar)`).join(', ');
    const [last] = await rowsOf(`SELECT ${texts} FROM ${table} WHERE fraction > 1`);
    const expected: Readonly<Record<string, string | null>> = {
      empty: null,
      fraction: '1.5E0',
      exponent: '1.0E300',
    };
    expect(last).toEqual(NAMES.map((name, at) => (name in expected ? expected[name] : LAST[at])));
    expect(await rowsOf(`SELECT count(*), count(empty) FROM ${table}`)).toEqual([[25_001, 25_000]]);
    expect(await listTables()).toEqual(['t']);
  });

  it('stores texts and values as they are', async () => {
    await run(cwd, 'sql', `CREATE SCHEMA ${schema}`, '--connection', 'cluster');
    const texts = ["it's", 'a\\b', "\\'", 'a"b', 'line\nline', '$name', 'ä€😀', '; DROP TABLE x; --', ' x '];
    const csv = `id,x\n${texts.map((text, at) => `${at},"${text.replaceAll('"', '""')}"\n`).join('')}`;
    expect(await load({ 'x.csv': csv }, 'x.csv', '--table', 'x')).toMatchObject({ exitCode: 0 });
    expect((await rowsOf('SELECT x FROM x ORDER BY id')).flat()).toEqual(texts);
    const types =
      'b=BOOLEAN,u=UUID,d=DATE,ts=TIMESTAMP,tz=TIMESTAMPTZ,t=TIME,n=DECIMAL(20,4),f=DOUBLE,i=SMALLINT';
    const values =
      'b,u,d,ts,tz,t,n,f,i\ntrue,c0ffee00-0000-4000-8000-000000000000,2026-01-15,2026-01-15 23:59:59.123456,' +
      '2026-01-15 23:59:59+02,23:59:59.5,1234567890123456.7891,0.1,7\n,,,,,,,,\n';
    expect(await load({ 'v.csv': values }, 'v.csv', '--table', 'v', '--types', types)).toMatchObject({
      exitCode: 0,
      stderr: 'loaded 2 rows into v\n',
    });
    const names = ['b', 'u', 'd', 'ts', 'tz', 't', 'n', 'f', 'i'].map((name) => `CAST(${name} AS varchar)`);
    expect(await rowsOf(`SELECT ${names.join(', ')} FROM v ORDER BY i NULLS LAST`)).toEqual([
      [
        'true',
        'c0ffee00-0000-4000-8000-000000000000',
        '2026-01-15',
        '2026-01-15 23:59:59.123456',
        '2026-01-15 21:59:59.000000 UTC',
        '23:59:59.500000',
        '1234567890123456.7891',
        '1.0E-1',
        '7',
      ],
      names.map(() => null),
    ]);
  });

  it('replaces, appends, and leaves nothing of a failed load', async () => {
    await run(cwd, 'sql', `CREATE SCHEMA ${schema}`, '--connection', 'cluster');
    await load(
      { 'a.csv': 'id,price\n1,1.25\n', 'b.csv': 'price,id\n2.5,2\n' },
      'a.csv',
      '--types',
      'price=DECIMAL(9,2)',
    );
    const before = await listTables();
    expect(await load({}, 'a.csv')).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('already a table a'),
    });
    expect(await load({}, 'b.csv', '--table', 'a', '--append')).toMatchObject({
      exitCode: 0,
      stderr: 'added 1 row to a\n',
    });
    expect(await load({ 'c.csv': 'id,price\n3,1.239\n' }, 'c.csv', '--table', 'a', '--append')).toMatchObject(
      {
        exitCode: 3,
        stderr: expect.stringContaining('c.csv:2: decimal(9,2) does not hold `1.239`'),
      },
    );
    expect((await rowsOf('SELECT id FROM a ORDER BY id')).flat()).toEqual([1, 2]);
    expect(await load({}, 'c.csv', '--table', 'a', '--replace')).toMatchObject({ exitCode: 0 });
    expect((await rowsOf('SELECT id FROM a')).flat()).toEqual([3]);
    const refused = await load({ 'd.csv': 'x\n170141183460469231731687303715884105727\n' }, 'd.csv');
    expect(refused).toMatchObject({ exitCode: 3 });
    expect(await listTables()).toEqual(before);
  });

  it('adds the columns of --union-by-name, NULL in the earlier rows', async () => {
    const g = `${schema}.g`;
    await load({ 'g.csv': 'id,x\n1,2\n' }, 'g.csv', '--table', g);
    const more = await load({ 'h.csv': 'id,y\n2,a\n' }, 'h.csv', '--table', g, '--append', '--union-by-name');
    expect(more).toMatchObject({
      exitCode: 0,
      stderr: `warning: ${g} gets the column \`y\`, which is NULL in its earlier rows\nadded 1 row to ${g}\n`,
    });
    expect(await rowsOf(`SELECT id, x, y FROM ${g} ORDER BY id`)).toEqual([
      [1, 2, null],
      [2, null, 'a'],
    ]);
  });

  it('loads every file of --each', async () => {
    await run(cwd, 'sql', `CREATE SCHEMA ${schema}`, '--connection', 'cluster');
    const files = { 'e/one.csv': 'x\n1\n', 'e/two.csv': 'x\n2\n' };
    expect(await load(files, 'e', '--each')).toMatchObject({ exitCode: 0 });
    expect((await rowsOf('SELECT x FROM one UNION SELECT x FROM two ORDER BY x')).flat()).toEqual([1, 2]);
  });
});
