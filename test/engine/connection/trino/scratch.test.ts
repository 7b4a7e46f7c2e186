import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notNull } from '../../../../src/invariants/must.ts';
import { hasProc } from '../../../support/processes.ts';
import { hasCluster, THREE_NODES, useCluster } from '../../../support/trino/use-cluster.ts';
import { never, query, readError } from '../results.ts';
import { openTrino } from './sessions.ts';

const program = fileURLToPath(new URL('scratch-process.ts', import.meta.url));

describe.skipIf(!hasCluster)('the scratch schema', () => {
  const cluster = useCluster(THREE_NODES);

  async function makeSchema() {
    const { host, httpPort } = cluster();
    const schema = `scratch_${randomUUID().slice(0, 8)}`;
    const options = { host, port: String(httpPort), user: 'test', scratch_schema: `memory.${schema}` };
    const plain = await openTrino(options);
    await query(plain, `CREATE SCHEMA memory.${schema}`);
    const list = async () =>
      (await query(plain, `SHOW TABLES FROM memory.${schema}`)).flat().map(String).sort();
    onTestFinished(async () => {
      const other = await openTrino(options);
      await query(other, `DROP SCHEMA memory.${schema} CASCADE`);
      await other.close();
    });
    return {
      schema,
      options,
      list,
      make: (name: string) => query(plain, `CREATE TABLE memory.${schema}.${name} (id integer)`),
    };
  }

  /** A process that has stored rows; `finish` lets it read them and end, and waits for its end. */
  async function startProcess(options: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, ['--no-warnings', program, JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('ready');
    return {
      async kill() {
        child.kill('SIGKILL');
        await once(child, 'close');
      },
      async finish() {
        const closed = once(child, 'close');
        child.stdin.end('\n');
        const rows = JSON.parse((await lines.next()).value ?? '');
        await closed;
        return rows;
      },
    };
  }

  it('keeps rows until they are dropped, and nothing after the session', async () => {
    const { options, list } = await makeSchema();
    const session = await openTrino(options);
    await session.relations.createTable('quern_1', 'SELECT 1 AS n, NULL AS nothing', never);
    await session.relations.createTable('quern_2', 'SELECT 2 AS n', never);
    expect(await session.relations.listTemporary(never)).toEqual([
      { type: 'table', name: 'quern_1' },
      { type: 'table', name: 'quern_2' },
    ]);
    const { print } = notNull(session.relations.scratch);
    expect(await query(session, `SELECT n, nothing FROM ${print('quern_1')}`)).toEqual([[1, null]]);
    await session.relations.dropTemporary([{ type: 'table', name: 'quern_1' }], never);
    expect((await list()).filter((name) => name.endsWith('rows_2'))).toHaveLength(1);
    expect((await list()).filter((name) => name.endsWith('rows_1'))).toEqual([]);
    await session.close();
    expect(await list()).toEqual([]);
  });

  it.skipIf(!hasProc)('is swept of the rows of a killed process, and keeps those of others', async () => {
    const { options, list } = await makeSchema();
    const [killed, alive] = await Promise.all([startProcess(options), startProcess(options)]);
    const before = await list();
    expect(before.filter((name) => name.endsWith('_rows_1'))).toHaveLength(2);
    await killed.kill();
    const session = await openTrino(options);
    await session.relations.createTable('quern_5', 'SELECT 5 AS n', never);
    expect((await list()).filter((name) => name.endsWith('_rows_1'))).toHaveLength(1);
    expect(await alive.finish()).toEqual([[7]]);
    await session.close();
    expect(await list()).toEqual([]);
  });

  it('is swept of the rows of other machines only after their lease', async () => {
    const { options, list, make } = await makeSchema();
    const now = Math.floor(Date.now() / 1000);
    const kept = [
      'quern_0123456789_1_1_aaaaaaaa_rows_1',
      `quern_0123456789_1_1_aaaaaaaa_until_${now + 3600}`,
      `quern_0123456789_1_1_aaaaaaaa_until_${now - 60}`,
      // The only copy of a published table, until its publication runs again.
      'quern_0123456789_1_1_bbbbbbbb_old_0123456789ab_0000',
      'quern_of_a_user',
    ];
    const left = [
      'quern_0123456789_1_1_bbbbbbbb_rows_1',
      `quern_0123456789_1_1_bbbbbbbb_until_${now - 60}`,
      'quern_0123456789_1_1_cccccccc_new_0123456789ab',
    ];
    for (const name of [...kept, ...left]) await make(name);
    const session = await openTrino(options);
    await session.relations.createTable('quern_1', 'SELECT 1 AS n', never);
    await session.close();
    expect(await list()).toEqual(kept.toSorted());
  });

  it('says what to set when the connection names none, and when it does not exist', async () => {
    const { options } = await makeSchema();
    const { scratch_schema: _, ...plain } = options;
    const none = await openTrino(plain);
    const error = await readError(none.relations.createTable('quern_1', 'SELECT 1 AS n', never));
    expect(error).toMatchObject({ code: 'refused' });
    expect(error.message).toContain('scratch_schema');
    expect(none.relations.scratch?.refusal).toBe(error.message);
    const other = await openTrino({ ...options, scratch_schema: 'memory.of_nobody' });
    const missing = await readError(other.relations.createTable('quern_1', 'SELECT 1 AS n', never));
    expect(missing.message).toContain('scratch_schema');
    expect(missing.message).toContain('of_nobody');
  });
});
