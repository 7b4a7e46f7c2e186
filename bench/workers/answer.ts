import { readFileSync } from 'node:fs';
import { request } from 'node:http';

// answer PORT TOKEN PID FORMAT: lineitem from a server of this process id. The processor time is that of the server
// and of those that it has started, not that of this reader.
const [port = '', token = '', pid = '', format = 'csv'] = process.argv.slice(2);
const TICK_MS = 10;
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
};

/** Milliseconds of the server's processes so far. */
function readCpu(): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return [pid, ...children].filter(Boolean).reduce((sum, own) => {
    const fields = readFileSync(`/proc/${own}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);
}

function read(sql: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = {
    authorization: `Bearer ${token}`,
    accept: TYPES[format],
    'content-type': 'application/json',
  };
  const path = '/api/v1/exec/sql';
  const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`it answered ${answer.statusCode}`));
    answer.resume().on('error', reject).on('end', resolve);
  });
  call.on('error', reject).end(JSON.stringify({ sql, connection: { name: 'duckdb' } }));
  return promise;
}

await read('SELECT 42');
const [start, cpu] = [performance.now(), readCpu()];
await read('FROM lineitem');
console.log(JSON.stringify({ wall: performance.now() - start, cpu: readCpu() - cpu, peak: Number.NaN }));
