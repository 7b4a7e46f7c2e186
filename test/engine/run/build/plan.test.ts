import { describe, expect, it } from 'vitest';
import type { PlannedTarget } from '../../../../src/engine/run/build/plan.ts';
import { type BuildChoice, openBuilds } from './building.ts';

function shop(columns = '1 AS id', spent = 'SELECT id FROM {{ Orders() }}', keys = ''): string {
  return `
#+src sql Orders()
#+meta { :publication { :type "table", :name "orders" } }
#+begin SELECT ${columns} #+end
#+src sql Spent()
#+meta { :publication { :type "table", :name "spent"${keys} } }
#+begin ${spent} #+end
#+src sql File()
#+meta { :publication { :type "csv", :path "n.csv", :options { :overwrite true } } }
#+begin SELECT id FROM {{ Spent() }} #+end
`;
}

const ALL = 'SELECT table_name, column_name FROM information_schema.columns ORDER BY ALL';

function openPlans() {
  const builds = openBuilds();
  const plan = async (main: string, choice: BuildChoice = {}) => {
    const { outcome, lines } = await builds.list<PlannedTarget>({ main }, { mode: 'plan', ...choice });
    if (outcome.status === 'failed') throw new Error(outcome.error.message);
    return lines.map(({ name, action, reason, changes, unknown }) =>
      [`${action} ${name} (${reason})`, ...changes, ...(unknown === null ? [] : [unknown])].join('; '),
    );
  };
  return { ...builds, plan };
}

describe('a plan', () => {
  it('creates what does not exist, and changes nothing', async () => {
    const { plan, query } = openPlans();
    expect(await plan(shop(), { include: ['+Spent'] })).toEqual([
      'create orders (needed by acme/main.Spent)',
      'create spent (selected)',
    ]);
    expect(await query(ALL)).toEqual([]);
  });

  it.each<[string, string, BuildChoice, readonly string[]]>([
    [
      'the same again',
      shop(),
      {},
      [
        'replace orders (selected); replaces 1 row',
        'replace spent (selected); replaces 1 row',
        'write n.csv (selected); replaces the file',
      ],
    ],
    [
      'other columns',
      shop('1 AS id, 2 AS x'),
      {},
      [
        'replace orders (selected); replaces 1 row; adds the column `x` (INTEGER)',
        'replace spent (selected); replaces 1 row; unknown until acme/main.Orders is built',
        'write n.csv (selected); replaces the file',
      ],
    ],
    ['what needs the changed ones', shop('1 AS id -- x\n'), { include: ['changed+'] }, []],
    [
      'rows that are added',
      shop('1 AS id', 'SELECT id, 2 AS x FROM {{ Orders() }}', ', :incremental "append"'),
      { include: ['Spent'] },
      ['append spent (selected); fails: the column `x` (INTEGER) of the query is not in the table'],
    ],
    [
      'an incremental table from the start',
      shop('1 AS id', 'SELECT 7 AS id', ', :incremental "append"'),
      { include: ['Spent'], fullRefresh: true },
      ['replace spent (selected); replaces 1 row'],
    ],
    [
      'a query after other statements',
      shop('1 AS id', 'SET threads = 1; SELECT id FROM {{ Orders() }}'),
      { include: ['Spent'] },
      ['replace spent (selected); replaces 1 row; unknown: it runs other statements before its query'],
    ],
    [
      'a query with an error',
      shop('1 AS id', 'SELECT nowhere FROM {{ Orders() }}'),
      { include: ['Spent'] },
      [expect.stringContaining('replace spent (selected); replaces 1 row; unknown: Binder Error')],
    ],
  ])('of %s', async (_, main, choice, expected) => {
    const { build, plan, query } = openPlans();
    await build({ main: shop() });
    const before = [await query(ALL), await query('FROM quern_build'), await query('FROM spent')];
    expect(await plan(main, choice)).toEqual(expected);
    expect([await query(ALL), await query('FROM quern_build'), await query('FROM spent')]).toEqual(before);
  });

  it('names what no build has made, and other kinds of objects', async () => {
    const { plan, query } = openPlans();
    await query('CREATE TABLE orders AS SELECT 1 AS id');
    await query('CREATE VIEW spent AS SELECT 1 AS id');
    expect(await plan(shop())).toEqual([
      'replace orders (selected); no build has made it; replaces 1 row',
      'replace spent (selected); no build has made it; replaces a view by a table',
      'write n.csv (selected)',
    ]);
    await query('DROP TABLE orders');
    await query('CREATE OR REPLACE TABLE other AS SELECT 1 AS id');
    await query('DROP VIEW spent');
    await query('CREATE TABLE spent AS SELECT 1 AS id');
    expect(await plan(shop(), { include: ['Spent'] })).toEqual([
      'replace spent (selected); no build has made it; replaces 1 row; unknown: it reads orders, which does not exist and is not selected',
    ]);
  });

  it('opens nothing offline', async () => {
    const { list } = openPlans();
    const { lines } = await list<PlannedTarget>({ main: shop() }, { mode: 'offline' });
    expect(lines.map(({ action, type, name }) => [action, type, name])).toEqual([
      [null, 'table', 'orders'],
      [null, 'table', 'spent'],
      [null, 'csv', 'n.csv'],
    ]);
  });
});
