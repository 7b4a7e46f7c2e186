import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { hasProc } from '../../support/processes.ts';
import { makeHome } from '../../support/quern.ts';
import { waitUntilWorked } from '../../support/waiting.ts';
import { begin, ENDLESS, run, serveHome, start } from '../server/commands.ts';

const fileOf = (cwd: string) => path.join(cwd, '.quern/db/main.duckdb');
const hashOf = (cwd: string) =>
  createHash('sha256')
    .update(readFileSync(fileOf(cwd)))
    .digest('hex');

/** Runs SQL, expects success, and returns its rows as CSV. */
async function sql(cwd: string, text: string): Promise<string> {
  const { exitCode, stdout, stderr } = await run(cwd, 'sql', text, '--format', 'csv');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return stdout;
}

const BIG = 'CREATE TABLE big AS SELECT hash(range) AS h FROM range(2000000)';

/** One of every kind of object that a database can define. */
const EVERYTHING = `CREATE SCHEMA x; CREATE SCHEMA "an empty one"; CREATE TYPE x.mood AS ENUM ('low', 'high');
  CREATE SEQUENCE ids START 5 INCREMENT 3; CREATE SEQUENCE unused START 7 MAXVALUE 9 CYCLE;
  CREATE TABLE b(id INT PRIMARY KEY DEFAULT nextval('main_db.main.ids'), c INT UNIQUE CHECK (c > 0), m x.mood,
    g INT GENERATED ALWAYS AS (c * 2), "Q""x" VARCHAR COLLATE nocase NOT NULL DEFAULT 'd', d DECIMAL(10, 2));
  CREATE TABLE a(id INT REFERENCES b(id), l INT[], s STRUCT(k INT, v VARCHAR), p MAP(VARCHAR, INT), t TIMESTAMPTZ);
  CREATE TABLE x.b(u UUID, o BLOB, f DOUBLE, i INTERVAL);
  INSERT INTO b(c, m) SELECT range + 1, 'high' FROM range(1000);
  INSERT INTO a SELECT id, [1, NULL, c], {k: c, v: 'ü'}, MAP {'k': c}, '2026-01-01 00:00:00Z' FROM b LIMIT 500;
  INSERT INTO x.b VALUES (uuid(), '\\xAA'::BLOB, 'nan', INTERVAL 1 MONTH), (NULL, NULL, '-inf', NULL);
  CREATE INDEX by_l ON b((c + 1)); CREATE UNIQUE INDEX by_c ON b(c, "Q""x");
  CREATE VIEW v AS SELECT * FROM main_db.main.b; CREATE VIEW x.first AS SELECT * FROM v;
  CREATE MACRO add(n, m := 2) AS n + m; CREATE MACRO x.find(n) AS TABLE SELECT * FROM main.b WHERE c = n;
  COMMENT ON TABLE b IS 'a table'; COMMENT ON COLUMN b.c IS 'a column'; COMMENT ON VIEW v IS 'a view'`;

const LISTINGS = [
  'SELECT schema_name FROM duckdb_schemas() WHERE database_name = current_database() ORDER BY ALL',
  'SELECT schema_name, table_name, comment, sql FROM duckdb_tables() ORDER BY ALL',
  'SELECT schema_name, table_name, column_name, comment, data_type FROM duckdb_columns() WHERE NOT internal ORDER BY ALL',
  'SELECT table_name, constraint_type, constraint_text FROM duckdb_constraints() ORDER BY ALL',
  'SELECT schema_name, view_name, comment, sql FROM duckdb_views() WHERE NOT internal ORDER BY ALL',
  'SELECT index_name, sql FROM duckdb_indexes() ORDER BY ALL',
  'SELECT function_name, macro_definition FROM duckdb_functions() WHERE NOT internal ORDER BY ALL',
  'FROM b ORDER BY id',
  'FROM a ORDER BY id',
  'FROM x.b ORDER BY f',
  'FROM x.first ORDER BY id',
  'FROM x.find(7)',
  'SELECT add(1)',
];

