import { afterAll, describe, expect, it } from 'vitest';
import type { Column, ColumnType } from '../../../src/engine/result/columns/column.ts';
import { duckdbTypes } from '../connection/duckdb/types.ts';
import { readWithEngine } from './arrow-oracle.ts';
import {
  encodeAnswer,
  encodeArrow,
  findDifference,
  readMessages,
  readWithApache,
  readWithFlechette,
} from './arrow-readers.ts';
import { openMemory, toChunk, toFixed } from './encode.ts';

const connection = await openMemory();
afterAll(() => connection.close());

/** A statement's rows, as both readers decode them. */
async function roundTrip(sql: string) {
  const { bytes, types } = await encodeAnswer(connection, sql);
  return { apache: readWithApache(bytes, types), flechette: readWithFlechette(bytes, types) };
}

const INTEGER: ColumnType = { kind: 'integer', bits: 32, signed: true };
const TEXT: ColumnType = { kind: 'text', label: 'STRING' };

describe('types', () => {
  const types: readonly (readonly [ColumnType, string])[] = [
    [{ kind: 'boolean' }, 'Bool'],
    [{ kind: 'integer', bits: 8, signed: true }, 'Int8'],
    [{ kind: 'integer', bits: 16, signed: true }, 'Int16'],
    [{ kind: 'integer', bits: 32, signed: true }, 'Int32'],
    [{ kind: 'integer', bits: 64, signed: true }, 'Int64'],
    [{ kind: 'integer', bits: 8, signed: false }, 'Uint8'],
    [{ kind: 'integer', bits: 16, signed: false }, 'Uint16'],
    [{ kind: 'integer', bits: 32, signed: false }, 'Uint32'],
    [{ kind: 'integer', bits: 64, signed: false }, 'Uint64'],
    [{ kind: 'hugeint' }, 'Decimal[38e0]'],
    [{ kind: 'uhugeint' }, 'Utf8'],
    [{ kind: 'decimal', precision: 4, scale: 2 }, 'Decimal[4e+2]'],
    [{ kind: 'decimal', precision: 38, scale: 38 }, 'Decimal[38e+38]'],
    [{ kind: 'float' }, 'Float32'],
    [{ kind: 'double' }, 'Float64'],
    [{ kind: 'date' }, 'Date32<DAY>'],
    [{ kind: 'time' }, 'Time64<MICROSECOND>'],
    [{ kind: 'timestamp', unit: 'second', utc: false }, 'Timestamp<SECOND>'],
    [{ kind: 'timestamp', unit: 'millisecond', utc: false }, 'Timestamp<MILLISECOND>'],
    [{ kind: 'timestamp', unit: 'microsecond', utc: false }, 'Timestamp<MICROSECOND>'],
    [{ kind: 'timestamp', unit: 'nanosecond', utc: false }, 'Timestamp<NANOSECOND>'],
    [{ kind: 'timestamp', unit: 'microsecond', utc: true }, 'Timestamp<MICROSECOND, UTC>'],
    [TEXT, 'Utf8'],
    [{ kind: 'text', label: 'INTERVAL' }, 'Utf8'],
    [{ kind: 'json' }, 'Utf8'],
    [{ kind: 'binary' }, 'Binary'],
    [{ kind: 'geometry' }, 'Binary'],
    [{ kind: 'null' }, 'Null'],
    [{ kind: 'list', element: INTEGER }, 'List<Int32>'],
    [{ kind: 'list', element: INTEGER, size: 3 }, 'FixedSizeList[3]<Int32>'],
    [{ kind: 'struct', fields: [{ name: 'a', type: INTEGER }] }, 'Struct<{a:Int32}>'],
    [{ kind: 'map', key: TEXT, value: INTEGER }, 'Map<{key:Utf8, value:Int32}>'],
    [{ kind: 'union', members: [{ name: 'a', type: INTEGER }] }, 'Utf8'],
    [{ kind: 'variant' }, 'Utf8'],
  ];

  it('has a nullable field for every column', async () => {
    const columns = types.map(([type], i): Column => ({ name: `c${i}`, type }));
    const bytes = Buffer.concat(await encodeArrow(columns, []));
    const expected = types.map(([, text]) => text);
    expect(readWithApache(bytes, []).types).toEqual(expected);
    expect(readWithApache(bytes, []).nullable).toEqual(expected.map(() => true));
    expect(readWithFlechette(bytes, []).names).toEqual(columns.map(({ name }) => name));
  });

  it('has non-nullable entries and keys in a map', async () => {
    const columns: Column[] = [{ name: 'm', type: { kind: 'map', key: TEXT, value: INTEGER } }];
    const bytes = Buffer.concat(await encodeArrow(columns, []));
    expect(JSON.parse(readWithFlechette(bytes, []).types[0]!)).toMatchObject({
      keysSorted: false,
      children: [
        {
          nullable: false,
          type: {
            children: [
              { name: 'key', nullable: false },
              { name: 'value', nullable: true },
            ],
          },
        },
      ],
    });
  });

  it('keeps repeated, empty and non-ASCII names', async () => {
    const names = ['a', 'a', '', '', 'é𝄞', 'x\0y'];
    const columns = names.map((name): Column => ({ name, type: INTEGER }));
    const bytes = Buffer.concat(await encodeArrow(columns, []));
    expect(readWithApache(bytes, []).names).toEqual(names);
    expect(readWithFlechette(bytes, []).names).toEqual(names);
  });
});

