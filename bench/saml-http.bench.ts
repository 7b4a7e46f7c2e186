import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { printMetadata } from '../test/identity/saml/metadata/documents.ts';
import {
  assertion,
  attribute,
  createSigner,
  ENTITY_ID,
  post,
  response,
  signElement,
} from '../test/identity/saml/protocol/identity-provider.ts';
import type { Bench, Figures } from './bench.ts';
import { quern, type Served, start } from './served.ts';

// The 95th percentile of other requests while a hundred hostile responses are posted at the same time.
const POSTS = 100;
const ROUNDS = 10;
const home = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

const [own, foreign] = [createSigner('idp'), createSigner('idp')];
const values = Array.from({ length: 330 }, (_, i) => attribute(`a${i}`, 'x'.repeat(200))).join('');
const statement = `<saml:AttributeStatement>${values}</saml:AttributeStatement>`;
const hostile = post(signElement(response({ assertion: assertion({ statement }) }), foreign));
const form = `SAMLResponse=${encodeURIComponent(hostile)}`;

async function startServer(): Promise<Served> {
  const run = (args: readonly string[]) =>
    spawnSync(process.execPath, [quern, ...args, '--home', home], {
      encoding: 'utf8',
      env: { ...process.env, QUERN_BASE_URL: ENTITY_ID },
    });
  run(['init', '--empty']);
  const metadata = path.join(home, 'idp.xml');
  writeFileSync(metadata, printMetadata({ certificates: [own.certificate] }));
  const { status, stderr } = run(['sso', 'saml', 'set', '--metadata', metadata]);
  if (status !== 0) throw new Error(stderr);
  const token = run(['token', 'create', '--name', 'bench']).stdout.trim();
  return start({ home, token }, [quern, 'serve', '--port', '0', '--base-url', ENTITY_ID, '--home', home]);
}

const server = await startServer();

const poster = new Worker(path.join(import.meta.dirname, 'workers/poster.ts'), {
  workerData: { port: Number(server.port), path: '/api/saml2/callback', form, posts: POSTS },
});
poster.unref();

async function measureRead(): Promise<number> {
  const from = performance.now();
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/me`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`GET /me was ${answer.status}`);
  return performance.now() - from;
}

/** Posts a hundred responses, and repeats another request until all of them are done. Resolves with the times in ms. */
async function measureRound(): Promise<readonly number[]> {
  const done = once(poster, 'message');
  poster.postMessage('go');
  let isOver = false;
  void done.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) times.push(await measureRead());
  const [statuses] = (await done) as [readonly number[]];
  const [refused, read] = [429, 403].map((wanted) => statuses.filter((status) => status === wanted).length);
  if (refused === 0 || refused! + read! !== POSTS) throw new Error(`${refused} were 429, ${read} 403`);
  return times;
}

/** Few other requests fit into one round, so the percentile is that of all rounds together. */
async function attack(): Promise<Figures> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(...(await measureRound()));
  times.sort((a, b) => a - b);
  return { wall: times[Math.floor(times.length * 0.95)] ?? Number.NaN, cpu: Number.NaN, peak: Number.NaN };
}

export const benches: readonly Bench[] = [
  {
    name: `GET /me while ${POSTS} hostile responses arrive at the same time, 95th percentile`,
    peerName: '',
    runs: 5,
    ours: attack,
    limits: [{ metric: 'wall', most: 50, compare: 'alone' }],
  },
];
