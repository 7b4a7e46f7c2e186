import { setTimeout as sleep } from 'node:timers/promises';
import { duckdbDriver } from '../../src/engine/connection/duckdb/driver.ts';
import { runInThread } from './run-in-thread.ts';

// cancel FILE SQL: measures ten times how long a query continues after its cancellation.
const [file = '', text = ''] = process.argv.slice(2);
const ROUNDS = 10;

const { run, close } = runInThread({ file });
// Keeps the file open, as a server does, because closing it takes longer than ending a query.
const connection = { name: 'duckdb', kind: 'duckdb', options: { file }, overrides: {} } as const;
const keeper = await duckdbDriver.connect(connection, new AbortController().signal);
const times: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const controller = new AbortController();
  const outcome = run(text, 'csv', () => {}, controller.signal);
  await sleep(150 + round * 10);
  const start = performance.now();
  controller.abort();
  const { status } = await outcome;
  if (status !== 'failed') throw new Error('the query ended before it was cancelled');
  times.push(performance.now() - start);
}
times.sort((a, b) => a - b);
console.log(JSON.stringify({ wall: times[ROUNDS / 2], cpu: Number.NaN, peak: Number.NaN, times }));
await keeper.close();
await close();
