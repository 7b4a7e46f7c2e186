import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../support/quern.ts';
import { query } from '../../connection/results.ts';
import { encode, encodeQuery, openMemory, toBytes, toChunk } from '../encode.ts';

const connection = await openMemory();
afterAll(() => connection.close());

/** The output of DuckDB itself. */
async function copy(sql: string): Promise<string> {
  const file = path.join(makeFolder(), 'out.csv');
  await query(connection, `COPY (${sql}) TO '${file}' (FORMAT csv, HEADER)`);
  return readFileSync(file, 'utf8');
}

/** Integers of about 38 digits. */
const WIDE = '((hash(i) // 4)::HUGEINT * (hash(i + 1) // 4)::HUGEINT)';
const SOME_NULL = (sql: string, every: number) => `CASE WHEN i % ${every} = 0 THEN NULL ELSE ${sql} END`;

function decimalOf(precision: number, scale: number): string {
  const digits = `lpad((${WIDE} % 1${'0'.repeat(precision)}::HUGEINT)::VARCHAR, 39, '0')`;
  const sign = `CASE WHEN i % 2 = 0 THEN '-' ELSE '' END`;
  return `(${sign} || left(${digits}, ${39 - scale}) || '.' || right(${digits}, ${scale}))::DECIMAL(${precision}, ${scale})`;
}

