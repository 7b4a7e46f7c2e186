import { describe, expect, inject, it } from 'vitest';
import type { DamageName } from '../../../../src/engine/run/outcome/can-fail-report.ts';
import { listUnnoticed } from '../../../../src/engine/run/outcome/can-fail-report.ts';
import { openWith, tryScript } from './try-tests.ts';

const toTest = (sql: string, meta = '') => `#+test sql Try()\n${meta}#+begin ${sql} #+end\n`;
const toBlock = (sql: string, head = 'Items()') => `#+src sql ${head}\n#+begin ${sql} #+end\n`;
const print = ({ column, damage }: DamageName) => `${column ?? 'rows'} ${damage}`;
const NUMBERS = toBlock('SELECT * FROM numbers');

async function tryOne(statements: readonly string[], script: string, limits = {}) {
  const session = await openWith('duckdb', statements);
  const [tried] = await tryScript(session, 'duckdb', script, limits);
  expect(await session.listTemporary()).toEqual([]);
  return tried!;
}

describe('damaged copies', () => {
  it('have the first rows by all columns', async () => {
    const numbers = 'CREATE TABLE numbers AS SELECT 10 - i // 2 AS a, -i AS b FROM range(20) AS r(i)';
    const script = `${NUMBERS}${toTest('SELECT 1 FROM (SELECT sum(a) AS a, sum(b) AS b, count(*) AS n FROM {{ Items() }}) WHERE n = 3 AND NOT (a = 4 AND b = -54)')}`;
    const tried = await tryOne([numbers], script, { maxRows: 3 });
    expect(tried).toMatchObject({ status: 'CAN_FAIL', message: null });
    expect(tried.noticed.map(print)).toContain('a plus_one');
  });

  it('are not trusted where a test gives different results on the same rows', async () => {
    const body = `SELECT * FROM {{ Items() }} WHERE nextval('runs') > 20`;
    const statements = ['CREATE SEQUENCE runs', 'CREATE TABLE numbers AS SELECT 1 AS a, 2 AS b'];
    expect(await tryOne(statements, `${NUMBERS}${toTest(body)}`)).toMatchObject({
      status: 'NOT_TRIED',
      message: 'gives different results on the same rows',
    });
  });

  it('are damaged in every row if no damage of one row is noticed', async () => {
    const numbers = "CREATE TABLE numbers AS SELECT 1 AS id, 'EU' AS region UNION ALL SELECT 2, 'US'";
    const check = '#+meta { :checks [ { :not_null "id", :where "region = \'US\'" } ] }\n';
    const block = NUMBERS.replace('#+begin', `${check}#+begin`);
    const tried = await tryOne([numbers], block);
    expect(tried.noticed).toEqual([{ block: 'acme/main.Items', column: 'id', damage: 'null', rows: 'all' }]);
    expect(tried.status).toBe('CAN_FAIL');
  });

  it('count as noticed by a test that warns', async () => {
    const numbers = 'CREATE TABLE numbers AS SELECT i AS id FROM range(20) AS r(i)';
    const check = (severity: string) =>
      NUMBERS.replace('#+begin', `#+meta { :checks [ { :not_null "id", ${severity} } ] }\n#+begin`);
    for (const severity of [':severity "warn"', ':fail_above 5', ':fail_above "50 %"']) {
      const tried = await tryOne([numbers], check(severity));
      expect([severity, tried.noticed.map(print)]).toEqual([severity, ['id null']]);
    }
  });

  it('are made of each call with its arguments, of loops, and of what macros call', async () => {
    const blocks = `${toBlock('SELECT {{ n }} AS id', 'Items(n=1)')}#+macro Called() #+begin {{ Items(n=7) }} #+end\n`;
    const body = `#+for row : Items(n=5) do SELECT 1 AS x WHERE {{ row.id }} <> 5 UNION ALL #+end
SELECT 1 FROM {{ Items() }} WHERE id = 2 UNION ALL SELECT 1 FROM {{ Called() }} WHERE id = -7`;
    const tried = await tryOne([], `${blocks}${toTest(body)}`);
    expect(tried.noticed.map(print)).toEqual([
      'id null',
      'id plus_one',
      'id sign',
      'id unknown_value',
      'id plus_one',
      'id sign',
    ]);
  });

  it('have the whole budget of loops each time', async () => {
    // A million steps are the budget of one execution.
    const numbers = 'CREATE TABLE numbers AS SELECT i AS id FROM range(9000) AS r(i)';
    const loops = Array.from({ length: 10 }, () => '#+for row : Items() do #+end');
    const tried = await tryOne(
      [numbers],
      `${NUMBERS}${toTest(`${loops.join(' ')} SELECT * FROM {{ Items() }} WHERE id IS NULL`)}`,
    );
    expect([tried.message, tried.noticed.map(print)]).toEqual([null, ['id null']]);
  });

  it('have columns whose names need quotes, and values that a column cannot hold are listed', async () => {
    const numbers = `CREATE TABLE numbers AS SELECT 9223372036854775807 AS "the ""order""", 1 AS "Select", 'x' AS quern_row`;
    const tried = await tryOne(
      [numbers],
      `${NUMBERS}${toTest('SELECT * FROM {{ Items() }} WHERE "the ""order""" IS NULL OR "the ""order""" < 0 OR "Select" IS NULL OR quern_row IS NULL')}`,
    );
    expect(tried.noticed.map(print)).toEqual([
      'the "order" null',
      'the "order" sign',
      'Select null',
      'quern_row null',
    ]);
    expect(tried.not_tried.map((name) => [print(name), name.reason])).toEqual([
      ['the "order" plus_one', 'refused'],
      ['the "order" unknown_value', 'refused'],
    ]);
  });

  it('are made of every type', async () => {
    const values = `SELECT 1::HUGEINT AS h, 0.5::DOUBLE AS d, true AS b, TIMESTAMPTZ '2026-01-01 00:00:00+00' AS z, TIME '12:00' AS t,
      'a'::BLOB AS o, [1, 2] AS l, {'k': 1} AS s, MAP {'k': 1} AS m, '{}'::JSON AS j, uuid() AS u, 'a'::ENUM('a', 'b') AS e, NULL AS n, INTERVAL 1 DAY AS i`;
    const tried = await tryOne(
      [`CREATE TABLE numbers AS ${values} UNION ALL ${values.replaceAll('1', '2')}`],
      `${NUMBERS}${toTest('SELECT * FROM {{ Items() }} WHERE h IS NULL')}`,
    );
    expect(tried).toMatchObject({ status: 'CAN_FAIL', not_tried: [{ column: 'u', damage: 'ending' }] });
    const columns = Map.groupBy(tried.tried.map(print), (name) => name.split(' ')[0]!);
    const kinds = Object.fromEntries(
      [...columns].map(([name, all]) => [name, all.map((one) => one.split(' ')[1]).join(' ')]),
    );
    expect(kinds).toMatchInlineSnapshot(`
      {
        "b": "null",
        "d": "null plus_one sign unknown_value",
        "e": "null ending unknown_value",
        "h": "null plus_one sign unknown_value exchanged",
        "i": "null exchanged",
        "j": "null",
        "l": "null exchanged",
        "m": "null exchanged",
        "n": "unknown_value",
        "o": "null",
        "rows": "no_rows row_less row_twice",
        "s": "null exchanged",
        "t": "null exchanged",
        "u": "null unknown_value exchanged",
        "z": "null day unknown_value exchanged",
      }
    `);
  });

  it('are not made of rows that cannot be computed', async () => {
    const block = toBlock("SELECT 1 AS id, CAST(name AS INTEGER) AS n FROM (VALUES ('x')) AS t(name)");
    const tried = await tryOne([], `${block}${toTest('SELECT id FROM {{ Items() }} WHERE id > 1')}`);
    expect(tried.message).toMatch(/^the rows of the block `Items` cannot be copied: .*Could not convert/s);
  });

  it('are tried column by column until the time of a test ends', async () => {
    const columns = Array.from({ length: 300 }, (_, at) => `i + ${at} AS c${at}`);
    const numbers = `CREATE TABLE numbers AS SELECT ${columns.join(', ')} FROM range(1000) AS r(i)`;
    const script = `${NUMBERS}${toTest('SELECT c0 FROM {{ Items() }} WHERE c0 IS NULL')}`;
    const tried = await tryOne([numbers], script, { timeoutMs: 3000 });
    const all = [...tried.tried, ...tried.not_tried].map(print);
    expect(all).toHaveLength(3 + 300 * 5);
    expect(all.slice(0, 5)).toEqual([
      'rows no_rows',
      'rows row_less',
      'rows row_twice',
      'c0 null',
      'c0 plus_one',
    ]);
    expect(all.at(-1)).toBe('c299 exchanged');
    expect(new Set(tried.not_tried.map(({ reason }) => reason))).toEqual(new Set(['time']));
    const late = new Set(tried.not_tried.map(print));
    const unnoticed = listUnnoticed([tried]).flatMap(({ columns: names }) => names);
    expect(
      unnoticed.flatMap(({ column, damages }) => damages.map((damage) => `${column} ${damage}`)),
    ).not.toContain('c299 null');
    expect(late.has('c299 null')).toBe(true);
  });

  it('of several tests are unnoticed if none of them notices', async () => {
    const session = await openWith('duckdb', [
      'CREATE TABLE numbers AS SELECT 1 AS a, 2 AS b UNION ALL SELECT 2, 5',
    ]);
    const test = (name: string, sql: string) => toTest(sql).replace('Try', name);
    const script = `${NUMBERS}${test('A', 'SELECT * FROM {{ Items() }} WHERE a IS NULL')}${test('B', 'SELECT * FROM {{ Items() }} WHERE a < 0 OR b < 0')}`;
    expect(listUnnoticed(await tryScript(session, 'duckdb', script))).toEqual([
      {
        block: 'acme/main.Items',
        columns: [
          { column: null, damages: ['no_rows', 'row_less', 'row_twice'], all: true },
          { column: 'a', damages: ['plus_one', 'unknown_value', 'exchanged'], all: false },
          { column: 'b', damages: ['null', 'plus_one', 'unknown_value', 'exchanged'], all: false },
        ],
      },
    ]);
  });

  it.skipIf(inject('postgresql') === null)('have labels and identifiers of PostgreSQL', async () => {
    const session = await openWith('postgresql', [
      "CREATE TYPE state AS ENUM ('open', 'paid')",
      `CREATE TABLE items AS SELECT 'open'::state AS state, gen_random_uuid() AS id, '{}'::json AS j, 'abc'::varchar(3) AS code, 1::smallint AS n`,
      "INSERT INTO items SELECT 'paid', gen_random_uuid(), '{}', 'abd', 2",
    ]);
    const script = `${toBlock('SELECT * FROM items')}${toTest("SELECT * FROM {{ Items() }} WHERE state NOT IN ('open', 'paid') OR id::text LIKE '0f5eed%' OR length(code) > 3 OR n > 2")}`;
    const [tried] = await tryScript(session, 'postgresql', script);
    expect(tried!.noticed.map(print)).toEqual([
      'id unknown_value',
      'code ending',
      'code unknown_value',
      'n unknown_value',
    ]);
    expect(tried!.not_tried.map(print)).toEqual(['state ending', 'state unknown_value', 'id ending']);
  });
});
