import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toPrincipal } from '../src/identity/records/users.ts';
import { compileQuery } from '../src/semantic/compile/compile-query.ts';
import { readModel } from '../src/semantic/model/load/read-model.ts';
import { readQuery } from '../src/semantic/query/read-query.ts';
import { openDatabase } from '../src/store/database.ts';
import { homeAt } from '../src/workspace/home/home.ts';
import { createServices } from '../src/workspace/services/services.ts';
import type { Bench, Figures } from './bench.ts';

// Measures a semantic query and the metadata of a model with 200 entities and 5,000 fields over HTTP.
const ENTITIES = 200;
const ROUNDS = 2_000;

const quern = path.resolve(import.meta.dirname, '../bin/quern.js');
const home = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
let server: ChildProcess | undefined;
process.on('exit', () => {
  server?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

function toEntity(at: number): object {
  const name = `entity_${at}`;
  const up = `entity_${at >> 1}`;
  return {
    name,
    table_name: `warehouse.${name}`,
    x_primary_key: ['id'],
    dimensions: Array.from({ length: 15 }, (_, i) => {
      return { name: `dimension_${i}`, data_type: i % 3 === 0 ? 'DATE' : 'TEXT', expr: `column_${i}` };
    }),
    measures: Array.from({ length: 10 }, (_, i) => {
      return { name: `measure_${i}`, data_type: 'DECIMAL', aggregation_type: 'SUM', expr: `amount_${i}` };
    }),
    relationships:
      at === 0
        ? []
        : [{ name: 'up', join_type: 'MANY_TO_ONE', to_entity: up, expr: `${name}.up_id = ${up}.id` }],
  };
}

const entities = Array.from({ length: ENTITIES }, (_, at) => toEntity(at));
const domains = [{ name: 'domain', entities }];
const text = JSON.stringify({
  version: '1.0',
  layers: [{ name: 'layer', environment: { platform: 'duckdb' }, domains }],
});
const query = {
  dimensions: [100, 50, 25, 12, 6].map((at) => ({ entity: `entity_${at}`, field: 'dimension_1' })),
  measures: Array.from({ length: 5 }, (_, i) => ({ entity: 'entity_100', field: `measure_${i}` })),
};

/** Creates a home with a semantic connection to the model, and a token of a user who may use it. */
function fill(): string {
  spawnSync(process.execPath, [quern, 'init', '--empty', '--home', home]);
  const database = openDatabase(home, { clock: () => new Date() });
  const { catalog, connections, users, accounts } = createServices(database, homeAt(home));
  const owner = toPrincipal(users.findOwner()!);
  catalog.createAsset(owner, { parentPath: '@Shared', name: 'model.json', content: text });
  const options = { model: '@Shared/model.json', connection: 'duckdb' };
  connections.create(owner, { name: 'model', kind: 'semantic', options });
  const reader = toPrincipal(users.create({ userName: 'reader' }));
  accounts.grants.set(owner, { subject: 'user:reader', level: 'USE', target: 'connection:model' });
  const { token } = accounts.tokens.create(reader, { name: 'bench' });
  database.close();
  return token;
}

async function serve(): Promise<string> {
  const args = [quern, 'serve', '--port', '0', '--home', home];
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  server.unref();
  for await (const line of server.stdout!) return /(\S+)\s*$/.exec(String(line))![1]!;
  throw new Error('the server has ended');
}

const token = fill();
const address = `${await serve()}/api/v1/semantic-layer`;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

async function read(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}

const body = JSON.stringify({ connection_name: 'model', query });
const overHttp = async () => read(await fetch(`${address}/codegen/sql`, { method: 'POST', headers, body }));
const bare = async () => read(await fetch(address.replace('/api/v1/semantic-layer', '/health/live')));
const { index } = readModel([{ name: 'model.json', text }]);
const inProcess = async () => compileQuery(index!, readQuery(query), { dialect: 'duckdb', strict: false });
const metadata = async () => read(await fetch(`${address}/metadata/model`, { headers }));

/** The median of the rounds, in microseconds, which are reported as milliseconds. */
function measure(act: () => Promise<unknown>): () => Promise<Figures> {
  return async () => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      await act();
      times.push(performance.now() - start);
    }
    const wall = times.sort((a, b) => a - b)[ROUNDS >> 1]! * 1000;
    return { wall, cpu: Number.NaN, peak: Number.NaN };
  };
}

export const benches: readonly Bench[] = [
  {
    name: '1,000 × a semantic query of 5 measures, 5 dimensions and 6 joins over HTTP − in process, median',
    peerName: 'in process',
    runs: 5,
    ours: measure(overHttp),
    peer: measure(inProcess),
    limits: [{ metric: 'wall', most: 1_000, compare: 'difference' }],
  },
  {
    name: '1,000 × the same − the shortest response of the server, median',
    peerName: 'shortest',
    runs: 3,
    ours: measure(overHttp),
    peer: measure(bare),
    limits: [{ metric: 'wall', most: null, compare: 'difference' }],
  },
  {
    name: '1,000 × the metadata of 200 entities and 5,000 fields over HTTP, median',
    peerName: '',
    runs: 3,
    ours: measure(metadata),
    limits: [{ metric: 'wall', most: 10_000, compare: 'alone' }],
  },
];
