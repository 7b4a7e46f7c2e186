import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';

// answer ORIGIN TOKEN PID MODE [FORMAT] [COUNT]: measures responses of the server with this process id. MODE `export`:
// lineitem; `first`: its first byte; `small`: 3,200 × SELECT 42, sixteen at once; `catalog`: the 99th percentile of 1,000
// catalog reads during COUNT exports. The processor time is that of the server and its child processes, without that of
// this client.
const [origin = '', token = '', pid = '', mode = 'export', format = 'csv', count = '0'] =
  process.argv.slice(2);
const TICK_MS = 10;
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
};

/** The processor time of the server's processes so far, in milliseconds. */
function readCpu(): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return [pid, ...children].filter(Boolean).reduce((sum, own) => {
    const fields = readFileSync(`/proc/${own}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);
}

interface Asking {
  readonly sql?: string;
  /** Called with the first bytes. */
  readonly onFirst?: () => void;
  readonly signal?: AbortSignal;
}

const { protocol, hostname, port } = new URL(origin);
const { Agent, request } = protocol === 'https:' ? https : http;
// Its certificate is one of the bench.
const agent = new Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });

/** Reads one response to its end: of SQL, else of a folder. */
function read({ sql, onFirst = () => {}, signal }: Asking): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = {
    authorization: `Bearer ${token}`,
    accept: sql === undefined ? 'application/json' : TYPES[format],
    'content-type': 'application/json',
  };
  const path = sql === undefined ? '/api/v1/catalog/list/@Shared' : '/api/v1/exec/sql';
  const method = sql === undefined ? 'GET' : 'POST';
  const call = request({ hostname, port, path, method, headers, agent, signal }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`it answered ${answer.statusCode}`));
    answer.once('data', onFirst).resume().on('error', reject).on('end', resolve);
  });
  call.on('error', reject);
  call.end(sql === undefined ? undefined : JSON.stringify({ sql, connection: { name: 'duckdb' } }));
  return promise;
}

/** The times of the given number of reads, in milliseconds, sorted. */
async function readMany(number: number, asking: Asking): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < number; i++) {
    const start = performance.now();
    await read(asking);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

async function readFirst(): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 11; i++) {
    const gone = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = performance.now();
    const ended = read({ sql: 'FROM lineitem', onFirst: resolve, signal: gone.signal }).catch(() => {});
    await promise;
    times.push(performance.now() - start);
    gone.abort();
    await ended;
  }
  return times.toSorted((a, b) => a - b)[5]!;
}

async function readBeside(): Promise<number> {
  const gone = new AbortController();
  const sql = Array(8).fill('FROM lineitem').join(' UNION ALL ');
  const exports = Array.from({ length: Number(count) }, () =>
    read({ sql, signal: gone.signal }).catch(() => {}),
  );
  const times = await readMany(1_000, {});
  gone.abort();
  await Promise.all(exports);
  return times[990]!;
}

const small = { sql: 'SELECT 42' };

function printQuestion(sql: string, connection: 'close' | 'keep-alive'): Buffer {
  const body = JSON.stringify({ sql, connection: { name: 'duckdb' } });
  return Buffer.from(
    `POST /api/v1/exec/sql HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n` +
      `Accept: ${TYPES[format]}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: ${connection}\r\n\r\n${body}`,
  );
}

/** Sends the same small query repeatedly on a separate connection, with as little work as possible. */
function askOften(number: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const question = printQuestion(small.sql, 'keep-alive');
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let left = number;
  let heard = '';
  socket.on('error', reject).on('connect', () => socket.write(question));
  socket.on('close', () => reject(new Error('the server has left')));
  socket.setEncoding('latin1').on('data', (text) => {
    heard += text;
    const head = heard.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(heard)?.[1]);
    if (head === -1 || heard.length < head + 4 + length) return;
    if (!heard.startsWith('HTTP/1.1 200 ')) reject(new Error(`it answered ${heard}`));
    heard = '';
    left -= 1;
    if (left > 0) socket.write(question);
    else socket.end(resolve);
  });
  return promise;
}

const askTogether = async (number: number) =>
  void (await Promise.all(Array.from({ length: 16 }, () => askOften(number / 16))));
const EXPORT = { sql: 'FROM lineitem' };

/** Reads a long response with as little work as possible, because the reader shares the processors with the server. */
function drain(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let [head, end] = ['', ''];
  const callback = (length: number, buffer: Uint8Array) => {
    if (head === '') head = Buffer.from(buffer.subarray(0, 12)).toString('latin1');
    end = Buffer.from(buffer.subarray(Math.max(0, length - 5), length)).toString('latin1');
    return true;
  };
  const onread = { buffer: Buffer.alloc(256 * 1024), callback };
  const socket = connect({ host: hostname, port: Number(port), onread });
  socket.on('error', reject).on('close', () => {
    if (head === 'HTTP/1.1 200' && end.endsWith('0\r\n\r\n')) resolve();
    else reject(new Error(`it answered ${head}, and ended with ${end}`));
  });
  socket.write(printQuestion(EXPORT.sql, 'close'));
  return promise;
}

const MODES: Readonly<Record<string, () => Promise<number | undefined>>> = {
  export: async () => void (await (protocol === 'https:' ? read(EXPORT) : drain())),
  small: () => askTogether(3_200),
  first: readFirst,
  catalog: readBeside,
};

// A server that has run for some time is compiled.
await (mode === 'small' ? askTogether(12_800) : readMany(50, small));
const [start, cpu] = [performance.now(), readCpu()];
const measured = await MODES[mode]!();
const wall = measured ?? performance.now() - start;
console.log(JSON.stringify({ wall, cpu: readCpu() - cpu, peak: Number.NaN }));
agent.destroy();
