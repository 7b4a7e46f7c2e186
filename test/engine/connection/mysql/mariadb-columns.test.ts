import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { mysqlDriver } from '../../../../src/engine/connection/mysql/driver.ts';
import { never, query, readError, readRows } from '../results.ts';
import { mariadbColumns } from './mariadb-types.ts';

const server = inject('mariadb');

describe.skipIf(server === null)('a column of MariaDB', () => {
  let connection: Connection;
  beforeAll(async () => {
    const spec = { name: 'test', kind: 'mysql', options: { ...server! }, overrides: {} } as const;
    connection = await mysqlDriver.connect(spec, never);
    // Accepts invalid dates, which old databases contain.
    await query(connection, "SET sql_mode = 'ALLOW_INVALID_DATES'");
  });
  afterAll(() => connection?.close());

  it.each(mariadbColumns)('of type $column reads $sql', async ({ column, sql, type, value }) => {
    await query(connection, `CREATE OR REPLACE TEMPORARY TABLE one (n INT, x ${column})`);
    await query(connection, `INSERT INTO one VALUES (1, ${sql}), (2, NULL), (3, ${sql})`);
    const { columns, rows } = await readRows(await connection.run('SELECT x FROM one ORDER BY n', never));
    expect(columns).toEqual([{ name: 'x', type }]);
    expect(rows).toEqual([[value], [null], [value]]);
  });

  it.each(['x', 'max(x)', 'coalesce(x, x)', 'if(n > 0, x, x)', '(SELECT x)', 'min(x) OVER ()'])(
    'of type BIT has the same digits in %s',
    async (expression) => {
      for (const [digits, number] of [
        [1, 1],
        [5, 9],
        [8, 200],
        [10, 515],
        [16, 40_000],
        [64, 2n ** 64n - 1n],
      ] as const) {
        await query(connection, `CREATE OR REPLACE TEMPORARY TABLE one (n INT, x BIT(${digits}))`);
        await query(connection, `INSERT INTO one VALUES (1, ${number})`);
        const bits = number.toString(2).padStart(digits, '0');
        expect(await query(connection, `SELECT ${expression} AS x FROM one`)).toEqual([[bits]]);
      }
    },
  );

  it('of a computed BIT is refused if its value is ambiguous', async () => {
    await query(connection, 'CREATE OR REPLACE TEMPORARY TABLE one (x BIT(8))');
    await query(connection, 'INSERT INTO one VALUES (5)');
    const error = await readError(query(connection, 'SELECT max(x) FROM one'));
    expect(error.message).toBe(
      'The column "max(x)" has a computed BIT(8), which MariaDB sends as bytes or as digits: cast it to UNSIGNED',
    );
    expect(await query(connection, 'SELECT CAST(max(x) AS UNSIGNED) AS x FROM one')).toEqual([[5]]);
  });
});
