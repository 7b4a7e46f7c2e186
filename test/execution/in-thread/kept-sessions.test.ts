import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNanoClock } from '../../../src/engine/run/outcome/clock.ts';
import { toStop } from '../../../src/execution/contract/cancellation.ts';
import { type Lasting, type LastingState, NOTHING_LEFT } from '../../../src/execution/contract/lasting.ts';
import { Runner } from '../../../src/execution/in-thread/runner.ts';
import { makeFolder } from '../../support/quern.ts';
import { waitUntil } from '../../support/waiting.ts';
import { never, toRequest } from '../hosts.ts';

/** Runs statements of one session, which expect what the last one has left. */
function makeSession({ transactionMs = null }: { readonly transactionMs?: number | null } = {}) {
  const folder = makeFolder();
  const runner = new Runner(createNanoClock(), { idleMs: 0, transactionMs });
  onTestFinished(() => runner.close());
  let expects: LastingState = NOTHING_LEFT;
  async function run(text: string, id: string | null = 's1') {
    const parts: Uint8Array[] = [];
    const lasting: Lasting = { id, expects };
    const request = { ...toRequest(text, folder, { file: path.join(folder, 'a.duckdb') }), lasting };
    const sink = { write: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) };
    const outcome = await runner.run(request, sink, toStop(never), {});
    if (outcome.lasting !== undefined) {
      const { changes: _, ...left } = outcome.lasting;
      expects = left;
    }
    return {
      ...outcome.lasting,
      output: Buffer.concat(parts).toString(),
      error: outcome.status === 'failed' ? outcome.error.message : null,
    };
  }
  return { run, runner };
}

describe('a kept session', () => {
  it('ends at once if nothing is left in it', async () => {
    const { run, runner } = makeSession();
    for (const text of [
      'CREATE TABLE a (i INTEGER)',
      'INSERT INTO a VALUES (1)',
      'ALTER TABLE a ADD COLUMN j INTEGER',
      'SELECT * FROM a',
      'EXPLAIN SELECT * FROM a',
      'BEGIN; UPDATE a SET i = 2; COMMIT',
      'CREATE OR REPLACE VIEW b AS FROM a',
      'DROP VIEW b',
    ]) {
      expect(await run(text)).toMatchObject({ error: null, holdsFile: false, transaction: 'none' });
      expect(runner.kept.has('s1')).toBe(false);
    }
  });

  it.each([
    ['BEGIN', { transaction: 'open', traces: [] }],
    ['SET threads = 1', { traces: ['settings'] }],
    ['SET VARIABLE x = 1', { traces: ['settings'] }],
    ['CREATE SCHEMA c; USE c', { traces: ['current schema'] }],
    ["ATTACH ':memory:' AS c", { traces: ['attached databases'] }],
    ['PREPARE p AS SELECT 1', { traces: ['prepared statements'] }],
    ['CREATE TEMP TABLE c (i INTEGER)', { traces: ['temporary objects'] }],
    ['CREATE TEMP MACRO c() AS 1', { traces: ['temporary objects'] }],
    ['CREATE TEMP VIEW c AS SELECT 1', { traces: ['temporary objects'] }],
    ['SELECT setseed(0.5)', { traces: [] }],
    ['LOAD parquet', { traces: ['extensions'] }],
  ])('stays after %j', async (text, left) => {
    const { run, runner } = makeSession();
    expect(await run(text)).toMatchObject({ error: null, holdsFile: true, ...left });
    expect(runner.kept.has('s1')).toBe(true);
    await runner.kept.end('s1');
    expect(runner.kept.has('s1')).toBe(false);
  });

  it('names what has ended with it, once', async () => {
    const { run, runner } = makeSession();
    await run('CREATE TEMP TABLE c (i INTEGER); SET VARIABLE x = 1');
    await run('BEGIN');
    await runner.kept.end('s1');
    expect((await run('SELECT 1 AS a')).error).toBe(
      'the database session has ended, with the open transaction, temporary objects and settings; this statement did not run, and the next one opens a new session',
    );
    expect(await run('SELECT 1 AS a')).toMatchObject({ error: null, output: 'a\n1\n' });
  });

  it('has its transaction rolled back when no statement follows, and the next statement says so', async () => {
    const { run } = makeSession({ transactionMs: 1 });
    await run('CREATE TABLE a (i INTEGER); CREATE TEMP TABLE c AS SELECT 5 AS i');
    await run('BEGIN; INSERT INTO a VALUES (1)');
    const message =
      'the open transaction was rolled back after 5 minutes without a statement; this statement did not run';
    await waitUntil(async () => (await run('SELECT 1')).error === message);
    expect(await run('SELECT count(*) AS n FROM a')).toMatchObject({ output: 'n\n0\n', transaction: 'none' });
    expect(await run('FROM c')).toMatchObject({ output: 'i\n5\n' });
  });

  it('tells a failed transaction from an open one', async () => {
    const { run } = makeSession();
    expect(await run('BEGIN; CREATE TABLE a (i INTEGER PRIMARY KEY)')).toMatchObject({ transaction: 'open' });
    expect(await run('INSERT INTO a VALUES (1), (1)')).toMatchObject({ transaction: 'failed' });
    expect(await run('ROLLBACK')).toMatchObject({ error: null, transaction: 'none' });
  });

  it('is not possible without an id, so that statements that leave something are refused', async () => {
    const { run } = makeSession();
    for (const text of ['BEGIN', 'set threads = 1', 'create secret (type http)', '/* a */ USE memory'])
      expect((await run(text, null)).error).toMatch(
        /would have no effect: this home keeps no further session/,
      );
    expect((await run('CREATE TABLE a AS SELECT 1 AS i', null)).error).toBeNull();
  });

  it('counts the rows that each statement has changed', async () => {
    const { run } = makeSession();
    const { changes } = await run(
      'CREATE TABLE a (i INTEGER PRIMARY KEY); INSERT INTO a VALUES (1), (2); INSERT OR REPLACE INTO a VALUES (1); UPDATE a SET i = 3 WHERE i = 2; DELETE FROM a RETURNING i',
    );
    expect(changes).toEqual([
      { verb: 'inserted', rows: 2 },
      { verb: 'changed', rows: 1 },
      { verb: 'updated', rows: 1 },
    ]);
  });
});
