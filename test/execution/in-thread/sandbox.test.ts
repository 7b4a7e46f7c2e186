import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExecutionRequest, Work } from '../../../src/execution/contract/request.ts';
import { makeSandboxedHome } from '../../engine/connection/duckdb/gate/sandbox.ts';
import { type Script, toSnapshot } from '../../engine/run/script-session.ts';
import { countTurns } from '../../support/turns.ts';
import { errorOf, makeThreadHost, runOn, toRequest } from '../hosts.ts';

/** A host whose DuckDB has the restrictions of a server's. */
function makeHost() {
  const own = makeSandboxedHome();
  const { host } = makeThreadHost();
  const limits = { spoolDirectory: own.sandbox.staging, publishDirectory: path.join(own.home, 'publish') };
  const run = (work: Work, format: ExecutionRequest['format'] = 'csv') => {
    const request = toRequest('', own.home, { work, format, file: own.file, limits });
    return runOn(host, { ...request, connection: { ...request.connection, sandbox: own.sandbox } });
  };
  return {
    ...own,
    sql: (text: string) => run({ kind: 'sql', source: { name: 'test.sql', text } }),
    script: (script: Script, format?: ExecutionRequest['format']) =>
      run({ kind: 'script', snapshot: toSnapshot(script), file: 'main.sql' }, format),
  };
}

