import { describe, expect, it } from 'vitest';
import { never, query, readError } from '../results.ts';
import type { Connect, DriverUnderTest } from './driver-under-test.ts';

export function describeRelations({ sql, can }: DriverUnderTest, connect: Connect): void {
  describe('relations', () => {
    it('keep the original rows of a query', async () => {
      const connection = await connect();
      const { relations } = connection;
      const kept = relations.scratch?.print('quern_kept') ?? 'quern_kept';
      await connection.run(sql.createTemporary('source_of_rows'), never);
      await relations.createTable('quern_kept', 'SELECT x FROM source_of_rows -- a comment', never);
      await connection.run('DELETE FROM source_of_rows', never);
      expect((await query(connection, `SELECT x FROM ${kept}`)).flat().map(Number)).toEqual([1]);
      const names = (await relations.listTemporary(never)).map(({ name }) => name);
      expect(names.sort()).toEqual(['quern_kept', ...(can.temporaryTables ? ['source_of_rows'] : [])]);
      await relations.dropTemporary(await relations.listTemporary(never), never);
      expect(await relations.listTemporary(never)).toEqual([]);
      await relations.dropTemporary([{ type: 'table', name: 'quern_kept' }], never);
    });

    it('report the position of an error in a query', async () => {
      const { relations } = await connect();
      const text = 'SELECT 1 AS x,\n nothing FROM (SELECT 1 AS one) AS t';
      const error = await readError(relations.createTable('quern_kept', text, never));
      expect(error).toMatchObject({ code: 'sql', offset: text.indexOf('nothing') });
      expect(await relations.listTemporary(never)).toEqual([]);
    });

    it('recognize repeatable queries', async () => {
      const { relations } = await connect();
      expect(await relations.isRepeatable(sql.rows(3), never)).toBe(true);
      const text = "SELECT upper('a') AS a, count(*) AS n FROM (SELECT 1 AS one) AS t WHERE one IN (1, 2)";
      expect(await relations.isRepeatable(text, never)).toBe(true);
      expect(await relations.isRepeatable(`SELECT ${sql.chance} AS x`, never)).toBe(false);
      expect(await relations.isRepeatable(`${sql.rows(3)} LIMIT 1`, never)).toBe(false);
    });
  });
}
