import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ColumnType, ColumnValue, NestedVector } from '../../../../src/engine/result/columns/column.ts';
import { createJsonEncoder } from '../../../../src/engine/result/text/to-json.ts';
import { never, query, readRows } from '../../connection/results.ts';
import { encode, encodeQuery, onlyValue, openMemory, stats, toBytes, toChunk, toFixed } from '../encode.ts';

const connection = await openMemory();
afterAll(() => connection.close());

const TEXT: ColumnType = { kind: 'text', label: 'STRING' };
const INTEGER: ColumnType = { kind: 'integer', bits: 32, signed: true };

describe('the document', () => {
  it('has the shape of the interface', async () => {
    const document = await encodeQuery(
      connection,
      'json',
      "SELECT 1 AS a, 'x' AS b, 1.50 AS a FROM range(2)",
    );
    expect(document).toBe(
      `{"result":{"columns":[{"name":"a","type":"INTEGER"},{"name":"b","type":"STRING"},{"name":"a","type":"DECIMAL"}],` +
        `"data":[[1,"x",1.50],[1,"x",1.50]]},"stats":${JSON.stringify(stats)}}\n`,
    );
  });

  it('keeps the columns of an empty result', async () => {
    const document = await encodeQuery(connection, 'json', 'SELECT 1 AS "a ""b""" WHERE false');
    expect(JSON.parse(document)).toEqual({
      result: { columns: [{ name: 'a "b"', type: 'INTEGER' }], data: [] },
      stats,
    });
  });

  it('has empty columns and data without a result set', async () => {
    expect(JSON.parse(await encodeQuery(connection, 'json', 'SET VARIABLE x = 1'))).toEqual({
      result: { columns: [], data: [] },
      stats,
    });
  });

  it('has the targets and warnings of the run after its times', async () => {
    const parts: Uint8Array[] = [];
    const encoder = createJsonEncoder({ write: (bytes) => void parts.push(Buffer.from(bytes)) });
    const warning = { severity: 'warning', code: 'parameter', message: 'unused', suggestion: null } as const;
    await encoder.end(stats, { targets: [{ name: 'a' }], warnings: [warning] });
    expect(Buffer.concat(parts).toString()).toBe(
      `{"result":{"columns":[],"data":[]},"stats":${JSON.stringify(stats)},"targets":[{"name":"a"}],"warnings":[${JSON.stringify(warning)}]}\n`,
    );
  });

  it('has the name of every type', async () => {
    const types = {
      INTEGER: ['1::TINYINT', '1::UBIGINT', '1::HUGEINT', '1::UHUGEINT', '1::BIGNUM'],
      DECIMAL: ['1.5', '1::DECIMAL(38, 0)'],
      DOUBLE: ['1::FLOAT', '1::DOUBLE'],
      BOOLEAN: ['true'],
      STRING: ["''", 'uuid()', "'1'::BIT", "'a'::ENUM('a')", "'POINT (1 2)'::GEOMETRY"],
      DATE: ['current_date'],
      TIME: ["TIME '01:00'", "'01:00'::TIMETZ", "'01:00'::TIME_NS"],
      TIMESTAMP: ['now()', 'now()::TIMESTAMP', 'now()::TIMESTAMP_S', 'now()::TIMESTAMP_NS'],
      INTERVAL: ['INTERVAL 1 DAY'],
      BINARY: ["''::BLOB"],
      JSON: ["'{}'::JSON", 'union_value(a := 1)', '1::VARIANT'],
      ARRAY: ['[1]', '[1]::INTEGER[1]'],
      STRUCT: ["{'a': 1}", 'row(1)'],
      MAP: ['MAP {1: 2}'],
    };
    for (const [name, values] of Object.entries(types)) {
      for (const value of values) {
        const document = JSON.parse(await encodeQuery(connection, 'json', `SELECT ${value} AS x`));
        expect([value, document.result.columns[0].type]).toEqual([value, name]);
      }
    }
  });
});

