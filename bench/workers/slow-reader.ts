import { setTimeout as sleep } from 'node:timers/promises';
import { readFigures } from '../measure.ts';
import { runInThread } from './run-in-thread.ts';

// slow-reader FILE FORMAT SQL MEGABYTES: a reader of one megabyte each second that stops after MEGABYTES.
const [file = '', format = 'csv', text = '', megabytes = '5'] = process.argv.slice(2);
const enough = Number(megabytes) * 1e6;

const { run, close } = runInThread({ file, memory_limit: '200MB' });
await run('SELECT 1', 'csv', () => {});
const [start, cpu] = [performance.now(), process.cpuUsage()];
const controller = new AbortController();
let bytes = 0;
await run(
  text,
  format,
  async (part) => {
    bytes += part.length;
    await sleep(part.length / 1000);
    if (bytes > enough) controller.abort();
  },
  controller.signal,
);
console.log(JSON.stringify({ ...readFigures(start, cpu), bytes }));
await close();
