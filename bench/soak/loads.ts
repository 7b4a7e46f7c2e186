import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, readAll } from './client.ts';

/** A load that runs until its end. */
type Load = (client: Client, isOver: () => boolean) => Promise<void>;

interface Loads {
  /** Creates the data that the loads read. */
  prepare(): Promise<void>;
  /** Runs all loads at the same time; rejects at the first wrong response. */
  run(isOver: () => boolean): Promise<void>;
  /** Rejects if an acknowledged change is missing. */
  check(): Promise<void>;
  /** Prints the times of the responses. */
  print(): void;
}

const ROWS = 1_000_000;
const ROWS_SQL = 'SELECT * FROM rows';
const SETUP = `
  CREATE TABLE rows AS
  SELECT i AS id, i * 1.5 AS price, 'name ' || i AS name, DATE '2020-01-01' + (i % 1000)::INTEGER AS day
  FROM range(${ROWS}) AS t(i);
  CREATE TABLE written (number BIGINT)
`;
const TEST = '#+test sql NoneNegative()\n#+begin SELECT * FROM rows WHERE price < 0 #+end\n';

/** The loads of all kinds of clients on the server at `url`, for several users. */
export function createLoads(url: string, tokens: readonly string[]): Loads {
  const clients = tokens.map((token) => createClient(url, token));
  const [first] = clients as [Client];
  const times = new Map<string, number[]>();
  let written = 0;

  /** Repeats a load with pauses, and records its times in milliseconds. */
  function repeat(name: string, pauseMs: number, once: (client: Client) => Promise<unknown>): Load {
    const own: number[] = [];
    times.set(name, own);
    return async (client, isOver) => {
      while (!isOver()) {
        const start = performance.now();
        await once(client).catch((error) => {
          throw new Error(name, { cause: error });
        });
        own.push(performance.now() - start);
        await sleep(pauseMs);
      }
    };
  }

  const loads = [
    ...[1, 2, 3, 4].map((number) =>
      repeat(`SELECT 42, ${number}`, 5, (client) =>
        client.expectJson('SELECT 42 AS answer', '"data":[[42]]'),
      ),
    ),
    repeat('a million rows of CSV', 100, (client) => expectRows(client, 'text/csv')),
    repeat('a million rows of JSON', 100, (client) => expectRows(client, 'application/json')),
    repeat('a million rows of Arrow', 100, (client) =>
      expectRows(client, 'application/vnd.apache.arrow.stream'),
    ),
    repeat('a reader at 1 MB/s', 100, readSlowly),
    repeat('a client that disconnects', 50, leaveEarly),
    repeat('an aggregate', 50, ({ expectJson }) =>
      expectJson('SELECT count(*) AS n FROM rows WHERE id % 7 = 0', '"data":[[142858]]'),
    ),
    repeat('an asset created, changed, deleted', 20, editAsset),
    repeat('a catalog listing', 10, ({ ask }) => drop(ask(200, '/catalog/list/@Shared'))),
    repeat('a test', 50, runTest),
    repeat('SQL with an error', 50, ({ sql }) => drop(sql(422, 'SELECT nothing FROM rows'))),
    repeat('refused SQL', 50, ({ sql }) => drop(sql(422, "COPY rows TO 'rows.csv'"))),
    repeat('an unknown connection', 50, ({ sql }) => drop(sql(404, 'SELECT 1', {}, 'nowhere'))),
    repeat('a deadline', 500, ({ sql }) =>
      drop(sql(504, 'SELECT count(*) FROM range(1000000) a, range(1000000) b', {}, 'hasty')),
    ),
    repeat('a row written', 20, async ({ sql }) => {
      await drop(sql(200, `INSERT INTO written VALUES (${written})`));
      written++;
    }),
  ];

  return {
    async prepare() {
      await drop(first.sql(200, SETUP));
      await drop(first.ask(201, '/catalog/folders', { json: { parent_path: '@Shared', name: 'checks' } }));
      const asset = { parent_path: '@Shared/checks', name: 'tests', content: TEST };
      await drop(first.ask(201, '/catalog/assets', { json: asset }));
    },
    async run(isOver) {
      await Promise.all(loads.map((load, number) => load(clients[number % clients.length]!, isOver)));
    },
    check: () => first.expectJson('SELECT count(*) AS n FROM written', `"data":[[${written}]]`),
    print() {
      for (const [name, own] of times) {
        const sorted = own.toSorted((a, b) => a - b);
        const [p50, p99, most] = [0.5, 0.99, 1].map((share) => {
          const at = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
          return (sorted[at] ?? Number.NaN).toFixed(0).padStart(6);
        });
        const count = String(own.length).padStart(7);
        console.log(`  ${name.padEnd(34)} ${count} × p50 ${p50}  p99 ${p99}  most ${most} ms`);
      }
    },
  };
}

/** Reads a response without content. */
async function drop(answer: Promise<Response>): Promise<void> {
  await (await answer).arrayBuffer();
}

async function expectRows({ sql }: Client, accept: string): Promise<void> {
  const { lines, bytes } = await readAll(await sql(200, ROWS_SQL, { headers: { accept } }));
  if (accept === 'text/csv' && lines !== ROWS + 1) throw new Error(`${lines} lines of ${ROWS + 1}`);
  if (bytes < ROWS * 10) throw new Error(`${bytes} bytes are not all`);
}

async function readSlowly({ sql }: Client): Promise<void> {
  const headers = { accept: 'text/csv' };
  const { lines } = await readAll(await sql(200, `${ROWS_SQL} LIMIT 300000`, { headers }), 1);
  if (lines !== 300_001) throw new Error(`${lines} lines of 300001`);
}

async function leaveEarly({ sql }: Client): Promise<void> {
  const gone = new AbortController();
  const answer = await sql(200, ROWS_SQL, { signal: gone.signal });
  await answer.body!.getReader().read();
  gone.abort();
}

async function editAsset({ ask }: Client): Promise<void> {
  const name = crypto.randomUUID();
  const path = `/catalog/assets/@Shared/${name}`;
  const json = { parent_path: '@Shared', name, content: 'SELECT 1' };
  const made = await ask(201, '/catalog/assets', { json });
  await made.arrayBuffer();
  const change = {
    method: 'PUT',
    headers: { 'if-match': readTag(made) },
    body: JSON.stringify({ content: 'SELECT 2' }),
  };
  const changed = await ask(200, path, change);
  await changed.arrayBuffer();
  await drop(ask(412, path, change));
  await drop(ask(204, path, { method: 'DELETE', headers: { 'if-match': readTag(changed) } }));
}

function readTag(answer: Response): string {
  return answer.headers.get('etag') ?? '';
}

async function runTest({ ask }: Client): Promise<void> {
  const json = { package: '@Shared/checks', block_name: 'NoneNegative', connection: { name: 'duckdb' } };
  const text = await (await ask(200, '/exec/block', { json })).text();
  if (!text.includes('"PASSED"')) throw new Error(text);
}
