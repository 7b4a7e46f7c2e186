import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient, expectRefusal } from '../../support/http.ts';
import { runQuern, serve, shareServer, startServer } from '../../support/server.ts';
import { rowsOf, runScript, runSql, storeScript } from './executing.ts';
import { covers } from './rows.ts';

const shared = shareServer();
const inHome = (...names: string[]) => path.join(shared.server.cwd, '.quern', ...names);
const ask = (sql: string) => runSql(shared.admin, sql);

beforeAll(async () => {
  mkdirSync(inHome('files', 'month'));
  writeFileSync(inHome('files', 'sales.csv'), 'a,b\n1,x\n');
  for (const name of ['1.csv', '2.csv']) writeFileSync(inHome('files', 'month', name), 'n\n5\n');
  writeFileSync(inHome('outside.csv'), 'secret\nfound\n');
  symlinkSync(inHome('outside.csv'), inHome('files', 'link.csv'));
  rowsOf(await ask('CREATE TABLE kept AS SELECT range AS x FROM range(1000)'));
});

/** The places in which a statement can be hidden. */
const AROUND: readonly ((sql: string) => string)[] = [
  (sql) => sql,
  (sql) => `EXPLAIN ANALYZE ${sql}`,
  (sql) => `/* a */ -- b\n  ${sql}`,
  (sql) => `SELECT 1; ${sql}`,
  (sql) => `PREPARE p AS ${sql}; EXECUTE p`,
];

