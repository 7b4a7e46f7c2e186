import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Connection, PublishedName } from '../../../../src/engine/connection/contract/connection.ts';
import { mysqlDriver } from '../../../../src/engine/connection/mysql/driver.ts';
import { watchSlow } from '../conformance/watch-slow.ts';
import { never, query, readError } from '../results.ts';

const server = inject('mariadb');
const DATABASE = 'publications of others';
const NO_KEYS = { primary: [], unique: [] };

let connection: Connection;
let target: PublishedName;
let run: (sql: string) => ReturnType<typeof query>;

function replace(sql: string, signal = never): Promise<number | null> {
  return connection.publishing.replaceTable(target, sql, NO_KEYS, signal);
}

function merge(sql: string, changes: readonly string[] | null = null, key = ['id']): Promise<unknown> {
  return connection.publishing.merge(target, sql, { key, changes }, never);
}

async function listTables(): Promise<readonly unknown[]> {
  return (await run('SHOW TABLES')).flat();
}

function connect(): Promise<Connection> {
  return mysqlDriver.connect({ name: 'test', kind: 'mysql', options: { ...server! }, overrides: {} }, never);
}

beforeEach(async () => {
  if (server === null) return;
  connection = await connect();
  run = (sql) => query(connection, sql);
  await run(`CREATE OR REPLACE DATABASE \`${DATABASE}\` CHARACTER SET latin1`);
  await run(`USE \`${DATABASE}\``);
  target = await connection.publishing.resolve(null, 'sales', never);
});

afterEach(() => connection?.close());

