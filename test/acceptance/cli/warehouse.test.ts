import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createClient } from '../../support/http.ts';
import { copyHome, quern } from '../../support/quern.ts';
import { serve } from '../../support/server.ts';

const warehouse = path.resolve(import.meta.dirname, '../../../fixtures/warehouse');
const server = inject('postgresql');

/**
 * Columns with the time of a run. Only their order is compared: it shows which rows belong to the same run.
 */
const CLOCKS = ['loaded_at', 'run_at', 'updated_at'];

/**
 * The jobs in order, how often the audit and the stock have then been published with new rows, and the
 * compared schemas.
 */
const RUNS = [
  { job: 'jobs/nightly.sql', audits: 1, counts: 1, schemas: [] },
  { job: 'jobs/nightly.sql', audits: 2, counts: 1, schemas: ['mart', 'finance'] },
  { job: 'jobs/hourly.sql', audits: 2, counts: 2, schemas: ['landing', 'mart'] },
  { job: 'jobs/full_refresh.sql', audits: 1, counts: 1, schemas: ['landing', 'mart', 'finance'] },
  { job: 'jobs/bootstrap.sql', audits: 1, counts: 1, schemas: [] },
];

const REPORTS: readonly { readonly name: string; readonly params: readonly string[] }[] = [
  { name: 'customer_cohorts', params: [] },
  { name: 'returns_by_reason', params: ['date_from=2024-02-01', 'with_amounts=true'] },
  { name: 'returns_by_reason', params: ['date_from=2024-02-01', 'with_amounts=false'] },
  { name: 'sales_by_region', params: ['date_from=2024-03-01', 'date_to=2024-09-30', 'region=all'] },
  { name: 'sales_by_region', params: ['date_from=2024-03-01', 'date_to=2024-09-30', 'region=north'] },
  { name: 'sales_pivot', params: ['years=2024, 2025', 'with_shares=true'] },
  { name: 'sales_pivot', params: ['years=2024', 'with_shares=false'] },
  { name: 'stock_alerts', params: ['stores=', 'limit=10'] },
  { name: 'stock_alerts', params: ['stores=1, 4', 'limit=20'] },
  { name: 'store_ranking', params: ['region=all'] },
  { name: 'store_ranking', params: ['region=north'] },
  { name: 'table_sizes', params: [] },
  { name: 'top_products', params: ['measure=revenue', 'date_from=2024-01-01', 'limit=5'] },
  { name: 'top_products', params: ['measure=units', 'date_from=2024-06-01', 'limit=0'] },
  { name: 'top_products', params: ['measure=margin', 'date_from=2024-01-01', 'limit=3'] },
];

/** The output of a command. */
interface Answer {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A copy of the project with a separate home, and its connection. */
interface Platform {
  readonly cwd: string;
  readonly connection: string;
}

async function run(args: readonly string[], { cwd, connection }: Platform): Promise<Answer> {
  const { exitCode, stdout, stderr } = await quern([...args, '--connection', connection], { cwd });
  return { exitCode, stdout: String(stdout), stderr: String(stderr) };
}

/** Simultaneous publications end in any order. */
function withoutSeconds({ stderr, ...answer }: Answer) {
  const published = stderr
    .replace(/, [\d.]+ s\)/g, ')')
    .split('\n')
    .sort();
  return { ...answer, published };
}

/** The output of a command that must succeed. */
async function get(args: readonly string[], platform: Platform): Promise<string> {
  const { exitCode, stdout, stderr } = await run(args, platform);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${exitCode}\n${stdout}\n${stderr}`);
  return stdout;
}

/** The names, types and rows in the output of a command, with all digits. */
async function getRows(args: readonly string[], platform: Platform): Promise<string> {
  return printRows(await get([...args, '--format', 'json'], platform));
}

function printRows(json: string): string {
  const { columns, data } = JSON.parse(json).result;
  expect(data.length).toBeGreaterThan(0);
  const header = columns.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`);
  const rows = json.slice(json.indexOf('"data":'), json.lastIndexOf(',"stats":'));
  return [...header, ...rows.split('],[')].join('\n');
}

