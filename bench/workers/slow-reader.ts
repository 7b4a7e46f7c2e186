import { setTimeout as sleep } from 'node:timers/promises';
import { readFigures } from '../measure.ts';
import { runInThread } from './run-in-thread.ts';

// slow-reader FILE FORMAT SQL SECONDS: a reader of 16 megabytes each second that stops after SECONDS.
const [file = '', format = 'csv', text = '', seconds = '10'] = process.argv.slice(2);
const RATE = 16e6;
const enough = Number(seconds) * RATE;

const { run, close } = runInThread({ file, memory_limit: '50MB' });
await run('SELECT 1', 'csv', () => {});
const [start, cpu] = [performance.now(), process.cpuUsage()];
const controller = new AbortController();
let bytes = 0;
await run(
  text,
  format,
  async (part) => {
    bytes += part.length;
    await sleep((part.length / RATE) * 1000);
    if (bytes > enough) controller.abort();
  },
  controller.signal,
);
console.log(JSON.stringify({ ...readFigures(start, cpu), bytes }));
await close();