describe.skipIf(server === null)('a table that is published in MariaDB', () => {
  it('leaves no other table behind, also after a killed publication', async () => {
    await replace('SELECT 1 AS id');
    const other = await connect();
    const { waitUntilSlow } = await watchSlow('mysql', connection, other);
    const stop = new AbortController();
    const slow = readError(replace('SELECT SLEEP(60) AS id', stop.signal));
    await waitUntilSlow();
    stop.abort();
    expect((await slow).code).toBe('cancelled');
    await other.close();
    expect(await listTables()).toEqual(['sales']);
    const names = await leaveBehind();
    await replace('SELECT 2 AS id');
    expect(names).toHaveLength(2);
    expect(await listTables()).toEqual(['sales']);
    expect(await run('SELECT * FROM sales')).toEqual([[2]]);
  });

  /** Creates the leftovers of a killed publication: a table and a view with the names that it uses. */
  async function leaveBehind(): Promise<readonly string[]> {
    const used: string[] = [];
    const { run: own } = connection;
    const watched: Connection['run'] = (statement, signal) => {
      used.push(...(statement.match(/quern_[0-9a-f]+_(?:new|old)/g) ?? []));
      return own.call(connection, statement, signal);
    };
    Object.assign(connection, { run: watched });
    await replace('SELECT 1 AS id');
    Object.assign(connection, { run: own });
    const names = [...new Set(used)].sort();
    await run(`CREATE TABLE ${names[0]} AS SELECT 1 AS x`);
    await run(`CREATE VIEW ${names[1]} AS SELECT 1 AS x`);
    return names;
  }

  it('keeps what belongs to it if its columns stay, and is refused if they change', async () => {
    await run('CREATE TABLE source (id INT NOT NULL COMMENT "a key", n INT)');
    await run('INSERT INTO source VALUES (1, 10), (2, 20)');
    const keys = { primary: ['id'], unique: [] };
    const { publishing } = connection;
    const build = (sql: string) => publishing.replaceTable(target, sql, keys, never);
    await build('SELECT id, n FROM source');
    await build('SELECT n, id FROM source');
    await build('SELECT id, n FROM source');
    await run('DROP USER IF EXISTS looks');
    await run('CREATE USER looks');
    for (const statement of [
      'ALTER TABLE sales COMMENT "all sales", ADD INDEX sales_n (n), ADD CONSTRAINT positive CHECK (n > 0)',
      'ALTER TABLE sales MODIFY n INT NOT NULL DEFAULT 5 COMMENT "a number"',
      'GRANT SELECT, UPDATE (n) ON sales TO looks',
    ]) {
      await run(statement);
    }
    const rights = await run('SHOW GRANTS FOR looks');
    const definition = await run('SHOW CREATE TABLE sales');
    await run('UPDATE source SET n = 30 WHERE id = 2');
    expect(await build('SELECT id, n FROM source')).toBe(2);
    const rows = [
      [1, 10],
      [2, 30],
    ];
    expect(await run('SELECT * FROM sales ORDER BY id')).toEqual(rows);
    const lost =
      /cannot be replaced, because .*: comment, comment of the column n, constraint positive, default of the column n, index sales_n, NOT NULL of the column n\. Drop/;
    expect((await readError(build('SELECT id FROM source'))).message).toMatch(lost);
    expect((await readError(replace('SELECT id, n FROM source'))).message).toContain('primary key change');
    const view = publishing.replaceView(target, 'SELECT id, n FROM source', never);
    expect((await readError(view)).message).toContain('a view would lose: comment,');
    expect((await readError(build('SELECT id, NULLIF(n, 30) AS n FROM source'))).code).toBe('sql');
    await run('UPDATE source SET n = -1 WHERE id = 2');
    await run('SET autocommit = 0');
    expect((await readError(build('SELECT id, n FROM source'))).message).toContain('positive');
    expect(await run('SHOW CREATE TABLE sales')).toEqual(definition);
    expect(await run('SHOW GRANTS FOR looks')).toEqual(rights);
    expect(await run('SELECT * FROM sales ORDER BY id')).toEqual(rows);
    expect(await listTables()).toEqual(['sales', 'source']);
    await run('DROP USER looks');
  });

  it.each([
    ['trigger stop', 'CREATE TRIGGER stop BEFORE INSERT ON sales FOR EACH ROW SET NEW.n = 0'],
    ['NOT NULL of the column n', "SET sql_mode = ''; ALTER TABLE sales MODIFY n INT NOT NULL"],
    ['virtual generated of the column n', 'ALTER TABLE sales DROP n, ADD n INT AS (id + 1)'],
    ['auto_increment of the column id', 'ALTER TABLE sales MODIFY id INT NOT NULL AUTO_INCREMENT'],
    [
      'foreign key child_sales of the table child',
      `CREATE TABLE child (id INT, CONSTRAINT child_sales FOREIGN KEY (id) REFERENCES sales (id) ON DELETE CASCADE)`,
    ],
  ])('is refused while a %s could change the new rows', async (name, statements) => {
    await run('CREATE TABLE source (id INT NOT NULL, n INT)');
    await run('INSERT INTO source VALUES (1, 10)');
    const keys = { primary: ['id'], unique: [] };
    const build = () => connection.publishing.replaceTable(target, 'SELECT id, n FROM source', keys, never);
    await build();
    const before = await run('SELECT id FROM sales');
    for (const statement of statements.split('; ')) await run(statement);
    expect((await readError(build())).message).toContain(`these could change or hide new rows: ${name}.`);
    expect(await run('SELECT id FROM sales')).toEqual(before);
  });

  it('is refused if its engine has no transactions, and loses an index', async () => {
    await replace('SELECT 1 AS id');
    await run('ALTER TABLE sales ENGINE = Aria, ADD INDEX sales_id (id)');
    const { message } = await readError(replace('SELECT 2 AS id'));
    expect(message).toContain(
      'its storage engine has no transactions, and a new table would lose: engine Aria',
    );
    expect(message).toContain('index sales_id');
    expect(await run('SELECT * FROM sales')).toEqual([[1]]);
  });

  it('remains when a foreign key refers to it', async () => {
    await connection.publishing.replaceTable(
      target,
      'SELECT 1 AS id',
      { primary: ['id'], unique: [] },
      never,
    );
    await run('CREATE TABLE parts (id INT, sale INT(1) NOT NULL, FOREIGN KEY (sale) REFERENCES sales (id))');
    await run('INSERT INTO parts VALUES (1, 1)');
    const error = await readError(replace('SELECT 2 AS id'));
    expect(error.message).toContain('foreign key');
    expect(await run('SELECT * FROM sales')).toEqual([[1]]);
    expect(await listTables()).toEqual(['parts', 'sales']);
    expect((await readError(connection.run('INSERT INTO parts VALUES (2, 2)', never))).code).toBe('sql');
  });

  it('remains when a view that reads it cannot replace it', async () => {
    await replace('SELECT 1 AS id');
    const view = connection.publishing.replaceView(target, 'SELECT * FROM sales', never);
    expect((await readError(view)).code).toBe('sql');
    expect(await connection.publishing.find(target, never)).toBe('table');
    expect(await run('SELECT * FROM sales')).toEqual([[1]]);
    expect(await listTables()).toEqual(['sales']);
  });

  it('may be a view, which keeps its security and its check option', async () => {
    await run('CREATE TABLE base AS SELECT 1 AS id');
    const replaceView = (sql: string) => connection.publishing.replaceView(target, sql, never);
    const read = () =>
      run(
        `SELECT security_type, check_option FROM information_schema.views WHERE table_schema = '${DATABASE}'`,
      );
    await replaceView('SELECT id FROM base');
    expect(await read()).toEqual([['DEFINER', 'NONE']]);
    await run(
      'ALTER SQL SECURITY INVOKER VIEW sales AS SELECT id FROM base WHERE id > 0 WITH LOCAL CHECK OPTION',
    );
    await replaceView('SELECT id FROM base WHERE id < 9 -- all');
    expect(await read()).toEqual([['INVOKER', 'LOCAL']]);
    const { message } = await readError(replaceView('SELECT 1 AS id'));
    expect(message).toContain('CHECK OPTION');
    expect(await run('SELECT * FROM sales')).toEqual([[1]]);
    expect(await read()).toEqual([['INVOKER', 'LOCAL']]);
  });

  it('accepts strings in a column that started with NULLs, and NULLs in one that started with strings', async () => {
    await run(
      "CREATE TABLE kinds (kind ENUM('a', 'b') NOT NULL, at TIMESTAMP NOT NULL, s VARCHAR(9) COLLATE utf8mb4_bin NOT NULL)",
    );
    await run("INSERT INTO kinds VALUES ('a', '2024-01-02 03:04:05', 's')");
    await replace("SELECT 1 AS id, NULL AS note, '' AS other, kinds.* FROM kinds");
    const nulls = 'NULL AS kind, NULL AS at, NULL AS s';
    await connection.publishing.append(
      target,
      `SELECT 2 AS id, 'é💛' AS note, 'b' AS other, ${nulls}`,
      {},
      never,
    );
    expect(await run('SELECT id, note, other, kind FROM sales ORDER BY id')).toEqual([
      [1, null, '', 'a'],
      [2, 'é💛', 'b', null],
    ]);
    const types = (await run('DESCRIBE sales')).slice(3).map(([, type, isNull]) => [type, isNull]);
    expect(types).toEqual([
      ["enum('a','b')", 'YES'],
      ['timestamp', 'YES'],
      ['varchar(9)', 'YES'],
    ]);
    expect(await run("SELECT COUNT(*) FROM sales WHERE s = 'S'")).toEqual([[0n]]);
  });

  it('is not confused with a temporary table of the same name', async () => {
    await replace('SELECT 1 AS id');
    await run('CREATE TEMPORARY TABLE sales AS SELECT 7 AS id');
    for (const publish of [replace('SELECT 2 AS id'), merge('SELECT 2 AS id')]) {
      expect((await readError(publish)).message).toContain('temporary table `sales` hides');
    }
    await run('DROP TABLE sales');
    expect(await run('SELECT * FROM sales')).toEqual([[1]]);
  });

  it('is found by its exact name', async () => {
    await replace('SELECT 1 AS id');
    expect(await connection.publishing.find({ ...target, name: 'Sales' }, never)).toBe(null);
    expect(await connection.publishing.hasSchema({ ...target, schema: DATABASE.toUpperCase() }, never)).toBe(
      false,
    );
  });
});