type Rows = readonly (readonly string[])[];

async function query(sql: string, platform: Platform): Promise<Rows> {
  return JSON.parse(await get(['sql', sql, '--format', 'json'], platform)).result.data;
}

/** A query for all rows of a table or view, in an order that depends only on the rows. */
function printQuery(name: string, columns: readonly (readonly [name: string, type: string])[]): string {
  const read = columns.map(([column, type]) => {
    if (CLOCKS.includes(column)) return `dense_rank() OVER (ORDER BY ${column}) AS ${column}`;
    return type.toUpperCase() === 'JSON' ? `CAST(${column} AS VARCHAR) AS ${column}` : column;
  });
  return `SELECT ${read.join(', ')} FROM ${name} ORDER BY ${columns.map((_, i) => i + 1).join(', ')}`;
}

/**
 * The tables and views of some schemas with all their rows, and the maximum digits of their decimals; a
 * server reads them.
 */
async function readAll(
  schemas: readonly string[],
  { cwd, connection }: Platform,
): Promise<Readonly<Record<string, string>>> {
  const reader = await serve(cwd);
  const client = createClient(reader.url, inject('adminToken'));
  const read = async (sql: string) => {
    const { status, text } = await client.send('POST', '/exec/sql', {
      body: { sql, connection: { name: connection } },
    });
    if (status !== 200) throw new Error(`${sql}: ${status}: ${text}`);
    return text;
  };
  try {
    return await readRelations(schemas, read);
  } finally {
    await reader.stop();
  }
}