describe('values', () => {
  /** Each value with the JSON that DuckDB itself creates. */
  it.each([
    ['true', "'true'"],
    ['9223372036854775807', 'x::VARCHAR'],
    ['18446744073709551615::UBIGINT', 'x::VARCHAR'],
    ['(-170141183460469231731687303715884105728)::HUGEINT', 'x::VARCHAR'],
    ['340282366920938463463374607431768211455::UHUGEINT', 'x::VARCHAR'],
    [`'-${'7'.repeat(80)}'::BIGNUM`, 'x::VARCHAR'],
    ['12.30::DECIMAL(10, 2)', 'x::VARCHAR'],
    ['-0.05::DECIMAL(3, 2)', 'x::VARCHAR'],
    [`${'9'.repeat(38)}::DECIMAL(38, 0)`, 'x::VARCHAR'],
    ['0.50::DECIMAL(2, 2)', "'0' || x::VARCHAR"],
    ['1.5::DOUBLE', 'to_json(x)'],
    ['-1.25::FLOAT', 'to_json(x)'],
    ["'nan'::DOUBLE", "'null'"],
    ["'infinity'::FLOAT", "'null'"],
    ["DATE '2024-02-29'", 'to_json(x)'],
    ["DATE '0044-03-15 (BC)'", 'to_json(x)'],
    ["DATE '12000-01-01'", 'to_json(x)'],
    ["'-infinity'::DATE", 'to_json(x)'],
    ["TIME '03:04:05.25'", 'to_json(x)'],
    ["'03:04:05+02:30'::TIMETZ", 'to_json(x)'],
    ["TIMESTAMP '2024-01-02 03:04:05'", `'"' || strftime(x, '%Y-%m-%dT%H:%M:%S') || '"'`],
    ["TIMESTAMP '2024-01-02 03:04:05.678901'", `'"' || strftime(x, '%Y-%m-%dT%H:%M:%S.%f') || '"'`],
    ["'2024-01-02 03:04:05.678'::TIMESTAMP_MS", `'"' || strftime(x, '%Y-%m-%dT%H:%M:%S.%g') || '"'`],
    ["'2024-01-02 03:04:05.678901234'::TIMESTAMP_NS", `'"' || strftime(x, '%Y-%m-%dT%H:%M:%S.%n') || '"'`],
    ["'2024-01-02 03:04:05+02'::TIMESTAMPTZ", `'"' || strftime(x, '%Y-%m-%dT%H:%M:%SZ') || '"'`],
    ["TIMESTAMP '0044-03-15 (BC) 12:00:00'", 'to_json(x)'],
    ["TIMESTAMPTZ '12000-01-01 00:00:00+00'", 'to_json(x)'],
    ["'infinity'::TIMESTAMPTZ", 'to_json(x)'],
    ["INTERVAL '14 months 3 days 04:05:06'", 'to_json(x)'],
    ["'\\x00\\xFFabc'::BLOB", `'"' || base64(x) || '"'`],
    ["''::BLOB", `'"' || base64(x) || '"'`],
    ["'10110'::BIT", 'to_json(x)'],
    ["UUID 'f0000000-0000-0000-0000-00000000000a'", 'to_json(x)'],
    ["'b'::ENUM('a', 'b')", 'to_json(x)'],
    ["'POINT (1 2)'::GEOMETRY", 'to_json(x)'],
    [`'{"a": [1,  2.50, null]}'::JSON`, 'x::VARCHAR'],
    ['NULL::INTEGER', "'null'"],
    ['[1, NULL, 3]', 'to_json(x)'],
    ['[[1], [], NULL]', 'to_json(x)'],
    ['[1, 2]::INTEGER[2]', 'to_json(x)'],
    ["{'a': 1, 'b \"': 'x', 'c': NULL, 'd': [true], 'e': {'f': 'g'}}", 'to_json(x)'],
    ["MAP {'a': 1, 'b': NULL}", 'to_json(x)'],
    ["[DATE '2024-01-02']", 'to_json(x)'],
  ])('%s', async (value, oracle) => {
    const [[expected]] = (await query(
      connection,
      `SELECT (${oracle})::VARCHAR FROM (SELECT ${value} AS x)`,
    )) as [[string]];
    const document = await encodeQuery(connection, 'json', `SELECT ${value} AS x`);
    expect(onlyValue(document)).toBe(expected);
    expect(() => JSON.parse(document)).not.toThrow();
  });

  it.each([
    ["row(1, 'x')", '[1,"x"]'],
    ['MAP {1: 2}', '[{"key":1,"value":2}]'],
    ["MAP {['a']: {'b': 1}}", '[{"key":["a"],"value":{"b":1}}]'],
    ['union_value(a := [1])', '[1]'],
    ['union_value(a := NULL::INTEGER)', 'null'],
    ["[union_value(a := 'x')]", '["x"]'],
    ["{'a': [1.50::DECIMAL(4, 2), NULL], 'b': 'x'}::VARIANT", '{"a":[1.50,null],"b":"x"}'],
    [`'[1, "x", {"y": null}]'::JSON::VARIANT`, '[1,"x",{"y":null}]'],
    ['1e20::FLOAT', '100000000000000000000'],
    ['0.1::FLOAT', '0.1'],
    ['(-0.3)::FLOAT', '-0.3'],
    ['1e300::DOUBLE', '1e+300'],
    [`'quote " backslash \\ slash / é 𝄞'`, '"quote \\" backslash \\\\ slash / é 𝄞"'],
    ['chr(10) || chr(9) || chr(0) || chr(31) || chr(127) || chr(8232)', '"\\n\\t\\u0000\\u001f\x7f\u2028"'],
    ['-0.0::DOUBLE', '-0'],
    ["'[1,]'::VARCHAR::JSON", '"[1,]"'],
    ["[TIMESTAMP '2024-01-02 03:04:05']", '["2024-01-02T03:04:05"]'],
    ["['\\xFF'::BLOB]", '["/w=="]'],
    [`{'j': '{"a":1}'::JSON}`, '{"j":{"a":1}}'],
    ["['nan'::DOUBLE]", '[null]'],
  ])('%s is %s', async (value, text) => {
    const sql = value.includes('[1,]') ? "SELECT x FROM (SELECT '[1,]' AS x)" : `SELECT ${value} AS x`;
    expect(onlyValue(await encodeQuery(connection, 'json', sql))).toBe(text);
  });

  it('are strings if their JSON is invalid', async () => {
    const column = { name: 'x', type: { kind: 'json' } } as const;
    const document = await encode('json', [column], [toChunk(3, [toBytes(['[1,]', 'NaN', '{"a" : 1}'])])]);
    expect(document).toContain('"data":[["[1,]"],["NaN"],[{"a" : 1}]]');
  });

  it('are arrays if the field names of a struct repeat', async () => {
    const type: ColumnType = { kind: 'struct', fields: ['a', 'a'].map((name) => ({ name, type: INTEGER })) };
    const values: readonly ColumnValue[] = [[1, 2]];
    const vector: NestedVector = { kind: 'nested', validity: null, values, texts: [''] };
    expect(onlyValue(await encode('json', [{ name: 'x', type }], [toChunk(1, [vector])]))).toBe('[1,2]');
  });

  it('keep any text', async () => {
    const texts = fc.array(fc.option(fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(texts, async (rows) => {
        const document = await encode(
          'json',
          [{ name: 'x', type: TEXT }],
          [toChunk(rows.length, [toBytes(rows)])],
        );
        expect(JSON.parse(document).result.data).toEqual(rows.map((row) => [row]));
      }),
    );
  });

  it('keep any number', async () => {
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(numbers, async (rows) => {
        const doubles = Float64Array.from(rows);
        const floats = Float32Array.from(rows, (row) => (Number.isFinite(Math.fround(row)) ? row : 0));
        const columns = [
          { name: 'd', type: { kind: 'double' } },
          { name: 'f', type: { kind: 'float' } },
        ] as const;
        const document = await encode('json', columns, [
          toChunk(rows.length, [toFixed(doubles), toFixed(floats)]),
        ]);
        const data: number[][] = JSON.parse(document).result.data;
        expect(data.map(([double]) => double)).toEqual([...doubles]);
        expect(data.map(([, float]) => Math.fround(float!))).toEqual([...floats]);
      }),
    );
  });

  it('keep random single-precision numbers', async () => {
    const bits = fc.uint32Array({ minLength: 1 });
    await fc.assert(
      fc.asyncProperty(bits, async (rows) => {
        const floats = new Float32Array(rows.slice().buffer);
        const document = await encode(
          'json',
          [{ name: 'f', type: { kind: 'float' } }],
          [toChunk(floats.length, [toFixed(floats)])],
        );
        const data: (number | null)[][] = JSON.parse(document).result.data;
        const expected = [...floats].map((value) => (Number.isFinite(value) ? value : null));
        expect(data.map(([value]) => (value === null ? null : Math.fround(value!)))).toEqual(expected);
      }),
    );
  });
});

