import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { toDatabaseError } from '../../../../src/engine/connection/duckdb/instance/errors.ts';
import type { Chunk } from '../../../../src/engine/result/columns/column.ts';
import { makeFolder } from '../../../support/quern.ts';
import { waitUntil } from '../../../support/waiting.ts';
import { never, query, readChunk, readError, readRows } from '../results.ts';

const driver = await loadDriver('duckdb');
const SPEC = { name: 'test', kind: 'duckdb', options: { file: ':memory:' }, overrides: {} } as const;
let connection: Connection;

beforeAll(async () => {
  connection = await driver.connect(SPEC, never);
  await query(connection, 'CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR)');
  await query(connection, "INSERT INTO t VALUES (1, 'x')");
});
afterAll(() => connection.close());

describe('errors', () => {
  it.each([
    ['SELEC 1', 'Parser Error: syntax error at or near "SELEC"', 0],
    ['SELECT (1', 'Parser Error: syntax error at end of input', 9],
    ["SELECT '𝄞é' FROM nowhere", 'Catalog Error: Table with name nowhere does not exist!', 18],
    ['/* é */ -- é\n SELECT nope', 'Binder Error: Referenced column "nope" was not found', 21],
    ["SELECT 'abc'::INTEGER", "Conversion Error: Could not convert string 'abc' to INT32", 12],
    ["INSERT INTO t VALUES (1, 'y')", 'Constraint Error: Duplicate key "a: 1"', undefined],
    ['PRAGMA nothing', 'Catalog Error: Pragma Function with name nothing', undefined],
    ["SELECT error('boom')", 'Invalid Input Error: boom', undefined],
    ['COMMIT', 'TransactionContext Error: cannot commit', undefined],
    ['PIVOT t ON nope USING sum(a)', 'Binder Error: Referenced column "nope" not found', 11],
    ['CREATE TABLE n AS SELECT nope', 'Binder Error: Referenced column "nope" was not found', 25],
    ["CREATE TABLE n AS SELECT 'é;', nope", 'Binder Error: Referenced column "nope" was not found', 31],
    [
      "CREATE TABLE n AS SELECT 'abc'::INTEGER",
      "Conversion Error: Could not convert string 'abc' to INT32",
      30,
    ],
    ['CREATE TABLE n AS SELECT $1', 'The statement has parameters without a value: $1', undefined],
    ['CREATE TABLE n AS SELECT ?', 'The statement has parameters without a value: $1', undefined],
    ['SELECT ?', 'The statement has parameters without a value: $1', undefined],
    ['CREATE TABLE t (a INTEGER)', 'Catalog Error: Table with name "t" already exists!', undefined],
    ['FROM t; SELECT nope', 'Binder Error: Referenced column "nope" was not found', 15],
    [
      'WITH x AS (INSERT INTO t VALUES (1) RETURNING *) FROM x',
      'Parser Error: A CTE needs a SELECT',
      undefined,
    ],
  ])('%s', async (sql, message, offset) => {
    const error = await readError(query(connection, sql));
    expect(error.message.slice(0, message.length)).toBe(message);
    expect([error.code, error.offset]).toEqual(['sql', offset]);
    expect(error.message).not.toMatch(/LINE \d|[{}]/);
  });

  it('keep the suggestion of the database', async () => {
    const { message } = await readError(query(connection, 'SELECT bb FROM t'));
    expect(message).toContain('Candidate bindings: "b"');
  });

  it('have no offset when they are in the text of a view', async () => {
    await query(connection, 'CREATE TABLE base (xyzzy INTEGER, b VARCHAR)');
    await query(connection, 'CREATE VIEW v AS SELECT xyzzy FROM base');
    await query(connection, 'ALTER TABLE base RENAME xyzzy TO z');
    const error = await readError(query(connection, `SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9 FROM v`));
    expect(error.message).toContain('"xyzzy"');
    expect(error.offset).toBeUndefined();
  });

  it('are the same when the script has disabled error details', async () => {
    await query(connection, 'SET errors_as_json = false');
    const error = await readError(query(connection, 'SELECT nope FROM t'));
    await query(connection, 'SET errors_as_json = true');
    expect(error.message).toMatch(/^Binder Error: Referenced column "nope" not found.*\n.*"a"$/);
  });

  it.each([
    '{"exception_type":"IO","exception_message":"Could not write file \\"/d\\": No space left on device","errno":"28"}',
    'TransactionContext Error: Failed to commit: Could not write file "/d.wal": No space left on device',
    '{"exception_type":"IO","exception_message":"Could not write file \\"/d\\": Disk quota exceeded"}',
  ])('of a full disk have their own code: %s', (text) => {
    const { code, message } = toDatabaseError(new Error(text), 'INSERT INTO t VALUES (1)');
    expect(code).toBe('full');
    expect(message).toMatch(/^\w+ Error: .*(left on device|exceeded)$/);
  });

  it.each([
    ['SELECT $1, ?2', '$1, $2'],
    ['SELECT $color', '$color'],
  ])('name parameters without a value: %s', async (sql, names) => {
    expect((await readError(query(connection, sql))).message).toBe(
      `The statement has parameters without a value: ${names}.`,
    );
  });

  it('refuse a NUL character, at which the engine would stop reading', async () => {
    expect(await readError(query(connection, 'SELECT 1 \0; DROP TABLE t'))).toMatchObject({
      code: 'sql',
      offset: 9,
    });
  });

  it('name a column whose type cannot be read', async () => {
    const error = await readError(query(connection, 'SELECT sum(a) EXPORT_STATE AS x FROM t'));
    expect(error.message).toBe('The column "x" is of a type that cannot be read; cast it to another one.');
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
  });
});

