import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { mysqlDriver } from '../../../../src/engine/connection/mysql/driver.ts';
import { never, query, readError } from '../results.ts';

const server = inject('mariadb');
const DATABASE = 'relations of others';

let connection: Connection;
let run: (sql: string) => ReturnType<typeof query>;

async function connect(): Promise<Connection> {
  const spec = { name: 'test', kind: 'mysql', options: { ...server! }, overrides: {} } as const;
  return mysqlDriver.connect(spec, never);
}

async function list(): Promise<readonly string[]> {
  const objects = await connection.relations.listTemporary(never);
  return objects.map(({ type, name }) => `${type} ${name}`).sort();
}

/** A separate database for this test. */
beforeEach(async () => {
  if (server === null) return;
  connection = await connect();
  run = (sql) => query(connection, sql);
  await run(`CREATE OR REPLACE DATABASE \`${DATABASE}\``);
  await run(`USE \`${DATABASE}\``);
});

afterEach(() => connection?.close());

describe.skipIf(server === null)('a query of MariaDB', () => {
  beforeEach(async () => {
    await run("CREATE TABLE people AS SELECT seq AS id, CONCAT('p', seq) AS name FROM seq_1_to_3");
    await run('CREATE VIEW adults AS SELECT * FROM people WHERE id > 1');
    await run('CREATE VIEW counted AS SELECT name, COUNT(*) AS n FROM people GROUP BY name');
    await run('CREATE VIEW rolled AS SELECT RAND() AS x');
    await run('CREATE VIEW `Again and again` AS SELECT * FROM rolled');
    await run('CREATE VIEW loosely AS SELECT name, COUNT(*) AS n FROM people');
    await run(`CREATE FUNCTION \`${DATABASE}\`.lower(x TEXT) RETURNS TEXT RETURN RAND()`);
    await run('CREATE FUNCTION dice() RETURNS DOUBLE DETERMINISTIC RETURN RAND()');
    await run('CREATE SEQUENCE numbers');
  });

  it.each([
    ['of a table', 'SELECT * FROM people # all of them'],
    ['with functions of the server', "SELECT CONCAT(UPPER(name), LPAD(id, 3, '0')) AS x FROM people"],
    ['with the current time', 'SELECT NOW() AS x, CURRENT_DATE AS y, UTC_TIMESTAMP(3) AS z FROM people'],
    ['with groups', 'SELECT id % 2 AS x, MAX(name) FROM people GROUP BY id % 2'],
    ['of a view', 'SELECT * FROM adults'],
    ['of a view of another database', `SELECT * FROM \`${DATABASE}\`.adults`],
    ['of a view with GROUP BY', 'SELECT * FROM counted'],
    ['of values', 'VALUES (1), (2)'],
    [
      'with a subquery',
      'SELECT * FROM people WHERE id IN (SELECT id FROM adults) AND (id > 1 OR NOT (id = 2))',
    ],
    ['of NULLs', 'SELECT NULL AS x, IF(1, \'RAND()\', "UUID()") AS y'],
    ['of a common table expression', 'WITH a AS (SELECT 1 AS x) SELECT * FROM a, a AS b'],
    [
      'with casts',
      'SELECT CAST(id AS CHAR(3)), CONVERT(name USING latin1), CAST(id AS DATETIME(3)) FROM people',
    ],
  ])('is repeatable if its result is always the same: %s', async (_, sql) => {
    expect(await connection.relations.isRepeatable(sql, never)).toBe(true);
  });

  it.each([
    ['chance', 'SELECT RAND() AS x FROM people'],
    ['new ids', 'SELECT UUID() AS x'],
    ['the time between two keywords', 'SELECT SYSDATE() AS x'],
    ['the next number of a sequence', 'SELECT NEXT VALUE FOR numbers AS x'],
    ['a variable', 'SELECT @x AS x'],
    ['a variable that is incremented', 'SELECT @x := @x + 1 AS x FROM people'],
    ['a limited number of rows', 'SELECT * FROM people LIMIT 1'],
    ['a window', 'SELECT ROW_NUMBER() OVER () AS x FROM people'],
    ['rows in an undefined order', 'SELECT GROUP_CONCAT(name) AS x FROM people'],
    ['columns of an arbitrary row', 'SELECT name, COUNT(*) AS n FROM people'],
    ['columns of an arbitrary row of each group', 'SELECT name, id % 2 AS n FROM people GROUP BY id % 2'],
    ['a function of the user', 'SELECT dice() AS x'],
    ["a user's function with the name of a built-in one", `SELECT \`${DATABASE}\`.lower('a') AS x`],
    ['a view with a random function', 'SELECT * FROM rolled'],
    ['a view of a view with a random function', 'SELECT * FROM people JOIN `Again and again`'],
    ['a view with columns of an arbitrary row', 'SELECT * FROM loosely'],
    ['a lock', 'SELECT * FROM people FOR UPDATE'],
    ['a file', "SELECT LOAD_FILE('/etc/passwd') AS x"],
  ])('is not repeatable in these cases: %s', async (_, sql) => {
    expect(await connection.relations.isRepeatable(sql, never)).toBe(false);
  });
});