describe('numbers as strings', () => {
  const options = { numbers: 'string' } as const;

  it.each([
    ['9007199254740991::BIGINT', '9007199254740991'],
    ['9007199254740993::BIGINT', '"9007199254740993"'],
    ['(-9007199254740991)::BIGINT', '-9007199254740991'],
    ['(-9007199254740993)::BIGINT', '"-9007199254740993"'],
    ['(-9223372036854775808)::BIGINT', '"-9223372036854775808"'],
    ['18446744073709551615::UBIGINT', '"18446744073709551615"'],
    ['4294967295::UBIGINT', '4294967295'],
    ['42::HUGEINT', '42'],
    ['(-170141183460469231731687303715884105728)::HUGEINT', '"-170141183460469231731687303715884105728"'],
    ['340282366920938463463374607431768211455::UHUGEINT', '"340282366920938463463374607431768211455"'],
    ["'12345'::BIGNUM", '12345'],
    ["'123456789012345678901'::BIGNUM", '"123456789012345678901"'],
    ['12.30::DECIMAL(9, 2)', '12.30'],
    ['9999999999999.99::DECIMAL(18, 2)', '9999999999999.99'],
    ['10000000000000.00::DECIMAL(18, 2)', '"10000000000000.00"'],
    ['-12345678901234567.8::DECIMAL(38, 1)', '"-12345678901234567.8"'],
    ['1.5::DECIMAL(38, 1)', '1.5'],
    ['1e300::DOUBLE', '1e+300'],
    ['[9007199254740993, 1]', '["9007199254740993",1]'],
    ["{'a': 9007199254740993}", '{"a":"9007199254740993"}'],
    ['9007199254740993::VARIANT', '"9007199254740993"'],
    ["'9007199254740993'", '"9007199254740993"'],
  ])('%s is %s', async (value, text) => {
    const sql = `SELECT ${value} AS x`;
    expect(onlyValue(await encodeQuery(connection, 'json', sql, options))).toBe(text);
    expect(await encodeQuery(connection, 'ndjson', sql, options)).toBe(`{"x":${text}}\n`);
  });
});

