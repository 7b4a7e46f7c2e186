import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionSpec } from '../../../src/engine/connection/contract/connection.ts';
import { trinoDriver } from '../../../src/engine/connection/trino/driver.ts';
import { createSessionLimits, createSessions } from '../../../src/execution/in-thread/sessions.ts';
import { notNull } from '../../../src/invariants/must.ts';
import { countRows, never, query, readError } from '../../engine/connection/results.ts';
import { ONE_AT_A_TIME } from '../../support/trino/configuration.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { waitUntil } from '../../support/waiting.ts';

const ENDLESS =
  'SELECT a.orderkey FROM tpch.tiny.lineitem AS a CROSS JOIN tpch.tiny.lineitem AS b CROSS JOIN tpch.tiny.lineitem AS c';

describe.skipIf(!hasCluster)('an execution with several sessions', () => {
  const cluster = useCluster();

  const toSpec = (options: Readonly<Record<string, string>> = {}): ConnectionSpec => {
    const { host, httpPort } = cluster();
    const all = { host, port: String(httpPort), user: 'test', ...options };
    return { name: 'test', kind: 'trino', options: all, overrides: {} };
  };
  const open = async (spec: ConnectionSpec) => {
    const connection = await trinoDriver.connect(spec, never);
    onTestFinished(() => connection.close());
    return connection;
  };

  it('waits for the database as long as one of them waits', async () => {
    const single = toSpec({ client_tags: ONE_AT_A_TIME });
    const [blocker, watcher] = [await open(single), await open(toSpec())];
    const notes: boolean[] = [];
    const sessions = createSessions(
      { connection: single, owner: 'ada', limits: { maxSessions: null }, semantic: undefined },
      {
        driver: trinoDriver,
        sessionLimits: createSessionLimits(),
        place: null,
        translate: undefined,
        warn: () => {},
        signal: never,
        noteQueued: (isQueued) => void notes.push(isQueued),
      },
    );
    onTestFinished(() => sessions.close());
    const [first, second] = [await sessions.connect(), notNull(await sessions.connectMore())];
    const [stopBlocker, stopFirst] = [new AbortController(), new AbortController()];
    const running = await blocker.run(ENDLESS, stopBlocker.signal);
    expect(running.kind).toBe('rows');
    notes.length = 0;
    const mark = `mark_${randomUUID().slice(0, 8)}`;
    const marked = `SELECT name AS ${mark} FROM tpch.tiny.nation`;
    const failure = readError(first.run(marked, stopFirst.signal));
    const counted = countRows(second, marked);
    const waiting = `SELECT query_id FROM system.runtime.queries WHERE state = 'QUEUED' AND query LIKE '%AS ${mark} %'`;
    await waitUntil(async () => (await query(watcher, waiting)).length === 2);
    stopFirst.abort();
    expect(await failure).toMatchObject({ code: 'cancelled' });
    expect(notes).toEqual([true]);
    stopBlocker.abort();
    expect(await counted).toBe(25);
    expect(notes).toEqual([true, false]);
  });
});
