import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readBook } from '../../engine/result/xlsx/read-book.ts';
import { shareDuckDB } from '../../support/duckdb.ts';
import { expectRefusal } from '../../support/http.ts';
import { makeFolder } from '../../support/quern.ts';
import { eventually } from '../../support/waiting.ts';
import { BUSY } from './later-world.ts';
import { followBytes, followRecorded, RECORDED, startRecorded, waitForStatements } from './recordings.ts';
import { createExecWorld, type ExecWorld, rowsOf } from './world.ts';

const duckdb = shareDuckDB();

/** An expression of each type, which depends on `range`. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  TINYINT: '(range % 100)::TINYINT',
  SMALLINT: '(-range)::SMALLINT',
  INTEGER: '(range * 100000)::INTEGER',
  BIGINT: '(-range * 1000000000000)::BIGINT',
  UTINYINT: '(range % 256)::UTINYINT',
  USMALLINT: 'range::USMALLINT',
  UINTEGER: '(range + 4000000000)::UINTEGER',
  UBIGINT: '(18446744073709551615::UBIGINT - range::UBIGINT)',
  HUGEINT: '(-range::HUGEINT * 100000000000000000000)',
  UHUGEINT: '(340282366920938463463374607431768211455::UHUGEINT - range::UHUGEINT)',
  BIGNUM: "('123456789012345678901234567890123456789012' || range)::BIGNUM",
  'DECIMAL(4,2)': '(range % 90 - 45.25)::DECIMAL(4,2)',
  'DECIMAL(9,3)': '(range - 2500.125)::DECIMAL(9,3)',
  'DECIMAL(18,5)': '(-range * 1000.00001)::DECIMAL(18,5)',
  'DECIMAL(38,10)': "('12345678901234567890.0123456789'::DECIMAL(38,10) - range)",
  'DECIMAL(2,2)': '(range % 100)::DECIMAL(18,2)::DECIMAL(5,2) / 100',
  FLOAT: "CASE range % 5 WHEN 0 THEN 'nan' WHEN 1 THEN '-inf' ELSE (range / 7)::VARCHAR END::FLOAT",
  DOUBLE: "CASE range % 5 WHEN 0 THEN 'inf' ELSE (range / 7)::VARCHAR END::DOUBLE",
  BOOLEAN: 'range % 3 = 0',
  DATE: "DATE '1999-12-31' + (range * 37)::INTEGER",
  'infinite DATE': "CASE range % 2 WHEN 0 THEN 'infinity' ELSE '-infinity' END::DATE",
  TIME: "TIME '00:00:00.000001' + to_microseconds(range * 1000003)",
  TIMETZ: "('12:34:56.' || lpad(range::VARCHAR, 6, '0') || '+02')::TIMETZ",
  TIMESTAMP: "TIMESTAMP '2024-01-02 03:04:05' + to_microseconds(range * 1000001)",
  TIMESTAMP_S: "(TIMESTAMP '2024-01-02 03:04:05' + to_seconds(range))::TIMESTAMP_S",
  TIMESTAMP_MS: "(TIMESTAMP '2024-01-02 03:04:05' + to_milliseconds(range))::TIMESTAMP_MS",
  TIMESTAMP_NS: 'make_timestamp_ns(1704164645000000000 + range)',
  TIMESTAMPTZ: "TIMESTAMPTZ '2024-01-02 03:04:05+00' + to_microseconds(range)",
  INTERVAL: 'to_days(range::INTEGER) + to_microseconds(range)',
  BLOB: "('\\xAA\\x00' || range)::BLOB",
  BIT: '(range % 1000)::INTEGER::BIT',
  UUID: "('00000000-0000-4000-8000-' || lpad(range::VARCHAR, 12, '0'))::UUID",
  ENUM: "(['red', 'gr\"een', ''])[range % 3 + 1]::ENUM('red', 'gr\"een', '')",
  VARCHAR:
    "CASE range % 4 WHEN 0 THEN '' WHEN 1 THEN 'a,\"b\"' WHEN 2 THEN 'é\n' || range ELSE repeat('x', 40) END",
  JSON: "CASE range % 3 WHEN 0 THEN '{\"a\": [1, 2.50]}' WHEN 1 THEN 'null' ELSE '\"x\"' END::JSON",
  LIST: '[range, NULL, range + 1]',
  'list of texts': "['a''b', '', NULL, range::VARCHAR]",
  GEOMETRY: "('POINT(' || range || ' 2.5)')::GEOMETRY",
  STRUCT: "{'a': range, 'b c': [DATE '2024-01-01', NULL], 'd': {'e': 1.50}}",
  'struct without names': "row(range, 'x')",
  MAP: "MAP {'k' || range: range, 'null': NULL}",
  'map of numbers': 'MAP {range: [1, 2]}',
  UNION:
    "CASE range % 2 WHEN 0 THEN union_value(n := range) ELSE union_value(s := 'it''s')::UNION(n BIGINT, s VARCHAR) END",
  'list of unions': '[union_value(n := range)]',
  VARIANT: "CASE range % 2 WHEN 0 THEN range::VARIANT ELSE 'text'::VARIANT END",
  NULL: 'NULL',
};

/** The types in Parquet of some of them. */
const PARQUET_TYPES: Readonly<Record<string, string>> = {
  TINYINT: 'TINYINT',
  UBIGINT: 'UBIGINT',
  'DECIMAL(38,10)': 'DECIMAL(38,10)',
  DOUBLE: 'DOUBLE',
  BOOLEAN: 'BOOLEAN',
  DATE: 'DATE',
  TIMESTAMP: 'TIMESTAMP',
  TIMESTAMPTZ: 'TIMESTAMP WITH TIME ZONE',
  BLOB: 'BLOB',
  VARCHAR: 'VARCHAR',
};

