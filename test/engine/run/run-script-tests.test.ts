import { describe, expect, it } from 'vitest';
import { printTestBody } from '../../../src/engine/run/outcome/test-report.ts';
import { stats } from '../result/encode.ts';
import {
  CHANCE,
  IMPORT_TEST,
  openScriptSession,
  type RunOptions,
  type Script,
  SERIES,
  TESTS,
} from './script-session.ts';

/** The tests that ran, with their results. */
async function verdictsOf(script: Script, options: RunOptions = {}) {
  const session = await openScriptSession();
  const { tests } = await session.run(script, options);
  return tests?.map(({ test_name, status }) => `${test_name} ${status}`) ?? null;
}

describe('tests', () => {
  it('pass without rows, and fail with rows or an error', async () => {
    const session = await openScriptSession();
    const { tests } = await session.run(TESTS);
    expect(tests).toMatchObject([
      {
        test_name: 'Good',
        status: 'PASSED',
        message: 'Test passed',
        sample: null,
        diagnostics: [],
      },
      {
        test_name: 'Bad',
        status: 'FAILED',
        message: 'Test returned a non-empty recordset (7 rows)',
        sample: { columns: ['n', 'none'], rows: ['0', '1', '2', '3', '4'].map((n) => [n, null]) },
        diagnostics: [],
      },
      {
        test_name: 'Broken',
        status: 'FAILED',
        message: expect.stringMatching(/^(?!The test).*nope/),
        sample: null,
        diagnostics: [{ file: 'main.sql', line: 4, column: 10 }],
      },
    ]);
    expect(tests!.map(({ package_name, file, line, column }) => [package_name, file, line, column])).toEqual([
      ['acme/main', 'main.sql', 1, 12],
      ['acme/main', 'main.sql', 2, 12],
      ['acme/main', 'main.sql', 3, 12],
    ]);
  });

  it.each([
    ['PASSED', 'nothing', ''],
    ['PASSED', 'a comment', '-- nothing'],
    ['PASSED', 'a statement without a result set', 'CREATE TABLE made AS SELECT 1 AS x'],
    [
      'PASSED',
      'statements that write before the last one',
      'CREATE TABLE made (x int); INSERT INTO made WITH s AS (SELECT 1) FROM s; SELECT 1 WHERE false;',
    ],
    ['PASSED', 'a void block before its query', '{{ Init() }}; SELECT 1 WHERE false;'],
    ['PASSED', 'a void block', '{{ Init() }}'],
    ['PASSED', 'a block without rows', 'FROM {{ Series(0) }}'],
    ['FAILED', 'a block with rows', '{{ Series(1) }};'],
    ['FAILED', 'a row of NULL', 'SELECT NULL'],
    [
      'FAILED',
      'an error after many rows',
      "SELECT CASE WHEN range = 50000 THEN error('late') END FROM range(60000)",
    ],
    ['FAILED', 'an error before the last statement', 'SELECT nope; SELECT 1 WHERE false'],
    ['FAILED', 'an error of the script', 'SELECT {{ [1][5] }} WHERE false'],
    ['FAILED', 'a parameter without a value', 'SELECT $nope WHERE false'],
  ])('end %s with %s', async (status, _, body) => {
    const script = `${SERIES}#+src sql Init(): void #+begin SELECT 1 #+end\n#+test sql T() #+begin ${body}\n#+end`;
    expect(await verdictsOf(script)).toEqual([`T ${status}`]);
  });

  it.each([
    'SELECT 1; SELECT 1 WHERE false;',
    'SELECT 1; CREATE TABLE made (x int)',
    'CREATE TABLE made (x int); FROM made; SELECT 1 WHERE false',
  ])('fail if a query precedes the last statement: %s', async (body) => {
    const session = await openScriptSession();
    const { tests } = await session.run(`#+test sql T() #+begin\n${body}\n#+end`);
    const query = body.startsWith('SELECT') ? 0 : body.indexOf('FROM');
    expect(tests).toMatchObject([
      {
        status: 'FAILED',
        message: expect.stringContaining('only the last statement of a test can be a query'),
        diagnostics: [{ line: 2, column: query + 1 }],
      },
    ]);
  });

  it('count one row as one', async () => {
    const session = await openScriptSession();
    const { tests } = await session.run('#+test sql T() #+begin SELECT 1 #+end');
    expect(tests![0]!.message).toBe('Test returned a non-empty recordset (1 row)');
  });

  it('keep only the beginning of long values', async () => {
    const session = await openScriptSession();
    const { tests } = await session.run("#+test sql T() #+begin SELECT repeat('x', 100000) #+end");
    expect(tests![0]!.sample!.rows[0]![0]!.length).toBeLessThan(250);
  });

  it('are only those of the script if it has no statements', async () => {
    const files = { 'main.sql': TESTS, 'other.sql': '#+test sql Other() #+begin SELECT 1 #+end' };
    expect(await verdictsOf(files)).toEqual(['Good PASSED', 'Bad FAILED', 'Broken FAILED']);
  });

  it('do not run if the script has statements', async () => {
    expect(await verdictsOf(`${TESTS}SELECT 1;`)).toBe(null);
  });

  it('are all tests of the packages, and the named tests, each once', async () => {
    const lib = {
      'a.sql': '#+test sql Public() #+begin SELECT 1 WHERE false #+end\n#+src sql B() #+begin SELECT 1 #+end',
      'b.sql': '#+test sql private() #+begin SELECT 1 #+end',
    };
    const script = `#+import "lib"\n#+import "bare"\n${IMPORT_TEST}${TESTS}
      {{ test.Run(packages=[lib, bare, lib], tests=[Good, lib.Public, Good], onFailure=test.Continue) }}`;
    const packages = { lib, bare: '#+src sql B() #+begin SELECT 1 #+end' };
    expect(await verdictsOf(script, { packages })).toEqual([
      'Public PASSED',
      'private FAILED',
      'Good PASSED',
    ]);
  });

  it('accumulate over several calls', async () => {
    const script = `${IMPORT_TEST}${TESTS}{{ test.Run(tests=[Good]) }}; {{ test.Run(tests=[Good, Bad]) }}; {{ test.Run(tests=[Good]) }};`;
    expect(await verdictsOf(script)).toEqual(['Good PASSED', 'Good PASSED', 'Bad FAILED']);
    const patient = script.replaceAll(']) }}', '], onFailure=test.Continue) }}');
    expect(await verdictsOf(patient)).toEqual(['Good PASSED', 'Good PASSED', 'Bad FAILED', 'Good PASSED']);
  });

  it('are an empty answer if no test is found', async () => {
    expect(await verdictsOf(`${IMPORT_TEST}SELECT 1; {{ test.Run() }}`)).toEqual([]);
  });

  it.each([
    ['test.Stop', [[1], [2]]],
    ['test.Continue', [[1], [2], [3]]],
  ])('all run before a failure ends the script, or not: %s', async (onFailure, rows) => {
    const session = await openScriptSession();
    const script = `${IMPORT_TEST}${TESTS}#+test sql Last() #+begin INSERT INTO t VALUES (2) #+end
      CREATE TABLE t AS SELECT 1 AS x; {{ test.Run(tests=[Bad, Broken, Last], onFailure=${onFailure}) }}; INSERT INTO t VALUES (3);`;
    const { tests } = await session.run(script);
    expect(tests!.length).toBe(3);
    expect(await session.query('FROM t')).toEqual(rows);
  });

  it('let the script continue if they pass', async () => {
    const session = await openScriptSession();
    const script = `${IMPORT_TEST}${TESTS}{{ test.Run(tests=[Good]) }}; CREATE TABLE t AS SELECT 1 AS x;`;
    await session.run(script);
    expect(await session.query('FROM t')).toEqual([[1]]);
  });

  it('see the statements before them, and temporary tables of the script', async () => {
    const script = `${IMPORT_TEST}#+test sql T() #+begin SELECT * FROM own WHERE x > 1 #+end
      CREATE TEMP TABLE own AS SELECT 1 AS x; {{ test.Run(tests=[T]) }}; UPDATE own SET x = 2; {{ test.Run(tests=[T]) }}`;
    expect(await verdictsOf(script)).toEqual(['T PASSED', 'T FAILED']);
  });

  it('can call blocks with random rows, and leave no objects', async () => {
    const session = await openScriptSession();
    const script = `${CHANCE}#+test sql T() #+begin
      SELECT count(*) AS n FROM {{ Chance(9) }} a JOIN {{ Chance(9) }} b USING (x) HAVING n <> 9 #+end`;
    const { tests } = await session.run(script);
    expect(tests).toMatchObject([{ status: 'PASSED' }]);
    expect(await session.listTemporary()).toEqual([]);
  });

  it('can be run by a block of the script', async () => {
    const script = `${IMPORT_TEST}${TESTS}#+src sql Check(): void #+begin {{ test.Run(tests=[Bad]) }}; INSERT INTO t VALUES (1) #+end
      CREATE TABLE t (x INTEGER); {{ Check() }}; INSERT INTO t VALUES (2)`;
    const session = await openScriptSession();
    expect((await session.run(script)).tests).toMatchObject([{ test_name: 'Bad' }]);
    expect(await session.query('FROM t')).toEqual([]);
  });
});

describe('the answer of tests', () => {
  it('has exactly the shape of the interface', async () => {
    const session = await openScriptSession();
    const { tests } = await session.run(TESTS);
    const body = printTestBody(tests!, stats);
    expect(body.endsWith('}\n')).toBe(true);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
    const times = { started_at: time, finished_at: time, duration_ms: expect.any(Number) };
    const toResult = (test_name: string, status: string) => ({
      package_name: 'acme/main',
      test_name,
      status,
      message: expect.any(String),
      ...times,
    });
    expect(JSON.parse(body)).toStrictEqual({
      tests: [toResult('Good', 'PASSED'), toResult('Bad', 'FAILED'), toResult('Broken', 'FAILED')],
      stats: { tests: 3, passed: 1, failed: 2, ...stats },
    });
  });

  it('can have no tests', () => {
    expect(JSON.parse(printTestBody([], stats))).toEqual({
      tests: [],
      stats: { tests: 0, passed: 0, failed: 0, ...stats },
    });
  });
});
