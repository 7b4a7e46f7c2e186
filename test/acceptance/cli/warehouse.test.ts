import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Client } from '../../support/http.ts';
import { copyHome } from '../../support/quern.ts';
import { serve, withAdmin } from '../../support/server.ts';
import { hasCluster, useCluster } from '../../support/trino/use-cluster.ts';
import { rowsOf, runSql } from '../http/executing.ts';
import {
  change,
  createScratch,
  dropSchemas,
  PLATFORMS,
  type Platform,
  run,
  toComparable,
  toConnection,
  toLake,
} from './warehouse-platforms.ts';
import { describeRelations, listRelations, parseRows, readRelations, runReport } from './warehouse-rows.ts';

const warehouse = path.resolve(import.meta.dirname, '../../../fixtures/warehouse');
/** Where the project is in the catalog of the server that runs the reports. */
const CATALOG = '@Shared/warehouse';
const ALL = ['finance', 'landing', 'mart'];
/** For four databases on a busy machine. */
const PATIENCE_MS = 900_000;

/** The jobs in order, and how often the audit and the stock have then been published with new rows. */
const RUNS = [
  { job: 'jobs/nightly.sql', audits: 1, counts: 1, isCompared: false },
  { job: 'jobs/hourly.sql', audits: 2, counts: 2, isCompared: true },
  { job: 'jobs/full_refresh.sql', audits: 1, counts: 1, isCompared: true },
  { job: 'jobs/bootstrap.sql', audits: 1, counts: 1, isCompared: false },
];

const REPORTS: readonly { readonly name: string; readonly params: Readonly<Record<string, unknown>> }[] = [
  { name: 'customer_cohorts', params: {} },
  { name: 'latest_loads', params: {} },
  { name: 'returns_by_reason', params: { date_from: '2024-02-01', with_amounts: true } },
  { name: 'returns_by_reason', params: { date_from: '2024-02-01', with_amounts: false } },
  { name: 'sales_by_region', params: { date_from: '2024-03-01', date_to: '2024-09-30', region: 'all' } },
  { name: 'sales_by_region', params: { date_from: '2024-03-01', date_to: '2024-09-30', region: 'north' } },
  { name: 'sales_pivot', params: { years: '2024, 2025', with_shares: true } },
  { name: 'sales_pivot', params: { years: '2024', with_shares: false } },
  { name: 'stock_alerts', params: { stores: '', limit: 10 } },
  { name: 'stock_alerts', params: { stores: '1, 4', limit: 20 } },
  { name: 'store_ranking', params: { region: 'all' } },
  { name: 'store_ranking', params: { region: 'north' } },
  { name: 'table_sizes', params: {} },
  { name: 'top_products', params: { measure: 'revenue', date_from: '2024-01-01', limit: 5 } },
  { name: 'top_products', params: { measure: 'units', date_from: '2024-06-01', limit: 0 } },
  { name: 'top_products', params: { measure: 'margin', date_from: '2024-01-01', limit: 3 } },
];

const folder = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
const platforms: readonly Platform[] = PLATFORMS.filter(({ isThere }) => isThere).map(({ name, kind }) => {
  return { name, kind, cwd: path.join(folder, kind) };
});
const [duckdb, ...servers] = platforms as readonly [Platform, ...Platform[]];
const names = platforms.map(({ name }) => name).join(', ');

