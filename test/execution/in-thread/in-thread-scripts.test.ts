import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tryElsewhere } from '../../engine/connection/duckdb/process.ts';
import {
  CHANCE,
  IMPORT_TEST,
  type Script,
  SERIES,
  TESTS,
  toSnapshot,
} from '../../engine/run/script-session.ts';
import { abortOnceBusy } from '../../support/waiting.ts';
import { ENDLESS, makeThreadHost, never } from '../hosts.ts';

function makeHost() {
  const { folder, run } = makeThreadHost();
  return {
    folder,
    run: (script: Script, { file = ':memory:', signal = never } = {}) => {
      const work = { kind: 'script', snapshot: toSnapshot(script), file: 'main.sql' } as const;
      return run('', { work, file, format: 'json' }, signal);
    },
  };
}

describe('an execution of a script', () => {
  it('answers with rows or with test results', async () => {
    const { run } = makeHost();
    const rows = await run(`${SERIES}FROM {{ Series(2) }}; SELECT 3;`);
    expect(rows.outcome).toMatchObject({ status: 'done', rows: 2, tests: null });
    expect(JSON.parse(rows.output)).toMatchObject({ result: { data: [[0], [1]] } });
    const tests = await run(TESTS);
    expect(tests.outcome).toMatchObject({ status: 'done', rows: null, tests: [{}, {}, {}] });
    expect(JSON.parse(tests.output)).toMatchObject({ stats: { tests: 3, passed: 1, failed: 2 } });
    const both = await run(
      `${IMPORT_TEST}SELECT 1; ${TESTS.replaceAll('#+test', '\n#+test')}{{ test.Run(tests=[Good]) }}`,
    );
    expect(JSON.parse(both.output)).toMatchObject({ stats: { tests: 1, passed: 1 } });
  });

  it.each([
    ['at the end', '', 'done'],
    ['after an error', 'SELECT nope;', 'failed'],
    ['after an error in a block with temporary tables', 'FROM {{ Broken() }};', 'failed'],
    [
      'after an error while rows are read',
      "SELECT CASE WHEN range = 50000 THEN error('late') END FROM range(60000);",
      'failed',
    ],
  ])('ends its session with all temporary objects: %s', async (_, statement, status) => {
    const { run, folder } = makeHost();
    const file = path.join(folder, 'kept.duckdb');
    const script = `${CHANCE}#+src sql Init(): void #+begin CREATE TEMP TABLE work AS SELECT 1 AS x #+end
      #+src sql Broken() #+begin CREATE TEMP TABLE inner_work AS FROM {{ Chance() }}; SELECT nope FROM inner_work #+end
      {{ Init() }}; CREATE TEMP TABLE own AS FROM {{ Chance() }}; CREATE TABLE kept AS FROM own; SELECT 1; ${statement} SELECT 2`;
    expect((await run(script, { file })).outcome.status).toBe(status);
    expect(await tryElsewhere(file)).toBe('open');
    expect(readdirSync(folder)).toEqual(['kept.duckdb']);
    const after = await run(
      'SELECT (SELECT count(*) FROM duckdb_tables() WHERE temporary), count(*) FROM kept',
      { file },
    );
    expect(JSON.parse(after.output)).toMatchObject({ result: { data: [[0, 1]] } });
  });

  it.each([
    ['the script itself', `${ENDLESS}`],
    ['a block that is a view', `FROM {{ Endless() }}`],
    ['a block with its own rows', `FROM {{ Kept() }}`],
    ['a statement of a block before the last', `FROM {{ Steps() }}`],
    ['a void block', `{{ Init() }}; SELECT 1`],
    ['a loop over rows', `SELECT 1 #+for r : Endless() do #+end`],
    ['a test', `{{ test.Run(tests=[Test]) }}; SELECT 1`],
    ['a test of a block', `{{ test.Run(tests=[Outer], onFailure=test.Continue) }}; SELECT 1`],
  ])('ends as cancelled when it is cancelled in %s', async (_, statement) => {
    const { run, folder } = makeHost();
    const file = path.join(folder, 'kept.duckdb');
    const script = `${IMPORT_TEST}#+src sql Endless() #+begin ${ENDLESS} #+end
#+src sql Kept() #+begin SELECT *, random() FROM (${ENDLESS}) #+end
#+src sql Steps() #+begin CREATE TEMP TABLE work AS ${ENDLESS}; FROM work #+end
#+src sql Init(): void #+begin ${ENDLESS} #+end
#+test sql Test() #+begin ${ENDLESS} #+end
#+test sql Outer() #+begin FROM {{ Kept() }} #+end
SELECT 1 AS first; ${statement}; CREATE TABLE behind (x INTEGER)`;
    const { outcome, output } = await run(script, { file, signal: abortOnceBusy(200) });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'cancelled', stuck: false } });
    expect(output).toBe('');
    expect(readdirSync(folder)).toEqual(['kept.duckdb']);
    const after = await run('SELECT count(*) FROM duckdb_tables()', { file });
    expect(JSON.parse(after.output)).toMatchObject({ result: { data: [[0]] } });
  });
});
