import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, quern, writeFiles } from '../../support/quern.ts';
import { serve } from '../../support/server.ts';

const FILES = {
  'project.toml': '[general]\nname = "acme.io/shop"\n',
  'base/orders.sql': `#+src sql Orders()
#+meta { :publication { :type "table", :schema "mart", :name "orders" } }
#+begin
SELECT * FROM (VALUES (1, 10.5), (2, 20.0)) AS orders(id, amount)
#+end

#+test sql AmountsArePositive()
#+begin SELECT * FROM {{ Orders() }} WHERE amount <= 0 #+end

#+test sql Blind()
#+begin SELECT * FROM {{ Orders() }} WHERE amount = NULL #+end

#+test sql Fails()
#+begin SELECT * FROM {{ Orders() }} WHERE id = 2 #+end
`,
};

const REPORT = `CANNOT FAIL acme.io/shop/base.Blind: passes with each of 13 damages
  base/orders.sql:10:12
not tried acme.io/shop/base.Fails: fails without damage: Test returned a non-empty recordset (1 row)
no test notices:
  acme.io/shop/base.Orders
    rows: no rows, one row less, one row twice
    id: all damages
    amount: NULL, plus one, unknown value, exchanged
3 tests: 1 can fail, 1 cannot fail, 1 not tried
`;

/** A home with a published block and three tests: one can fail, one cannot, and one fails. */
async function makeShop(): Promise<string> {
  const cwd = await makeHome();
  writeFiles(cwd, FILES);
  await quern(['build', 'base.Orders', '--exclude', 'Fails'], { cwd });
  return cwd;
}

describe('quern test --can-fail', () => {
  it('reports which tests cannot fail and what no test notices, without a change of targets', async () => {
    const cwd = await makeShop();
    const count = [
      'sql',
      'SELECT count(*) AS n, (SELECT count(*) FROM mart.orders) AS o FROM duckdb_tables()',
    ];
    const before = await quern([...count, '--json'], { cwd });
    const { stdout, stderr, exitCode } = await quern(['test', '--can-fail'], { cwd });
    expect([stdout, stderr, exitCode]).toEqual([REPORT, '', 1]);
    const { result } = JSON.parse(String((await quern([...count, '--json'], { cwd })).stdout));
    expect(result).toEqual(JSON.parse(String(before.stdout)).result);
    expect(result.data[0][1]).toBe(2);
  });

  it('exits with 0 if every tried test can fail, and keeps the failed tests for the next run', async () => {
    const cwd = await makeShop();
    await quern(['test'], { cwd });
    const failed = () => readFileSync(path.join(cwd, '.quern/failed-tests.json'), 'utf8');
    const before = failed();
    const { exitCode, stdout } = await quern(
      ['test', '--can-fail', '--exclude', 'Blind', '--parallel', '2'],
      { cwd },
    );
    expect([exitCode, String(stdout).split('\n').at(-2)]).toEqual([
      0,
      '2 tests: 1 can fail, 0 cannot fail, 1 not tried',
    ]);
    expect(failed()).toBe(before);
    expect(JSON.parse(before)).toEqual(['acme.io/shop/base.Fails']);
  });

  it('prints JSON, also of a home that a server has open', async () => {
    const cwd = await makeShop();
    const server = await serve(cwd);
    const { stdout, exitCode } = await quern(['test', '--can-fail', '--json', '--rows', '1'], { cwd });
    await server.stop();
    expect(exitCode).toBe(1);
    const { tests, blocks, stats } = JSON.parse(String(stdout));
    const name = { package_name: 'acme.io/shop/base' };
    const block = 'acme.io/shop/base.Orders';
    expect(tests).toEqual([
      {
        ...name,
        test_name: 'AmountsArePositive',
        status: 'CAN_FAIL',
        message: null,
        noticed: [{ block, column: 'amount', damage: 'sign', rows: 'one' }],
        not_tried: [],
        tried: 10,
      },
      {
        ...name,
        test_name: 'Blind',
        status: 'CANNOT_FAIL',
        message: null,
        noticed: [],
        not_tried: [],
        tried: 10,
      },
      {
        ...name,
        test_name: 'Fails',
        status: 'NOT_TRIED',
        message: 'fails without damage: Test returned a non-empty recordset (1 row)',
        noticed: [],
        not_tried: [],
        tried: 0,
      },
    ]);
    expect(blocks).toEqual([
      {
        block,
        unnoticed: [
          { column: null, damages: ['no_rows', 'row_twice'] },
          { column: 'id', damages: ['null', 'plus_one', 'sign', 'unknown_value'] },
          { column: 'amount', damages: ['null', 'plus_one', 'unknown_value'] },
        ],
      },
    ]);
    expect(stats).toMatchObject({ tests: 3, can_fail: 1, cannot_fail: 1, not_tried: 1 });
  });

  it.each([
    [['--can-fail', '--fail-fast'], '--can-fail and --fail-fast contradict each other'],
    [['--can-fail', '--store-failures'], '--can-fail and --store-failures contradict each other'],
    [['--can-fail', '--reporter', 'dot'], '--can-fail and --reporter contradict each other'],
    [['--can-fail', '--rerun-failed'], '--can-fail and --rerun-failed contradict each other'],
    [['--can-fail', '--rows', '1000001'], '--rows 1000001: at most 1000000'],
    [
      ['--can-fail', '--can-fail-timeout', '604801'],
      '--can-fail-timeout 604801: at most 604800 seconds (a week)',
    ],
    [['--rows', '5'], '--rows needs --can-fail'],
    [['--can-fail-timeout', '5'], '--can-fail-timeout needs --can-fail'],
    [['--json'], '--json needs --can-fail: results as JSON have `--reporter json`'],
  ])('refuses %j', async (args, message) => {
    const cwd = await makeHome();
    writeFiles(cwd, FILES);
    const { stderr, stdout, exitCode } = await quern(['test', ...args], { cwd });
    expect([String(stderr).split('\n')[0], stdout, exitCode]).toEqual([`error: ${message}`, '', 2]);
  });

  it('refuses a selection without tests, unless that is accepted', async () => {
    const cwd = await makeHome();
    writeFiles(cwd, {
      'project.toml': FILES['project.toml'],
      'base/one.sql': '#+src sql One()\n#+begin SELECT 1 #+end\n',
    });
    const none = await quern(['test', '--can-fail'], { cwd });
    expect([none.stderr, none.exitCode]).toEqual(['error: no tests found: --allow-none accepts that\n', 2]);
    const allowed = await quern(['test', '--can-fail', '--allow-none'], { cwd });
    expect([allowed.stdout, allowed.exitCode]).toEqual([
      '0 tests: 0 can fail, 0 cannot fail, 0 not tried\n',
      0,
    ]);
  });
});