describe('quern admin compact', () => {
  it('returns free space to the disk, and keeps all data', async () => {
    const cwd = await makeHome();
    await sql(cwd, BIG);
    await sql(cwd, EVERYTHING);
    await sql(cwd, 'DROP TABLE big');
    chmodSync(fileOf(cwd), 0o600);
    const before = [];
    for (const query of LISTINGS) before.push(await sql(cwd, query));
    const { size } = statSync(fileOf(cwd));
    const compacted = await run(cwd, 'admin', 'compact', '--json');
    const { size: after, mode } = statSync(fileOf(cwd));
    expect(JSON.parse(compacted.stdout)).toEqual({
      data: [{ database: 'db/main.duckdb', before: size, after }],
    });
    expect(after).toBeLessThan(size / 2);
    expect(mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(fileOf(cwd)))).toEqual(['main.duckdb']);
    for (const [at, query] of LISTINGS.entries()) expect(await sql(cwd, query)).toBe(before[at]);
    expect(await sql(cwd, "SELECT nextval('ids') AS a, nextval('unused') AS b")).toBe('a,b\n3005,7\n');
    expect(await run(cwd, 'admin', 'compact')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringMatching(/^db\/main\.duckdb: (.* [KM]B) before, \1 after\n$/),
    });
  });

  it('refuses a database that it cannot copy, and leaves it unchanged', async () => {
    const cwd = await makeHome();
    await sql(cwd, 'CREATE TABLE people(id INT PRIMARY KEY, boss INT REFERENCES people(id))');
    await sql(cwd, 'INSERT INTO people VALUES (1, NULL)');
    await sql(cwd, 'INSERT INTO people VALUES (2, 1)');
    const before = hashOf(cwd);
    expect(await run(cwd, 'admin', 'compact')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^error: the database db\/main\.duckdb cannot be compacted, and nothing was changed: .*foreign key/,
      ),
    });
    expect(hashOf(cwd)).toBe(before);
    expect(readdirSync(path.dirname(fileOf(cwd)))).toEqual(['main.duckdb']);
  });

  it('refuses a database that another process uses', async () => {
    const cwd = await makeHome();
    await sql(cwd, 'CREATE TABLE t AS SELECT 42 AS x');
    const instance = await DuckDBInstance.create(fileOf(cwd));
    expect(await run(cwd, 'admin', 'compact')).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(/^error: The database file .* is in use by another process/),
    });
    instance.closeSync();
    expect(await sql(cwd, 'FROM t')).toBe('x\n42\n');
  });

  it.skipIf(!hasProc)('leaves the complete old or new file after a kill', async () => {
    const cwd = await makeHome();
    await sql(cwd, BIG);
    await sql(cwd, 'CREATE TABLE kept AS SELECT range AS x FROM range(1000000); DROP TABLE big');
    const sizes = [statSync(fileOf(cwd)).size];
    for (let ms = 300; ms < 1500; ms += 150) {
      const compacting = start(cwd, ['admin', 'compact']);
      await waitUntilWorked(compacting.pid, ms);
      compacting.kill('SIGKILL');
      await compacting.ended;
      sizes.push(statSync(fileOf(cwd)).size);
      expect(await sql(cwd, 'SELECT count(*) AS n, sum(x)::BIGINT AS s FROM kept')).toBe(
        'n,s\n1000000,499999500000\n',
      );
    }
    expect(await run(cwd, 'admin', 'compact')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(path.dirname(fileOf(cwd)))).toEqual(['main.duckdb']);
    expect(Math.min(...sizes, statSync(fileOf(cwd)).size)).toBeLessThan(sizes[0]!);
  });

  it('makes a server release its databases, and waits for running executions up to the limit', async () => {
    const { cwd } = await serveHome(async (home) => {
      await sql(home, BIG);
      await sql(home, 'DROP TABLE big; CREATE TABLE t AS SELECT 42 AS x');
    });
    const running = await begin(cwd, ENDLESS);
    expect(await run(cwd, 'admin', 'compact', '--wait', '1')).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('still run'),
    });
    await run(cwd, 'kill', running.id);
    await running.ended;
    expect(await run(cwd, 'admin', 'compact')).toMatchObject({ exitCode: 0 });
    expect(await sql(cwd, 'FROM t')).toBe('x\n42\n');
  });
});
