import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { shareServer } from '../../support/server.ts';
import { eventually } from '../../support/waiting.ts';
import { ARROW, listExecutions, readArrow, rowsOf, runSql } from './executing.ts';
import { covers } from './rows.ts';

const shared = shareServer();
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const accept = (type: string) => ({ headers: { accept: type } });
const FORMATS = ['application/json', 'text/csv', ARROW, 'application/x-ndjson'];
/** Rows for a while, and then an error. */
const LATE =
  "SELECT CASE WHEN range = 3000000 THEN error('too late') ELSE range END AS x FROM range(5000000)";

describe('an answer', () => {
  it(covers('accept chooses', 'ndjson'), async () => {
    const { admin } = shared;
    const sql = "SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, NULL ORDER BY a";
    const csv = await runSql(admin, sql, {}, accept('text/csv'));
    expect([csv.headers['content-type'], csv.text]).toEqual([
      expect.stringMatching(/^text\/csv\b/),
      'a,b\n1,x\n2,\n',
    ]);
    const arrow = await readArrow(shared, sql);
    expect(arrow).toEqual({
      type: ARROW,
      names: ['a', 'b'],
      rows: [
        [1, 'x'],
        [2, null],
      ],
    });
    const lines = await runSql(admin, sql, {}, accept('application/x-ndjson'));
    expect(lines.text).toBe('{"a":1,"b":"x"}\n{"a":2,"b":null}\n');
    for (const type of ['application/json', '*/*', 'text/csv;q=0.1, application/json', 'application/*']) {
      const json = await runSql(admin, sql, {}, accept(type));
      expect(rowsOf(json)).toEqual([
        [1, 'x'],
        [2, null],
      ]);
    }
    for (const each of [csv, lines]) {
      expect(each.headers['x-service-execution-started-at']).toMatch(/^\d{4}-.*\.\d{9}Z$/);
    }
  });

  it(covers('unsupported type'), async () => {
    for (const type of ['text/html', 'application/xml', 'text/csv;q=0', 'image/*']) {
      const answer = await runSql(shared.admin, 'SELECT 1', {}, accept(type));
      expectRefusal(answer, 406, expect.stringContaining('text/csv'));
    }
  });

  it(covers('no result set', 'insert has no result set', 'empty sql'), async () => {
    const { admin } = shared;
    const none = [
      'CREATE OR REPLACE TABLE none (x INT)',
      'INSERT INTO none VALUES (1), (2)',
      '',
      ' ; -- no\n;',
    ];
    for (const sql of none.filter((each) => each !== '')) {
      expect((await runSql(admin, sql)).body).toMatchObject({ result: { columns: [], data: [] } });
      const csv = await runSql(admin, sql, {}, accept('text/csv'));
      expect([csv.status, csv.text]).toEqual([200, '']);
      expect(await readArrow(shared, sql)).toMatchObject({ names: [], rows: [] });
    }
  });

  it(covers('kinds of statements'), async () => {
    const { admin } = shared;
    const count = async (sql: string) => {
      const { status, body, text } = await runSql(admin, sql);
      expect(status, text).toBe(200);
      return (body as { result: { columns: unknown[] } }).result.columns.length;
    };
    expect(await count('CREATE OR REPLACE TABLE kinds AS SELECT 1 AS x')).toBe(0);
    expect(await count('DELETE FROM kinds WHERE x = 7')).toBe(0);
    expect(await count('UPDATE kinds SET x = 2 RETURNING x, x + 1')).toBe(2);
    for (const sql of [
      'EXPLAIN FROM kinds',
      'SHOW TABLES',
      'DESCRIBE kinds',
      'SUMMARIZE kinds',
      'FROM kinds',
    ]) {
      expect(await count(sql)).toBeGreaterThan(0);
    }
    expect(await count('WITH a AS (VALUES (1)) FROM a')).toBe(1);
    expect(await count('ALTER TABLE kinds ADD COLUMN y INT; DROP TABLE kinds')).toBe(0);
  });

  it(covers('long names and columns'), async () => {
    const { admin } = shared;
    const sql = 'SELECT 1 AS a, 2 AS a, 3 AS "ü, ""x""" WHERE false';
    const { result } = (await runSql(admin, sql)).body as {
      result: { columns: { name: string }[]; data: [] };
    };
    expect([result.columns.map(({ name }) => name), result.data]).toEqual([['a', 'a', 'ü, "x"'], []]);
    expect((await runSql(admin, sql, {}, accept('text/csv'))).text).toBe('a,a,"ü, ""x"""\n');
    expect((await readArrow(shared, sql)).names).toEqual(['a', 'a', 'ü, "x"']);
  });

  it(covers('stats after data'), async () => {
    const { text } = await runSql(shared.admin, 'SELECT 1 AS a');
    expect(text).toMatch(
      /^\{"result":\{"columns":\[.*\],"data":\[\[1\]\]\},"stats":\{"started_at":".*\.\d{9}Z",.*\}\}\s*$/,
    );
  });

  it(covers('numbers'), async () => {
    const { admin } = shared;
    const sql = 'SELECT 9007199254740993 AS a, 7 AS b, 1234567890123456.50::DECIMAL(18,2) AS c';
    const ask = (numbers: string) =>
      admin.send('POST', `/exec/sql?numbers=${numbers}`, { body: { sql, connection: { name: 'duckdb' } } });
    expect((await ask('number')).text).toContain('[[9007199254740993,7,1234567890123456.50]]');
    expect((await ask('string')).text).toContain('[["9007199254740993",7,"1234567890123456.50"]]');
    expectRefusal(await ask('x'), 400, 'Numbers must be number or string');
  });
});

describe('an error', () => {
  it(covers('early error', 'error of a later statement'), async () => {
    const late = 'SELECT 1 AS kept; CREATE TEMP TABLE t (x INT); FROM nowhere';
    for (const type of FORMATS) {
      for (const sql of ['SELECT nothing', 'SELECT', "SELECT error('at once')", late]) {
        const answer = await runSql(shared.admin, sql, {}, accept(type));
        expectRefusal(answer, 422, expect.stringMatching(/./));
        expect(answer.text).not.toContain('"result"');
      }
    }
  });

  it.skipIf(!hasCurl).each(FORMATS)(`${covers('late error')} (%s)`, async (type) => {
    const { server, token, admin } = shared;
    const args = ['-s', '-o', '-', '-w', '%{stderr}%{http_code}', '-H', `Accept: ${type}`];
    const curl = spawn('curl', [
      ...[...args, '-H', `Authorization: Bearer ${token}`, '-H', 'Content-Type: application/json'],
      ...['-d', JSON.stringify({ sql: LATE, connection: { name: 'duckdb' } })],
      `${server.url}/api/v1/exec/sql`,
    ]);
    let bytes = 0;
    let tail = Buffer.alloc(0);
    let status = '';
    curl.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      tail = Buffer.concat([tail, chunk]).subarray(-64);
    });
    curl.stderr.on('data', (chunk) => {
      status += String(chunk);
    });
    const [code] = await once(curl, 'close');
    // The received part looks valid, and the end of the body is missing.
    expect([code, status]).toEqual([18, '200']);
    expect(bytes).toBeGreaterThan(1_000_000);
    if (type === 'application/json') expect(tail.toString()).not.toMatch(/\]\}|stats/);
    if (type === ARROW) expect(tail.subarray(-8).equals(Buffer.from('ffffffff00000000', 'hex'))).toBe(false);
    await eventually(async () => expect(await listExecutions(admin)).toEqual([]));
    expect(rowsOf(await runSql(admin, 'SELECT 1'))).toEqual([[1]]);
  });
});
