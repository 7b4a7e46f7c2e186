import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  Connection,
  PublishedName,
  TableKeys,
} from '../../../../src/engine/connection/contract/connection.ts';
import { duckdbDriver } from '../../../../src/engine/connection/duckdb/driver.ts';
import { never, query, readError } from '../results.ts';

const KEYS: TableKeys = { primary: ['id'], unique: [] };

let connection: Connection;
let target: PublishedName;
let run: (sql: string) => ReturnType<typeof query>;

function replace(sql: string, keys = KEYS): Promise<number | null> {
  return connection.publishing.replaceTable(target, sql, keys, never);
}

beforeEach(async () => {
  const spec = { name: 'test', kind: 'duckdb', options: { file: ':memory:' }, overrides: {} } as const;
  connection = await duckdbDriver.connect(spec, never);
  run = (sql) => query(connection, sql);
  target = await connection.publishing.resolve('out', 'sales', never);
  await replace("SELECT 1 AS id, 'lamp' AS n");
});

afterEach(() => connection.close());

describe('a table that is published in DuckDB', () => {
  it('keeps what belongs to it if its columns stay, and is refused if they change', async () => {
    for (const statement of [
      "COMMENT ON TABLE out.sales IS 'all sales'",
      "COMMENT ON COLUMN out.sales.n IS 'a name'",
      "ALTER TABLE out.sales ALTER n SET DEFAULT 'none'",
      'ALTER TABLE out.sales ALTER n SET NOT NULL',
      'CREATE UNIQUE INDEX sales_n ON out.sales (n)',
    ]) {
      await run(statement);
    }
    expect(await replace("SELECT 1 AS id, 'desk' AS n UNION ALL SELECT 2, 'lamp'")).toBe(2);
    const rows = [
      [1, 'desk'],
      [2, 'lamp'],
    ];
    expect(await run('FROM out.sales ORDER BY id')).toEqual(rows);
    const lost =
      /"sales" cannot be replaced, because .*: NOT NULL of the column n, comments, default of the column n, index sales_n\. Drop/;
    expect((await readError(replace('SELECT 1 AS id'))).message).toMatch(lost);
    const other = replace("SELECT 1 AS id, 'desk' AS n", { primary: [], unique: ['id'] });
    expect((await readError(other)).message).toMatch(lost);
    const view = connection.publishing.replaceView(target, 'SELECT 1 AS id', never);
    expect((await readError(view)).message).toMatch(lost);
    expect((await readError(replace('SELECT 1 AS id, NULL::VARCHAR AS n'))).message).toContain('NOT NULL');
    expect(await run('FROM out.sales ORDER BY id')).toEqual(rows);
    expect(await connection.relations.listTemporary(never)).toEqual([]);
  });

  it.each([
    ['comments', "COMMENT ON TABLE out.sales IS 'all sales'"],
    ['comments', "COMMENT ON COLUMN out.sales.n IS 'a name'"],
    ['default of the column n', "ALTER TABLE out.sales ALTER n SET DEFAULT 'none'"],
    ['NOT NULL of the column n', 'ALTER TABLE out.sales ALTER n SET NOT NULL'],
    ['index sales_n', 'CREATE INDEX sales_n ON out.sales (n)'],
    ['collations', 'CREATE OR REPLACE TABLE out.sales (id INT PRIMARY KEY, n VARCHAR COLLATE NOCASE)'],
    ['constraint sales_n_key', 'CREATE OR REPLACE TABLE out.sales (id INT, n VARCHAR UNIQUE)'],
    ['constraint sales_n_check', "CREATE OR REPLACE TABLE out.sales (id INT, n VARCHAR CHECK (n <> ''))"],
  ])('keeps %s that it gets after it was found: %s', async (belonging, statement) => {
    expect(await connection.publishing.find(target, never)).toBe('table');
    await run(statement);
    const lost = new RegExp(`: ${belonging}\\. Drop`);
    expect((await readError(replace('SELECT 1 AS other'))).message).toMatch(lost);
    expect(await connection.publishing.find(target, never)).toBe('table');
    expect((await readError(replace('SELECT 1 AS other'))).message).toMatch(lost);
  });

  it('keeps its constraints, also while it reads itself in a transaction', async () => {
    await run("CREATE OR REPLACE TABLE out.sales (id INT PRIMARY KEY, n VARCHAR CHECK (n <> ''))");
    await run("INSERT INTO out.sales VALUES (1, 'lamp')");
    await run('BEGIN');
    await replace("FROM out.sales UNION ALL SELECT 2, 'desk'");
    await run('COMMIT');
    expect(await run('FROM out.sales ORDER BY id')).toHaveLength(2);
    expect((await readError(replace("SELECT 1 AS id, '' AS n"))).message).toContain('CHECK');
    expect((await readError(replace('SELECT 1 AS other'))).message).toContain(': constraint sales_n_check.');
  });

  it('keeps collations that the query does not set, and is refused if others would be lost', async () => {
    await run('CREATE OR REPLACE TABLE out.sales (id INT PRIMARY KEY, n VARCHAR COLLATE NOCASE)');
    const find = () => run("SELECT id FROM out.sales WHERE n = 'LAMP'");
    await replace("SELECT 1 AS id, 'lamp' AS n");
    expect(await find()).toEqual([[1]]);
    await replace("SELECT 2 AS id, 'lamp' COLLATE NOCASE AS n");
    expect(await find()).toEqual([[2]]);
    for (const sql of ["SELECT 3 AS id, 'lamp' COLLATE NOACCENT AS n", 'SELECT 3 AS id']) {
      expect((await readError(replace(sql))).message).toContain(': collations. Drop');
    }
    expect(await find()).toEqual([[2]]);
  });

  it('is replaced when nothing but its primary key belongs to it', async () => {
    await replace('SELECT 1 AS other', { primary: [], unique: [] });
    expect(await run('FROM out.sales')).toEqual([[1]]);
  });
});

describe('a view that is published in DuckDB', () => {
  it('keeps its comments, and those of the columns that it still has', async () => {
    const view = await connection.publishing.resolve('out', 'Best "of"', never);
    const replaceView = (sql: string) => connection.publishing.replaceView(view, sql, never);
    await replaceView('SELECT id AS "Id ""x""", n, id AS gone FROM out.sales');
    const name = 'out."Best ""of"""';
    await run(`COMMENT ON VIEW ${name} IS 'it''s the best'`);
    await run(`COMMENT ON COLUMN ${name}."Id ""x""" IS 'an id'`);
    await run(`COMMENT ON COLUMN ${name}.gone IS 'gone'`);
    const read = async () => [
      await run('SELECT comment FROM duckdb_views() WHERE view_name = \'Best "of"\''),
      await run('SELECT column_name, comment FROM duckdb_columns() WHERE table_name = \'Best "of"\''),
    ];
    const before = await read();
    expect((await readError(replaceView('SELECT nope'))).message).toContain('nope');
    expect(await read()).toEqual(before);
    await run('BEGIN');
    await replaceView('SELECT n AS more, id AS "ID ""x""" FROM out.sales');
    await run('COMMIT');
    const columns = [
      ['more', null],
      ['ID "x"', 'an id'],
    ];
    expect(await read()).toEqual([[["it's the best"]], columns]);
  });
});
