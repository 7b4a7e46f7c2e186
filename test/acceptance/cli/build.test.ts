import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeHome, quern, quernProcess, writeFiles } from '../../support/quern.ts';
import { serve } from '../../support/server.ts';

const FILES = {
  'project.toml':
    '[general]\nname = "acme.io/shop"\n[environment]\ndefault = "dev"\n[environment.dev]\nconnection = { name = "duckdb" }\n',
  'raw/orders.sql': `#+src sql Orders()
#+begin SELECT * FROM (VALUES (1, 10.5), (2, 20.0)) AS orders (id, amount) #+end

#+test sql IdsAreUnique()
#+begin SELECT id FROM {{ Orders() }} GROUP BY id HAVING count(*) > $most ORDER BY id #+end
`,
  'mart/spent.sql': `#+import "acme.io/shop/raw"

#+src sql Spent()
#+meta { :publication { :type "table", :schema "mart", :name "spent" }, :tags ["nightly"] }
#+begin SELECT sum(amount) AS amount FROM {{ raw.Orders() }} #+end

#+src sql Report()
#+meta { :publication { :type "view", :schema "mart", :name "report" } }
#+begin SELECT amount FROM {{ Spent() }} #+end

#+test sql SomethingIsSpent()
#+begin SELECT * FROM {{ Spent() }} WHERE amount = 0 #+end
`,
};
const GOOD = ['--param', 'most=1'];
const BAD = ['--param', 'most=0'];

async function makeShop(): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, FILES);
  return cwd;
}

/** Times differ from run to run. */
const withoutTimes = (text: string) => text.replace(/\d+\.\d s\)/g, '0.0 s)');

