import { readFileSync } from 'node:fs';
import type { Connection } from '../src/engine/connection/contract/connection.ts';
import { loadDriver } from '../src/engine/connection/drivers.ts';
import { compileQuery } from '../src/semantic/compile/compile-query.ts';
import { readModel } from '../src/semantic/model/load/read-model.ts';
import { countRows, never, query, readRows } from '../test/engine/connection/results.ts';
import { startPostgresql } from '../test/support/postgresql.ts';
import type { Bench, Figures } from './bench.ts';
import { listShopStatements, printShopModel, type ShopPlatform } from './shop.ts';
import { SHOP_QUESTIONS, type ShopQuestion } from './shop-questions.ts';

// Compares the run time of the generated SQL with SQL that people would write: it takes at most a tenth longer. If joins
// repeat rows, it is not slower than the better of two usual ways to count each row once.
const PLAIN_LIMIT = 1.1;
const FAN_OUT_LIMIT = 1;
/** A statement is repeated for this time in milliseconds for one figure, because the times of short runs vary. */
const FIGURE_MS = 200;
const NAMES: Readonly<Record<ShopPlatform, string>> = { duckdb: 'DuckDB', postgresql: 'PostgreSQL' };

/** A session in a database with the shop, and its processor time so far, in milliseconds. */
interface Shop {
  readonly platform: ShopPlatform;
  readonly connection: Connection;
  readonly readCpu: () => number;
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

function readOwnCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The processor time of another process; Linux counts it in nanoseconds. */
function readCpuOf(pid: number): number {
  const [ran] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1e6;
}

/** One run; its figure is the processor time of the database, which other work on the machine hardly changes. */
async function measure({ connection, readCpu }: Shop, sql: string, times = 1): Promise<Figures> {
  const [start, cpu] = [performance.now(), readCpu()];
  for (let time = 0; time < times; time++) await countRows(connection, sql);
  return { wall: (performance.now() - start) / times, cpu: (readCpu() - cpu) / times, peak: Number.NaN };
}

/** The rows as sorted text; fractions of every type have the same number of digits. */
async function printRows(connection: Connection, sql: string): Promise<string> {
  const { columns, rows } = await readRows(await connection.run(sql, never));
  const print = (value: unknown, column: number): string => {
    const { type } = columns[column]!;
    if (value === null || value === '') return '';
    if (type.kind === 'decimal') return (Number(value) / 10 ** type.scale).toFixed(4);
    const isFraction = type.kind === 'float' || /^-?\d+\.\d+$/.test(String(value));
    return isFraction ? Number(value).toFixed(4) : String(value);
  };
  return rows
    .map((row) => row.map(print).join('|'))
    .sort()
    .join('\n');
}

async function createBench(
  shop: Shop,
  { name, query: question, fansOut, byHand }: ShopQuestion,
): Promise<Bench> {
  const { platform, connection } = shop;
  const { index } = readModel([printShopModel(platform)]);
  const { sql } = compileQuery(index!, question, { dialect: platform, strict: false });
  const due = await printRows(connection, sql);
  const peers: { readonly way: string; readonly text: string; readonly cpu: number }[] = [];
  for (const [way, text] of Object.entries(byHand)) {
    const rows = await printRows(connection, text);
    if (rows !== due) throw new Error(`${name}: other rows ${way}\n${due}\n${rows}`);
    peers.push({ way, text, ...(await measure(shop, text, 5)) });
  }
  const best = peers.reduce((one, other) => (other.cpu < one.cpu ? other : one));
  const times = Math.ceil(FIGURE_MS / best.cpu);
  return {
    name: `${name}, ${NAMES[platform]} ÷ the better SQL by hand`,
    peerName: best.way,
    runs: 9,
    ours: () => measure(shop, sql, times),
    peer: () => measure(shop, best.text, times),
    limits: [{ metric: 'cpu', most: fansOut ? FAN_OUT_LIMIT : PLAIN_LIMIT }],
  };
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
