import { readFigures } from '../measure.ts';
import { runInThread } from './run-in-thread.ts';

// export FILE FORMAT SQL [MEMORY_LIMIT]: runs a query through all layers of Quern and counts the bytes.
const [file = '', format = 'csv', text = '', memoryLimit] = process.argv.slice(2);

const { run, close } = runInThread({
  file,
  ...(memoryLimit === undefined ? {} : { memory_limit: memoryLimit }),
});
await run('SELECT 1', 'csv', () => {});
const [start, cpu] = [performance.now(), process.cpuUsage()];
let bytes = 0;
const outcome = await run(text, format, (part) => {
  bytes += part.length;
});
if (outcome.status === 'failed') throw new Error(outcome.error.message);
console.log(JSON.stringify({ ...readFigures(start, cpu), bytes }));
await close();
