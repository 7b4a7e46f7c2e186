import { describe, expect, it, onTestFinished } from 'vitest';
import { startProxy } from '../../../support/proxy.ts';
import { countRows, never, readChunk, readError } from '../results.ts';
import type { Connect, DriverUnderTest } from './driver-under-test.ts';

/** The connection to a server is lost; for drivers whose database runs elsewhere. */
export function describeLoss({ sql, spec, can }: DriverUnderTest, connect: Connect): void {
  describe.runIf(can.isServer)('a lost connection', () => {
    it('in the middle of a result is an error, and later sessions work', async () => {
      const proxy = await startProxy(Number(spec().options.port));
      onTestFinished(() => proxy.stop());
      const options = { port: String(proxy.port) };
      const connection = await connect({}, options);
      const result = await connection.run(sql.endless, never);
      if (result.kind !== 'rows') throw new Error('no result set');
      let rows = 0;
      const reading = (async () => {
        for await (const chunk of result.chunks) {
          rows += readChunk(result.columns, chunk).length;
          proxy.cut();
        }
      })();
      expect((await readError(reading)).code).toBe('unreachable');
      expect(rows).toBeGreaterThan(0);
      expect((await readError(connection.run(sql.rows(1), never))).code).toBe('unreachable');
      proxy.mend();
      expect(await countRows(await connect({}, options), sql.rows(3))).toBe(3);
    });
  });
}
