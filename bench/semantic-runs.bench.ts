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

// How long the SQL of questions runs beside what people would write for them: at most a tenth longer, and where joins
// repeat rows no longer than the better of two ways to count them once.
const PLAIN_LIMIT = 1.1;
const FAN_OUT_LIMIT = 1;
/** A statement runs so often for one figure that it takes so many milliseconds in all: short ones differ from themselves. */
const FIGURE_MS = 200;
const NAMES: Readonly<Record<ShopPlatform, string>> = { duckdb: 'DuckDB', postgresql: 'PostgreSQL' };

/** A session in a database with the shop, and the processor time that it has taken so far, in milliseconds. */
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
  // With workers beside it, a session would not be all that runs a statement.
  await query(connection, 'SET max_parallel_workers_per_gather = 0');
  const [[pid] = []] = await query(connection, 'SELECT pg_backend_pid()');
  return { platform, connection, readCpu: () => readCpuOf(Number(pid)) };
}

function readOwnCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Of another process, as Linux counts it in nanoseconds. */
function readCpuOf(pid: number): number {
  const [ran] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(ran) / 1e6;
}

/** One run of so many; the processor time is that of the database, which other work on the machine hardly changes. */
async function measure({ connection, readCpu }: Shop, sql: string, times = 1): Promise<Figures> {
  const [start, cpu] = [performance.now(), readCpu()];
  for (let time = 0; time < times; time++) await countRows(connection, sql);
  return { wall: (performance.now() - start) / times, cpu: (readCpu() - cpu) / times, peak: Number.NaN };
}

/** The rows as text in any order, fractions with as many digits whatever their type. */
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
if (server === null) console.log('PostgreSQL is not installed: its benchmarks are left out');
process.on('exit', () => server?.stop());

export const benches: readonly Bench[] = [
  ...(await listBenches('duckdb', { file: ':memory:' })),
  ...(server === null ? [] : await listBenches('postgresql', server.options)),
];
