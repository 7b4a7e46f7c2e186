import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { serve } from '../../support/server.ts';

const bin = path.resolve(import.meta.dirname, '../../../bin/quern.js');

const FILES = {
  'project.toml':
    '[general]\nname = "acme.io/shop"\n[environment]\ndefault = "dev"\n[environment.dev]\nconnection = { name = "duckdb" }\n[environment.staging]\nconnection = { name = "duckdb", overrides = { schema = "main" } }\n',
  'base/orders.sql': `#+src sql Orders()
#+begin
SELECT * FROM (VALUES (1, 10.5), (2, 20.0), (2, 7.0)) AS orders(id, amount)
#+end

#+test sql AmountsArePositive()
#+begin
SELECT * FROM {{ Orders() }} WHERE amount <= 0
#+end

#+test sql IdsAreUnique()
#+begin
SELECT id, count(*) AS rows FROM {{ Orders() }} GROUP BY id HAVING count(*) > 1
#+end
`,
  'mart/sales.sql': `#+import "acme.io/shop/base"
#+test sql ReadsOrders()
#+begin
SELECT amout FROM {{ base.Orders() }}
#+end
`,
};

/** A home with a project of two packages and three tests: one passes, one fails and one has an error. */
async function makeShop(): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, FILES);
  return cwd;
}