describe('a text', () => {
  it.each([
    ['', []],
    ['-- nothing', []],
    ['/* é */ SELECT 42 -- é', [[42]]],
    ['SELECT 42;', [[42]]],
    [';;SELECT 42;;', [[42]]],
    ['SELECT 1; SELECT 42', [[42]]],
    ["SELECT 'pivot' AS a", [['pivot']]],
    ['PIVOT (SELECT 1 AS a, 42 AS b) ON a USING sum(b)', [[42n]]],
  ])('%s', async (sql, rows) => {
    expect(await query(connection, sql)).toEqual(rows);
  });

  it('creates a table, also if the database makes several statements of it', async () => {
    const created = await connection.run("CREATE TABLE plain AS SELECT 'a; b' AS a FROM range(3)", never);
    expect(created).toMatchObject({ kind: 'done', rowsStored: 3 });
    await query(connection, 'CREATE TABLE wide AS PIVOT (SELECT 1 AS a, 42 AS b) ON a USING sum(b)');
    expect(await query(connection, 'FROM wide')).toEqual([[42n]]);
  });

  it('creates nothing when it is cancelled while it runs', async () => {
    const spec = { ...SPEC, options: { file: path.join(makeFolder(), 'cancelled.duckdb') } };
    const [session, other] = [await driver.connect(spec, never), await driver.connect(spec, never)];
    await query(session, 'CREATE SEQUENCE endless');
    const stop = new AbortController();
    const sql = "CREATE TABLE n AS SELECT nextval('endless') FROM range(1000000000000)";
    const failure = readError(session.run(sql, stop.signal));
    const last = 'SELECT last_value FROM duckdb_sequences()';
    await waitUntil(async () => Number((await query(other, last))[0]![0]) > 1_000);
    stop.abort();
    expect((await failure).code).toBe('cancelled');
    const missing = await readError(query(session, 'FROM n'));
    expect(missing.message).toContain('Table with name n does not exist');
    await Promise.all([session.close(), other.close()]);
  });

  it('reads rows within a transaction, also after statements without rows', async () => {
    const spec = { name: 'test', kind: 'duckdb', options: { file: ':memory:' }, overrides: {} } as const;
    const own = await driver.connect(spec, never);
    await query(own, 'BEGIN');
    await query(own, 'CREATE TABLE t AS SELECT 42 AS a');
    expect(await query(own, 'FROM t')).toEqual([[42]]);
    await query(own, 'ROLLBACK');
    const error = await readError(query(own, 'FROM t'));
    expect(error.message).toContain('Table with name t does not exist');
    await query(own, 'BEGIN');
    await readError(query(own, "SELECT error('boom')"));
    const aborted = await readError(query(own, 'FROM range(3)'));
    expect(aborted.message).toContain('Current transaction is aborted');
    await query(own, 'ROLLBACK');
    expect(await query(own, 'SELECT count(*)::INTEGER FROM range(3)')).toEqual([[3]]);
    await own.close();
  });
});

