import { describe, expect, it } from 'vitest';
import { type Diagnostic, printDiagnostic } from '../../../src/engine/text/diagnostic.ts';
import { expectRefusal } from '../../support/http.ts';
import { modelWith } from '../../support/models.ts';
import { createExecWorld, type ExecWorld } from './world.ts';

interface Checked {
  readonly data: readonly Diagnostic[];
  readonly warnings?: readonly { readonly message: string }[];
}

/** Checks files as one bundle, by default for DuckDB. */
async function check(
  { exec }: Pick<ExecWorld, 'exec'>,
  files: Readonly<Record<string, string>>,
  more: object = {},
): Promise<Checked> {
  const { status, text, body } = await exec('bundle', {
    what: 'check',
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    connection: { name: 'duckdb' },
    ...more,
  });
  expect(status, text).toBe(200);
  return body as Checked;
}

const listPlaces = ({ data }: Checked) =>
  data.map(({ code, file, line, column, message }) => `${code} ${file}:${line}:${column} ${message}`);

describe('the check of SQL syntax', () => {
  it('finds each error of a text, at the position that the error of a run has', async () => {
    const world = await createExecWorld();
    const content = 'SELECT 1;\nSELECT 2 3;\nSELECT "é表😀" FROMM a b c; SELECT 4 AS';
    expect(listPlaces(await check(world, { 'a.sql': content }))).toEqual([
      'sql-syntax a.sql:2:10 Parser Error: syntax error at or near "3"',
      'sql-syntax a.sql:3:21 Parser Error: syntax error at or near "a"',
      'sql-syntax a.sql:3:39 Parser Error: syntax error at end of input',
    ]);
    const faulty = '-- A comment\nSELECT \'😀\', "é" FROMM a b c';
    const [found] = (await check(world, { 'a.sql': faulty })).data;
    const run = await world.exec('bundle', {
      what: 'run',
      path: 'a.sql',
      files: [{ path: 'a.sql', content: faulty }],
      connection: { name: 'duckdb' },
    });
    expect(run.body).toMatchObject({ code: 'sql_error', detail: found && printDiagnostic(found) });
  });

  it('runs nothing, and says nothing of names that do not exist', async () => {
    const world = await createExecWorld();
    const content = 'CREATE TABLE made AS SELECT 1 AS a; SELECT missing FROM nowhere; DROP TABLE other';
    expect(await check(world, { 'a.sql': content })).toEqual({ data: [] });
    expectRefusal(await world.sql('SELECT * FROM made'), 422, expect.stringContaining('made'));
  });

  it('does not parse what the gate refuses, such as statements that act while they are extracted', async () => {
    const world = await createExecWorld();
    const refused = [
      "IMPORT DATABASE '/tmp/nothing'",
      'PRAGMA version',
      "ATTACH 'x.db' AS x FROMM",
      "COPY t TO 'x' (FORMATT",
      'PREPARE p AS SELEC 1',
      "SELECT * FROM read_csv('/etc/passwd') WHERE WHERE",
    ].join(';\n');
    expect(await check(world, { 'a.sql': refused })).toEqual({ data: [] });
  });

  it('finds quotes and brackets that are not closed, and words that begin no statement', async () => {
    const world = await createExecWorld();
    const content = "SELEC 1;\nSELECT (2;\nSELECT 3);\nSELECT 4 5;\nSELECT 'six";
    expect(listPlaces(await check(world, { 'a.sql': content }))).toEqual([
      'sql-syntax a.sql:1:1 a server supports no statement that starts with `SELEC`; did you mean `SELECT`?',
      'sql-syntax a.sql:2:8 this quote, comment or bracket is not closed or not opened',
      'sql-syntax a.sql:3:9 this quote, comment or bracket is not closed or not opened',
      'sql-syntax a.sql:4:10 Parser Error: syntax error at or near "5"',
      'sql-syntax a.sql:5:8 this quote, comment or bracket is not closed or not opened',
    ]);
  });

  it('says nothing without a connection', async () => {
    const world = await createExecWorld();
    expect(await check(world, { 'a.sql': 'SELECT 1 2' }, { connection: undefined })).toEqual({ data: [] });
  });

  it('does not parse a statement that needs a value, and parses it with the value', async () => {
    const world = await createExecWorld();
    const content = [
      'SELECT * FROM $table;',
      'SELECT {{ $fields }} FROM t;',
      "SELECT '$text' AS a FROMM b c d;",
      '#+if $full then',
      '  SELECT WRONG WRONG WRONG;',
      '#+end',
      'SELECT 1;',
      'SELECT 2 3',
    ].join('\n');
    expect(listPlaces(await check(world, { 'a.sql': content }))).toEqual([
      'sql-syntax a.sql:3:21 Parser Error: syntax error at or near "FROMM"',
      'sql-syntax a.sql:8:10 Parser Error: syntax error at or near "3"',
    ]);
    const params = { table: 't u v', fields: 'a', full: true };
    const found = listPlaces(await check(world, { 'a.sql': content }, { params }));
    expect(found.filter((place) => place.startsWith('sql-syntax'))).toEqual([
      expect.stringContaining('sql-syntax a.sql:1:15 '),
      expect.stringContaining('sql-syntax a.sql:3:21 '),
      expect.stringContaining('sql-syntax a.sql:5:22 '),
      expect.stringContaining('sql-syntax a.sql:8:10 '),
    ]);
  });

  it('parses blocks, also those that nothing calls, and does not guess the rows of a loop', async () => {
    const world = await createExecWorld();
    const content = [
      '#+src sql Good() #+begin SELECT 1 AS a #+end',
      '#+src sql Bad(n = 1)',
      '#+begin',
      'SELECT {{ n }} FROMM x y z',
      '#+end',
      '#+src sql Loop() #+begin',
      'SELECT #+for row: Good() separator ", " do {{ row.a }} #+end FROM t',
      '#+end',
      '#+src sql Needs(n) #+begin SELECT {{ n }} 3 #+end',
      'SELECT * FROM {{ Good() }};',
      '{{ Good() }};',
    ].join('\n');
    expect(listPlaces(await check(world, { 'a.sql': content }))).toEqual([
      'sql-syntax a.sql:4:22 Parser Error: syntax error at or near "x"',
    ]);
    const called = `${content}\nSELECT * FROM {{ Needs(2) }}`;
    expect(listPlaces(await check(world, { 'a.sql': called }))).toEqual([
      'sql-syntax a.sql:4:22 Parser Error: syntax error at or near "x"',
      'sql-syntax a.sql:9:43 Parser Error: syntax error at or near "3"',
    ]);
  });

  it('finds an error in an unsaved import, and leaves files with errors of the language alone', async () => {
    const world = await createExecWorld();
    const files = {
      'project.toml': '[general]\nname = "acme.io/shop"',
      'lib/lib.sql': '#+src sql Orders() #+begin SELECT 1 2 #+end',
      'report.sql': '#+import "acme.io/shop/lib"\nSELECT * FROM {{ lib.Orders() }};\nSELECT 2 3',
    };
    expect(listPlaces(await check(world, files, { path: 'report.sql' }))).toEqual([
      'sql-syntax lib/lib.sql:1:37 Parser Error: syntax error at or near "2"',
      'sql-syntax report.sql:3:10 Parser Error: syntax error at or near "3"',
    ]);
    const broken = { ...files, 'report.sql': '#+src sql (\nSELECT 2 2' };
    const { data } = await check(world, broken);
    expect(data.map(({ code, file }) => `${code} ${file}`)).toEqual([
      'sql-syntax lib/lib.sql',
      'syntax report.sql',
    ]);
  });

  it('survives calls that are a cycle, and parses the rest', async () => {
    const world = await createExecWorld();
    const content = [
      '#+src sql A() #+begin SELECT * FROM {{ B() }} #+end',
      '#+src sql B() #+begin SELECT * FROM {{ A() }} #+end',
      'SELECT * FROM {{ A() }};',
      'SELECT 1 2',
    ].join('\n');
    const codes = (await check(world, { 'a.sql': content })).data.map(({ code, line }) => `${code} ${line}`);
    expect(codes).toContain('sql-syntax 4');
    expect(codes.filter((code) => code.startsWith('sql-syntax'))).toHaveLength(1);
  });

  it('follows a thousand nested calls, and stops where calls would multiply without end', async () => {
    // The limit of the size is far away, so that the time ends the check on any machine.
    const world = await createExecWorld({ sqlMegabytes: 1_000 });
    const chain = Array.from(
      { length: 1_000 },
      (_, i) => `#+src sql B${i}(x) #+begin SELECT * FROM {{ B${i + 1}(x) }} #+end`,
    );
    const deep = [...chain, '#+src sql B1000(x) #+begin SELECT 1 2 #+end', 'SELECT * FROM {{ B0(1) }}'];
    expect(await check(world, { 'a.sql': deep.join('\n') })).toMatchObject({
      data: [{ code: 'sql-syntax', line: 1_001 }],
    });
    const doubled = Array.from({ length: 40 }, (_, i) => {
      const call = `SELECT * FROM {{ D${i + 1}(x) }}`;
      return `#+src sql D${i}(x) #+begin ${call}; ${call} #+end`;
    });
    const endless = [...doubled, '#+src sql D40(x) #+begin SELECT 1 #+end', 'SELECT * FROM {{ D0(1) }}'];
    expect(await check(world, { 'a.sql': endless.join('\n') })).toMatchObject({
      data: [],
      warnings: [{ message: 'the syntax of SQL was checked only for the first 2 s' }],
    });
  });

  it('stops at the limit of SQL over HTTP, and says so', async () => {
    const world = await createExecWorld({ sqlMegabytes: 1 });
    const long = `SELECT '${'x'.repeat(1024 ** 2)}'`;
    const { data, warnings } = await check(world, { 'a.sql': `SELECT 1 2;\n${long};\nSELECT 2 3` });
    expect(data).toMatchObject([{ line: 1 }]);
    expect(warnings).toMatchObject([{ message: 'the syntax of SQL was checked only for the first 1 MB' }]);
  });

  it('parses Semantic SQL with its own parser, and says nothing of fields', async () => {
    const world = await createExecWorld();
    const model = modelWith(`    - name: e
      query: SELECT 'a' AS kind
      dimensions: [{ name: kind, data_type: TEXT, expr: kind }]
      measures: [{ name: n, data_type: INTEGER, aggregation_type: COUNT, expr: "*" }]
`);
    await world.put('@Shared/live.yaml', model);
    const options = { model: '@Shared/live.yaml', connection: 'duckdb' };
    const body = { name: 'live', kind: 'semantic', options };
    expect((await world.ask('POST', '/api/v1/manage/connections', { body })).status).toBe(201);
    const content = 'SELECT n FROM e;\nSELECT missing FROM e;\nSELECT n, FROM e;\nSELECT TOP 5 n FROM e';
    const connection = { name: 'live' };
    expect(listPlaces(await check(world, { 'a.sql': content }, { connection }))).toEqual([
      'sql-syntax a.sql:3:11 syntax error at `FROM`',
      'sql-syntax a.sql:4:8 TOP is not supported: write LIMIT 5 at the end',
    ]);
    await world.ask('PUT', `/api/v1/catalog/assets/${encodeURIComponent('@Shared/live.yaml')}`, {
      headers: { 'if-match': '*' },
      body: { content: '{' },
    });
    expect(listPlaces(await check(world, { 'a.sql': 'SELECT n FROM e' }, { connection }))).toEqual([]);
  });
});
