import { describe, expect, it } from 'vitest';
import type { ConnectionKind } from '../../../../src/engine/connection/contract/connection.ts';
import type { DamageName, TriedTest } from '../../../../src/engine/run/outcome/can-fail-report.ts';
import { useSomeKinds } from '../script-session.ts';
import { openWith, tryScript } from './try-tests.ts';

const KINDS = useSomeKinds();

/** A table with a column of each kind that is damaged in its own way; in the order of its columns. */
const TABLE = [
  `CREATE TABLE items AS SELECT 1 AS id, CAST('north' AS VARCHAR(10)) AS region, CAST(12.50 AS DECIMAL(8, 2)) AS amount, DATE '2026-03-01' AS day
     UNION ALL SELECT 2, 'south', 7.25, DATE '2026-03-08'
     UNION ALL SELECT 3, 'west', 3.00, DATE '2026-03-15'`,
];
const toTable = (kind: ConnectionKind) =>
  TABLE.map((sql) => (kind === 'mysql' ? sql.replace('VARCHAR(10)', 'CHAR(10)') : sql));

const ITEMS = '#+src sql Items()\n#+begin SELECT * FROM items #+end\n';
const toTest = (name: string, sql: string) => `#+test sql ${name}()\n#+begin ${sql} #+end\n`;
const I = '{{ Items() }} AS i';

/** A test for each damage, which only this damage turns red. */
const ONLY: Readonly<Record<string, string>> = {
  'rows no_rows': `SELECT 1 AS x FROM (SELECT COUNT(*) AS n FROM ${I}) AS c WHERE n = 0`,
  'rows row_less': `SELECT 1 AS x FROM (SELECT COUNT(*) AS n FROM ${I}) AS c WHERE n = 2`,
  'rows row_twice': `SELECT 1 AS x FROM (SELECT COUNT(*) AS n FROM ${I}) AS c WHERE n = 4`,
  'region null': `SELECT 1 AS x FROM ${I} WHERE region IS NULL`,
  'id plus_one': `SELECT 1 AS x FROM (SELECT SUM(id) AS s, COUNT(*) AS n FROM ${I}) AS c WHERE s = 7 AND n = 3`,
  'amount sign': `SELECT 1 AS x FROM ${I} WHERE amount < 0`,
  'region ending': `SELECT 1 AS x FROM ${I} WHERE region LIKE 'north_%'`,
  'day day': `SELECT 1 AS x FROM ${I} WHERE day = DATE '2026-03-02'`,
  'region unknown_value': `SELECT 1 AS x FROM ${I} WHERE region LIKE '% %'`,
  'amount exchanged': `SELECT 1 AS x FROM ${I} WHERE id = 1 AND region = 'north' AND amount BETWEEN 7 AND 8`,
};

const print = ({ column, damage }: DamageName) => `${column ?? 'rows'} ${damage}`;
const noticedBy = ({ noticed }: TriedTest) => noticed.map(print);
const reasonOf = ({ status, message }: TriedTest) => (status === 'NOT_TRIED' ? message : status);

