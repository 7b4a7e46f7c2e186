import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { mysqlDriver } from '../../../../src/engine/connection/mysql/driver.ts';
import { never, query, readError, readRows } from '../results.ts';

const server = inject('mariadb');
const open: Connection[] = [];

afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

async function connect(): Promise<Connection> {
  const spec = { name: 'test', kind: 'mysql', options: server!, overrides: {} } as const;
  const connection = await mysqlDriver.connect(spec, never);
  open.push(connection);
  return connection;
}

/** A session with an empty table; `count` returns the number of rows that others see in it. */
async function prepare(rows = 0) {
  const [own, other] = [await connect(), await connect()];
  const table = `refused_${Math.random().toString(36).slice(2)}`;
  await query(own, `CREATE TABLE ${table} (i INT) ENGINE = InnoDB`);
  if (rows > 0) await query(own, `INSERT INTO ${table} SELECT seq FROM seq_1_to_${rows}`);
  const count = async () => Number((await query(other, `SELECT COUNT(*) FROM ${table}`))[0]![0]);
  const drop = () => query(other, `DROP TABLE ${table}`);
  return { own, table, count, drop };
}

/** JSON of invalid UTF-8 in the row whose `i` is `at`. */
const bad = (at: number) => `JSON_OBJECT('a', IF(i = ${at}, X'E4', 'a')) AS x`;
const insert = (table: string, columns: string) =>
  `INSERT INTO ${table} SELECT seq FROM seq_1_to_10000 RETURNING ${columns}`;

async function readAutocommit(connection: Connection): Promise<number> {
  return Number((await query(connection, 'SELECT @@autocommit'))[0]![0]);
}

describe.skipIf(server === null)('a statement on MariaDB whose rows are refused', () => {
  it.each([
    ['in the first row', 1],
    ['in the last row', 10_000],
  ])('changes nothing: an unreadable value %s', async (_, at) => {
    const { own, table, count, drop } = await prepare();
    expect((await readError(query(own, insert(table, bad(at))))).message).toMatch(/cast/i);
    expect(await count()).toBe(0);
    expect(await query(own, `INSERT INTO ${table} VALUES (1), (2), (3)`)).toEqual([]);
    for (const verb of ['DELETE FROM', 'SET STATEMENT max_statement_time = 60 FOR delete /* all */ from']) {
      await readError(query(own, `${verb} ${table} RETURNING ${bad(2)}`));
      expect(await count()).toBe(3);
    }
    await readError(query(own, `REPLACE INTO ${table} VALUES (4), (2) RETURNING ${bad(2)}`));
    expect(await count()).toBe(3);
    // The session continues, and its later changes are kept.
    expect(await query(own, `INSERT INTO ${table} VALUES (4) RETURNING i`)).toEqual([[4]]);
    expect(await query(own, `DELETE FROM ${table} WHERE i = 9 RETURNING i`)).toEqual([]);
    expect(await count()).toBe(4);
    expect(await readAutocommit(own)).toBe(1);
    await drop();
  });

  it('changes nothing when its rows are not read to the end, and everything when they are', async () => {
    const { own, table, count, drop } = await prepare();
    const long = insert(table, "i, REPEAT('x', 1000)");
    const result = await own.run(long, never);
    if (result.kind === 'rows') for await (const _ of result.chunks) break;
    expect(await count()).toBe(0);
    await own.run(long, never);
    expect(await query(own, 'SELECT 1')).toEqual([[1]]);
    expect(await count()).toBe(0);
    const { rows } = await readRows(await own.run(long, never));
    expect(rows.length).toBe(10_000);
    expect(await count()).toBe(10_000);
    expect(await readAutocommit(own)).toBe(1);
    await drop();
  });

  it('changes nothing when it is cancelled between its rows, or fails', async () => {
    const { own, table, count, drop } = await prepare(5);
    const stop = new AbortController();
    const result = await own.run(insert(table, "i, REPEAT('x', 1000)"), stop.signal);
    const reading = (async () => {
      if (result.kind === 'rows') for await (const _ of result.chunks) stop.abort();
    })();
    expect((await readError(reading)).code).toBe('cancelled');
    expect(await count()).toBe(5);
    const failing = `INSERT INTO ${table} VALUES (6), (EXP(710)) RETURNING i`;
    expect((await readError(query(own, failing))).code).toBe('sql');
    expect(await count()).toBe(5);
    expect(await readAutocommit(own)).toBe(1);
    await drop();
  });

  it.each([
    ['that begins with BEGIN', 'BEGIN', 1],
    ['of a session without autocommit', 'SET autocommit = 0', 0],
  ])('leaves an open transaction unchanged: one %s', async (_, begin, autocommit) => {
    const { own, table, count, drop } = await prepare();
    await query(own, begin);
    await readError(query(own, insert(table, bad(1))));
    await query(own, `INSERT INTO ${table} VALUES (1) RETURNING i`);
    await readError(query(own, insert(table, bad(9))));
    await query(own, `INSERT INTO ${table} VALUES (2)`);
    expect(await query(own, `SELECT COUNT(*) = 2 FROM ${table}`)).toEqual([[1]]);
    expect(await count()).toBe(0);
    await query(own, 'COMMIT');
    expect(await count()).toBe(2);
    await query(own, begin);
    expect(await query(own, `DELETE FROM ${table} RETURNING i`)).toHaveLength(2);
    await query(own, 'ROLLBACK');
    expect(await count()).toBe(2);
    expect(await readAutocommit(own)).toBe(autocommit);
    await drop();
  });

  it('does not change locked tables, isolation levels and chained transactions', async () => {
    const { own, table, count, drop } = await prepare();
    await query(own, `LOCK TABLES ${table} WRITE`);
    await query(own, `INSERT INTO ${table} VALUES (1) RETURNING i`);
    const other = await connect();
    await query(other, 'SET lock_wait_timeout = 1');
    expect((await readError(query(other, `INSERT INTO ${table} VALUES (2)`))).message).toMatch(/lock wait/i);
    await query(own, 'UNLOCK TABLES');
    await query(own, 'SET completion_type = 1');
    await query(own, `INSERT INTO ${table} VALUES (2) RETURNING i`);
    await query(own, `INSERT INTO ${table} VALUES (3)`);
    expect(await count()).toBe(3);
    await query(own, 'CREATE TABLE IF NOT EXISTS keyed (k INT AUTO_INCREMENT PRIMARY KEY)');
    await query(own, 'INSERT INTO keyed VALUES (NULL) RETURNING k');
    const [[last] = []] = await query(own, 'SELECT LAST_INSERT_ID()');
    expect(Number(last)).toBeGreaterThan(0);
    await query(own, 'DROP TABLE keyed');
    await drop();
  });
});
