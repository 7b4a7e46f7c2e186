import { describe, expect, it, onTestFinished } from 'vitest';
import { trinoDriver } from '../../../../src/engine/connection/trino/driver.ts';
import { ONE_AT_A_TIME } from '../../../support/trino/configuration.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { waitUntil } from '../../../support/waiting.ts';
import { countRows, never, readError } from '../results.ts';

const ENDLESS =
  'SELECT a.orderkey FROM tpch.tiny.lineitem AS a CROSS JOIN tpch.tiny.lineitem AS b CROSS JOIN tpch.tiny.lineitem AS c';
const FEW = 'SELECT name FROM tpch.tiny.nation';

describe.skipIf(!hasCluster)('the queue of a Trino cluster', () => {
  const cluster = useCluster();
  const open = async () => {
    const { host, httpPort } = cluster();
    const options = { host, port: String(httpPort), user: 'test', client_tags: ONE_AT_A_TIME };
    const notes: boolean[] = [];
    const spec = { name: 'test', kind: 'trino', options, overrides: {} } as const;
    const connection = await trinoDriver.connect(spec, never, (isQueued) => void notes.push(isQueued));
    onTestFinished(() => connection.close());
    return { connection, notes };
  };

  it('is reported while a statement waits, until it starts', async () => {
    const [first, second] = [await open(), await open()];
    const stop = new AbortController();
    const running = await first.connection.run(ENDLESS, stop.signal);
    expect(running.kind).toBe('rows');
    second.notes.length = 0;
    const counted = countRows(second.connection, FEW);
    await waitUntil(() => second.notes.at(-1) === true);
    stop.abort();
    expect(await counted).toBe(25);
    expect(second.notes).toEqual([true, false]);
  });

  it('can be left', async () => {
    const [first, second] = [await open(), await open()];
    const [stopFirst, stop] = [new AbortController(), new AbortController()];
    await first.connection.run(ENDLESS, stopFirst.signal);
    const failure = readError(second.connection.run(FEW, stop.signal));
    await waitUntil(() => second.notes.at(-1) === true);
    stop.abort();
    expect(await failure).toMatchObject({ code: 'cancelled' });
    expect(second.notes.at(-1)).toBe(false);
    stopFirst.abort();
    expect(await countRows(second.connection, FEW)).toBe(25);
  });
});
