import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { abortOnceBusy } from '../../support/waiting.ts';
import { ENDLESS, errorOf, makeThreadHost } from '../hosts.ts';

describe('the in-thread host', () => {
  it('sends the first result set and counts its rows', async () => {
    const { run } = makeThreadHost();
    const { outcome, output } = await run('select 1 as a union all select 2; select 3 as b');
    expect(output).toBe('a\n1\n2\n');
    expect(outcome).toMatchObject({ status: 'done', rows: 2 });
    expect((await run('create table t (x int)')).outcome).toMatchObject({ status: 'done', rows: null });
  });

  it('sends no rows of a script with several statements before it has ended, and only the error when it fails', async () => {
    const { run, folder } = makeThreadHost();
    const { outcome, output } = await run("select range as r from range(100000); select error('later')");
    expect(output).toBe('');
    expect(errorOf(outcome)).toMatchObject({ code: 'sql', diagnostics: [{ file: 'test.sql', line: 1 }] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reads a later result set to the end and answers with its error', async () => {
    const { run } = makeThreadHost();
    const late = "select case when range = 3000000 then error('too late') else range end from range(5000000)";
    expect(errorOf((await run(`select 1; ${late}`)).outcome).message).toContain('too late');
  });

  it('limits the rows of the answer and the bytes of a buffered answer', async () => {
    const { run } = makeThreadHost();
    const limited = await run('select range as r from range(100000000000)', { limits: { maxRows: 5000 } });
    expect(limited.outcome).toMatchObject({ status: 'done', rows: 5000 });
    expect(limited.output.split('\n').at(-2)).toBe('4999');
    expect((await run('select 1 as x', { limits: { maxRows: 0 } })).output).toBe('x\n');
    const kept = await run('select range from range(100000); select 1', { limits: { spoolBytes: 1000 } });
    expect(errorOf(kept.outcome).code).toBe('limit');
  });

  it('stops at its deadline', async () => {
    const { run } = makeThreadHost();
    const { outcome } = await run(ENDLESS, { limits: { timeoutMs: 100 } });
    expect(errorOf(outcome)).toMatchObject({ code: 'timeout', stuck: false });
  });

  it('is cancelled by its caller, also before the start', async () => {
    const { run } = makeThreadHost();
    expect(errorOf((await run(ENDLESS, {}, abortOnceBusy())).outcome).code).toBe('cancelled');
    expect(errorOf((await run('select 1', {}, AbortSignal.abort())).outcome).code).toBe('cancelled');
  });

  it('stops the query when the sink fails', async () => {
    const { start } = makeThreadHost();
    const sink = { write: () => Promise.reject(new Error('the reader is gone')) };
    const outcome = await start('from range(100000000000)', {}, sink);
    expect(errorOf(outcome)).toMatchObject({ code: 'output', message: 'the reader is gone' });
  });

  it('waits for a slow sink', async () => {
    const { start } = makeThreadHost();
    const seen = { writing: 0, most: 0, bytes: 0 };
    const sink = {
      async write(part: Uint8Array) {
        seen.writing += 1;
        seen.most = Math.max(seen.most, seen.writing);
        for (let turn = 0; turn < 20; turn += 1) await nextTurn();
        seen.bytes += part.length;
        seen.writing -= 1;
      },
    };
    expect(await start('from range(500000)', {}, sink)).toMatchObject({ status: 'done', rows: 500_000 });
    expect(seen).toEqual({ writing: 0, most: 1, bytes: 3_388_896 });
  });

  it('reports the position of an error after a replaced parameter', async () => {
    const { run } = makeThreadHost();
    const text = 'select $a,\n  $b + nope, $c';
    const { outcome } = await run(text, { params: { a: "'a long value'", b: 1, c: '2' } });
    expect(errorOf(outcome).diagnostics).toMatchObject([{ line: 2, column: 8 }]);
  });

  it.each([
    ['a NUL character', 'select 1;\n select \0', 2, 9, 'NUL'],
    ['a parameter without a value', 'select 1;\n select $x', 2, 9, '--param x'],
    ['a positional parameter', 'select 1;\n select ?', 2, 9, 'placeholder'],
  ])('refuses %s before anything runs', async (_, text, line, column, message) => {
    const { run } = makeThreadHost();
    const error = errorOf((await run(text)).outcome);
    expect(error).toMatchObject({ code: 'script', diagnostics: [{ line, column }] });
    expect(error.diagnostics[0]!.message).toContain(message);
  });

  it('lets PREPARE and EXECUTE bind their own parameters', async () => {
    const { run } = makeThreadHost();
    expect((await run('prepare p as select $1 + 1 as x; execute p(41)')).output).toBe('x\n42\n');
  });

  it('reports a malformed parameter', async () => {
    const { run } = makeThreadHost();
    expect(errorOf((await run('select 1', { params: { 'a b': 1 } })).outcome).code).toBe('parameter');
  });
});
