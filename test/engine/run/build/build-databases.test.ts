import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type {
  ConnectionKind,
  ConnectionSpec,
} from '../../../../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../../../../src/engine/connection/drivers.ts';
import { hasCluster, useCluster } from '../../../support/trino/use-cluster.ts';
import { never, query } from '../../connection/results.ts';
import { openBuilds, printBuildEvent } from './building.ts';

const cluster = hasCluster ? useCluster() : null;
const KINDS = [
  { kind: 'postgresql', isThere: inject('postgresql') !== null },
  { kind: 'mysql', isThere: inject('mariadb') !== null },
  { kind: 'trino', isThere: hasCluster },
] as const;

function readOptions(kind: ConnectionKind, schema: string): ConnectionSpec['options'] {
  if (kind === 'postgresql') return { ...inject('postgresql')! };
  if (kind === 'mysql') return { ...inject('mariadb')! };
  const { host, httpPort } = cluster!();
  const scratch = `memory.${schema}`;
  return { host, port: String(httpPort), user: 'test', catalog: 'iceberg', scratch_schema: scratch };
}

/** Builds in a new schema, which is dropped after the test. */
async function openOwn(kind: ConnectionKind) {
  const schema = `own_${randomUUID().slice(0, 8)}`;
  const options = readOptions(kind, schema);
  const driver = await loadDriver(kind);
  const admin = await driver.connect({ name: 'admin', kind, options, overrides: {} }, never);
  if (kind === 'trino') await query(admin, `CREATE SCHEMA memory.${schema}`);
  onTestFinished(async () => {
    if (kind === 'trino') await query(admin, `DROP SCHEMA memory.${schema}`);
    for (const name of [schema, `dev_${schema}`]) {
      await query(admin, `DROP SCHEMA IF EXISTS ${name}${kind === 'mysql' ? '' : ' CASCADE'}`);
    }
    await admin.close();
  });
  return { schema, ...openBuilds({ name: 'own', kind, options, overrides: { schema } }) };
}

const script = (amount: string) => `
#+src sql Orders()
#+meta { :checks [ { :unique "id" }, { :accepted "region", :values ["EU"], :severity "warn" } ] }
#+begin SELECT 1 AS id, 'EU' AS region, ${amount} AS amount UNION ALL SELECT 2, 'US', 3 #+end
#+src sql Spent()
#+meta { :publication { :type "table", :name "spent" }, :checks [ { :rows { :min 1 } } ] }
#+begin SELECT region, SUM(amount) AS amount FROM {{ Orders() }} AS o GROUP BY region #+end
#+src sql Log()
#+meta { :publication { :type "table", :name "log", :incremental "append" } }
#+begin SELECT region FROM {{ Spent() }} AS s #+end
#+src sql Report()
#+meta { :publication { :type "view", :name "report" } }
#+begin SELECT region FROM {{ Spent() }} AS s #+end
#+test sql NothingIsNegative()
#+begin SELECT * FROM {{ Spent() }} AS s WHERE amount < 0 #+end
`;

describe.each(KINDS)('a build on $kind', ({ kind, isThere }) => {
  it.skipIf(!isThere)('publishes in the order of the graph, and a failed test gates', async () => {
    const { build, query: read } = await openOwn(kind);
    const first = await build({ main: script('2') });
    const ran = ['PASSED Orders.accepted(region)', 'PASSED Orders.unique(id)'];
    const tested = ['PASSED NothingIsNegative', 'PASSED Spent.rows'];
    expect(first.events.map(printBuildEvent)).toEqual([
      ...ran,
      'PUBLISHED spent create',
      ...tested,
      'PUBLISHED log create',
      'PUBLISHED report create',
    ]);
    expect(first.outcome.schemas).toHaveLength(1);
    const second = await build({ main: script('-5') }, { parallel: 3 });
    expect(second.events.map(printBuildEvent).sort()).toEqual(
      [
        ...ran,
        'PUBLISHED spent replace',
        'FAILED NothingIsNegative',
        'PASSED Spent.rows',
        'SKIPPED log acme/main.NothingIsNegative',
        'SKIPPED report acme/main.NothingIsNegative',
      ].sort(),
    );
    const third = await build({ main: script('2') }, { include: ['Log'] });
    expect(third.events.map(printBuildEvent)).toEqual(['PUBLISHED log append']);
    expect(await read('SELECT count(*) AS n FROM log')).toEqual([[4]]);
  });

  it.skipIf(!isThere)('publishes what has changed, in the schemas of its environment', async () => {
    const { schema, build, query: read } = await openOwn(kind);
    const environment = { names: { prefix: 'dev_' } };
    const own = `dev_${schema}`;
    const choice = { include: ['changed'], environment };
    await build({ main: script('1') });
    const readOthers = async () => {
      const rows = [];
      for (const table of ['spent', 'log', 'report', 'quern_build']) {
        const found = await read(`SELECT * FROM ${schema}.${table}`);
        rows.push(found.map((row) => JSON.stringify(row)).sort());
      }
      return rows;
    };
    const before = await readOthers();
    const first = await build({ main: script('2') }, { environment });
    expect(first.events.map(printBuildEvent)).toContain(`PUBLISHED ${own}.log create`);
    expect((await build({ main: script('2 /* two */') }, choice)).events).toEqual([]);
    const second = await build({ main: script('7') }, choice);
    const published = second.events.filter((event) => event.kind === 'target');
    expect(published.map(printBuildEvent)).toEqual([`PUBLISHED ${own}.spent replace`]);
    await build({ main: script('7') }, { include: ['Log'], environment });
    expect((await build({ main: script('7') }, choice)).events).toEqual([]);
    expect(await read(`SELECT count(*) AS n FROM ${own}.log`)).toEqual([[4]]);
    expect(await readOthers()).toEqual(before);
  });
});
