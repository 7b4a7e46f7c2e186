import { createClock } from '../../src/engine/run/clock.ts';
import { createInThreadHost } from '../../src/execution/in-thread.ts';
import { createRegistry } from '../../src/execution/registry.ts';
import type { ExecutionRequest } from '../../src/execution/request.ts';
import { readFigures } from '../measure.ts';

// export FILE FORMAT SQL [MEMORY_LIMIT]: runs a query through the whole of our path and counts the bytes.
const [file = '', format = 'csv', text = '', memoryLimit] = process.argv.slice(2);

const host = createInThreadHost({ clock: createClock(), registry: createRegistry() });
const limits = { timeoutMs: null, maxRows: null, spoolBytes: 0, spoolDirectory: '/nowhere' };
const options = { file, ...(memoryLimit === undefined ? {} : { memory_limit: memoryLimit }) };
const connection = { name: 'duckdb', kind: 'duckdb', options, overrides: {} } as const;
const request = { id: '1', owner: '1', params: {}, connection, encoder: {}, limits };
const run = async (sql: string) => {
  let bytes = 0;
  const source = { name: 'bench', text: sql };
  const sink = {
    write(part: Uint8Array) {
      bytes += part.length;
    },
  };
  const full = { ...request, source, format } as ExecutionRequest;
  const outcome = await host.run(full, sink, new AbortController().signal);
  if (outcome.status === 'failed') throw new Error(outcome.fault.message);
  return bytes;
};

await run('SELECT 1');
const [start, cpu] = [performance.now(), process.cpuUsage()];
const bytes = await run(text);
console.log(JSON.stringify({ ...readFigures(start, cpu), bytes }));
await host.close();
