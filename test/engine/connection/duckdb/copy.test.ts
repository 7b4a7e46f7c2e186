import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/engine/connection/contract/connection.ts';
import { copyDatabase } from '../../../../src/engine/connection/duckdb/copy/copy-database.ts';
import { duckdbDriver } from '../../../../src/engine/connection/duckdb/driver.ts';
import { makeFolder } from '../../../support/quern.ts';
import { query, never as signal } from '../results.ts';

function open(file: string): Promise<Connection> {
  return duckdbDriver.connect({ name: 'test', kind: 'duckdb', options: { file }, overrides: {} }, signal);
}

describe('a copy of a DuckDB file', () => {
  it('is consistent while sessions of this process write', async () => {
    const folder = makeFolder();
    const file = path.join(folder, 'a.duckdb');
    const writer = await open(file);
    await writer.run('CREATE TABLE t (round INT, n INT)', signal);
    let done = 0;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        // Large inserts are written to the file before the commit, small ones to the log.
        const rows = done % 4 === 0 ? 200_000 : 10;
        await writer.run(`INSERT INTO t SELECT ${done + 1}, range FROM range(${rows})`, signal);
        done += 1;
        await setImmediate();
      }
    })();
    for (let round = 0; round < 4; round++) {
      const seen = done;
      while (done < seen + 3) await setImmediate();
      const before = done;
      const target = path.join(folder, `copy${round}.duckdb`);
      await copyDatabase(file, target, signal);
      const copy = await open(target);
      const [[last, rounds, torn] = []] = await query(
        copy,
        `SELECT max(round), count(DISTINCT round), count(*) FILTER (rows <> CASE WHEN round % 4 = 1 THEN 200000 ELSE 10 END)
         FROM (SELECT round, count(*) OVER (PARTITION BY round) AS rows FROM t)`,
      );
      await copy.close();
      expect(Number(last)).toBeGreaterThanOrEqual(before);
      expect([Number(rounds), Number(torn)]).toEqual([Number(last), 0]);
    }
    isOver = true;
    await writing;
    expect(await query(writer, "SELECT current_setting('checkpoint_threshold')")).toEqual([['16.0 MiB']]);
    await writer.close();
    expect(readdirSync(folder).filter((name) => name.endsWith('.wal'))).toEqual([]);
  });

  it('copies the file to which a link points, with its log', async () => {
    const folder = makeFolder();
    const file = path.join(folder, 'a.duckdb');
    const link = path.join(makeFolder(), 'link.duckdb');
    const writer = await open(file);
    await query(writer, 'CREATE TABLE t AS SELECT 42 AS x');
    symlinkSync(file, link);
    await copyDatabase(link, path.join(folder, 'b.duckdb'), signal);
    await writer.close();
    const copy = await open(path.join(folder, 'b.duckdb'));
    expect(await query(copy, 'FROM t')).toEqual([[42]]);
    await copy.close();
  });

  it('is refused for an invalid file, and without enough space', async () => {
    const folder = makeFolder();
    const file = path.join(folder, 'a.duckdb');
    await (await open(file)).close();
    await expect(copyDatabase(file, path.join(folder, 'none', 'b.duckdb'), signal)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ENOENT'),
    });
    await expect(copyDatabase(file, path.join(folder, 'b'), AbortSignal.abort())).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