async function readRelations(
  schemas: readonly string[],
  read: (sql: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  const listed = await read(
    `SELECT t.table_schema || '.' || '"' || t.table_name || '"', t.table_type, c.column_name, c.data_type,
      CASE WHEN c.numeric_scale > 0 THEN c.numeric_precision || ',' || c.numeric_scale ELSE '' END
    FROM information_schema.tables AS t JOIN information_schema.columns AS c USING (table_schema, table_name)
    WHERE t.table_schema IN (${schemas.map((name) => `'${name}'`).join(', ')})
    ORDER BY t.table_schema, t.table_name, c.ordinal_position`,
  );
  const found: Rows = JSON.parse(listed).result.data;
  const relations: Record<string, string> = {};
  for (const [name, columns] of Map.groupBy(found, ([table]) => table!)) {
    const sql = printQuery(
      name,
      columns.map(([, , column, type]) => [column!, type!]),
    );
    const digits = columns.map(([, , , , given]) => given).join(' ');
    relations[`${columns[0]![1]} ${name}`] = `${digits}\n${printRows(await read(sql))}`;
  }
  return relations;
}

/** The published files, without the day in their names. */
function listFiles({ cwd }: Platform): ReadonlyMap<string, string> {
  const folder = path.join(cwd, '.quern', 'publish');
  const names = readdirSync(folder).sort();
  return new Map(names.map((name) => [name.replace(/_\d{8}\./, '_DAY.'), path.join(folder, name)]));
}

if (server === null) {
  describe('the warehouse on PostgreSQL', () => {
    it.skip('needs PostgreSQL, which is not installed: apt-get install postgresql', () => {});
  });
} else {
  describe('the warehouse on DuckDB and on PostgreSQL', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'quern-test-'));
    const duckdb = { cwd: path.join(folder, 'duckdb'), connection: 'duckdb' };
    const postgresql = { cwd: path.join(folder, 'postgresql'), connection: 'pg' };
    const both = <T>(work: (platform: Platform) => Promise<T>) =>
      Promise.all([work(duckdb), work(postgresql)]);

    async function addConnection(name: string, database: string): Promise<void> {
      const { password, ...options } = { ...server!, database };
      const set = Object.entries(options).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
      const args = ['connection', 'create', name, '--kind', 'postgresql', ...set];
      const { exitCode, stderr } = await quern([...args, '--secret', 'password=env:SECRET'], {
        cwd: postgresql.cwd,
        env: { SECRET: password },
      });
      if (exitCode !== 0) throw new Error(String(stderr));
    }

    beforeAll(async () => {
      for (const { cwd } of [duckdb, postgresql]) {
        cpSync(warehouse, cwd, { recursive: true });
        await copyHome('adminHome', cwd);
      }
      const database = `warehouse_${path.basename(folder).slice(-6).toLowerCase()}`;
      await addConnection('server', server!.database);
      await get(['sql', `CREATE DATABASE ${database}`], { ...postgresql, connection: 'server' });
      await addConnection('pg', database);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(RUNS)(
      'is the same after $job, audit $audits',
      async ({ job, audits, counts, schemas }) => {
        const [own, other] = await both((platform) => run(['exec', job], platform));
        expect(own).toEqual({
          exitCode: 0,
          stdout: expect.not.stringMatching(/FAIL/),
          stderr: expect.stringMatching(/^(?:published .* s\)\n)*$/),
        });
        expect(withoutSeconds(other)).toEqual(withoutSeconds(own));
        if (schemas.length > 0) {
          const [rows, others] = await both((platform) => readAll(schemas, platform));
          const found = new Set(Object.keys(rows).map((name) => name.replace(/^.* (\w+)\..*$/, '$1')));
          expect([...found].sort()).toEqual([...schemas].sort());
          expect(others).toEqual(rows);
        }
        const stamps = `SELECT (SELECT count(DISTINCT run_at) FROM mart.load_audit),
        (SELECT count(DISTINCT updated_at) FROM mart.fact_inventory)`;
        expect(await query(stamps, postgresql)).toEqual([[audits, counts]]);
      },
      240_000,
    );

    it('passes the same tests, and fails the same one with the same rows', async () => {
      const [own, other] = await both((platform) => run(['test'], platform));
      expect(own).toEqual({
        exitCode: 0,
        stdout: expect.stringMatching(/\n75 tests: 75 passed/),
        stderr: '',
      });
      expect(other).toEqual(own);
      const all = await both((platform) => get(['exec', 'quality/run_all.sql'], platform));
      expect(all[1]).toBe(all[0]);

      const change = (channel: string) =>
        both((platform) =>
          get(
            ['sql', `UPDATE landing.orders SET channel = '${channel}' WHERE order_no = 'SO-000002'`],
            platform,
          ),
        );
      await change('Fax');
      const failed = await both((platform) => run(['test', 'sources'], platform));
      expect(failed[0]).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/SO-000002 +fax/) });
      expect(failed[1]).toEqual(failed[0]);
      await change('Store');
    });

    it('has the same files', async () => {
      const [own, other] = [listFiles(duckdb), listFiles(postgresql)];
      expect([...own.keys()]).toEqual(['margins.csv.gz', 'sales_DAY.parquet', 'sales_monthly.csv']);
      expect([...other.keys()]).toEqual([...own.keys()]);
      const read = (files: ReadonlyMap<string, string>, name: string) => readFileSync(files.get(name)!);
      expect(read(other, 'sales_monthly.csv').equals(read(own, 'sales_monthly.csv'))).toBe(true);
      expect(gunzipSync(read(other, 'margins.csv.gz'))).toEqual(gunzipSync(read(own, 'margins.csv.gz')));
      const readRows = (files: ReadonlyMap<string, string>) =>
        getRows(['sql', `FROM '${files.get('sales_DAY.parquet')}'`], duckdb);
      expect(await readRows(other)).toBe(await readRows(own));
    });

    const titled = REPORTS.map((report) => ({ ...report, title: [report.name, ...report.params].join(' ') }));
    it.each(titled)('answers $title the same', async ({ name, params }) => {
      const given = params.flatMap((param) => ['--param', param]);
      const [own, other] = await both((platform) =>
        getRows(['exec', `reports/${name}.sql`, ...given], platform),
      );
      expect(other).toBe(own);
    });
  });
}
