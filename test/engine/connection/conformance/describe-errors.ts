import { describe, expect, it } from 'vitest';
import { countRows, never, readError } from '../results.ts';
import type { Connect, DriverUnderTest } from './driver-under-test.ts';

export function describeErrors({ sql }: DriverUnderTest, connect: Connect): void {
  describe('errors', () => {
    it('report the message and the position', async () => {
      const connection = await connect();
      const error = await readError(connection.run(sql.unknownColumn.sql, never));
      expect(error).toMatchObject({ code: 'sql', offset: sql.unknownColumn.offset });
      expect(error.message).toContain(sql.unknownColumn.name);
      expect(error.message).not.toContain('^');
    });

    it.each(['ab', 'éé', '日本', '💛🦆', 'aé日💛'])('have their position behind %s', async (text) => {
      const connection = await connect();
      const unknown = sql.unknownColumn.sql.replace(/'[^']*'/, `'${text}'`);
      expect(await readError(connection.run(unknown, never))).toMatchObject({
        offset: unknown.indexOf(sql.unknownColumn.name),
      });
      const malformed = `SELECT '${text}' AS x FROM FROM`;
      expect(await readError(connection.run(malformed, never))).toMatchObject({
        offset: malformed.lastIndexOf('FROM'),
      });
    });

    it('leave the session usable', async () => {
      const connection = await connect();
      await readError(connection.run(sql.unknownColumn.sql, never));
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('after the first rows end the result with the message', async () => {
      const connection = await connect();
      const result = await connection.run(sql.failing(2_000_000, 1_500_000), never);
      if (result.kind !== 'rows') throw new Error('no result set');
      let seen = 0;
      const reading = (async () => {
        for await (const chunk of result.chunks) seen += chunk.rows;
      })();
      const error = await readError(reading);
      expect(error.code).toBe('late');
      expect(error.message).toContain('boom');
      expect(seen).toBeGreaterThan(0);
      expect(seen).toBeLessThan(1_500_001);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('before the first rows are errors of the run', async () => {
      const connection = await connect();
      expect(await readError(connection.run(sql.failing(10, 5), never))).toMatchObject({
        code: 'sql',
        message: expect.stringContaining('boom'),
      });
    });
  });
}
