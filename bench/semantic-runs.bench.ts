import { readFileSync } from 'node:fs';
import { loadDriver } from '../src/engine/connection/drivers.ts';
import { compileQuery } from '../src/semantic/compile/compile-query.ts';
import { readModel } from '../src/semantic/model/load/read-model.ts';
import { never, query } from '../test/engine/connection/results.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import type { Bench } from './bench.ts';
import { compareSql, readOwnCpu, type SqlSession } from './compare-sql.ts';
import { listShopStatements, printShopModel, type ShopPlatform } from './shop.ts';
import { SHOP_QUESTIONS, type ShopQuestion } from './shop-questions.ts';

// Compares the run time of the generated SQL with SQL that people would write: it takes at most a tenth longer. If joins
// repeat rows, it is not slower than the better of two usual ways to count each row once.
const PLAIN_LIMIT = 1.1;
const FAN_OUT_LIMIT = 1;
const NAMES: Readonly<Record<ShopPlatform, string>> = { duckdb: 'DuckDB', postgresql: 'PostgreSQL' };

/** A session in a database with the shop. */
interface Shop extends SqlSession {
  readonly platform: ShopPlatform;
}

async function openShop(platform: ShopPlatform, options: Readonly<Record<string, string>>): Promise<Shop> {
  const driver = await loadDriver(platform);
  const connection = await driver.connect({ name: 'shop', kind: platform, options, overrides: {} }, never);
  for (const sql of listShopStatements(platform)) await query(connection, sql);
  if (platform === 'duckdb') return { platform, connection, readCpu: readOwnCpu };
  // Without parallel workers, the session is the only process that runs a statement.
  await query(connection, 'SET max_parallel_workers_per_gather = 0');
  const [[pid] = []] = await query(connection, 'SELECT pg_backend_pid()');
  return { platform, connection, readCpu: () => readCpuOf(Number(pid)) };
}

/** The processor time of another process; Linux counts it in nanoseconds. */
function readCpuOf(pid: number): number {
  const [ran] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1e6;
}

function createBench(
  { platform, ...session }: Shop,
  { name, query: question, fansOut, byHand }: ShopQuestion,
): Promise<Bench> {
  const { index } = readModel([printShopModel(platform)]);
  const { sql } = compileQuery(index!, question, { dialect: platform, strict: false });
  return compareSql(session, {
    name: `${name}, ${NAMES[platform]} ÷ the better SQL by hand`,
    sql,
    byHand,
    most: fansOut ? FAN_OUT_LIMIT : PLAIN_LIMIT,
  });
}

async function listBenches(
  platform: ShopPlatform,
  options: Readonly<Record<string, string>>,
): Promise<readonly Bench[]> {
  const shop = await openShop(platform, options);
  const found: Bench[] = [];
  for (const question of SHOP_QUESTIONS) found.push(await createBench(shop, question));
  return found;
}

const server = await startPostgresql({ shared_buffers: '1GB', max_wal_size: '4GB' });
if (server === null) console.log('PostgreSQL is not installed: its benchmarks are skipped');
process.on('exit', () => server?.stop());

export const benches: readonly Bench[] = [
  ...(await listBenches('duckdb', { file: ':memory:' })),
  ...(server === null ? [] : await listBenches('postgresql', server.options)),
];
