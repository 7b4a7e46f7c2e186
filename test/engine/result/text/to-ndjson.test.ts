import { afterAll, describe, expect, it } from 'vitest';
import { encode, encodeQuery, openMemory } from '../encode.ts';

const connection = await openMemory();
afterAll(() => connection.close());

describe('ndjson', () => {
  it('has one object for each row, with the values of the JSON format', async () => {
    const sql = `SELECT i AS id, 'line' || chr(10) || '"q" é' AS text, 12.30::DECIMAL(9, 2) AS price, NULL AS nothing,
      {'a': [1, 2]} AS s, 'NaN'::DOUBLE AS f, 9223372036854775807 AS big FROM range(2) t(i)`;
    const line = (id: number) =>
      `{"id":${id},"text":"line\\n\\"q\\" é","price":12.30,"nothing":null,"s":{"a":[1,2]},"f":null,"big":9223372036854775807}\n`;
    expect(await encodeQuery(connection, 'ndjson', sql)).toBe(line(0) + line(1));
  });

  it('numbers repeated names, and skips used names', async () => {
    const sql = 'SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a';
    expect(await encodeQuery(connection, 'ndjson', sql)).toBe('{"a":1,"a_3":2,"a_2":3,"a_4":4}\n');
  });

  it('is empty without rows and without a result set', async () => {
    expect(await encodeQuery(connection, 'ndjson', 'SELECT 1 AS a WHERE false')).toBe('');
    expect(await encode('ndjson', null, [])).toBe('');
  });

  it('is written in blocks of complete rows', async () => {
    const text = await encodeQuery(connection, 'ndjson', 'SELECT range AS n FROM range(100000)');
    const rows = text.trimEnd().split('\n');
    expect(rows.length).toBe(100_000);
    expect(rows.findIndex((row, i) => row !== `{"n":${i}}`)).toBe(-1);
  });
});