/** The largest HUGEINT, whose 39 digits exceed the decimals of Arrow and Parquet. */
const LARGEST = '170141183460469231731687303715884105727';

/** With one type at a time the test would take ten times as long; with more than a few, a difference is hard to find. */
const TYPES_AT_ONCE = 8;

/** A query with a column of each of these types, some of whose values are NULL. */
function selectTypes(types: readonly string[]): string {
  const columns = types.map(
    (type) => `CASE WHEN range % 7 = 3 THEN NULL ELSE ${EXPRESSIONS[type]} END AS "${type}"`,
  );
  return `SELECT range AS n, ${columns.join(', ')} FROM range(2500)`;
}

const FORMATS = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
} as const;

async function download({ url, token }: ExecWorld, id: string, index: number, format: string) {
  const response = await fetch(`${url}/api/v1/executions/${id}/results/${index}/download?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function runAtOnce({ url, token }: ExecWorld, sql: string, accept: string, connection = 'duckdb') {
  const response = await fetch(`${url}/api/v1/exec/sql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
    body: JSON.stringify({ sql, connection: { name: connection } }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString('utf8', 0, 500)).toBe(200);
  return bytes;
}

/** The times of an execution are the only part of a JSON body that may differ. */
function withoutStats(format: string, bytes: Buffer): string {
  const text = bytes.toString('latin1');
  return format === 'json' ? text.slice(0, text.lastIndexOf(',"stats":')) : text;
}

/** The formats in which a download differs from a synchronous response. */
async function listDifferences(
  world: ExecWorld,
  sql: string,
  connection = 'duckdb',
): Promise<readonly string[]> {
  const answer = await world.exec('sql', { sql, connection: { name: connection } }, RECORDED);
  const { id } = answer.body as { readonly id: string };
  const { execution } = await followRecorded(world, id);
  if (execution.state !== 'done') return [JSON.stringify(execution.error)];
  const different: string[] = [];
  for (const [format, accept] of Object.entries(FORMATS)) {
    const { response, bytes } = await download(world, id, 0, format);
    expect(response.status).toBe(200);
    const expected = withoutStats(format, await runAtOnce(world, sql, accept, connection));
    const found = withoutStats(format, bytes);
    if (found !== expected) different.push(`${format}: ${describeDifference(found, expected)}`);
  }
  await world.ask('DELETE', `/api/v1/executions/${id}`);
  return different;
}

function describeDifference(found: string, expected: string): string {
  let at = 0;
  while (found[at] === expected[at]) at += 1;
  return `${found.slice(Math.max(0, at - 30), at + 30)} instead of ${expected.slice(Math.max(0, at - 30), at + 30)}`;
}

describe('a download', () => {
  it('has the bytes of a synchronous response, for each type', { timeout: 300_000 }, async () => {
    const world = await createExecWorld();
    const different: string[] = [];
    const types = Object.keys(EXPRESSIONS);
    for (let i = 0; i < types.length; i += TYPES_AT_ONCE) {
      const some = types.slice(i, i + TYPES_AT_ONCE);
      const found = await listDifferences(world, selectTypes(some));
      different.push(...found.map((each) => `${some.join(', ')}: ${each}`));
    }
    const several = 'SELECT [range, 2]::BIGINT[2] AS a, 1 AS a, [[range]] AS b FROM range(2500)';
    different.push(...(await listDifferences(world, several)));
    different.push(...(await listDifferences(world, 'SELECT 1 AS a, [2] AS b WHERE false')));
    expect(different).toEqual([]);
  });

  it.skipIf(inject('postgresql') === null)('is the same for another database', async () => {
    const world = await createExecWorld();
    const { password, ...options } = inject('postgresql')!;
    const body = { name: 'warehouse', kind: 'postgresql', options, secrets: { password } };
    const made = await world.ask('POST', '/api/v1/manage/connections', { body });
    expect(made.status, made.text).toBe(201);
    const sql = `SELECT i, ARRAY[i, NULL] AS list, ARRAY['a"b', 'NULL'] AS texts, i / 7.0 AS number,
      jsonb_build_object('a', i) AS json, '\\x00ff'::bytea AS bytes, make_interval(hours => i) AS span,
      '2024-01-02 03:04:05+02'::timestamptz AS moment, row(i, 'x') AS record, NULL AS nothing
      FROM generate_series(1, 3000) AS i`;
    expect(await listDifferences(world, sql, 'warehouse')).toEqual([]);
  });

  it.each([
    [`${LARGEST}::HUGEINT`, `${LARGEST} has more than 38 digits`, `${LARGEST} has more than 38 digits`],
    [`[-${LARGEST}::HUGEINT]`, `-${LARGEST} has more than 38 digits`, null],
    ["'24:00:00'::TIME", '24:00:00 is not a time of day in arrow', null],
    [`${LARGEST}::UHUGEINT`, null, `${LARGEST} has more than 38 digits`],
  ])('has the value %s in each format that can hold it', async (value, inArrow, inParquet) => {
    const world = await createExecWorld();
    const sql = `SELECT ${value} AS "a b"`;
    const id = await startRecorded(world, sql);
    const { execution } = await followRecorded(world, id);
    expect(execution).toMatchObject({ state: 'done', error: null });
    for (const [format, accept] of Object.entries({ csv: FORMATS.csv, json: FORMATS.json })) {
      const { bytes } = await download(world, id, 0, format);
      expect(withoutStats(format, bytes)).toBe(withoutStats(format, await runAtOnce(world, sql, accept)));
    }
    for (const [format, problem] of Object.entries({ arrow: inArrow, parquet: inParquet })) {
      const { response, bytes } = await download(world, id, 0, format);
      expect(response.status).toBe(problem === null ? 200 : 422);
      if (problem === null) continue;
      const { code, message } = JSON.parse(bytes.toString());
      expect(code).toBe('result_not_convertible');
      expect(message).toContain(
        `The column "a b" cannot be written as ${format}: ${problem}. Cast the column to`,
      );
    }
  });

  it('is a file with a name, in markdown as well, and compressed on request', async () => {
    const world = await createExecWorld();
    await world.put('@Shared/a report.sql', 'SELECT 1 AS a; SELECT 2 AS b, NULL AS c');
    const started = await world.script('@Shared/a report.sql', {}, RECORDED);
    const { id } = started.body as { readonly id: string };
    await followRecorded(world, id);
    const { response, bytes } = await download(world, id, 1, 'markdown');
    expect(bytes.toString()).toBe('| b | c |\n| ---: | ---: |\n| 2 |  |\n');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a_report-2.md"');
    expect(response.headers.get('x-result-truncated')).toBe('false');
    const target = `/api/v1/executions/${id}/results/0/download?format=csv`;
    const plain = await world.ask('GET', target, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.text).toBe('a\n1\n');
    const packed = await world.ask('GET', target, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    const head = await world.ask('HEAD', target);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  });

  it('is a Parquet file with the values of the result', { timeout: 300_000 }, async () => {
    const world = await createExecWorld();
    const names = Object.keys(PARQUET_TYPES);
    const sql = selectTypes(names);
    const id = await startRecorded(world, sql);
    await followRecorded(world, id);
    const { response, bytes } = await download(world, id, 0, 'parquet');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="sql-1.parquet"');
    const file = path.join(makeFolder(), 'result.parquet');
    writeFileSync(file, bytes);
    const queryFile = async (query: string) =>
      (await duckdb().runAndReadAll(query.replace('$', `'${file}'`))).getRows();
    const types = await queryFile('SELECT column_name, column_type FROM (DESCRIBE FROM $)');
    expect(types).toEqual([['n', 'BIGINT'], ...Object.entries(PARQUET_TYPES)]);
    expect(await queryFile('SELECT count(*)::VARCHAR FROM $')).toEqual([['2500']]);
    const same = names.map((name) => `f."${name}"::VARCHAR IS NOT DISTINCT FROM r."${name}"::VARCHAR`);
    const differing = `SELECT f.n::VARCHAR FROM $ f JOIN (${sql}) r USING (n) WHERE NOT (${same.join(' AND ')})`;
    expect(await queryFile(differing)).toEqual([]);
    const stored = readdirSync(path.join(world.home, 'tmp'), { recursive: true, encoding: 'utf8' });
    expect(stored.filter((name) => name.includes('parquet'))).toEqual([]);
  });

  it('leaves nothing behind when the client of a Parquet file leaves', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, "SELECT range AS n, repeat('x', 100) AS a FROM range(400000)");
    await followRecorded(world, id);
    const headers = { authorization: `Bearer ${world.token}` };
    const target = `/api/v1/executions/${id}/results/0/download?format=parquet`;
    const request = get(`${world.url}${target}`, { headers, agent: false }).on('error', () => {});
    const listFiles = () =>
      readdirSync(path.join(world.home, 'tmp'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.includes('parquet'),
      );
    await eventually(() => expect(listFiles()).not.toEqual([]), 5);
    request.destroy();
    await eventually(() => expect(listFiles()).toEqual([]));
  });

  it('is a workbook with the values of the result', async () => {
    const world = await createExecWorld();
    const sql = `SELECT range AS n, [range, NULL] AS list, {'a': range} AS struct, '=' || range AS text,
      DATE '2024-01-01' + range::INTEGER AS day, CASE range % 2 WHEN 0 THEN range / 4 END AS number FROM range(5000)`;
    const id = await startRecorded(world, sql);
    await followRecorded(world, id);
    const { response, bytes } = await download(world, id, 0, 'xlsx');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="sql-1.xlsx"');
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    const rows = await readBook(bytes);
    expect(rows).toHaveLength(5001);
    expect(rows[0]).toEqual(['n', 'list', 'struct', 'text', 'day', 'number'].map((name) => `text ${name}`));
    const third = [
      'whole 2',
      'text [2, NULL]',
      "text {'a': 2}",
      'text =2',
      'date 2024-01-03',
      'fraction 0.5',
    ];
    expect(rows[3]).toEqual(third);
    expect(rows[4]).toEqual(['whole 3', 'text [3, NULL]', "text {'a': 3}", 'text =3', 'date 2024-01-04']);
  });

  it.each([
    ['SELECT 1 AS a FROM range(1048576)', 'The result', 'it has more than 1,048,575 rows'],
    [
      "SELECT range, repeat('x', CASE range WHEN 99999 THEN 40000 ELSE 1 END) AS a FROM range(100000)",
      'The column "a"',
      'a text has 40,000 characters, more than 32,767',
    ],
    [
      "SELECT [repeat('x', 32764)] AS a, [repeat('x', 32766)] AS b",
      'The column "b"',
      'a text has 32,768 characters, more than 32,767',
    ],
  ])(
    'is refused as a workbook before its first byte: %s',
    { timeout: 60_000 },
    async (sql, subject, problem) => {
      const world = await createExecWorld();
      const id = await startRecorded(world, sql);
      await followRecorded(world, id);
      const { response, bytes } = await download(world, id, 0, 'xlsx');
      expect(response.status).toBe(422);
      expect(JSON.parse(bytes.toString())).toMatchObject({
        code: 'result_not_convertible',
        message: `${subject} cannot be written as xlsx: ${problem}. Choose another format, such as csv`,
      });
      expect((await download(world, id, 0, 'csv')).response.status).toBe(200);
    },
  );

  it('is CSV for spreadsheets on request', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, "SELECT -5 AS n, '-5' AS t, ['=a'] AS l");
    await followRecorded(world, id);
    const at = (query: string) => `/api/v1/executions/${id}/results/0/download?${query}`;
    const both = await world.ask('GET', at('format=csv&bom=true&escape_formulas=true'));
    expect(both.text).toBe("\ufeffn,t,l\n-5,'-5,['=a']\n");
    expect((await world.ask('GET', at('format=csv&bom=false'))).text).toBe("n,t,l\n-5,-5,['=a']\n");
    const only = (field: string) => `${field} has an effect on csv only: omit it, or use format=csv`;
    for (const format of ['json', 'arrow', 'parquet', 'xlsx']) {
      expectRefusal(await world.ask('GET', at(`format=${format}&bom=true`)), 400, only('BOM'));
      const escaped = await world.ask('GET', at(`format=${format}&escape_formulas=true`));
      expectRefusal(escaped, 400, only('Escape formulas'));
    }
    const invalid = await world.ask('GET', at('format=csv&bom=1'));
    expectRefusal(invalid, 400, 'BOM must be true or false');
  });

  it('has the stored rows of a truncated result, and says so', async () => {
    const world = await createExecWorld({ results: { result: 200_000 } });
    const id = await startRecorded(world, 'SELECT range AS a, [range] AS b FROM range(100000)');
    const { data } = await followRecorded(world, id);
    expect(data[0]).toMatchObject({ is_truncated: true });
    const { response, bytes } = await download(world, id, 0, 'csv');
    expect(response.headers.get('x-result-truncated')).toBe('true');
    const lines = bytes.toString().trimEnd().split('\n');
    expect(lines).toHaveLength(data[0]!.rows! + 1);
    expect(lines.at(-1)).toBe(`${data[0]!.rows! - 1},[${data[0]!.rows! - 1}]`);
  });

  it('runs nothing again, however often it is requested', async () => {
    const world = await createExecWorld();
    const sql = 'CREATE TABLE t (i INTEGER); INSERT INTO t SELECT range FROM range(5) RETURNING i';
    const id = await startRecorded(world, sql);
    await followRecorded(world, id);
    for (const format of ['csv', 'csv', 'json']) {
      expect((await download(world, id, 1, format)).response.status).toBe(200);
    }
    expect(rowsOf(await world.sql('SELECT count(*) FROM t'))).toEqual([[5]]);
  });

  it('is refused before its end, for statements without rows, and for others', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, `CREATE TABLE t (i INTEGER); ${BUSY}`);
    await waitForStatements(world, id, 2);
    const at = (index: number, query = '?format=csv') =>
      `/api/v1/executions/${id}/results/${index}/download${query}`;
    const early = await world.ask('GET', at(1));
    expectRefusal(early, 409, 'The result is not complete yet: 1');
    expect(early.headers['retry-after']).toBe('1');
    expectRefusal(await world.ask('GET', at(0)), 404, 'Result not found: 0');
    expectRefusal(await world.ask('GET', at(7)), 404, 'Result not found: 7');
    const known = 'Format must be one of csv, json, ndjson, arrow, markdown, parquet, xlsx';
    expectRefusal(await world.ask('GET', at(0, '?format=xls')), 400, known);
    expectRefusal(await world.ask('GET', at(0, '')), 400, 'Format is required');
    const eve = await world.createUser('eve');
    expectRefusal(await world.ask('GET', at(1), { token: eve }), 404, `Execution not found: ${id}`);
    await world.ask('DELETE', `/api/v1/executions/${id}`);
  });

  it('is limited to two at the same time for a user; a client that leaves makes room', async () => {
    const world = await createExecWorld();
    const id = await startRecorded(world, "SELECT repeat('x', 1000) AS a FROM range(60000)");
    await followBytes(world, id, 0);
    const target = `/api/v1/executions/${id}/results/0/download?format=csv`;
    const headers = { authorization: `Bearer ${world.token}`, 'accept-encoding': 'identity' };
    const open = async () => {
      const request = get(`${world.url}${target}`, { headers, agent: false });
      const [response] = await once(request, 'response');
      return { request, response };
    };
    const opened = [await open(), await open()];
    expect(opened.map(({ response }) => response.statusCode)).toEqual([200, 200]);
    const refused = await world.ask('GET', target);
    expectRefusal(refused, 429, 'Too many results are being converted; wait until a download has ended');
    for (const { request } of opened) request.destroy();
    await eventually(async () => expect((await download(world, id, 0, 'csv')).response.status).toBe(200));
  });
});