describe('an execution in a sandbox', () => {
  it('lets other tasks run while it reads many blocks', async () => {
    const { script } = makeHost();
    const blocks = Array.from({ length: 20_000 }, (_, i) => `#+src sql B${i}() #+begin SELECT ${i} #+end\n`);
    expect(await countTurns(script(blocks.join('')))).toBeGreaterThan(30);
  });

  it.each([
    ['one long statement', `SELECT ${'#'.repeat(1_000_000)}`],
    ['many statements', 'a;'.repeat(200_000)],
    ['a routine', `CREATE PROCEDURE p() BEGIN ${'a '.repeat(500_000)} END`],
  ])('lets other tasks run while it reads %s', async (_name, text) => {
    const { sql, script } = makeHost();
    await sql('SELECT 42');
    for (const run of [() => sql(text), () => script({ 'main.sql': text })]) {
      const answer = run();
      // Without pauses there are about ten turns.
      expect(await countTurns(answer)).toBeGreaterThan(30);
      expect((await answer).outcome.status).toBe('failed');
    }
  });

  it('refuses a text of too many statements at the first statement beyond the limit', async () => {
    const { sql } = makeHost();
    const { outcome } = await sql('a;\n'.repeat(500_001));
    expect(errorOf(outcome)).toMatchObject({
      message: expect.stringContaining(
        'this is statement 500,001, more than the limit of 500,000: split the script',
      ),
      diagnostics: [{ line: 500_001, column: 1 }],
    });
  });

  it('reports the position of a refused statement, and runs nothing', async () => {
    const { sql } = makeHost();
    const { outcome } = await sql("CREATE TABLE t AS SELECT 1;\n  EXPLAIN ANALYZE\nCOPY t TO 'x';");
    expect(errorOf(outcome)).toEqual({
      code: 'gate',
      message:
        'COPY is not allowed on a server: publish the rows with `:publication`, or request the result in the format that you need',
      diagnostics: [
        expect.objectContaining({
          file: 'test.sql',
          line: 3,
          column: 1,
          frame: "1 | CREATE TABLE t AS SELECT 1;\n2 |   EXPLAIN ANALYZE\n3 | COPY t TO 'x';\n  | ^~~~",
        }),
      ],
      stuck: false,
    });
    expect(errorOf((await sql('FROM t')).outcome).code).toBe('sql');
  });

  it.each([
    ['plain', "SELECT 1 AS a;\n  SELECT write_log('x')", 2, 10],
    ['in an expression', 'SELECT 1;\n{{ "FROM" }} query(\'SELECT 1\')', 2, 14],
    ['in a block', "#+src sql B() #+begin\nFROM query('SELECT 1')\n#+end\nSELECT * FROM {{ B() }}", 2, 6],
    [
      'in a block of several statements',
      "#+src sql B() #+begin\nCREATE TEMP TABLE x AS SELECT 1; COPY x TO 'y'; FROM x\n#+end\nSELECT * FROM {{ B() }}",
      2,
      34,
    ],
    [
      'in a block that another one calls',
      "#+src sql C() #+begin SELECT 1 AS a,\n write_log('x') #+end\n#+src sql B() #+begin FROM {{ C() }} #+end\nFROM {{ B() }}",
      2,
      2,
    ],
    [
      'in a loop',
      '#+src sql B() #+begin\nFROM duckdb_logs()\n#+end\nSELECT #+for r : B() do {{ r.x }} #+end',
      2,
      6,
    ],
    [
      'in a view',
      '#+import "std/publication"\n#+src sql A() #+meta { :publication { :type "view", :name "a" } } #+begin\nFROM query(\'SELECT 1\')\n#+end\n{{ publication.Run(blocks=[A]) }};',
      3,
      6,
    ],
    [
      'in a file',
      '#+import "std/publication"\n#+src sql A() #+meta { :publication { :type "csv", :path "a.csv" } } #+begin\nSELECT 1) TO \'x\' --\n#+end\n{{ publication.Run(blocks=[A]) }};',
      3,
      9,
    ],
  ])('reports the original position of a statement: %s', async (_, text, line, column) => {
    const { script, home } = makeHost();
    const { outcome, output } = await script(text);
    expect(errorOf(outcome)).toMatchObject({ code: 'gate', diagnostics: [{ line, column }] });
    expect(output.length).toBe(0);
    expect(readdirSync(path.join(home, 'staging'))).toEqual([]);
    expect(readdirSync(path.join(home, 'publish'))).toEqual([]);
  });

  it('fails tests that contain a refused statement', async () => {
    const { script } = makeHost();
    const text =
      '#+test sql Bad() #+begin\nFROM enable_logging()\n#+end\n#+test sql Good() #+begin SELECT 1 WHERE false #+end';
    const { outcome } = await script(text, 'json');
    if (outcome.status !== 'done') throw new Error(outcome.error.message);
    expect(outcome.tests).toMatchObject([
      { test_name: 'Bad', status: 'FAILED', diagnostics: [{ line: 2, column: 6 }] },
      { test_name: 'Good', status: 'PASSED' },
    ]);
  });

  it('publishes tables, views and files, and writes files through the staging folder', async () => {
    const { script, sql, home } = makeHost();
    const publish = (publication: string, body: string) =>
      script(
        `#+import "std/publication"\n#+src sql A() #+meta { :publication { ${publication} } } #+begin ${body} #+end\n` +
          '#+src sql Base() #+begin SELECT range AS x FROM range(3) ORDER BY random() LIMIT 3 #+end\n{{ publication.Run(blocks=[A]) }};',
      );
    const publications = [
      [':type "table", :name "t", :primary_key ["x"]', 'SELECT * FROM {{ Base() }}'],
      [
        ':type "table", :name "t", :incremental "merge", :unique_key ["x"]',
        'SELECT range AS x FROM range(5)',
      ],
      [':type "view", :name "v"', 'SELECT count(*) AS n FROM t'],
      [':type "csv", :path "deep/a.csv", :options { :header true }', 'SELECT n FROM v'],
      [':type "parquet", :path "a.parquet"', 'SELECT * FROM {{ Base() }}'],
    ] as const;
    for (const [publication, body] of publications) {
      const { outcome } = await publish(publication, body);
      expect(outcome.status === 'failed' ? outcome.error : null, publication).toBeNull();
    }
    expect((await sql('FROM v')).output.toString()).toBe('n\n5\n');
    expect(readFileSync(path.join(home, 'publish/deep/a.csv'), 'utf8')).toBe('n\n5\n');
    expect(existsSync(path.join(home, 'publish/a.parquet'))).toBe(true);
    expect(readdirSync(path.join(home, 'staging'))).toEqual([]);
  });

  it('answers as Parquet, also with a first result set before other statements', async () => {
    const { script, sql, home } = makeHost();
    const { output } = await script('SELECT range AS x FROM range(9)', 'parquet');
    expect(output.toString('latin1', 0, 4)).toBe('PAR1');
    expect((await sql('SELECT 1 AS a; SELECT 2 AS b')).output.toString()).toBe('a\n1\n');
    writeFileSync(path.join(home, 'staging/note.csv'), 'a\n1\n');
    expect(errorOf((await sql(`FROM '${home}/staging/note.csv'`)).outcome).code).toBe('gate');
  });
});