describe.skipIf(server === null)('a table of MariaDB that receives new rows', () => {
  it('compares the bytes of keys, also if its collation finds them equal', async () => {
    await run(
      'CREATE TABLE sales (id VARCHAR(20) COLLATE latin1_german1_ci, s TEXT COLLATE latin1_german1_ci, n INT)',
    );
    await run("INSERT INTO sales VALUES ('a', 'x', 1), ('b', 'y', 1)");
    await merge("SELECT CONCAT('A', '') AS ID, CONCAT('X', '') AS s, 2 AS n UNION ALL SELECT 'B', 'y', 2", [
      's',
    ]);
    expect(await run('SELECT * FROM sales ORDER BY BINARY id')).toEqual([
      ['A', 'X', 2],
      ['B', 'y', 2],
      ['a', 'x', 1],
      ['b', 'y', 1],
    ]);
  });

  it('merges by long strings, decimals and times', async () => {
    const text = (n: string) => `CONCAT(REPEAT('x', 300), ${n})`;
    const rows = (from: number, to: number, factor: string) =>
      `SELECT ${text('seq')} AS t, seq / 4 AS d, DATE '2024-01-01' + INTERVAL seq DAY AS at, seq * ${factor} AS n FROM seq_${from}_to_${to}`;
    await replace(rows(1, 3000, '1.50'));
    await merge(rows(2001, 4000, '2'), null, ['t', 'd', 'at']);
    expect(await run('SELECT COUNT(*), COUNT(DISTINCT t), CAST(SUM(n) AS CHAR) FROM sales')).toEqual([
      [4000n, 4000n, `${(1.5 * 2000 * 2001) / 2 + 2 * ((4000 * 4001) / 2 - (2000 * 2001) / 2)}.00`],
    ]);
  });

  it('keeps no rows of a failed merge, and the error has a position', async () => {
    await replace('SELECT 1 AS id, 10 AS n');
    await run('ALTER TABLE sales ADD CHECK (n < 50)');
    expect((await readError(merge('SELECT 1 AS id, 20 AS n UNION ALL SELECT 2, 99'))).code).toBe('sql');
    const text = 'SELECT 1 AS id, nothing';
    expect(await readError(merge(text))).toMatchObject({ code: 'sql', offset: text.indexOf('nothing') });
    expect((await readError(merge('SELECT 1 AS id, 2 AS other'))).message).toContain('other');
    expect(await run('SELECT * FROM sales')).toEqual([[1, 10]]);
    expect(await connection.relations.listTemporary(never)).toEqual([]);
  });

  it('receives them in the transaction of the user', async () => {
    await replace('SELECT 1 AS id, 10 AS n');
    await run('BEGIN');
    await merge('SELECT 1 AS id, 11 AS n UNION ALL SELECT 2, 20');
    await connection.publishing.append(target, 'SELECT 3 AS id, NULL AS n', {}, never);
    expect(await run('SELECT * FROM sales ORDER BY id')).toEqual([
      [1, 11],
      [2, 20],
      [3, null],
    ]);
    await run('ROLLBACK');
    expect(await run('SELECT * FROM sales')).toEqual([[1, 10]]);
  });
});