/** Kinds that are sent as text. */
const PRINTED: ReadonlySet<ColumnType['kind']> = new Set(['uhugeint', 'union', 'variant']);

/** Values outside the range of Arrow, which are errors. */
const REFUSED: readonly unknown[] = [-(2n ** 127n), 86_400_000_000n];

describe('values', () => {
  it.each(duckdbTypes.filter(({ value }) => !REFUSED.includes(value)))(
    'reads back $sql',
    async ({ sql, type, value }) => {
      const one = `SELECT ${sql} AS x`;
      const { apache, flechette } = await roundTrip(`${one} UNION ALL SELECT NULL UNION ALL ${one}`);
      const [[text] = []] = await readWithEngine(`SELECT (${sql})::VARCHAR`);
      const own = PRINTED.has(type.kind) ? text! : value;
      expect(findDifference(apache.columns, [[own, null, own]])).toBeNull();
      expect(findDifference(flechette.columns, [[own, null, own]])).toBeNull();
    },
  );

  it('reads back an untyped NULL', async () => {
    const columns: Column[] = [{ name: 'n', type: { kind: 'null' } }];
    const chunk = toChunk(3, [toFixed(new Uint8Array(0), Uint8Array.of(0))]);
    const bytes = Buffer.concat(await encodeArrow(columns, [chunk, chunk]));
    expect(readWithApache(bytes, [{ kind: 'null' }]).columns).toEqual([Array(6).fill(null)]);
    expect(readWithFlechette(bytes, [{ kind: 'null' }]).columns).toEqual([Array(6).fill(null)]);
  });

  it('reads back 40,000 rows of every plain type', async () => {
    const { apache, flechette } = await roundTrip(PLAIN);
    const expected = await readWithEngine(PLAIN);
    expect(expected[0]!.length).toBe(40_000);
    expect(findDifference(apache.columns, expected)).toBeNull();
    expect(findDifference(flechette.columns, expected)).toBeNull();
  });

  it('reads back 20,000 rows of nested types', async () => {
    const { apache, flechette } = await roundTrip(NESTED);
    const expected = await readWithEngine(NESTED);
    expect(expected[0]!.length).toBe(20_000);
    expect(findDifference(apache.columns, expected)).toBeNull();
    expect(findDifference(flechette.columns, expected)).toBeNull();
  });

  it('prints unions and variants inside other values', async () => {
    const { apache, flechette } = await roundTrip(`
      SELECT [union_value(k := 1)::UNION(k INTEGER, d DATE, l INTEGER[]), union_value(d := DATE '2024-01-02'),
              union_value(l := [1, NULL]), union_value(k := NULL::INTEGER), NULL] AS u,
             {'v': 'x'::VARIANT, 'w': [1, 2]::VARIANT, 'n': NULL::VARIANT} AS v`);
    const expected = [[['1', '2024-01-02', '[1, NULL]', 'NULL', null]], [['x', '[1, 2]', null]]];
    expect(apache.types).toEqual(['List<Utf8>', 'Struct<{v:Utf8, w:Utf8, n:Utf8}>']);
    expect([apache.columns, flechette.columns]).toEqual([expected, expected]);
  });

  it('overwrites the undefined data of a NULL', async () => {
    const columns: Column[] = [
      { name: 'a', type: { kind: 'integer', bits: 16, signed: true } },
      { name: 'b', type: { kind: 'integer', bits: 64, signed: true } },
      { name: 'c', type: { kind: 'decimal', precision: 4, scale: 0 } },
      { name: 'd', type: { kind: 'boolean' } },
    ];
    const secret = Int16Array.of(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const mask = Uint8Array.of(0b0101_0101, 0b010);
    const data = [secret, BigInt64Array.from(secret, BigInt), secret, Uint8Array.from(secret, () => 1)];
    const chunk = toChunk(
      11,
      data.map((values) => toFixed(values, mask)),
    );
    const bytes = Buffer.concat(await encodeArrow(columns, [chunk]));
    const [batch] = readMessages(bytes).batches;
    const [, small, , large, , decimal, , bits] = batch!.buffers.map(({ offset, length }) =>
      Buffer.from(batch!.body.subarray(offset, offset + length)),
    );
    const some = [-1, 0, -1, 0, -1, 0, -1, 0, 0, -1, 0];
    expect(small!.equals(Buffer.from(Int16Array.from(some).buffer))).toBe(true);
    expect(large!.equals(Buffer.from(BigInt64Array.from(some, BigInt).buffer))).toBe(true);
    expect(
      decimal!.equals(
        Buffer.from(
          BigInt64Array.from(
            some.flatMap((x) => [x, x]),
            BigInt,
          ).buffer,
        ),
      ),
    ).toBe(true);
    expect(bits).toEqual(Buffer.from(mask));
  });
});

describe('a HUGEINT', () => {
  const MAX_COUNT = 10n ** 38n - 1n;
  const values = [0n, 2n ** 64n, MAX_COUNT].flatMap((value) => [value, -value]);

  it.each([MAX_COUNT + 1n, -MAX_COUNT - 1n, 2n ** 127n - 1n, -(2n ** 127n)])(
    'is refused with more than 38 digits, and its column is named: %s',
    async (value) => {
      const why = `The column "x" cannot be written as arrow: ${value} has more than 38 digits. Cast the column to VARCHAR, or to DOUBLE to round it`;
      for (const shape of ['$', '[NULL, $]', "{'a': $}", 'map([1], [$])']) {
        const sql = `SELECT ${shape.replace('$', `'${value}'::HUGEINT`)} AS x`;
        await expect(roundTrip(sql)).rejects.toThrow(why);
      }
    },
  );

  it.each(values)('is written with all its digits: %s', async (value) => {
    const { apache, flechette } = await roundTrip(
      `SELECT '${value}'::HUGEINT AS x, ['${value}'::HUGEINT] AS y`,
    );
    expect(apache.columns).toEqual([[value], [[value]]]);
    expect(flechette.columns).toEqual([[value], [[value]]]);
  });

  it('is ignored if its row is NULL', async () => {
    const columns: Column[] = [{ name: 'h', type: { kind: 'hugeint' } }];
    const huge = BigInt64Array.of(0n, 2n ** 63n - 1n, 7n, 0n);
    const bytes = Buffer.concat(
      await encodeArrow(columns, [toChunk(2, [toFixed(huge, Uint8Array.of(0b10))])]),
    );
    expect(readWithApache(bytes, [{ kind: 'hugeint' }]).columns).toEqual([[null, 7n]]);
  });
});

describe('a TIME', () => {
  it('is rejected with its column name at 24:00:00, which Arrow does not have', async () => {
    await expect(roundTrip("SELECT '24:00:00'::TIME AS x")).rejects.toThrow(
      'The column "x" cannot be written as arrow: 24:00:00 is not a time of day in arrow. Cast the column to VARCHAR',
    );
  });

  it('is written up to its last microsecond', async () => {
    const { apache } = await roundTrip("SELECT '23:59:59.999999'::TIME AS x, NULL::TIME AS y");
    expect(apache.columns).toEqual([[86_399_999_999n], [null]]);
  });
});

const sparse = (expression: string, prime: number) =>
  `CASE WHEN hash(i * ${prime}) % 7 > 0 THEN ${expression} END AS c${prime}`;
const random = (prime: number) => `(hash(i * ${prime} + 1) % 4294967296)::BIGINT`;

const PLAIN = `
  SELECT i AS n,
    ${sparse(`${random(2)} % 2 = 0`, 2)},
    ${sparse(`(${random(3)} % 256 - 128)::TINYINT`, 3)},
    ${sparse(`(${random(5)} % 65536)::USMALLINT`, 5)},
    ${sparse(`(${random(7)} - 2147483648)::INTEGER`, 7)},
    ${sparse('hash(i)', 11)},
    ${sparse(`${random(13)}::HUGEINT * ${random(17)} * (i % 3 - 1)`, 13)},
    ${sparse('(hash(i)::UHUGEINT * hash(i + 1))', 17)},
    ${sparse(`(${random(19)} % 19999 - 9999)::DECIMAL(4, 0)`, 19)},
    ${sparse(`((${random(23)} % 1999999999 - 999999999) / 1000)::DECIMAL(9, 3)`, 23)},
    ${sparse(`(${random(29)} * 1000 - 2000000000000)::DECIMAL(18, 2)`, 29)},
    ${sparse(`(${random(31)}::HUGEINT * 1000000000000 - 2000000000000)::DECIMAL(38, 5)`, 31)},
    ${sparse(`(${random(37)} / 7)::FLOAT`, 37)},
    ${sparse(`CASE i % 10 WHEN 0 THEN 'nan'::DOUBLE WHEN 1 THEN '-inf'::DOUBLE ELSE ${random(41)} / 7 END`, 41)},
    ${sparse(`DATE '1970-01-01' + (${random(43)} % 1000000 - 500000)::INTEGER`, 43)},
    ${sparse(`make_time(i % 24, i % 60, ${random(47)} % 59999999 / 1000000)`, 47)},
    ${sparse(`make_timestamp(${random(53)} * 1000003)`, 53)},
    ${sparse(`to_timestamp(${random(59)} - 2147483648)`, 59)},
    ${sparse('make_timestamp_ns((hash(i) % 1000000000000000)::BIGINT)', 61)},
    ${sparse(`repeat('é', (hash(i) % 9)::INTEGER)`, 67)},
    ${sparse(`substr('a text that is longer than twelve bytes', 1, (hash(i) % 40)::INTEGER)`, 71)},
    ${sparse(`('\\xAA' || 'bytes' || i)::BLOB`, 73)},
    ${sparse(`['red', 'green', 'a longer colour'][1 + i % 3]::ENUM('red', 'green', 'a longer colour')`, 79)},
    ${sparse(`md5(i::VARCHAR)::UUID`, 83)},
    ${sparse(`('{"i": ' || i || '}')::JSON`, 89)},
    ${sparse(`INTERVAL (i) MINUTE`, 97)},
    NULL AS nothing
  FROM range(40000) r(i)`;

const NESTED = `
  SELECT i AS n,
    ${sparse(`list_transform(range(i % 5), x -> CASE WHEN x <> 2 THEN x * i END)`, 2)},
    ${sparse(`[[i::VARCHAR], NULL, [], ['x' || i]]`, 3)},
    (CASE WHEN i % 7 > 0 THEN [i, NULL, i * 2] END)::INTEGER[3],
    ${sparse(`{'a': CASE WHEN i % 3 > 0 THEN i END, 'b': {'c': 'text ' || i, 'd': [DATE '2024-01-01' + i::INTEGER]}}`, 7)},
    ${sparse(`MAP {'k' || i: [i, NULL], 'l': NULL}`, 11)},
    ${sparse(`MAP {i: {'x': i % 2 = 0, 'y': i / 7}}`, 13)},
    ${sparse('[((i % 100) * 1.5)::DECIMAL(4, 1), NULL]', 17)},
    ${sparse(`[make_timestamp(i * 1000003), NULL]`, 19)},
    ${sparse(`['\\xAA'::BLOB, NULL]`, 23)},
    ${sparse(`[i::HUGEINT * 10000000000000000000000, -1]`, 29)},
    ${sparse('[(i % 256)::UTINYINT, NULL]', 31)},
    ${sparse(`union_value(s := 'u' || i)`, 37)}
  FROM range(20000) r(i)`;
