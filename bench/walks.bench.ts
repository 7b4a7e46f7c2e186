import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toPrincipal } from '../src/identity/records/users.ts';
import { openDatabase } from '../src/store/database.ts';
import { homeAt } from '../src/workspace/home/home.ts';
import { createServices } from '../src/workspace/services/services.ts';
import type { Bench, Figures } from './bench.ts';
import { quern, workers } from './served.ts';
import type { Called } from './workers/walk.ts';

// Counts the files and functions of `src` that a request uses: those that each request of a series calls, in any process
// or thread. The environment variable WALKS is a folder for their lists.
const REPEAT = Number(process.env.REPEAT ?? 1_000);
/** Warm-up requests: functions that only the first requests call, for example to load a file, do not count. */
const WARM_UP = 50;
/** Longer than the server gathers entries of the query log, so that those of all requests are written. */
const LOG_MS = 1_000;

const root = path.resolve(import.meta.dirname, '..');
const program = [
  '--no-warnings',
  '--import',
  path.join(workers, 'walk.ts'),
  path.join(root, 'src/cli/main.ts'),
];
const home = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
let server: ChildProcess | undefined;
process.on('exit', () => {
  server?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const SCRIPT = '@Shared/answer';
const MODEL = JSON.stringify({
  version: '1.0',
  layers: [
    {
      name: 'shop',
      environment: { platform: 'duckdb' },
      domains: [
        {
          name: 'sales',
          entities: [
            {
              name: 'orders',
              table_name: 'orders',
              x_primary_key: ['id'],
              dimensions: [{ name: 'state', data_type: 'TEXT', expr: 'state' }],
              measures: [{ name: 'revenue', data_type: 'DECIMAL', aggregation_type: 'SUM', expr: 'amount' }],
            },
          ],
        },
      ],
    },
  ],
});

/** Creates a home with a script, a model and a provisioned user, and a token of its owner. */
function fill(): { readonly token: string; readonly user: string } {
  spawnSync(process.execPath, [quern, 'init', '--empty', '--home', home]);
  const database = openDatabase(home, { clock: () => new Date() });
  const { catalog, connections, users, accounts } = createServices(database, homeAt(home));
  const owner = toPrincipal(users.findOwner()!);
  catalog.createAsset(owner, { parentPath: '@Shared', name: 'answer', content: 'SELECT 42' });
  catalog.createAsset(owner, { parentPath: '@Shared', name: 'model.json', content: MODEL });
  const options = { model: '@Shared/model.json', connection: 'duckdb' };
  connections.create(owner, { name: 'model', kind: 'semantic', options });
  const { id } = users.create({ userName: 'ada', origin: 'scim' });
  const { token } = accounts.tokens.create(owner, { name: 'bench' });
  database.close();
  return { token, user: id };
}

const { token, user } = fill();

async function serve(): Promise<string> {
  const stdio = ['ignore', 'pipe', 'ignore', 'ipc'] as const;
  const started = spawn(process.execPath, [...program, 'serve', '--port', '0', '--home', home], {
    stdio: [...stdio],
  });
  server = started;
  for await (const line of started.stdout!) return /(\S+)\s*$/.exec(String(line))![1]!;
  throw new Error('the server has ended');
}

const address = `${await serve()}/api/v1`;

async function ask(method: string, url: string, type: string, body: unknown): Promise<void> {
  const answer = await fetch(`${address}${url}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
}

/** The calls of the server since the last request for them. */
function readCalls(): Promise<readonly Called[]> {
  return new Promise((resolve) => {
    server!.once('message', ({ walked }: { readonly walked: readonly Called[] }) => resolve(walked));
    server!.send('walk');
  });
}

/** A function of `src`, as `file name at`. */
type Walk = readonly string[];

/** The walk of one request after another. */
async function walkOverHttp(act: (round: number) => Promise<void>): Promise<Walk> {
  for (let round = 0; round < WARM_UP; round += 1) await act(round);
  await sleep(LOG_MS);
  await readCalls();
  for (let round = 0; round < REPEAT; round += 1) await act(round);
  await sleep(LOG_MS);
  return listWalk(await readCalls(), 0.9 * REPEAT);
}

/** Runs of a command: some functions are called only where a piece of work takes more than two milliseconds. */
const COMMAND_RUNS = 4;

/** The walk of a command from its first line: the functions that each of several runs calls. */
async function walkOfCommand(args: readonly string[]): Promise<Walk> {
  const walks: Walk[] = [];
  for (let run = 0; run < COMMAND_RUNS; run += 1) walks.push(walkOfRun(args));
  const [first = [], ...others] = walks.map((walk) => new Set(walk));
  return [...first].filter((key) => others.every((walk) => walk.has(key)));
}

function walkOfRun(args: readonly string[]): Walk {
  const file = path.join(home, 'tmp', 'walk');
  const env = { ...process.env, WALK_FILE: file };
  const { status, stderr } = spawnSync(process.execPath, [...program, ...args], { env });
  if (status !== 0) throw new Error(String(stderr));
  return listWalk(JSON.parse(readFileSync(file, 'utf8')), 1);
}

/** The functions with at least this number of calls, which excludes the calls of timers. */
function listWalk(called: readonly Called[], least: number): Walk {
  const sums = new Map<string, number>();
  for (const { file, name, at, count } of called) {
    const key = `${path.relative(root, file)} ${name} ${at}`;
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return [...sums].flatMap(([key, calls]) => (calls >= least ? [key] : [])).sort();
}

function toFigures(walk: Walk): Figures {
  const files = new Set(walk.map((key) => key.split(' ', 1)[0]));
  return { wall: Number.NaN, cpu: Number.NaN, peak: Number.NaN, files: files.size, functions: walk.length };
}

function createBench(name: string, walk: Walk, [files, functions]: readonly [number, number]): Bench {
  if (process.env.WALKS) writeFileSync(path.join(process.env.WALKS, name), `${walk.join('\n')}\n`);
  const limits = [
    { metric: 'files', most: files, compare: 'alone' },
    { metric: 'functions', most: functions, compare: 'alone' },
  ] as const;
  return { name, peerName: '', runs: 1, isWarm: true, ours: async () => toFigures(walk), limits };
}

const sql = { sql: 'SELECT 42', connection: { name: 'duckdb' } };
const question = {
  connection_name: 'model',
  query: {
    dimensions: [{ entity: 'orders', field: 'state' }],
    measures: [{ entity: 'orders', field: 'revenue' }],
  },
};
const rename = (round: number) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'displayName', value: `Ada ${round}` }],
});

const sqlWalk = await walkOverHttp(() => ask('POST', '/exec/sql', 'application/json', sql));
const questionWalk = await walkOverHttp(() =>
  ask('POST', '/semantic-layer/codegen/sql', 'application/json', question),
);
const patchWalk = await walkOverHttp((round) =>
  ask('PATCH', `/scim/v2/Users/${user}`, 'application/scim+json', rename(round)),
);
server?.kill();
await once(server!, 'exit');
const commandWalk = await walkOfCommand(['exec', SCRIPT, '--home', home]);

/** The folders of `src` between the route and the engine. */
const BETWEEN = /^src\/(?:server\/exec|workspace|execution)\//;

export const benches: readonly Bench[] = [
  createBench('SELECT 42 over HTTP', sqlWalk, [137, 514]),
  createBench(
    'the same between the route and the engine',
    sqlWalk.filter((key) => BETWEEN.test(key)),
    [22, 108],
  ),
  // Three of the functions are called in each run only on a slow machine, where work takes longer than two milliseconds.
  createBench('quern exec', commandWalk, [248, 1060]),
  createBench('a semantic query over HTTP', questionWalk, [93, 360]),
  createBench('a SCIM PATCH over HTTP', patchWalk, [72, 259]),
];