describe('quern test', () => {
  it('runs all tests of the project and reports what failed', async () => {
    const cwd = await makeShop();
    const { stdout, exitCode } = await quern(['test'], { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toBe(`passed acme.io/shop/base.AmountsArePositive
FAILED acme.io/shop/base.IdsAreUnique: Test returned a non-empty recordset (1 row)
  base/orders.sql:11:12
    id  rows
    2   2
FAILED acme.io/shop/mart.ReadsOrders: The test could not run.
mart/sales.sql:4:8: error: Binder Error: Referenced column "amout" not found in FROM clause!
Candidate bindings: "amount"
2 | #+test sql ReadsOrders()
3 | #+begin
4 | SELECT amout FROM {{ base.Orders() }}
  |        ^~~~~
3 tests: 1 passed, 2 failed
`);
  });

  it.each([
    [['base'], '2 tests: 1 passed, 1 failed', 1],
    [['base/'], '2 tests: 1 passed, 1 failed', 1],
    [['acme.io/shop/base'], '2 tests: 1 passed, 1 failed', 1],
    [['base.AmountsArePositive'], '1 test: 1 passed, 0 failed', 0],
    [['*/Amounts*'], '1 test: 1 passed, 0 failed', 0],
    [['AmountsArePositive'], '1 test: 1 passed, 0 failed', 0],
    [['base', 'mart'], '3 tests: 1 passed, 2 failed', 1],
    [['--exclude', 'mart', '--exclude', 'base.IdsAreUnique'], '1 test: 1 passed, 0 failed', 0],
    [['--parallel', '2'], '3 tests: 1 passed, 2 failed', 1],
    [['--env', 'dev'], '3 tests: 1 passed, 2 failed', 1],
    [['--fail-fast'], '2 tests: 1 passed, 1 failed', 1],
  ])('%j gives %s', async (args, counts, code) => {
    const { stdout, exitCode } = await quern(['test', ...args], { cwd: await makeShop() });
    expect([String(stdout).trimEnd().split('\n').at(-1), exitCode]).toEqual([counts, code]);
  });

  it.each([
    [['bsae'], 'error: no test matches `bsae`, did you mean `acme.io/shop/base`?\n', 2],
    [['mart', 'bsae/'], 'error: no test matches `bsae/`, did you mean `acme.io/shop/base`?\n', 2],
    [
      ['AmountsArePositve'],
      'error: no test matches `AmountsArePositve`, did you mean `acme.io/shop/base.AmountsArePositive`?\n',
      2,
    ],
    [
      ['base/none.sql'],
      'error: no test matches `base/none.sql`: select a package or a test, not a file\n',
      2,
    ],
    [['--exclude', 'x/*'], 'error: no test matches `x/*`\n', 2],
    [['base', '@Shared/x'], 'error: name packages of the catalog or on disk, not both\n', 2],
    [['--reporter', 'xml'], 'error: unknown reporter `xml`: use list, dot, tap, json, junit, github\n', 2],
    [['--reporter', 'junit=mart'], 'error: cannot write mart: it is a folder\n', 2],
    [['--rerun-failed'], 'error: no test failed in the last run\n', 2],
    [['--connection', 'none'], 'error: Connection not found: none\n', 2],
    [['@Shared'], 'error: nothing matches `@Shared`\n', 2],
    [['@Shared/no/ne/*'], 'error: nothing matches `@Shared/no/ne/*`\n', 2],
    [['--override', 'port=1'], 'error: Override not allowed: port\n', 2],
    [['--env', 'prod'], 'error: unknown environment `prod`; available: dev, staging\n', 2],
    [
      ['--env', 'stagign'],
      'error: unknown environment `stagign`; available: dev, staging, did you mean `staging`?\n',
      2,
    ],
  ])('%j is refused', async (args, message, code) => {
    const { stderr, exitCode } = await quern(['test', ...args], { cwd: await makeShop() });
    expect([stderr, exitCode]).toEqual([message, code]);
  });

  it.each([
    ['mart', ['../base'], '2 tests: 1 passed, 1 failed'],
    ['mart', ['../base/'], '2 tests: 1 passed, 1 failed'],
    ['mart', ['../base.AmountsArePositive'], '1 test: 1 passed, 0 failed'],
    ['mart', ['../base/Amounts*', '.'], '2 tests: 1 passed, 1 failed'],
    ['mart', ['./Reads*'], '1 test: 0 passed, 1 failed'],
    ['mart', ['acme.io/shop/base'], '2 tests: 1 passed, 1 failed'],
    ['mart', ['..'], '3 tests: 1 passed, 2 failed'],
    ['mart', ['../*', '--exclude', '.'], '2 tests: 1 passed, 1 failed'],
    ['mart/none', ['../../base', '..'], '3 tests: 1 passed, 2 failed'],
    ['.', ['.'], '3 tests: 1 passed, 2 failed'],
    ['.', ['./base', 'mart/../base'], '2 tests: 1 passed, 1 failed'],
  ])('in %s, %j gives %s', async (folder, args, counts) => {
    const shop = await makeShop();
    const cwd = path.join(shop, folder);
    mkdirSync(cwd, { recursive: true });
    const { stdout } = await quern(['test', ...args], { cwd });
    expect(String(stdout).trimEnd().split('\n').at(-1)).toBe(counts);
    const absolute = await quern(['test', path.join(shop, 'base')], { cwd });
    expect(absolute.stdout).toContain('2 tests: 1 passed, 1 failed\n');
  });

  it.each([
    ['base', ', did you mean `acme.io/shop/base`?'],
    ['../bsae', ', did you mean `acme.io/shop/base`?'],
    ['../base.IdsAreUnqiue', ', did you mean `acme.io/shop/base.IdsAreUnique`?'],
    ['./base', ', did you mean `acme.io/shop/base`?'],
    ['../none', ''],
    [
      '../base/orders.sql',
      ': select a package or a test, not a file, did you mean `acme.io/shop/base.AmountsArePositive`?',
    ],
  ])('in a folder of the project, %s matches nothing', async (selector, rest) => {
    const cwd = path.join(await makeShop(), 'mart');
    const { stderr, exitCode } = await quern(['test', selector], { cwd });
    expect([stderr, exitCode]).toEqual([`error: no test matches \`${selector}\`${rest}\n`, 2]);
  });

  it.each(['../..', '../../base'])('in a folder of the project, %s is refused', async (selector) => {
    const cwd = path.join(await makeShop(), 'mart');
    const { stderr, exitCode } = await quern(['test', selector], { cwd });
    expect([stderr, exitCode]).toEqual([
      `error: nothing matches \`${selector}\`: it leads out of the project\n`,
      2,
    ]);
  });

  it('accepts paths without a project, up to the current folder', async () => {
    const cwd = await makeHome();
    mkdirSync(path.join(cwd, 'a/b'), { recursive: true });
    writeFileSync(path.join(cwd, 'a/b/t.sql'), '#+test sql NoRows() #+begin SELECT 1 WHERE false #+end');
    for (const selector of ['./a/b', '.', 'a/../a', './a/b.NoRows']) {
      const { stdout } = await quern(['test', selector], { cwd });
      expect([selector, stdout]).toEqual([selector, 'passed a/b.NoRows\n1 test: 1 passed, 0 failed\n']);
    }
    const { stderr, exitCode } = await quern(['test', '../c'], { cwd: path.join(cwd, 'a/b') });
    const reason = 'it leads out of the current folder, which belongs to no project';
    expect([stderr, exitCode]).toEqual([`error: nothing matches \`../c\`: ${reason}\n`, 2]);
  });

  it('repeats the failed tests, until all pass', async () => {
    const cwd = await makeShop();
    await quern(['test'], { cwd });
    writeFileSync(
      path.join(cwd, 'mart/sales.sql'),
      FILES['mart/sales.sql'].replace('amout', 'amount').replace('}}', '}} WHERE false'),
    );
    const again = await quern(['test', '--rerun-failed', '--reporter', 'dot'], { cwd });
    expect(String(again.stdout).split('\n')[0]).toBe('F.');
    expect(String(again.stdout).trimEnd().split('\n').at(-1)).toBe('2 tests: 1 passed, 1 failed');
  });

  it('repeats tests that failed before a server started', async () => {
    const cwd = await makeShop();
    await quern(['test'], { cwd });
    await (await serve(cwd)).stop();
    const again = await quern(['test', '--rerun-failed'], { cwd });
    expect(String(again.stdout).trimEnd().split('\n').at(-1)).toBe('2 tests: 0 passed, 2 failed');
  });

  it('reports failed tests by its exit code and in files, also when its output is closed', async () => {
    const cwd = await makeShop();
    const line = `${process.execPath} ${bin} test --reporter list --reporter json=tests.json | true; exit "$\{PIPESTATUS[0]}"`;
    const { exitCode, stderr } = await execa('bash', ['-c', line], { cwd, reject: false });
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(JSON.parse(readFileSync(path.join(cwd, 'tests.json'), 'utf8')).stats.failed).toBe(2);
    const again = await quern(['test', '--rerun-failed', '--reporter', 'dot'], { cwd });
    expect(String(again.stdout).split('\n')[0]).toBe('FF');
  });

  it('reports one test to GitHub, also if its summary cannot be written', async () => {
    const env = { GITHUB_STEP_SUMMARY: 'none/summary.md' };
    const args = ['test', 'base.AmountsArePositive', '--reporter', 'github'];
    expect(await quern(args, { cwd: await makeShop(), env })).toMatchObject({
      exitCode: 0,
      stdout: '1 test: 1 passed, 0 failed\n',
      stderr: 'warning: cannot write GITHUB_STEP_SUMMARY, none/summary.md: there is no such folder\n',
    });
  });

  it('annotates files by their path in the repository, and other files by their path', async () => {
    const cwd = await makeShop();
    const annotate = async (workspace: string) => {
      const env = { GITHUB_WORKSPACE: workspace };
      const { stdout } = await quern(['test', 'base.IdsAreUnique', '--reporter', 'github'], { cwd, env });
      return /file=([^,]*),/.exec(String(stdout))?.[1];
    };
    expect(await annotate(path.dirname(cwd))).toBe(`${path.basename(cwd)}/base/orders.sql`);
    expect(await annotate(path.join(cwd, 'mart'))).toBe('base/orders.sql');
    expect(await annotate('')).toBe('base/orders.sql');
  });

  it('writes reports for programs', async () => {
    const cwd = await makeShop();
    const summary = path.join(cwd, 'summary.md');
    const reporters = ['junit=j.xml', 'json=j.json', 'tap', 'github'].flatMap((name) => ['--reporter', name]);
    const { stdout } = await quern(['test', ...reporters], { cwd, env: { GITHUB_STEP_SUMMARY: summary } });
    expect(stdout).toContain('1..3\nok 1 - acme.io/shop/base.AmountsArePositive\nnot ok 2 - ');
    expect(stdout).toContain(
      '::error file=base/orders.sql,line=11,col=12,title=acme.io/shop/base.IdsAreUnique::Test returned',
    );
    expect(stdout).toContain(
      '::error file=mart/sales.sql,line=4,col=8,title=acme.io/shop/mart.ReadsOrders::',
    );
    expect(readFileSync(summary, 'utf8')).toContain('3 tests: 1 passed, 2 failed');
    const body = JSON.parse(readFileSync(path.join(cwd, 'j.json'), 'utf8'));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(body.stats).toEqual({
      tests: 3,
      passed: 1,
      failed: 2,
      started_at: time,
      finished_at: time,
      duration_ms: expect.any(Number),
    });
    expect(body.tests[1]).toEqual({
      package_name: 'acme.io/shop/base',
      test_name: 'IdsAreUnique',
      status: 'FAILED',
      message: 'Test returned a non-empty recordset (1 row)',
      started_at: time,
      finished_at: time,
      duration_ms: expect.any(Number),
    });
    const xml = readFileSync(path.join(cwd, 'j.xml'), 'utf8');
    expect(xml).toContain('id="1" tests="1" failures="0" errors="1" skipped="0"');
    expect(xml).toContain('<testcase name="IdsAreUnique" classname="acme.io/shop/base"');
  });

  it('runs tests of the catalog', async () => {
    const cwd = await makeHome();
    await quern(['catalog', 'mkdir', '@Shared/shop', '-p'], { cwd });
    const put = (text: string, at: string) => quern(['catalog', 'put', '-', at], { cwd, input: text });
    await put('#+test sql NoRows() #+begin SELECT 1 WHERE false #+end', '@Shared/shop/checks');
    const { stdout, exitCode } = await quern(['test', '@Shared/shop'], { cwd });
    expect([stdout, exitCode]).toEqual(['passed @Shared/shop.NoRows\n1 test: 1 passed, 0 failed\n', 0]);
    expect((await quern(['test', '@Shared/shop.NoRows'], { cwd })).exitCode).toBe(0);
    expect((await quern(['test', '@Shared/none'], { cwd })).stderr).toBe(
      'error: no test matches `@Shared/none`\n',
    );
  });

  it('runs a check of the catalog by its name, and again if it has failed', async () => {
    const cwd = await makeHome();
    await quern(['catalog', 'mkdir', '@Shared/shop/mart', '-p'], { cwd });
    const text =
      '#+src sql Orders() #+meta { :checks [ { :unique ["id", "day"] } ] } #+begin SELECT 1 AS id, 2 AS day UNION ALL SELECT 1, 2 #+end';
    await quern(['catalog', 'put', '-', '@Shared/shop/mart/orders'], { cwd, input: text });
    const line =
      'FAILED @Shared/shop/mart.Orders.unique(id, day): Test returned a non-empty recordset (2 rows)';
    for (const args of [
      ['@Shared/shop/mart.Orders.unique(id, day)'],
      ['@Shared/shop/mart.Orders'],
      ['--rerun-failed'],
    ]) {
      const { stdout, exitCode } = await quern(['test', ...args], { cwd });
      expect([args, String(stdout).split('\n')[0], exitCode]).toEqual([args, line, 1]);
    }
  });

  it.each(['@Shared/none', '@Shared/none.NoRows', '@Shared/*', '@Personal', '@Sahred/none', 'none'])(
    'exits with 2 for %s in a home without scripts',
    async (selector) => {
      const { stderr, exitCode } = await quern(['test', selector], { cwd: await makeHome() });
      expect([stderr, exitCode]).toEqual([`error: nothing matches \`${selector}\`\n`, 2]);
    },
  );
});

describe('quern exec', () => {
  it('returns test results when a script runs tests', async () => {
    const cwd = await makeShop();
    const script =
      '#+import "std/test"\n#+import "acme.io/shop/base"\n{{ test.Run(packages=[base]) }};\nCREATE TABLE after_all (x int);\n';
    writeFileSync(path.join(cwd, 'job.sql'), script);
    const { stdout, exitCode } = await quern(['exec', 'job.sql', '--format', 'json'], { cwd });
    expect([exitCode, JSON.parse(String(stdout)).stats.failed]).toEqual([1, 1]);
    expect((await quern(['sql', 'FROM after_all'], { cwd })).exitCode).toBe(3);
    writeFileSync(path.join(cwd, 'job.sql'), script.replace('[base]', '[base], onFailure=test.Continue'));
    expect((await quern(['exec', 'job.sql'], { cwd })).exitCode).toBe(1);
    expect((await quern(['sql', 'FROM after_all'], { cwd })).exitCode).toBe(0);
  });

  it('writes the results of failed tests to a file', async () => {
    const cwd = await makeShop();
    const { exitCode } = await quern(['exec', 'base/orders.sql', '--output', 'tests.json'], { cwd });
    const { stats } = JSON.parse(readFileSync(path.join(cwd, 'tests.json'), 'utf8'));
    expect([exitCode, stats.tests, stats.failed]).toEqual([1, 2, 1]);
  });

  it('runs blocks of two packages and leaves no temporary objects', async () => {
    const cwd = await makeShop();
    writeFileSync(
      path.join(cwd, 'report.sql'),
      '#+import "acme.io/shop/base"\nSELECT count(*) AS orders, sum(amount) AS total FROM {{ base.Orders() }}\n',
    );
    const { stdout } = await quern(['exec', 'report.sql'], { cwd });
    expect(stdout).toBe('orders,total\n3,37.5\n');
    const left = "SELECT count(*) AS n FROM duckdb_tables() WHERE table_name LIKE 'quern%'";
    expect((await quern(['sql', left], { cwd })).stdout).toBe('n\n0\n');
    expect(existsSync(path.join(cwd, '.quern/tmp'))).toBe(true);
  });

  it('reports the line of a block in which the database finds an error', async () => {
    const cwd = await makeShop();
    writeFileSync(
      path.join(cwd, 'base/bad.sql'),
      '#+src sql Bad(x)\n#+begin\nSELECT 1 AS a,\n  {{ x }}::INTEGER AS b\n#+end\n',
    );
    writeFileSync(path.join(cwd, 'run.sql'), '#+import "acme.io/shop/base"\nFROM {{ base.Bad("nope") }}\n');
    const { stderr, exitCode } = await quern(['exec', 'run.sql'], { cwd });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('base/bad.sql:4:3: error: Binder Error: Referenced column "nope" was not found');
  });
});
