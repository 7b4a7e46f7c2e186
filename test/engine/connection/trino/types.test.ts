import { describe, expect, it } from 'vitest';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { never, query, readError, readRows } from '../results.ts';
import { openTrino } from './sessions.ts';
import { trinoTypes } from './types.ts';

describe.skipIf(!hasCluster)('a value of Trino', () => {
  const cluster = useCluster();
  const open = (options: Readonly<Record<string, string>> = {}) => {
    const { host, httpPort } = cluster();
    return openTrino({ host, port: String(httpPort), user: 'test', ...options });
  };

  it.each(['false', 'true'])('is read in each type, with spooling = %s', async (spooling) => {
    const connection = await open({ spooling });
    const list = trinoTypes.map(({ sql }, i) => `${sql} AS c${i}`);
    const { columns, rows } = await readRows(await connection.run(`SELECT ${list.join(', ')}`, never));
    expect(columns.map(({ type }) => type)).toEqual(trinoTypes.map(({ type }) => type));
    expect(rows).toEqual([trinoTypes.map(({ value }) => value)]);
  });

  it('is text if its type is not known, whatever it is in JSON', async () => {
    const connection = await open();
    const text = '{"x":1,"y":2,"zoom":3}';
    expect(await query(connection, 'SELECT bing_tile(1, 2, 3)')).toEqual([[text]]);
  });

  it.each(['2262-04-11 23:47:16.854775807', '1677-09-21 00:12:43.145224193'])(
    'is refused if it means infinity: %s',
    async (text) => {
      const connection = await open();
      const error = await readError(query(connection, `SELECT TIMESTAMP '${text}'`));
      expect(error.message).toContain('nanoseconds since 1970');
    },
  );

  it.each(['+5881580-07-11', '-5877641-06-24', '-5877641-06-23'])(
    'is refused if it is a date that means infinity, or is before it: %s',
    async (text) => {
      const connection = await open();
      for (const sql of [`SELECT DATE '${text}' AS d`, `SELECT ARRAY[DATE '${text}'] AS d`]) {
        const error = await readError(query(connection, sql));
        expect(error.message).toBe(
          `The column "d" has the value \`${text}\`, which cannot be read as a date: cast it to text`,
        );
      }
    },
  );

  it.each([
    ["DATE '+5881580-07-10'", 2 ** 31 - 2],
    ["DATE '-5877641-06-25'", -(2 ** 31) + 2],
    ["TIMESTAMP '+294247-01-10 04:00:54.775806'", 2n ** 63n - 2n],
    ["TIMESTAMP '-290308-12-21 19:59:06'", -9_223_372_036_854_000_000n],
  ])('is read up to the limits of its type: %s', async (sql, value) => {
    expect(await query(await open(), `SELECT ${sql}`)).toEqual([[value]]);
  });

  it('is refused if it is a timestamp that means infinity', async () => {
    const text = '+294247-01-10 04:00:54.775807';
    const error = await readError(query(await open(), `SELECT TIMESTAMP '${text}' AS t`));
    expect(error.message).toBe(
      `The column "t" has the value \`${text}\`, which cannot be read as microseconds since 1970: cast it to text`,
    );
  });

  it('is refused if its nanoseconds do not fit', async () => {
    const connection = await open();
    const result = connection.run("SELECT TIMESTAMP '2300-01-01 00:00:00.123456789'", never);
    const { code, message } = await readError(result.then(readRows));
    expect(code).toBe('late');
    expect(message).toMatch(/2300-01-01 .* nanoseconds since 1970 .* cast it to text/);
  });
});