describe(`the warehouse on ${names}`, () => {
  const cluster = hasCluster ? useCluster() : null;

  for (const { name, install } of PLATFORMS.filter(({ isThere }) => !isThere)) {
    it.skip(`needs ${name}, which is not installed: ${install}`, () => {});
  }

  /** Does something with all platforms at once; the first result is the one of DuckDB. */
  const all = <T>(work: (platform: Platform) => Promise<T>) => Promise.all(platforms.map(work));

  /** Serves the home of DuckDB, which has all connections; no other process uses its database meanwhile. */
  async function withServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const server = await serve(duckdb.cwd);
    try {
      return await work(withAdmin(server).admin);
    } finally {
      await server.stop();
    }
  }

  async function addConnections(client: Client): Promise<void> {
    const add = async (body: object) => {
      const { status, text } = await client.send('POST', '/manage/connections', { body });
      if (status !== 201) throw new Error(text);
    };
    const [postgresql, mariadb] = [inject('postgresql'), inject('mariadb')];
    if (mariadb !== null) await add(toConnection('mysql', mariadb));
    if (cluster !== null) {
      await add(toLake(cluster()));
      await createScratch(client);
    }
    if (postgresql === null) return;
    await add({ ...toConnection('postgresql', postgresql), name: 'server' });
    const database = `warehouse_${path.basename(folder).slice(-6).toLowerCase()}`;
    rowsOf(await runSql(client, `CREATE DATABASE ${database}`, { connection: { name: 'server' } }));
    await add(toConnection('postgresql', { ...postgresql, database }));
  }

  beforeAll(async () => {
    cpSync(warehouse, duckdb.cwd, { recursive: true });
    await copyHome('adminHome', duckdb.cwd);
    await withServer(async (client) => {
      await addConnections(client);
      await storeWarehouse(client);
    });
    for (const { cwd } of servers) cpSync(duckdb.cwd, cwd, { recursive: true });
  }, PATIENCE_MS);
  afterAll(async () => {
    await withServer((client) => all((platform) => dropSchemas(client, platform)));
    rmSync(folder, { recursive: true, force: true });
  }, PATIENCE_MS);

  it.each(RUNS)(
    'is the same after $job, audit $audits',
    async ({ job, audits, counts, isCompared }) => {
      const [own, ...others] = await all((platform) => run(['exec', job], platform));
      expect(own).toEqual({
        exitCode: 0,
        stdout: expect.not.stringMatching(/FAIL/),
        stderr: expect.stringMatching(/^(?:published .* s\)\n)*$/),
      });
      for (const output of others) expect(toComparable(output)).toEqual(toComparable(own!));
      if (isCompared) await withServer((client) => compareRows(client, [audits, counts]));
    },
    PATIENCE_MS,
  );

  async function compareRows(client: Client, expected: readonly number[]): Promise<void> {
    const listed = await all((platform) => listRelations(client, platform, ALL));
    const relations = listed[0]!;
    const found = new Set([...relations.keys()].map((name) => name.replace(/\..*$/, '')));
    expect([...found].sort()).toEqual(ALL);
    const [own, ...others] = await all((platform) => readRelations(client, platform, relations));
    const stamps = `SELECT (SELECT count(DISTINCT run_at) FROM mart.load_audit) AS audits,
      (SELECT count(DISTINCT updated_at) FROM mart.fact_inventory) AS counts`;
    for (const [i, { kind }] of servers.entries()) {
      expect([kind, describeRelations(listed[i + 1]!)]).toEqual([kind, describeRelations(relations)]);
      expect([kind, others[i]]).toEqual([kind, own]);
      expect(rowsOf(await runSql(client, stamps, { connection: { name: kind } }))).toEqual([expected]);
    }
  }

  it(
    'passes the same tests, and fails the same one with the same rows',
    async () => {
      const setChannel = (channel: string) =>
        withServer((client) =>
          all(({ kind }) =>
            change(
              client,
              kind,
              `UPDATE landing.orders SET channel = '${channel}' WHERE order_no = 'SO-000002'`,
            ),
          ),
        );
      await setChannel('Fax');
      const [own, ...others] = await all((platform) => run(['exec', 'quality/run_all.sql'], platform));
      expect(own).toEqual({
        exitCode: 1,
        stdout: expect.stringMatching(/SO-000002 +fax[\s\S]*\n75 tests: 74 passed, 1 failed\n$/),
        stderr: '',
      });
      for (const output of others) expect(output).toEqual(own);
      await setChannel('Store');
    },
    PATIENCE_MS,
  );

  it('has the same files', async () => {
    const [own, ...others] = platforms.map(listFiles);
    expect([...own!.keys()]).toEqual(['margins.csv.gz', 'sales_DAY.parquet', 'sales_monthly.csv']);
    const read = (files: ReadonlyMap<string, string>, name: string) => readFileSync(files.get(name)!);
    for (const other of others) {
      expect([...other.keys()]).toEqual([...own!.keys()]);
      expect(read(other, 'sales_monthly.csv').equals(read(own!, 'sales_monthly.csv'))).toBe(true);
      expect(gunzipSync(read(other, 'margins.csv.gz'))).toEqual(gunzipSync(read(own!, 'margins.csv.gz')));
      expect(await readParquet(other)).toEqual(await readParquet(own!));
    }
  });

  async function readParquet(files: ReadonlyMap<string, string>) {
    const sql = `FROM '${files.get('sales_DAY.parquet')}'`;
    return parseRows((await run(['sql', sql, '--format', 'json'], duckdb)).stdout);
  }

  it(
    'answers its reports the same',
    async () => {
      await withServer(async (client) => {
        for (const { name, params } of REPORTS) {
          const script = `${CATALOG}/reports/${name}.sql`;
          const [own, ...others] = await all((platform) => runReport(client, script, platform, params));
          for (const [i, { kind }] of servers.entries()) {
            expect([kind, name, params, others[i]]).toEqual([kind, name, params, own]);
          }
        }
      });
    },
    PATIENCE_MS,
  );
});

/** Stores the project in the catalog. */
async function storeWarehouse(client: Client): Promise<void> {
  await client.make('folders', CATALOG, { folder_type: 'PROJECT' });
  const entries = readdirSync(warehouse, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  const paths = entries.map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    return { file, at: `${CATALOG}/${path.relative(warehouse, file)}`, isFolder: entry.isDirectory() };
  });
  for (const { at } of paths.filter(({ isFolder }) => isFolder)) await client.make('folders', at);
  for (const { file, at } of paths.filter(({ at }) => /\.(sql|toml)$/.test(at))) {
    await client.make('assets', at, { content: readFileSync(file, 'utf8') });
  }
}

/** The published files, without the day in their names. */
function listFiles({ cwd }: Platform): ReadonlyMap<string, string> {
  const published = path.join(cwd, '.quern', 'publish');
  const files = readdirSync(published).sort();
  return new Map(files.map((name) => [name.replace(/_\d{8}\./, '_DAY.'), path.join(published, name)]));
}
