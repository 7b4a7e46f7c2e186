import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { mysqlDriver } from '../../../../src/engine/connection/mysql/driver.ts';
import { never, query, readRows } from '../results.ts';
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
});