/** Columns by name, computed from the row number `i`. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  integers: {
    a: '(i % 256 - 128)::TINYINT',
    b: '(i % 256)::UTINYINT',
    c: '(hash(i) % 65536)::INTEGER - 32768',
    d: '(hash(i) % 65536)::USMALLINT',
    e: '(hash(i) % 4294967296)::UINTEGER',
    f: '(hash(i)::HUGEINT - 9223372036854775808)::BIGINT',
    g: 'hash(i)',
    h: WIDE,
    k: `-${WIDE}`,
    l: `${WIDE}::UHUGEINT * 2::UHUGEINT`,
    m: SOME_NULL('i', 3),
    n: `((hash(i)::VARCHAR || hash(i + 1)) || (hash(i + 2)::VARCHAR || hash(i + 3)))::BIGNUM`,
    o: `('-' || hash(i) || hash(i + 1))::BIGNUM`,
  },
  decimals: Object.fromEntries(
    [
      [1, 0],
      [1, 1],
      [4, 2],
      [4, 4],
      [9, 3],
      [9, 9],
      [18, 2],
      [18, 18],
      [19, 1],
      [38, 0],
      [38, 20],
      [38, 38],
    ].map(([precision, scale]) => [`d${precision}_${scale}`, SOME_NULL(decimalOf(precision!, scale!), 11)]),
  ),
  doubles: {
    a: '(hash(i) % 1000003 / 1000003.0 * pow(10, i % 40 - 20))::DOUBLE',
    b: '-(hash(i) % 1000000000)::DOUBLE / 1000',
    c: '(hash(i) % 1000000000000000000)::DOUBLE * pow(2, i % 2000 - 1060)',
    d: "['nan', 'inf', '-inf', '0', '-0', '1e16', '1e15', '1e-4', '1e-5', '5e-324'][1 + i % 10]::DOUBLE",
    e: 'i / 7.0',
    f: 'i * 1e13::DOUBLE',
  },
  floats: {
    a: '((hash(i) % 16777216) * pow(2, i % 240 - 140))::FLOAT',
    b: '((hash(i) % 100000) * pow(10, i % 60 - 35))::FLOAT',
    c: '(hash(i) % 100000007)::FLOAT',
    d: '(i * 1e8)::FLOAT',
    e: '(pow(2, i % 277 - 149))::FLOAT',
    f: "['nan', 'inf', '-inf', '0', '-0', '3.4028235e38', '0.1'][1 + i % 7]::FLOAT",
  },
  times: {
    a: "DATE '1970-01-01' + ((hash(i) % 4000000)::INTEGER - 2000000)",
    b: "['infinity', '-infinity', '0044-03-15 (BC)', '12000-01-01', '0001-01-01', '5881580-07-10'][1 + i % 6]::DATE",
    c: 'make_timestamp((hash(i) % 600000000000000000)::BIGINT - 300000000000000000)',
    d: '(make_timestamp((hash(i) % 600000000000000000)::BIGINT - 300000000000000000))::TIMESTAMPTZ',
    e: 'epoch_ms((hash(i) % 10000000000000)::BIGINT - 5000000000000)',
    f: 'make_timestamp_ns(((hash(i) % 18000000000000000000)::HUGEINT - 9000000000000000000)::BIGINT)',
    g: 'make_timestamp(i * 1000000)::TIMESTAMP_S',
    h: 'make_timestamp(i * 1000)::TIMESTAMP_MS',
    k: "['infinity', '-infinity', '0044-03-15 (BC) 12:00:00', '12000-01-01 00:00:00.5'][1 + i % 4]::TIMESTAMP",
    l: "TIME '00:00:00' + to_microseconds((hash(i) % 86400000000)::BIGINT)",
    m: "('01:02:03.' || i || '+' || lpad((i % 16)::VARCHAR, 2, '0') || ':' || lpad((i % 60)::VARCHAR, 2, '0'))::TIMETZ",
    n: "('23:59:59.' || i)::TIME_NS",
    o: 'to_months((hash(i) % 200)::INTEGER - 100) + to_days((hash(i + 1) % 200)::INTEGER - 100) + to_microseconds((hash(i + 2) % 400000000000)::BIGINT - 200000000000)',
  },
  texts: {
    a: "['a', 'b,c', 'd\"e', '', NULL, 'é', '#', chr(10), chr(13), ' ', 'null', 'a\"\"b,'][1 + i % 12]",
    b: "repeat('x', (i % 30)::INTEGER)",
    c: SOME_NULL("repeat('é,', (i % 9)::INTEGER)", 3),
    d: 'md5(i::VARCHAR)::UUID',
    e: "encode(chr((i % 300)::INTEGER + 1) || i || '\"\\''')",
    f: "('v' || (i % 5))::ENUM('v0', 'v1', 'v2', 'v3', 'v4')",
    g: "(repeat('10', (i % 50)::INTEGER) || '1')::BIT",
    h: 'i % 3 = 0',
    k: "'[1, ' || i || ']'",
    l: `('{"a": [1, ' || i || ', "x"]}')::JSON`,
  },
  nested: {
    a: SOME_NULL('[x FOR x IN range(i % 7)]', 5),
    b: "{'i': i, 's': repeat('ab', (i % 20)::INTEGER), 'n': NULL}",
    c: 'MAP {i: i::VARCHAR}',
    d: '[i, i + 1]::BIGINT[2]',
    e: "[repeat('a long string ', (i % 5)::INTEGER), NULL, 'it''s', '[', ' x', 'NULL']",
    f: "[{'k': [i], 't': make_timestamp(i)}]",
    g: "row(i, 'x,y', [NULL])",
    h: 'CASE WHEN i % 2 = 0 THEN union_value(n := i) ELSE NULL END',
    k: "{'v': i, 's': ['a,b']}::VARIANT",
    l: `('["a,b", ' || i || ', null, {"k": [1.5, true]}]')::JSON::VARIANT`,
    m: SOME_NULL('i::VARIANT', 4),
  },
};

describe('CSV', () => {
  it.each(Object.entries(TABLES))('equals the output of COPY for %s', async (_, columns) => {
    const list = Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);
    const sql = `SELECT ${list.join(', ')} FROM range(5000) t(i)`;
    const [ours, theirs] = [await encodeQuery(connection, 'csv', sql), await copy(sql)];
    const lines = theirs.split('\n');
    expect(ours.split('\n').filter((line, i) => line !== lines[i])).toEqual([]);
    expect(ours).toBe(theirs);
  });

  it.each([
    'POINT(1 2)',
    'POINT EMPTY',
    'POINT ZM (1 2 3 4)',
    'LINESTRING(0 0, 1 1.25)',
    'LINESTRING EMPTY',
    'POLYGON((0 0, 1 0, 1 1, 0 0), (0.1 0.1, 0.2 0.1, 0.2 0.2, 0.1 0.1))',
    'MULTIPOINT(1 2, 3 4)',
    'MULTIPOINT(EMPTY)',
    'MULTILINESTRING((0 0, 1 1), (2 2, 3 3))',
    'MULTIPOLYGON(((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))',
    'GEOMETRYCOLLECTION(POINT(1 2), GEOMETRYCOLLECTION(LINESTRING(0 0, 1e20 -1e-7)))',
    'GEOMETRYCOLLECTION Z (POINT Z (1 2 3))',
  ])('equals the output of COPY for the geometry %s', async (text) => {
    const sql = `SELECT '${text}'::GEOMETRY AS g`;
    expect(await encodeQuery(connection, 'csv', sql)).toBe(await copy(sql));
  });

  it.each([
    ["SELECT '' AS a, NULL AS b", 'a,b\n"",\n'],
    ['SELECT NULL AS a', 'a\n\n'],
    ['SELECT 1 AS a WHERE false', 'a\n'],
    ['SELECT 1 AS "a,b", 2 AS "c""d", 3 AS "#"', '"a,b","c""d","#"\n1,2,3\n'],
    ["SELECT 'a' || chr(0) || 'b' AS a", 'a\na\0b\n'],
  ])('%s', async (sql, text) => {
    expect(await encodeQuery(connection, 'csv', sql)).toBe(text);
    expect(await copy(sql)).toBe(text);
  });

  it('keeps repeated column names', async () => {
    expect(await encodeQuery(connection, 'csv', 'SELECT 1 AS a, 2 AS a')).toBe('a,a\n1,2\n');
  });

  it('is empty without a result set', async () => {
    expect(await encode('csv', null, [])).toBe('');
  });

  it('ignores rows of a vector beyond its chunk', async () => {
    const column = { name: 'a', type: { kind: 'text', label: 'STRING' } } as const;
    expect(await encode('csv', [column], [toChunk(1, [toBytes(['x', 'y'])])])).toBe('a\nx\n');
  });
});

describe('CSV for spreadsheets', () => {
  const TEXTS = [
    '=1',
    '+1',
    '-1',
    '@a',
    '\t=1',
    '\r=1',
    '=a,"b"',
    '=',
    "'=1",
    'a=1',
    ' =1',
    '',
    '\n=1',
    '5',
    null,
  ];

  it('has an apostrophe before texts that are formulas, and before nothing else', async () => {
    const columns = [{ name: '=a', type: { kind: 'text', label: 'STRING' } }] as const;
    const text = await encode('csv', columns, [toChunk(TEXTS.length, [toBytes(TEXTS)])], {
      escapeFormulas: true,
    });
    expect(text).toBe(
      [
        "'=a",
        "'=1",
        "'+1",
        "'-1",
        "'@a",
        "'\t=1",
        '"\'\r=1"',
        '"\'=a,""b"""',
        "'=",
        "'=1",
        'a=1',
        ' =1',
        '""',
        '"\n=1"',
        '5',
        '',
        '',
      ].join('\n'),
    );
  });

  it('keeps every number, and escapes other kinds of text', async () => {
    const sql = `SELECT -5 AS a, -0.5::DECIMAL(3,2) AS b, -1e300 AS c, '-inf'::DOUBLE AS d, '-12'::BIGNUM AS e,
      '-' || repeat('9', 40) AS f, '=b'::BLOB AS g, '-1'::JSON AS h, INTERVAL '-1 day' AS i, [-1] AS j,
      '-5' AS k, DATE '2024-01-02' AS l`;
    expect(await encodeQuery(connection, 'csv', sql, { escapeFormulas: true, header: false })).toBe(
      `-5,-0.50,-1e+300,-inf,-12,'-${'9'.repeat(40)},'=b,'-1,'-1 day,[-1],'-5,2024-01-02\n`,
    );
  });

  it('is the same for many rows of two thousand and more', async () => {
    const sql =
      "SELECT CASE WHEN range % 3 = 0 THEN '=' WHEN range % 3 = 1 THEN NULL ELSE '' END || range AS a FROM range(9000)";
    const plain = await encodeQuery(connection, 'csv', sql);
    const escaped = await encodeQuery(connection, 'csv', sql, { escapeFormulas: true });
    expect(escaped).toBe(plain.replaceAll('\n=', "\n'="));
    expect(escaped.match(/'=/g)).toHaveLength(3000);
  });

  it('begins with a byte order mark, also without a header', async () => {
    expect(await encodeQuery(connection, 'csv', "SELECT 'é' AS a", { bom: true })).toBe('\ufeffa\né\n');
    const alone = await encodeQuery(connection, 'csv', 'SELECT 1 AS a', { bom: true, header: false });
    expect(alone).toBe('\ufeff1\n');
  });
});