describe.each(KINDS)('damaged copies on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('turn a test red with each damage alone, and leave nothing', async () => {
    const session = await openWith(kind, toTable(kind));
    const names = Object.keys(ONLY);
    // Trino takes half a second for a query, so it has one test that notices all of them.
    const tests = kind === 'trino' ? [Object.values(ONLY).join(' UNION ALL ')] : Object.values(ONLY);
    const script = tests.map((sql, at) => toTest(`Only${at}`, sql)).join('');
    const tried = await tryScript(session, kind, `${ITEMS}${script}`);
    expect(tried.flatMap(({ not_tried }) => not_tried)).toEqual([]);
    if (kind === 'trino') expect(noticedBy(tried[0]!).toSorted()).toEqual(names.toSorted());
    else expect(tried.map(noticedBy)).toEqual(names.map((name) => [name]));
    expect(await session.listTemporary()).toEqual([]);
    expect(await session.query('SELECT id FROM items ORDER BY id')).toEqual([[1], [2], [3]]);
  });

  it.skipIf(!isThere)('find tests that cannot fail', async () => {
    const session = await openWith(kind, toTable(kind));
    const blind = [
      toTest('ComparesWithNull', `SELECT * FROM ${I} WHERE region = NULL`),
      toTest(
        'JoinsWrongColumns',
        `SELECT i.id FROM ${I} JOIN ${I.replace(' i', ' j')} ON i.id = -j.id - 1000`,
      ),
      toTest('FiltersWhatItSeeks', `SELECT * FROM ${I} WHERE amount > 0 AND amount < 0`),
      toTest('Sees', `SELECT * FROM ${I} WHERE amount <= 0`),
    ];
    const some = kind === 'trino' ? blind.slice(2) : blind;
    const tried = await tryScript(session, kind, `${ITEMS}${some.join('')}`);
    const expected = [
      ['ComparesWithNull', 'CANNOT_FAIL'],
      ['JoinsWrongColumns', 'CANNOT_FAIL'],
      ['FiltersWhatItSeeks', 'CANNOT_FAIL'],
      ['Sees', 'CAN_FAIL'],
    ];
    expect(tried.map(({ test_name, status }) => [test_name, status])).toEqual(expected.slice(-some.length));
  });

  it.skipIf(!isThere)('replace published blocks, given rows and both blocks of a check', async () => {
    const session = await openWith(kind, toTable(kind));
    const blocks = `#+src sql Items()
#+meta { :publication { :type "table", :name "items" }, :checks [
  { :unique "id" }, { :references "region", :to Regions, :column "name" } ] }
#+begin SELECT * FROM not_there #+end
#+src sql Regions()
#+begin SELECT DISTINCT region AS name FROM {{ Items() }} AS i #+end
#+src sql Totals()
#+begin SELECT region, SUM(amount) AS total FROM {{ Items() }} AS i GROUP BY region #+end
#+test sql Given()
#+meta { :given [ { :block Items, :types { :region "${kind === 'mysql' ? 'CHAR' : 'VARCHAR'}(10)", :amount "DECIMAL(8, 2)" },
  :rows [ { :region "a", :amount 1 }, { :region "a", :amount 2 }, { :region "b", :amount 4 } ] } ],
  :expect [ { :total 3 }, { :total 4 } ] }
#+begin SELECT * FROM {{ Totals() }} AS t #+end
`;
    const tried = await tryScript(session, kind, blocks);
    const found = new Map(tried.map((test) => [test.test_name, test]));
    expect(noticedBy(found.get('Items.unique(id)')!)).toEqual(['rows row_twice', 'id plus_one']);
    const reference = found.get('Items.references(region)')!;
    expect(reference.noticed.map((name) => `${name.block} ${print(name)}`)).toEqual([
      'acme/main.Regions rows no_rows',
      'acme/main.Regions rows row_less',
      'acme/main.Items region ending',
      'acme/main.Items region unknown_value',
      'acme/main.Regions name null',
      'acme/main.Regions name ending',
      'acme/main.Regions name unknown_value',
    ]);
    const given = found.get('Given')!;
    expect(given.message).toBeNull();
    expect(noticedBy(given)).toEqual([
      'rows no_rows',
      'rows row_less',
      'rows row_twice',
      'total null',
      'total plus_one',
      'total sign',
      'total unknown_value',
    ]);
    expect(await session.listTemporary()).toEqual([]);
  });

  it.skipIf(!isThere)('are not made where a test does not pass, reads nothing or writes', async () => {
    const session = await openWith(kind, [...toTable(kind), 'CREATE TABLE log AS SELECT id FROM items']);
    const script = [
      ITEMS,
      '#+src sql None()\n#+begin SELECT * FROM items WHERE id > 5 #+end\n',
      toTest('Fails', `SELECT * FROM ${I}`),
      toTest('Errs', `SELECT nope FROM ${I}`),
      toTest('ReadsTable', 'SELECT * FROM items WHERE id > 5'),
      toTest('ReadsNone', 'SELECT * FROM {{ None() }} AS n'),
      toTest('Writes', `INSERT INTO log SELECT id FROM ${I}; SELECT * FROM ${I} WHERE id > 5`),
      toTest('NeedsAll', `SELECT 1 AS x FROM (SELECT COUNT(*) AS n FROM ${I}) AS c WHERE n < 3`),
    ];
    const tried = await tryScript(session, kind, script.join(''), { maxRows: 2 });
    expect(tried.map(reasonOf)).toEqual([
      'fails without damage: Test returned a non-empty recordset (3 rows)',
      expect.stringMatching(/^fails without damage: .*nope/i),
      'calls no block',
      'its blocks have no rows',
      'fails on 2 of 3 rows (--rows): this statement can change data, so it does not run on copies',
      'fails on 2 of 3 rows (--rows)',
    ]);
    // The normal run of the test has written once.
    expect(await session.query('SELECT id FROM log')).toHaveLength(6);
    expect(await session.listTemporary()).toEqual([]);
  });

  it.skipIf(!isThere)('are tried in the time of each test, and the rest is listed', async () => {
    const session = await openWith(kind, toTable(kind));
    const [tried] = await tryScript(
      session,
      kind,
      `${ITEMS}${toTest('Slow', `SELECT * FROM ${I} WHERE amount < 0`)}`,
      {
        timeoutMs: 1,
      },
    );
    expect(tried).toMatchObject({
      status: 'NOT_TRIED',
      message: 'takes longer than 0.001 s (--can-fail-timeout)',
    });
    expect(await session.listTemporary()).toEqual([]);
    const again = await tryScript(
      session,
      kind,
      `${ITEMS}${toTest('Slow', `SELECT * FROM ${I} WHERE amount < 0`)}`,
    );
    expect(again.map(noticedBy)).toEqual([['amount sign']]);
  });
});