describe('SQL on a server', () => {
  it(covers('files folder'), async () => {
    expect(rowsOf(await ask("FROM read_csv('sales.csv')"))).toEqual([[1, 'x']]);
    expect(rowsOf(await ask("FROM 'sales.csv'"))).toEqual([[1, 'x']]);
    expect(rowsOf(await ask("SELECT sum(n) FROM 'month/*.csv'"))).toEqual([[10]]);
    expect(rowsOf(await ask(`FROM '${inHome('files', 'sales.csv')}'`))).toEqual([[1, 'x']]);
    rowsOf(await ask("CREATE TABLE loaded AS FROM read_csv(['month/1.csv', 'month/2.csv'])"));
    expect(rowsOf(await ask('SELECT count(*) FROM loaded'))).toEqual([[2]]);
  });

  it(covers('machine is not for sql'), async () => {
    const outside = [
      '../outside.csv',
      inHome('outside.csv'),
      '/etc/passwd',
      'link.csv',
      'file:sales.csv',
      '~/x.csv',
    ];
    for (const file of [...outside, 'https://example.org/x.csv', 's3://b/x.csv']) {
      for (const sql of [
        `FROM read_csv('${file}')`,
        `FROM '${file}'`,
        `SELECT * FROM read_text('${file}')`,
      ]) {
        const answer = await ask(sql);
        expectRefusal(answer, 422, expect.stringMatching(/./));
        expect(answer.text).not.toMatch(/found|root:/);
      }
    }
    for (const sql of [
      "FROM read_csv('sales' || '.csv')",
      'FROM glob(getenv($$HOME$$))',
      "SELECT getenv('HOME')",
    ]) {
      expect((await ask(sql)).status).toBe(422);
    }
    for (const file of ['x.csv', inHome('files', 'x.csv'), '/tmp/x.csv', inHome('staging', 'x.csv')]) {
      expect((await ask(`COPY (SELECT 1) TO '${file}'`)).status).toBe(422);
    }
    expect(readdirSync(inHome('files')).toSorted()).toEqual(['link.csv', 'month', 'sales.csv']);
    expect(readdirSync(inHome('staging'))).toEqual([]);
  });

  it(covers('statement gate'), async () => {
    const refused: readonly (readonly [sql: string, name: string])[] = [
      ["COPY kept TO 'x.csv'", 'COPY'],
      ["EXPORT DATABASE 'x'", 'EXPORT'],
      ["IMPORT DATABASE 'x'", 'IMPORT'],
      ["ATTACH 'x.duckdb'", 'ATTACH'],
      ['DETACH main_db', 'DETACH'],
      ["LOAD 'x'", 'LOAD'],
      ['INSTALL httpfs', 'INSTALL'],
      ['CALL pragma_version()', 'CALL'],
      ['PRAGMA enable_profiling', 'PRAGMA'],
      ["SET memory_limit = '1TB'", 'SET'],
      ['RESET memory_limit', 'RESET'],
      ['CREATE SECRET s (TYPE s3)', 'SECRET'],
      ['CHECKPOINT', 'CHECKPOINT'],
      ['VACUUM', 'VACUUM'],
    ];
    for (const [sql, name] of refused) {
      for (const print of AROUND) {
        const answer = await ask(print(sql));
        expectRefusal(answer, 422, expect.stringMatching(/^sql:\d+:\d+: error: /));
        if (print(sql) === sql) expect((answer.body as { detail: string }).detail).toContain(name);
      }
    }
    for (const sql of [
      'USE main_db.main',
      'SET VARIABLE v = 1',
      'ANALYZE',
      'BEGIN; ROLLBACK',
      '(SELECT 1)',
    ]) {
      expect((await ask(sql)).status).toBe(200);
    }
  });

  it(covers('function gate'), async () => {
    const calls = [
      'enable_logging()',
      "query('SELECT 1')",
      "query_table('kept')",
      'duckdb_logs()',
      'disable_logging()',
    ];
    for (const call of calls) {
      const around = [
        `FROM ${call}`,
        `FROM "${call.split('(')[0]}"(${call.split('(')[1]}`,
        `CREATE OR REPLACE MACRO m() AS TABLE FROM ${call}; FROM m()`,
        `CREATE OR REPLACE VIEW v AS FROM ${call}; FROM v`,
        `SELECT * FROM (FROM ${call})`,
      ];
      for (const sql of around)
        expectRefusal(await ask(sql), 422, expect.stringMatching(/is not allowed|cannot/));
    }
    expect(rowsOf(await ask('SELECT count(*) FROM kept'))).toEqual([[1000]]);
  });

  it(covers('time zone'), async () => {
    const script = await storeScript(shared.admin, "SET TimeZone = 'Europe/Berlin'; SELECT 1");
    const answer = await runScript(shared.admin, script);
    expectRefusal(answer, 422, expect.stringMatching(/AT TIME ZONE|time zone/));
  });

  it(covers('own database stays'), async () => {
    const { server, token, admin } = await startServer();
    rowsOf(await runSql(admin, 'CREATE TABLE t AS SELECT range AS x FROM range(1000)'));
    const own = path.join(server.cwd, '.quern/db/main.duckdb');
    const before = statSync(own).ino;
    for (const file of [own, `${own}.wal`, path.join(server.cwd, '.quern/tmp/x')]) {
      for (const print of AROUND) {
        expect((await runSql(admin, print(`COPY (SELECT 42) TO '${file}'`))).status).toBe(422);
      }
      for (const reading of [`FROM '${file}'`, `FROM read_blob('${file}')`, `FROM read_text('${file}')`]) {
        expect((await runSql(admin, reading)).status).toBe(422);
      }
    }
    expect(rowsOf(await runSql(admin, 'SELECT count(*) FROM t'))).toEqual([[1000]]);
    await server.kill();
    expect(statSync(own).ino).toBe(before);
    const next = await serve(server.cwd);
    onTestFinished(() => next.kill());
    const client = createClient(next.url, token);
    expect(rowsOf(await runSql(client, 'SELECT count(*) FROM t'))).toEqual([[1000]]);
  });

  it(covers('publications through staging'), async () => {
    const script = await storeScript(
      shared.admin,
      '#+import "std/publication"\n#+src sql T() #+meta { :publication { :type "csv", :path "out/a.csv" } } #+begin\n' +
        'SELECT 1 AS a\n#+end\n{{ publication.Run(blocks=[T]) }};',
    );
    expect((await runScript(shared.admin, script)).status).toBe(200);
    expect(readFileSync(inHome('publish', 'out', 'a.csv'), 'utf8')).toBe('1\n');
    // A server that cannot write there publishes nothing.
    rmSync(inHome('staging'), { recursive: true });
    const again = await runScript(shared.admin, script);
    expect(again.status).toBe(422);
    mkdirSync(inHome('staging'), { mode: 0o700 });
  });
});

describe('files of a killed server', () => {
  it('are removed by the next server, but not the files of a running command', async () => {
    const { server, admin } = await startServer();
    await runSql(admin, 'SELECT 1');
    await server.kill();
    const home = (...names: string[]) => path.join(server.cwd, '.quern', ...names);
    writeFileSync(home('staging', '.quern-x'), 'half');
    mkdirSync(home('tmp', `run-${process.pid}-cli`));
    writeFileSync(home('tmp', `run-${process.pid}-cli`, 'spill'), 'half');
    writeFileSync(home('tmp', 'left'), '');
    const before = readdirSync(home('tmp'));
    const next = await serve(server.cwd);
    onTestFinished(() => next.kill());
    expect(readdirSync(home('staging'))).toEqual([]);
    const after = readdirSync(home('tmp'));
    expect(after).toContain(`run-${process.pid}-cli`);
    expect(after.filter((name) => before.includes(name))).toEqual([`run-${process.pid}-cli`]);
    // One for executions, and one for stored results.
    expect(after.filter((name) => name.startsWith(`run-${next.pid}-`))).toHaveLength(2);
    // A server that cannot start changes nothing.
    writeFileSync(home('staging', 'half.csv'), '');
    await expect(runQuern(server.cwd, 'serve --port 0')).rejects.toThrow('is served by');
    expect(readdirSync(home('staging'))).toEqual(['half.csv']);
  });
});
