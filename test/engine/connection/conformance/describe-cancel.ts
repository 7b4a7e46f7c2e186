import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { countRows, never, readError, readRows } from '../results.ts';
import type { Connect, DriverUnderTest } from './driver-under-test.ts';
import { watchSlow } from './watch-slow.ts';

export function describeCancel({ sql, spec, can }: DriverUnderTest, connect: Connect): void {
  const cancelled = { code: 'cancelled' };

  async function readAll(connection: Connection, statement: string, signal: AbortSignal): Promise<void> {
    const result = await connection.run(statement, signal);
    if (result.kind === 'rows') for await (const _ of result.chunks);
  }

  describe('a cancellation', () => {
    it('works before the run', async () => {
      const connection = await connect();
      expect(await readError(connection.run(sql.rows(1), AbortSignal.abort()))).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works right after the start, at any step', async () => {
      const connection = await connect();
      for (let turns = 0; turns < 12; turns += 1) {
        const stop = new AbortController();
        const failure = readError(readAll(connection, sql.slow, stop.signal));
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        stop.abort();
        expect(await failure).toMatchObject(cancelled);
      }
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works before the first row', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const { waitUntilSlow } = await watchSlow(spec().kind, connection, await connect(), sql.slow);
      const failure = readError(readAll(connection, sql.slow, stop.signal));
      await waitUntilSlow();
      stop.abort();
      expect(await failure).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works as a deadline', async () => {
      const connection = await connect();
      const failure = readError(readAll(connection, sql.slow, AbortSignal.timeout(200)));
      expect(await failure).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it.runIf(can.isServer)('ends the statement on the server', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const watch = await watchSlow(spec().kind, connection, await connect(), sql.slow);
      const failure = readError(readAll(connection, sql.slow, stop.signal));
      await watch.waitUntilSlow();
      stop.abort();
      expect(await failure).toMatchObject(cancelled);
      expect(await watch.waitUntilGone()).toBe(true);
    });

    it('works during the wait for the next rows', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const { waitUntilSlow } = await watchSlow(spec().kind, connection, await connect(), sql.slowAfterRows);
      const result = await connection.run(sql.slowAfterRows, stop.signal);
      const failure = readError(readRows(result));
      await waitUntilSlow();
      stop.abort();
      expect(await failure).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works between two chunks', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const result = await connection.run(sql.endless, stop.signal);
      if (result.kind !== 'rows') throw new Error('no result set');
      const reading = (async () => {
        for await (const _ of result.chunks) stop.abort();
      })();
      expect(await readError(reading)).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('works for a result that has no reader yet', async () => {
      const connection = await connect();
      const stop = new AbortController();
      const result = await connection.run(sql.endless, stop.signal);
      stop.abort();
      expect(await readError(readRows(result))).toMatchObject(cancelled);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it('does nothing after the end', async () => {
      const connection = await connect();
      const stop = new AbortController();
      await readAll(connection, sql.rows(10), stop.signal);
      stop.abort();
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });
  });
}

export function describeLeaving({ sql, spec, can }: DriverUnderTest, connect: Connect): void {
  async function leaveEarly(connection: Connection): Promise<void> {
    const result = await connection.run(sql.endless, never);
    if (result.kind !== 'rows') throw new Error('no result set');
    for await (const _ of result.chunks) break;
  }

  describe('a result that is not read to the end', () => {
    it('leaves the session usable', async () => {
      const connection = await connect();
      await leaveEarly(connection);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
    });

    it.runIf(can.transactions)('leaves an open transaction unchanged', async () => {
      const connection = await connect();
      await connection.run(sql.createTemporary('left_early'), never);
      await connection.run(sql.begin, never);
      await connection.run('INSERT INTO left_early VALUES (2)', never);
      await leaveEarly(connection);
      expect(await countRows(connection, 'SELECT * FROM left_early')).toBe(2);
      await connection.run(sql.rollback, never);
      expect(await countRows(connection, 'SELECT * FROM left_early')).toBe(1);
    });

    it('may remain unread', async () => {
      const connection = await connect();
      const unread = await connection.run(sql.endless, never);
      expect(await countRows(connection, sql.rows(3))).toBe(3);
      await expect(readRows(unread)).rejects.toThrow('has been left');
    });

    it('ends when the session ends', async () => {
      const connection = await connect();
      const { waitUntilSlow } = await watchSlow(spec().kind, connection, await connect(), sql.slowAfterRows);
      const result = await connection.run(sql.slowAfterRows, never);
      const failure = readError(readRows(result));
      await waitUntilSlow();
      await connection.close();
      expect(await failure).toMatchObject({ code: 'cancelled' });
    });
  });
}
