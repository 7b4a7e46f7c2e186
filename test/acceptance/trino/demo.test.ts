import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeHome, quern } from '../../support/quern.ts';
import { hasCluster, THREE_NODES, useCluster } from '../../support/trino/use-cluster.ts';
import { connect, dropDemo, edit, makeDemo, run } from './demo.ts';

const DAYS = 'SELECT * FROM mart.airport_days ORDER BY airport, state, day';
const QUESTION = [
  '--dimensions',
  'airports.state',
  '--measures',
  'routes.routes,routes.miles,flights.flights,flights.late_pct',
  '--order',
  'flights.flights:desc,airports.state',
  '--format',
  'csv',
];

/** Nothing of a refused script has run. */
async function expectNoTable(cwd: string, name: string): Promise<void> {
  const sql = `SHOW TABLES LIKE '${name}'`;
  expect(await run(cwd, 'sql', sql, '--connection', 'plain', '--format', 'csv')).toBe('Table\n');
}

describe.skipIf(!hasCluster)('the demo project on Trino', () => {
  const cluster = useCluster(THREE_NODES);

  it('publishes, passes its tests and has the answers that it has on DuckDB', async () => {
    const schema = `demo_${randomUUID().slice(0, 8)}`;
    const cwd = await makeDemo(cluster(), schema);
    onTestFinished(() => dropDemo(cwd, schema));
    // The published schema belongs to this test.
    edit(cwd, 'blocks.sql', (text) => text.replace(':schema "mart"', `:schema "${schema}"`));
    const days = DAYS.replace('mart.', `${schema}.`);
    const nightly = await run(cwd, 'exec', 'project/nightly.sql', '--connection', 'lake');
    expect(nightly).toContain('4 tests: 4 passed, 0 failed');
    await run(cwd, 'exec', 'project/nightly.sql');
    const published = await run(cwd, 'sql', days, '--format', 'csv');
    expect(published.split('\n').length).toBeGreaterThan(1000);
    expect(await run(cwd, 'sql', days, '--format', 'csv', '--connection', 'lake')).toBe(published);
    const answer = await run(cwd, 'semantic', 'query', '--model', 'project', ...QUESTION);
    // The lines that the guide changes.
    const environment = '[environment.cluster]\nname = "Cluster"\nconnection = { name = "lake" }\n';
    edit(
      cwd,
      'project.toml',
      (text) => text.replace('environment = "local"', 'environment = "cluster"') + environment,
    );
    edit(cwd, 'semantic/flights.yaml', (text) => text.replace('platform: duckdb', 'platform: trino'));
    expect(await run(cwd, 'semantic', 'query', '--model', 'project', ...QUESTION)).toBe(answer);
    await run(
      cwd,
      'connection',
      'create',
      'model',
      '--kind',
      'semantic',
      '--set',
      'model=project',
      '--set',
      'connection=lake',
    );
    const sql = 'SELECT airports.state, flights.flights FROM flights ORDER BY 2 DESC, 1 LIMIT 1';
    const [, most] = (await run(cwd, 'sql', sql, '--connection', 'model', '--format', 'csv')).split('\n');
    expect(answer).toContain(most?.split(',')[0]);
    const tests = await run(cwd, 'test', 'project', '--env', 'cluster', '--parallel', '2');
    expect(tests).toContain('4 tests: 4 passed, 0 failed');
    expect(
      await run(cwd, 'sql', `SHOW TABLES FROM memory.${schema}`, '--connection', 'lake', '--format', 'csv'),
    ).toBe('Table\n');
  });
});

describe.skipIf(!hasCluster)('a script on Trino', () => {
  const cluster = useCluster(THREE_NODES);

  async function makeConnections(): Promise<string> {
    const cwd = await makeHome();
    await connect(cwd, 'plain', cluster(), { catalog: 'memory', schema: 'default' });
    await connect(cwd, 'fixed', cluster(), { catalog: 'tpch', schema: 'tiny' });
    return cwd;
  }

  async function exec(cwd: string, text: string, connection: string) {
    writeFileSync(path.join(cwd, 'script.sql'), text);
    return quern(['exec', 'script.sql', '--connection', connection, '--format', 'csv'], { cwd });
  }

  it('keeps the catalog, the schema and the properties that it sets', async () => {
    const cwd = await makeConnections();
    const text = `USE tpch.tiny; SET SESSION query_max_run_time = '7m';
SELECT current_catalog || '.' || current_schema AS place, count(*) AS n FROM region GROUP BY 1;`;
    expect((await exec(cwd, text, 'plain')).stdout).toBe('place,n\ntpch.tiny,5\n');
    const shown = "SET SESSION query_max_run_time = '7m'; SHOW SESSION LIKE 'query_max_run_time';";
    expect((await exec(cwd, shown, 'plain')).stdout).toContain('query_max_run_time,7m,');
  });

  it('declares functions with statements in them', async () => {
    const cwd = await makeConnections();
    const text = `WITH FUNCTION double_of(n bigint) RETURNS bigint BEGIN DECLARE r bigint; SET r = n * 2; RETURN r; END
SELECT double_of(21) AS n;`;
    expect((await exec(cwd, text, 'plain')).stdout).toBe('n\n42\n');
  });

  it('is refused before anything runs if rows must be stored and there is no scratch schema', async () => {
    const cwd = await makeConnections();
    const name = `refused_${randomUUID().slice(0, 8)}`;
    const text = `#+src sql Dice() #+begin SELECT random() AS n #+end
CREATE TABLE ${name} (id integer);
SELECT a.n = b.n AS same FROM {{ Dice() }} AS a, {{ Dice() }} AS b`;
    const { exitCode, stderr } = await exec(cwd, text, 'plain');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('script.sql:1:26: error: the rows of this block must be stored');
    expect(stderr).toContain('`scratch_schema`');
    await expectNoTable(cwd, name);
  });

  it('is refused before anything runs if the catalog cannot store what it publishes', async () => {
    const cwd = await makeConnections();
    const name = `refused_${randomUUID().slice(0, 8)}`;
    const publish = (type: string, schema: string) => `#+import "std/publication"
#+src sql A() #+meta { :publication { :type "${type}", :schema "${schema}", :name "a" } } #+begin SELECT 1 AS id #+end
CREATE TABLE memory.default.${name} (id integer);
{{ publication.Run(blocks=[A]) }};`;
    for (const [type, schema] of [
      ['table', 'tiny'],
      ['view', 'tiny'],
      ['table', 'of_nobody'],
    ] as const) {
      const { exitCode, stderr } = await exec(cwd, publish(type, schema), 'fixed');
      expect(exitCode).toBe(3);
      expect(stderr).toContain(
        'error: the catalog `tpch` cannot store tables (This connector does not support',
      );
    }
    await expectNoTable(cwd, name);
  });
});
