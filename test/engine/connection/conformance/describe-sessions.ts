import { describe, expect, it } from 'vitest';
import { SQL_DIALECT } from '../../../../src/engine/text/sql-dialect.ts';
import { countRows, never, query, readError } from '../results.ts';
import type { Connect, DriverUnderTest } from './driver-under-test.ts';

export function describeSessions({ sql, can, schema, spec }: DriverUnderTest, connect: Connect): void {
  describe('sessions', () => {
    it.runIf(can.temporaryTables)('keep their temporary objects to themselves', async () => {
      const [one, other] = [await connect(), await connect()];
      await one.run(sql.createTemporary('only_here'), never);
      expect(await countRows(one, 'SELECT * FROM only_here')).toBe(1);
      expect((await readError(other.run('SELECT * FROM only_here', never))).code).toBe('sql');
    });

    it.runIf(can.temporaryTables)('lose them when they end', async () => {
      const one = await connect();
      await one.run(sql.createTemporary('gone'), never);
      await one.close();
      const other = await connect();
      expect((await readError(other.run('SELECT * FROM gone', never))).code).toBe('sql');
    });

    it('keep their settings to themselves', async () => {
      const [one, other] = [await connect(), await connect()];
      const before = await query(other, sql.setting.show);
      await one.run(sql.setting.change, never);
      expect(await query(one, sql.setting.show)).not.toEqual(before);
      expect(await query(other, sql.setting.show)).toEqual(before);
      expect(await query(await connect(), sql.setting.show)).toEqual(before);
    });

    it('start in the place that the overrides name', async () => {
      const one = await connect();
      await one.run(`CREATE SCHEMA ${schema}`, never);
      const other = await connect({ schema });
      expect(await query(other, sql.currentSchema)).toEqual([[schema]]);
      await one.run(`DROP SCHEMA ${schema}`, never);
    });

    it('do not start in a missing database or schema', async () => {
      expect(await readError(connect({ schema: 'no "such" place' }))).toMatchObject({
        code: 'sql',
        message: expect.stringContaining(
          'the connection `test` or its environment names the schema `no "such" place`: create it over another connection, or run a script that publishes a table or a view',
        ),
      });
      expect((await readError(connect({ database: 'no such place' }))).message).toContain('no such place');
    });

    it('create a missing schema on request', async () => {
      const name = 'A "new" place';
      const [{ kind }, open] = [spec(), () => connect({ schema: name }, {}, true)];
      const [one, other] = [await open(), await open()];
      const [[used] = []] = await query(one, sql.currentSchema);
      // Trino folds it.
      expect(String(used).toLowerCase()).toBe(name.toLowerCase());
      expect(await query(await connect({ schema: name }), sql.currentSchema)).toEqual([[used]]);
      await other.run(`DROP SCHEMA ${SQL_DIALECT[kind].quoteName(name)}`, never);
      expect((await readError(connect({ schema: name }))).message).toContain('create it');
    });

    it('can be closed more than once', async () => {
      const connection = await connect();
      await connection.close();
      await connection.close();
      await expect(connection.run(sql.rows(1), never)).rejects.toThrow('closed');
    });
  });
}
