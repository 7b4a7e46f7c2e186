import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrderTables, ORDERS_MODEL } from '../../support/models.ts';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { runQuern, serve } from '../../support/server.ts';

const FILES = {
  'models/model.yaml': ORDERS_MODEL,
  'report/paid.sql':
    "-- Of one status.\nSELECT region, revenue\nFROM orders, customers\nWHERE status = '$status'\nORDER BY 1\n",
  'report/broken.sql':
    'SELECT status FROM orders;\n{{ Lines("a") }}\nSELECT \'$status\', revenu\nFROM orders\n',
  'report/blocks.sql': `#+macro Lines(word)
#+begin
-- {{ word }}
#+end
#+test sql NothingIsLate() #+begin SELECT status FROM orders WHERE status = 'late' #+end
#+test sql NothingIsOpen() #+begin SELECT status, revenue FROM orders WHERE status LIKE '%open' #+end
#+src sql Total(status) #+begin SELECT SUM(revenue) AS total FROM orders WHERE status = '{{ status }}' #+end
#+src sql Kept()
#+meta { :publication { :type "csv", :path "kept.csv", :overwrite true, :header true } }
#+begin SELECT region, revenue FROM orders, customers ORDER BY 1 #+end
`,
  'report/publish.sql':
    '#+import "std/publication"\n{{ publication.Run(blocks=[Kept]) }};\nSELECT COUNT(*) AS orders FROM orders\n',
};

/** Creates a home with data, a model of them on disk and the connection `shop`; returns the folder. */
async function makeShop(): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, FILES);
  await runQuern(cwd, 'sql -', createOrderTables("it's open"));
  await runQuern(cwd, 'connection create shop --kind semantic --set model=models --set connection=duckdb');
  return cwd;
}

/** Runs a command on the semantic connection. */
async function run(cwd: string, ...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await quern([...args, '--connection', 'shop'], { cwd });
  return { exitCode, stdout: String(stdout), stderr: String(stderr) };
}

const REFUSED = `report/broken.sql:3:19: error: there is no column \`revenu\`: did you mean \`revenue\`?
1 | SELECT status FROM orders;
2 | {{ Lines("a") }}
3 | SELECT '$status', revenu
  |                   ^~~~~~
`;

describe.each(['in the command itself', 'in a server of the home'])('a semantic connection, %s', (place) => {
  async function start(): Promise<string> {
    const cwd = await makeShop();
    if (place === 'in the command itself') return cwd;
    const server = await serve(cwd);
    onTestFinished(() => server.kill());
    return cwd;
  }

  it('runs scripts and blocks with parameters', async () => {
    const cwd = await start();
    const csv = ['--format', 'csv'];
    const paid = await run(cwd, 'exec', 'report/paid.sql', '--param', 'status=paid', ...csv);
    expect(paid).toEqual({ exitCode: 0, stdout: 'region,revenue\nnorth,2.50\nsouth,10.00\n', stderr: '' });
    const total = await run(cwd, 'exec-block', 'report', 'Total', '--arg', 'status="paid"', ...csv);
    expect(total).toEqual({ exitCode: 0, stdout: 'total\n12.50\n', stderr: '' });
    const quoted = await run(cwd, 'exec-block', 'report', 'Total', '--arg', `status="it''s open"`, ...csv);
    expect(quoted).toEqual({ exitCode: 0, stdout: 'total\n1.25\n', stderr: '' });
    const ended = await run(cwd, 'exec-block', 'report', 'Total', '--arg', `status="it's open"`);
    expect(ended).toMatchObject({ exitCode: 3, stdout: '' });
    const parquet = path.join(cwd, 'paid.parquet');
    for (const sql of ['SHOW ENTITIES', 'EXPLAIN SELECT region FROM customers']) {
      const listed = await run(cwd, 'sql', sql, '--format', 'parquet', '--output', parquet);
      expect([sql, listed.exitCode, listed.stderr]).toEqual([sql, 0, expect.not.stringContaining('error')]);
    }
    const written = await run(cwd, 'exec', 'report/paid.sql', '--param', 'status=paid', '--output', parquet);
    expect(written).toMatchObject({ exitCode: 0 });
  });

  it('reports the position of a refused statement in the file', async () => {
    const cwd = await start();
    const long = 'status=a value that is long';
    const { exitCode, stdout, stderr } = await run(cwd, 'exec', 'report/broken.sql', '--param', long);
    expect([exitCode, stdout, stderr]).toEqual([3, '', REFUSED]);
  });

  it('fails tests that find rows, with the exit code of failed tests', async () => {
    const cwd = await start();
    const one = await run(cwd, 'test', 'report.NothingIsLate');
    expect([one.exitCode, one.stdout]).toEqual([
      0,
      'passed report.NothingIsLate\n1 test: 1 passed, 0 failed\n',
    ]);
    const all = await run(cwd, 'test', 'report', '--parallel', '2');
    expect([all.exitCode, all.stdout]).toEqual([
      1,
      `passed report.NothingIsLate
FAILED report.NothingIsOpen: Test returned a non-empty recordset (1 row)
  report/blocks.sql:6:12
    status     revenue
    it's open  1.25
2 tests: 1 passed, 1 failed
`,
    ]);
  });

  it('publishes files, and nothing when a later statement is refused', async () => {
    const cwd = await start();
    writeFiles(cwd, { 'report/late.sql': `${FILES['report/publish.sql']};\nDROP TABLE orders` });
    const late = await run(cwd, 'exec', 'report/late.sql');
    expect([late.exitCode, late.stdout]).toEqual([3, '']);
    expect(late.stderr).toMatch(/^report\/late\.sql:5:1: error: DROP is not supported: /);
    expect(late.stderr).not.toContain('kept.csv');
    const done = await run(cwd, 'exec', 'report/publish.sql', '--format', 'csv');
    expect([done.exitCode, done.stdout]).toEqual([0, 'orders\n3\n']);
    expect(done.stderr).toContain('published kept.csv (write');
  });
});