describe('writing', () => {
  const sql = "SELECT i, repeat('é\"', 20) AS s, i / 7 AS d FROM range(100000) t(i)";

  it('passes blocks to a sink, one at a time, and leaves their bytes until the sink is done', async () => {
    const blocks: Buffer[] = [];
    let waiting = 0;
    const sink = {
      async write(bytes: Uint8Array) {
        waiting += 1;
        expect(waiting).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        blocks.push(Buffer.from(bytes));
        waiting -= 1;
      },
    };
    const encoder = createJsonEncoder(sink);
    const result = await connection.run(sql, never);
    if (result.kind !== 'rows') throw new Error('no result set');
    await encoder.start(result.columns);
    for await (const chunk of result.chunks) await encoder.chunk(chunk);
    await encoder.end(stats);
    expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(300_000);
    const { data } = JSON.parse(Buffer.concat(blocks).toString()).result;
    expect(data.length).toBe(100_000);
    expect(data[99_999]).toEqual([99_999, 'é"'.repeat(20), 99_999 / 7]);
  });

  it('stops when the sink fails', async () => {
    let left = 3;
    const sink = {
      async write() {
        left -= 1;
        if (left === 0) throw new Error('the other side is gone');
      },
    };
    const encoder = createJsonEncoder(sink);
    const writing = (async () => {
      const result = await connection.run(sql, never);
      if (result.kind !== 'rows') throw new Error('no result set');
      await encoder.start(result.columns);
      for await (const chunk of result.chunks) await encoder.chunk(chunk);
    })();
    await expect(writing).rejects.toThrow('the other side is gone');
    expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
  });

  it('handles long texts', async () => {
    const long = "SELECT repeat('\"', 1000000) || i AS x FROM range(5) t(i)";
    const document = await encodeQuery(connection, 'json', long);
    const { rows } = await readRows(await connection.run(long, never));
    expect(JSON.parse(document).result.data).toEqual(rows);
  });
});