describe('late errors', () => {
  const late = "SELECT CASE WHEN i = 1500000 THEN error('boom') ELSE i END FROM range(2000000) t(i)";

  it('have the offset of the statement', async () => {
    const sql =
      "SELECT\n 'é', (i || CASE WHEN i = 1500000 THEN 'x' ELSE '' END)::BIGINT FROM range(2000000) t(i)";
    const error = await readError(readRows(await connection.run(sql, never)));
    expect(error).toMatchObject({
      code: 'late',
      message: "Conversion Error: Could not convert string '1500000x' to INT64",
      offset: sql.indexOf('::BIGINT'),
    });
  });

  it('have no cause in a transaction, which they end', async () => {
    await query(connection, 'BEGIN');
    const error = await readError(readRows(await connection.run(late, never)));
    await query(connection, 'ROLLBACK');
    expect(error).toMatchObject({ code: 'late', message: expect.stringContaining('gave no reason') });
  });

  it('have no cause when a second run succeeds', async () => {
    await query(connection, 'CREATE SEQUENCE s');
    const once =
      "SELECT CASE WHEN nextval('s') = 1500000 THEN error('boom') ELSE i END FROM range(2000000) t(i)";
    const error = await readError(readRows(await connection.run(once, never)));
    expect(error).toMatchObject({ code: 'late', message: expect.stringContaining('gave no reason') });
  });

  it('can be cancelled during the search for the cause', async () => {
    const spec = { ...SPEC, options: { file: path.join(makeFolder(), 'late.duckdb') } };
    const [session, other] = [await driver.connect(spec, never), await driver.connect(spec, never)];
    await query(session, 'CREATE SEQUENCE endless');
    const sql =
      "SELECT CASE WHEN nextval('endless') = 1500000 THEN error('boom') ELSE i END FROM range(1000000000000) t(i)";
    const stop = new AbortController();
    const failure = readError(session.run(sql, stop.signal).then(readRows));
    const last = 'SELECT last_value FROM duckdb_sequences()';
    await waitUntil(async () => Number((await query(other, last))[0]![0]) > 2_000_000);
    stop.abort();
    expect((await failure).code).toBe('cancelled');
    expect(await query(session, 'SELECT 1')).toEqual([[1]]);
    await Promise.all([session.close(), other.close()]);
  });
});

describe('a statement that prints outside the result', () => {
  it.each([
    'PRAGMA enable_profiling',
    "PRAGMA enable_profiling = 'json'",
    "SET enable_profiling = 'query_tree'",
    'SET SESSION "enable_profiling" = \'json\'',
    '/* now */ pragma Enable_Profile',
    "SET profiling_mode = 'detailed'",
    "SET custom_profiling_settings = '{}'",
    'SET enable_progress_bar = true',
    'PRAGMA enable_progress_bar',
    'PRAGMA enable_print_progress_bar',
    'SET enable_progress_bar_print = true',
    "CALL enable_logging(storage = 'stdout')",
    'FROM enable_profiling()',
    "SET logging_storage = 'stdout'",
  ])('is refused: %s', async (sql) => {
    const error = await readError(query(connection, sql));
    expect([error.code, error.message]).toEqual(['sql', expect.stringContaining('print past its result')]);
    expect(error.offset).toBeGreaterThan(0);
  });

  it.each([
    ["SELECT 'PRAGMA enable_profiling', 'enable_logging('", 1],
    ['SELECT 1 AS enable_profiling', 1],
    ['RESET enable_profiling', 0],
    ["SELECT current_setting('enable_profiling')", 1],
    ['EXPLAIN ANALYZE SELECT 1 -- PRAGMA enable_profiling', 1],
  ])('is allowed: %s', async (sql, rows) => {
    expect((await query(connection, sql)).length).toBe(rows);
  });
});

