import { duckdbDriver } from '../../../../src/engine/connection/duckdb/driver.ts';
import type { Chunk } from '../../../../src/engine/result/columns/column.ts';

// slow-reader OTHERS: prints by how many megabytes a process grows while it reads a result of 400 chunks with a megabyte
// each, and before each of them OTHERS small chunks of another result. It makes no other garbage meanwhile, and is busy
// before, so that V8 has much space for young objects.
const [others = '0'] = process.argv.slice(2);
const MEGABYTE = 1024 * 1024;
const never = new AbortController().signal;

for (let round = 0; round < 40; round += 1) JSON.parse(`[${Array(100_000).fill('{"a":1}').join()}]`);

async function open(sql: string) {
  const spec = { name: 'duckdb', kind: 'duckdb', options: { file: ':memory:' }, overrides: {} } as const;
  const session = await duckdbDriver.connect(spec, never, () => {});
  const result = await session.run(sql, never);
  if (result.kind !== 'rows') throw new Error('no result set');
  return { session, chunks: result.chunks[Symbol.asyncIterator]() };
}

async function read(chunks: AsyncIterator<Chunk>): Promise<boolean> {
  const { done, value } = await chunks.next();
  if (done === true) return false;
  value.vector(0);
  return true;
}

const slow = await open("SELECT repeat('x', 500) || range AS s FROM range(800000)");
const fast = await open('FROM range(100000000)');
let [count, start, most] = [0, 0, 0];
while (await read(slow.chunks)) {
  for (let other = 0; other < Number(others); other += 1) await read(fast.chunks);
  count += 1;
  const { rss } = process.memoryUsage();
  if (count === 40) start = rss;
  most = Math.max(most, rss);
}
for (const { session } of [slow, fast]) await session.close();
console.log(JSON.stringify({ chunks: count, grown: (most - start) / MEGABYTE }));