describe.skipIf(server === null)('a relation of MariaDB', () => {
  it('returns columns without a type as strings, in their positions', async () => {
    const sql =
      "SELECT NULL AS a, 1 AS b, CAST(NULL AS DATE) AS c, NULL AS `d ``e```, '' AS f FROM DUAL WHERE 1 = 0";
    await connection.relations.createTable('quern_1', sql, never);
    const columns = (await run('DESCRIBE quern_1')).map(([name, type]) => `${name} ${type}`);
    expect(columns).toEqual(['a text', 'b int(1)', 'c date', 'd `e` text', 'f text']);
    await run("INSERT INTO quern_1 (a, b, f) VALUES ('é', 1, 'long enough')");
    expect(await run('SELECT a, f FROM quern_1')).toEqual([['é', 'long enough']]);
  });

  it('reports the position of an error in its query, also when a column may be NULL', async () => {
    const sql = 'SELECT NULL AS x,\n nothing FROM DUAL';
    const error = await readError(connection.relations.createTable('quern_1', sql, never));
    expect(error).toMatchObject({ code: 'sql', offset: sql.indexOf('nothing') });
    expect(await list()).toEqual([]);
  });

  it('may be read several times by one statement', async () => {
    await connection.relations.createTable('quern_1', 'SELECT RAND() AS r FROM seq_1_to_3', never);
    expect(
      await run(
        'SELECT COUNT(*) FROM quern_1 a JOIN quern_1 b ON a.r = b.r WHERE a.r IN (SELECT r FROM quern_1)',
      ),
    ).toEqual([[3n]]);
  });

  it('is listed until it is dropped, by any statement and from any current database', async () => {
    await run('CREATE TABLE lasting AS SELECT 5 AS x');
    await run('CREATE /* of mine */ TEMPORARY TABLE IF NOT EXISTS lasting AS SELECT 6 AS x');
    await run(`create temporary table \`${DATABASE}\`.\`my table\` (x int)`);
    await connection.relations.createTable('quern_1', 'SELECT 1 AS x', never);
    expect(await list()).toEqual(['table lasting', 'table my table', 'table quern_1']);
    await run('DROP TABLE `my table`');
    await run('USE test');
    expect(await list()).toEqual(['table lasting', 'table quern_1']);
    await connection.relations.dropTemporary(await connection.relations.listTemporary(never), never);
    expect(await list()).toEqual([]);
    expect(await run(`SELECT * FROM \`${DATABASE}\`.lasting`)).toEqual([[5]]);
  });

  it('remains when a transaction is open, and the transaction continues', async () => {
    await run('CREATE TABLE kept (x INT)');
    await run('BEGIN');
    await run('INSERT INTO kept VALUES (1)');
    await connection.relations.createTable('quern_1', 'SELECT NULL AS n, x FROM kept', never);
    expect(await run('SELECT x FROM quern_1')).toEqual([[1]]);
    await connection.relations.dropTemporary([{ type: 'table', name: 'quern_1' }], never);
    await run('ROLLBACK');
    expect(await run('SELECT * FROM kept')).toEqual([]);
  });
});