describe('chunks', () => {
  it('of long strings are delivered in pieces', async () => {
    const sql =
      "SELECT i, repeat(chr(65 + (i % 26)::INTEGER), 1000000 + i) AS s, i % 3 = 0 AS b, CASE WHEN i % 3 = 0 THEN NULL ELSE 'x' || i END AS n FROM range(100) t(i)";
    const result = await connection.run(sql, never);
    if (result.kind !== 'rows') throw new Error('no result set');
    let row = 0;
    for await (const chunk of result.chunks) {
      expect(chunk.rows).toBeLessThan(40);
      for (const [i, s, b, n] of readChunk(result.columns, chunk)) {
        const text = String(s);
        expect([i, text.length, text[0], text.at(-1), b, n]).toEqual([
          BigInt(row),
          1_000_000 + row,
          String.fromCharCode(65 + (row % 26)),
          String.fromCharCode(65 + (row % 26)),
          row % 3 === 0,
          row % 3 === 0 ? null : `x${row}`,
        ]);
        row += 1;
      }
    }
    expect(row).toBe(100);
  });

  it('are delivered one by one, while the statement still searches for more rows', async () => {
    const sql = 'SELECT i FROM range(1000000000000000) t(i) WHERE i < 4096';
    const result = await connection.run(sql, never);
    if (result.kind !== 'rows') throw new Error('no result set');
    const rows: unknown[] = [];
    for await (const chunk of result.chunks) {
      rows.push(...readChunk(result.columns, chunk).flat());
      if (rows.length >= 2048) break;
    }
    expect(rows).toEqual(Array.from({ length: 2048 }, (_, i) => BigInt(i)));
  });

  it('decode a column once, when a reader requests it', async () => {
    const result = await connection.run("SELECT 1, 'a'", never);
    if (result.kind !== 'rows') throw new Error('no result set');
    for await (const chunk of result.chunks) expect(chunk.vector(1)).toBe(chunk.vector(1));
  });

  it('can be read after their session has ended', async () => {
    const spec = { name: 'test', kind: 'duckdb', options: { file: ':memory:' }, overrides: {} } as const;
    const other = await driver.connect(spec, never);
    const result = await other.run("SELECT [i], 'a text that is not short ' || i FROM range(3) t(i)", never);
    if (result.kind !== 'rows') throw new Error('no result set');
    const chunks: Chunk[] = [];
    for await (const chunk of result.chunks) chunks.push(chunk);
    await other.close();
    expect(chunks.flatMap((chunk) => readChunk(result.columns, chunk))).toEqual(
      [0, 1, 2].map((i) => [[BigInt(i)], `a text that is not short ${i}`]),
    );
  });

  it('contain every row once, with NULL where it is NULL', async () => {
    const sql = `SELECT i, CASE WHEN i % 7 = 0 THEN NULL ELSE i END AS n, CASE WHEN i % 5 = 0 THEN NULL ELSE [i, NULL] END AS l,
      CASE WHEN i % 3 = 0 THEN NULL ELSE {'k': 'value number ' || i} END AS s FROM range(10000) t(i)`;
    const { rows } = await readRows(await connection.run(sql, never));
    const expected = Array.from({ length: 10_000 }, (_, i) => [
      BigInt(i),
      i % 7 === 0 ? null : BigInt(i),
      i % 5 === 0 ? null : [BigInt(i), null],
      i % 3 === 0 ? null : [`value number ${i}`],
    ]);
    expect(rows).toEqual(expected);
  });
});
