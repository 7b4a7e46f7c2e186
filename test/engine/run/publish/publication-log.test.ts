import { describe, expect, it } from 'vitest';
import type { TargetResult } from '../../../../src/engine/run/outcome/target-report.ts';
import { createPublicationLog } from '../../../../src/engine/run/publish/publication-log.ts';
import { ENDLESS } from '../../../execution/hosts.ts';
import { declare, IMPORT } from '../publishing-scripts.ts';
import { openScriptSession, readError } from '../script-session.ts';

const table = (name: string, body: string) => declare(name, `:type "table", :name "${name}"`, body);

/** Three tables: `broken` reads `first` and fails, and `last` comes after it. */
const SCRIPT = `${IMPORT}${table('first', 'SELECT 1 AS id')}${table('broken', 'SELECT nope FROM {{ first() }}')}${table('last', 'SELECT 3 AS id')}`;
const RUN = 'publication.Run(blocks=[first, broken, last]';

/** Runs a script with a log; `ends` are the targets in the order in which the listener has received them. */
async function runLogged(script: string, onTarget: (target: TargetResult) => void = () => undefined) {
  const session = await openScriptSession();
  const ends: TargetResult[] = [];
  const log = createPublicationLog((target) => {
    ends.push(target);
    onTarget(target);
  });
  return {
    session,
    log,
    ends,
    run: (signal?: AbortSignal) => session.run(script, { log, ...(signal && { signal }) }),
  };
}

describe('the log of publications', () => {
  it('has the target that fails, with the message and the place of the error that ends the run', async () => {
    const { session, log, ends, run } = await runLogged(`${SCRIPT}{{ ${RUN}) }};`);
    const error = await readError(run());
    expect(error.message).toMatch(/nope/);
    expect(ends).toMatchObject([
      { name: 'first', status: 'PUBLISHED', action: 'create', rows: 1, message: null, diagnostics: [] },
      {
        name: 'broken',
        block: 'broken',
        package_name: 'acme/main',
        status: 'FAILED',
        action: null,
        rows: null,
        message: error.message,
        because: null,
        file: 'main.sql',
        diagnostics: [error],
      },
    ]);
    expect(log.targets).toEqual(ends);
    expect([...log.waiting]).toEqual(['last']);
    expect(await session.query('SELECT table_name FROM duckdb_tables() ORDER BY 1')).toEqual([['first']]);
  });

  it('has the advice that the error of the run has', async () => {
    const missing = `${IMPORT}${table('a', 'SELECT * FROM {{ b() }}')}${table('b', 'SELECT 1 AS id')}{{ publication.Run(blocks=[a]) }};`;
    const { ends, run } = await runLogged(missing);
    const error = await readError(run());
    expect(error.message).toBe(
      'the block `b` is published as `b`, which does not exist: publish it first, with `publication.Run`',
    );
    expect(ends.map(({ name, status, message }) => [name, status, message])).toEqual([
      ['a', 'FAILED', error.message],
    ]);
  });

  it('has a failure in a transaction, and not what the transaction rolls back', async () => {
    const { ends, run } = await runLogged(`${SCRIPT}BEGIN;\n{{ ${RUN}) }};\nCOMMIT;`);
    await readError(run());
    expect(ends.map(({ name, status }) => [name, status])).toEqual([['broken', 'FAILED']]);
  });

  it('does not have a target whose publication is cancelled', async () => {
    const stop = new AbortController();
    const endless = SCRIPT.replace('SELECT nope FROM {{ first() }}', ENDLESS);
    const { ends, run } = await runLogged(`${endless}{{ ${RUN}) }};`, () => stop.abort());
    await expect(run(stop.signal)).rejects.toThrow();
    expect(ends.map(({ name, status }) => [name, status])).toEqual([['first', 'PUBLISHED']]);
  });
});
