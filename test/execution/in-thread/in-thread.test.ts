import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClock } from '../../../src/engine/run/outcome/clock.ts';
import type { ExecutionOutcome } from '../../../src/execution/contract/outcome.ts';
import type { ExecutionRequest } from '../../../src/execution/contract/request.ts';
import { createInThreadHost } from '../../../src/execution/in-thread/in-thread.ts';
import { createRegistry } from '../../../src/execution/registry/registry.ts';
import { makeFolder } from '../../support/quern.ts';

const never = new AbortController().signal;
const ENDLESS = 'select count(*) from range(10000000000) a, range(10000000000) b where a.range + b.range = 7';

interface Changes {
  readonly params?: ExecutionRequest['params'];
  readonly limits?: Partial<ExecutionRequest['limits']>;
  readonly owner?: string;
  readonly file?: string;
}

function makeHost() {
  const folder = makeFolder();
  const registry = createRegistry();
  const host = createInThreadHost({ clock: createClock(), registry });
  onTestFinished(() => host.close());
  const toRequest = (
    text: string,
    { params = {}, limits, owner = 'u1', file = ':memory:' }: Changes,
  ): ExecutionRequest => ({
    id: 'e1',
    owner,
    work: { kind: 'sql', source: { name: 'test.sql', text } },
    params,
    connection: { name: 'duckdb', kind: 'duckdb', options: { file }, overrides: {} },
    format: 'csv',
    encoder: {},
    limits: {
      timeoutMs: null,
      maxSessions: null,
      maxRows: null,
      spoolBytes: 1e9,
      spoolDirectory: folder,
      publishDirectory: folder,
      ...limits,
    },
  });
  async function run(text: string, changes: Changes = {}, signal = never) {
    const parts: Uint8Array[] = [];
    const sink = { write: (bytes: Uint8Array) => void parts.push(bytes) };
    const outcome = await host.run(toRequest(text, changes), sink, signal);
    return { outcome, output: Buffer.concat(parts).toString() };
  }
  return { folder, registry, host, toRequest, run };
}

function faultOf(outcome: ExecutionOutcome) {
  if (outcome.status !== 'failed') throw new Error('it did not fail');
  return outcome.fault;
}

describe('the in-thread host', () => {
  it('sends the first result set and counts its rows', async () => {
    const { run } = makeHost();
    const { outcome, output } = await run('select 1 as a union all select 2; select 3 as b');
    expect(output).toBe('a\n1\n2\n');
    expect(outcome).toMatchObject({ status: 'done', rows: 2 });
    expect((await run('create table t (x int)')).outcome).toMatchObject({ status: 'done', rows: null });
  });

  it('sends nothing before a script that goes on has ended, and then nothing but the fault', async () => {
    const { run, folder } = makeHost();
    const { outcome, output } = await run("select range as r from range(100000); select error('later')");
    expect(output).toBe('');
    expect(faultOf(outcome)).toMatchObject({ code: 'sql', diagnostics: [{ file: 'test.sql', line: 1 }] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('drains a later result set: its late error is the answer', async () => {
    const { run } = makeHost();
    const late = "select case when range = 3000000 then error('too late') else range end from range(5000000)";
    expect(faultOf((await run(`select 1; ${late}`)).outcome).message).toContain('too late');
  });

  it('limits the rows of the answer and the bytes of a kept one', async () => {
    const { run } = makeHost();
    const limited = await run('select range as r from range(100000000000)', { limits: { maxRows: 5000 } });
    expect(limited.outcome).toMatchObject({ status: 'done', rows: 5000 });
    expect(limited.output.split('\n').at(-2)).toBe('4999');
    expect((await run('select 1 as x', { limits: { maxRows: 0 } })).output).toBe('x\n');
    const kept = await run('select range from range(100000); select 1', { limits: { spoolBytes: 1000 } });
    expect(faultOf(kept.outcome).code).toBe('limit');
  });

  it('stops at its deadline', async () => {
    const { run, registry } = makeHost();
    const { outcome } = await run(ENDLESS, { limits: { timeoutMs: 100 } });
    expect(faultOf(outcome)).toMatchObject({ code: 'timeout', stuck: false });
    expect(registry.list()).toEqual([]);
  });

  it('is cancelled by its caller, also before it begins', async () => {
    const { run } = makeHost();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    expect(faultOf((await run(ENDLESS, {}, controller.signal)).outcome).code).toBe('cancelled');
    expect(faultOf((await run('select 1', {}, AbortSignal.abort())).outcome).code).toBe('cancelled');
  });

  it('lists what runs, and cancels by what it is', async () => {
    const { run, registry } = makeHost();
    const ada = run(ENDLESS, { owner: 'ada' });
    const bob = run(ENDLESS, { owner: 'bob' });
    await expect.poll(() => registry.list().length).toBe(2);
    expect(registry.list()[0]).toMatchObject({ owner: 'ada', connection: 'duckdb', name: 'test.sql' });
    expect(registry.cancelWhere(({ owner }) => owner === 'ada')).toBe(1);
    expect(faultOf((await ada).outcome).code).toBe('cancelled');
    expect(registry.list().map(({ owner }) => owner)).toEqual(['bob']);
    expect(registry.cancelWhere(() => true)).toBe(1);
    expect(faultOf((await bob).outcome).code).toBe('cancelled');
  });

  it('stops the query when the sink fails', async () => {
    const { host, toRequest } = makeHost();
    const sink = { write: () => Promise.reject(new Error('the reader is gone')) };
    const outcome = await host.run(toRequest('from range(100000000000)', {}), sink, never);
    expect(faultOf(outcome)).toMatchObject({ code: 'output', message: 'the reader is gone' });
  });

  it('waits for a slow sink', async () => {
    const { host, toRequest } = makeHost();
    let [open, most, bytes] = [0, 0, 0];
    const sink = {
      async write(part: Uint8Array) {
        open += 1;
        most = Math.max(most, open);
        await sleep(2);
        bytes += part.length;
        open -= 1;
      },
    };
    const outcome = await host.run(toRequest('from range(500000)', {}), sink, never);
    expect(outcome).toMatchObject({ status: 'done', rows: 500_000 });
    expect({ most, bytes }).toEqual({ most: 1, bytes: 3_388_896 });
  });

  it('places an error behind replaced parameters', async () => {
    const { run } = makeHost();
    const text = 'select $a,\n  $b + nope, $c';
    const { outcome } = await run(text, { params: { a: "'a long value'", b: 1, c: '2' } });
    expect(faultOf(outcome).diagnostics).toMatchObject([{ line: 2, column: 8 }]);
  });

  it.each([
    ['a NUL character', 'select 1;\n select \0', 2, 9, 'NUL'],
    ['a parameter without a value', 'select 1;\n select $x', 2, 9, '--param x'],
    ['a positional parameter', 'select 1;\n select ?', 2, 9, 'positional'],
  ])('refuses %s before anything runs', async (_, text, line, column, message) => {
    const { run } = makeHost();
    const fault = faultOf((await run(text)).outcome);
    expect(fault).toMatchObject({ code: 'script', diagnostics: [{ line, column }] });
    expect(fault.diagnostics[0]!.message).toContain(message);
  });

  it('lets PREPARE and EXECUTE bind their own', async () => {
    const { run } = makeHost();
    expect((await run('prepare p as select $1 + 1 as x; execute p(41)')).output).toBe('x\n42\n');
  });

  it('says that a parameter is malformed', async () => {
    const { run } = makeHost();
    expect(faultOf((await run('select 1', { params: { 'a b': 1 } })).outcome).code).toBe('parameter');
  });
});