it('a project runs on the semantic connection of its environment, unless another one is named', async () => {
  const cwd = await makeShop();
  const environment = '[environment]\ndefault = "here"\n[environment.here]\nconnection = { name = "shop" }\n';
  writeFiles(cwd, { 'report/project.toml': `[general]\nname = "acme.io/report"\n${environment}` });
  const ask = ['exec', 'report/paid.sql', '--param', 'status=paid', '--format', 'csv'];
  expect(await quern(ask, { cwd })).toMatchObject({
    exitCode: 0,
    stdout: 'region,revenue\nnorth,2.50\nsouth,10.00\n',
  });
  const other = await quern([...ask, '--connection', 'duckdb'], { cwd });
  expect([other.exitCode, other.stderr]).toEqual([3, expect.stringContaining('"revenue" not found')]);
});

it('a semantic connection is tested by the database behind it, and does not load files', async () => {
  const cwd = await makeShop();
  const tested = await quern(['connection', 'test', 'shop'], { cwd });
  expect([tested.exitCode, tested.stdout]).toEqual([
    0,
    expect.stringMatching(/^shop {2}v\d\S* {2}\d+ ms\n$/),
  ]);
  writeFiles(cwd, { 'more.csv': 'a\n1\n' });
  const loaded = await run(cwd, 'load', 'more.csv');
  expect([loaded.exitCode, loaded.stderr]).toEqual([
    1,
    'error: shop is a semantic connection: name the connection below it\n',
  ]);
});

it('a dry run of a script on a semantic connection prints the SQL that it compiles to', async () => {
  const cwd = await makeShop();
  const { exitCode, stdout } = await run(
    cwd,
    'exec',
    'report/paid.sql',
    '--dry-run',
    '--param',
    "status=it''s",
  );
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^SELECT[\s\S]+'it''s'[\s\S]+;\n$/)]);
  expect(stdout).toContain('JOIN');
  writeFiles(cwd, {
    'report/called.sql':
      '#+src sql Paid() #+begin SELECT region, revenue FROM orders, customers #+end\nSELECT p.region FROM {{ Paid() }} AS p ORDER BY 1',
  });
  const called = await run(cwd, 'exec', 'report/called.sql', '--dry-run');
  expect([called.exitCode, called.stderr]).toEqual([0, 'nothing was run; this would run on shop\n']);
  expect((await quern(['sql', called.stdout], { cwd })).exitCode).toBe(0);
  const refused = await run(cwd, 'exec', 'report/broken.sql', '--dry-run', '--param', 'status=a');
  expect([refused.exitCode, refused.stderr]).toEqual([3, expect.stringContaining('no column `revenu`')]);
});
