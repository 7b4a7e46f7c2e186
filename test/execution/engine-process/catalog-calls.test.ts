import { describe, expect, it } from 'vitest';
import type { Translate } from '../../../src/engine/connection/contract/translate.ts';
import { Outlet } from '../../../src/execution/contract/outlet.ts';
import { never } from '../../engine/connection/results.ts';
import { errorOf, makeProcessHost, makeThreadHost, toRequest } from '../hosts.ts';

/** `rows N` is a query of the given number of rows; anything else is refused at its first word. */
const translate: Translate = async (statement) => {
  const [, rows] = /^rows (\d+)$/.exec(statement) ?? [];
  if (rows !== undefined)
    return { status: 'done', sql: `SELECT range AS n FROM range(${rows})`, warnings: [], clock: null };
  return { status: 'refused', span: { start: 0, end: 4 }, message: `not ${statement}` };
};

describe.each([
  ['in this thread', makeThreadHost],
  ['in a separate process', makeProcessHost],
])('a host %s', (_, makeHost) => {
  async function run(text: string, own: Translate, signal = never) {
    const { host, folder } = makeHost();
    const parts: Uint8Array[] = [];
    const request = { ...toRequest(text, folder, { format: 'csv' }), semantic: 'shop' };
    const sink = { write: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) };
    const outcome = await host.run(request, new Outlet(() => sink), signal, { translate: own });
    return { outcome, output: Buffer.concat(parts).toString() };
  }

  it('translates the statements on a semantic connection one by one', async () => {
    const asked: string[] = [];
    const { output } = await run('rows 2; rows 3', (statement, signal) => {
      asked.push(statement);
      return translate(statement, signal);
    });
    expect([output, asked]).toEqual(['n\n0\n1\n', ['rows 2', 'rows 3']]);
  });

  it('translates executions that run at once, each with its own model', async () => {
    const { host, folder } = makeHost();
    const sizes = [1, 2, 3, 4, 5];
    const outputs = await Promise.all(
      sizes.map(async (size) => {
        const parts: Uint8Array[] = [];
        const sink = { write: (bytes: Uint8Array) => void parts.push(Buffer.from(bytes)) };
        const request = { ...toRequest('all', folder, { format: 'csv' }), semantic: 'shop' };
        const own: Translate = (_statement, signal) => translate(`rows ${size}`, signal);
        await host.run(request, new Outlet(() => sink), never, { translate: own });
        return Buffer.concat(parts).toString().trim().split('\n').length - 1;
      }),
    );
    expect(outputs).toEqual(sizes);
  });

  it('translates everything before it runs anything, and reports where a statement is refused', async () => {
    const { outcome, output } = await run('rows 2;\ndrop it', translate);
    expect(errorOf(outcome)).toMatchObject({
      code: 'script',
      message: 'not drop it',
      diagnostics: [{ line: 2, column: 1, message: 'not drop it' }],
    });
    expect(output).toBe('');
  });

  it('stops translating when the execution is cancelled', async () => {
    const stop = new AbortController();
    const started = Promise.withResolvers<AbortSignal>();
    const running = run(
      'rows 1',
      async (_statement, signal) => {
        started.resolve(signal);
        return new Promise(() => {});
      },
      stop.signal,
    );
    const signal = await started.promise;
    stop.abort();
    const { outcome } = await running;
    expect([errorOf(outcome).code, signal.aborted]).toEqual(['cancelled', true]);
  });

  it('fails when the translation has an internal error', async () => {
    const broken = run('rows 1', async () => {
      throw new Error('the model broke');
    });
    await expect(broken).rejects.toThrow('the model broke');
  });
});