describe('quern build', () => {
  it('prints a line for each target and failed test, and exits with 1 if anything failed', async () => {
    const cwd = await makeShop();
    const bad = await quern(['build', ...BAD], { cwd });
    expect([withoutTimes(String(bad.stdout)), bad.exitCode]).toEqual([
      `FAILED acme.io/shop/raw.IdsAreUnique: 2 wrong rows
  raw/orders.sql:4:12
    id
    1
    2
skipped mart.spent: IdsAreUnique failed
skipped acme.io/shop/mart.SomethingIsSpent: IdsAreUnique failed
skipped mart.report: IdsAreUnique failed
2 targets: 0 published, 0 failed, 2 skipped
2 tests: 0 passed, 0 warned, 1 failed, 1 skipped
`,
      1,
    ]);
    const good = await quern(['build', ...GOOD, '--verbose'], { cwd });
    expect([withoutTimes(String(good.stdout)), good.exitCode]).toEqual([
      `passed acme.io/shop/raw.IdsAreUnique
published mart.spent (create, 1 row, 0.0 s)
passed acme.io/shop/mart.SomethingIsSpent
published mart.report (create, 0.0 s)
2 targets: 2 published, 0 failed, 0 skipped
2 tests: 2 passed, 0 warned, 0 failed, 0 skipped
`,
      0,
    ]);
    const read = await quern(['sql', 'FROM mart.report', '--format', 'csv'], { cwd });
    expect(read.stdout).toBe('amount\n30.5\n');
  });

  it('prints one document with --json, and gives its tests to reporters', async () => {
    const cwd = await makeShop();
    const { stdout, exitCode } = await quern(['build', ...BAD, '--json'], { cwd });
    expect([JSON.parse(String(stdout)), exitCode]).toMatchObject([
      {
        targets: [
          {
            name: 'mart.spent',
            block: 'Spent',
            package_name: 'acme.io/shop/mart',
            status: 'SKIPPED',
            action: null,
            rows: null,
            message: 'IdsAreUnique failed',
            because: 'acme.io/shop/raw.IdsAreUnique',
            file: 'mart/spent.sql',
            line: 3,
          },
          { name: 'mart.report', because: 'acme.io/shop/raw.IdsAreUnique' },
        ],
        tests: [
          { test_name: 'IdsAreUnique', status: 'FAILED', because: null },
          { test_name: 'SomethingIsSpent', status: 'SKIPPED', because: 'acme.io/shop/raw.IdsAreUnique' },
        ],
        stats: { tests: 2, passed: 0, warned: 0, failed: 1, skipped: 1, duration_ms: expect.any(Number) },
      },
      1,
    ]);
    const tap = await quern(['build', ...BAD, '--reporter', 'tap'], { cwd });
    expect(tap.stdout).toContain('not ok 1 - acme.io/shop/raw.IdsAreUnique\n');
    expect(tap.stdout).toContain('ok 2 - acme.io/shop/mart.SomethingIsSpent # SKIP IdsAreUnique failed\n');
    const junit = await quern(['build', ...BAD, '--reporter', 'junit=tests.xml'], { cwd });
    expect(junit.stdout).toContain('2 targets: 0 published, 0 failed, 2 skipped\n');
  });

  it.each([
    [['Spend'], 2, 'error: nothing matches `Spend`, did you mean `acme.io/shop/mart.Spent`?\n'],
    [['../other'], 2, 'error: nothing matches `../other`: it leads out of the project\n'],
    [['@Shared/none'], 2, 'error: nothing matches `@Shared/none`\n'],
    [['mart', '@Shared'], 2, 'error: name packages of the catalog or on disk, not both\n'],
    [['tag:nigthly'], 2, 'error: nothing matches `tag:nigthly`, did you mean `tag:nightly`?\n'],
    [['mart', '--exclude', '*'], 2, 'error: nothing to build: --exclude leaves no target and no test\n'],
    [['--json', '--reporter', 'tap'], 2, 'error: use either --json or --reporter\n'],
    [['--env', 'prod'], 2, 'error: unknown environment `prod`; available: dev\n'],
  ])('%j is refused', async (args, code, message) => {
    const { stderr, exitCode } = await quern(['build', ...args, ...GOOD], { cwd: await makeShop() });
    expect([stderr, exitCode]).toEqual([message, code]);
  });

  it('exits with 3 for an error in a selected file, before anything is published', async () => {
    const cwd = await makeShop();
    writeFileSync(path.join(cwd, 'mart/bad.sql'), '#+src sql Bad(\n');
    const { stdout, stderr, exitCode } = await quern(['build', ...GOOD], { cwd });
    expect([stdout, exitCode]).toEqual(['', 3]);
    expect(stderr).toContain('mart/bad.sql:2:1: error');
    const other = await quern(['build', 'raw', ...GOOD, '--verbose'], { cwd });
    expect([other.stdout, other.exitCode]).toEqual([
      'passed acme.io/shop/raw.IdsAreUnique\n0 targets: 0 published, 0 failed, 0 skipped\n1 test: 1 passed, 0 warned, 0 failed, 0 skipped\n',
      0,
    ]);
    expect(other.stderr).toContain('mart/bad.sql:2:1: warning');
  });

  it('takes folders of the catalog, and projects around them', async () => {
    const cwd = await makeShop();
    await quern(['catalog', 'mkdir', '@Shared/shop', '--project'], { cwd });
    for (const [file, text] of Object.entries(FILES)) {
      const at = `@Shared/shop/${file.replace(/\.sql$/, '')}`;
      await quern(['catalog', 'mkdir', path.posix.dirname(at), '-p'], { cwd });
      await quern(['catalog', 'put', '-', at], { cwd, input: text });
    }
    const { stdout, stderr } = await quern(['build', '+@Shared/shop/mart', ...GOOD, '--verbose'], { cwd });
    expect([withoutTimes(String(stdout)), stderr]).toEqual([
      `passed acme.io/shop/raw.IdsAreUnique
published mart.spent (create, 1 row, 0.0 s)
passed acme.io/shop/mart.SomethingIsSpent
published mart.report (create, 0.0 s)
2 targets: 2 published, 0 failed, 0 skipped
2 tests: 2 passed, 0 warned, 0 failed, 0 skipped
`,
      '',
    ]);
    const listed = await quern(['ls', '@Shared/shop/raw'], { cwd });
    expect(listed.stdout).toContain('acme.io/shop/raw.Orders        block');
  });

  it('runs on the server of a served home, whose lines appear as targets end', async () => {
    const cwd = await makeShop();
    const server = await serve(cwd);
    onTestFinished(async () => void (await server.stop()));
    mkdirSync(path.join(cwd, 'slow'));
    writeFileSync(
      path.join(cwd, 'slow/zeta.sql'),
      `#+src sql Zeta()
#+meta { :publication { :type "table", :schema "mart", :name "zeta" } }
#+begin SELECT count(*) AS n FROM range(10000000000) a, range(10000000000) b WHERE a.range + b.range = 7 #+end`,
    );
    const child = quernProcess(['build', ...GOOD], { cwd });
    let printed = '';
    for await (const part of child.stdout.setEncoding('utf8')) {
      printed += part;
      if (printed.includes('published mart.report')) break;
    }
    child.kill('SIGINT');
    const { signal } = await child;
    expect(withoutTimes(printed)).toBe(
      'published mart.spent (create, 1 row, 0.0 s)\npublished mart.report (create, 0.0 s)\n',
    );
    expect(signal).toBe('SIGINT');
    const read = await quern(
      ['sql', "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'mart'", '--format', 'csv'],
      { cwd },
    );
    expect(read.stdout).toBe('table_name\nquern_build\nspent\n');
  });
});
