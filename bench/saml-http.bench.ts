import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

// What others notice of a hundred hostile answers that are posted at once: how long their requests take, 95 of 100.
const POSTS = 100;
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

function send(method: string, target: string, headers: Record<string, string>, body = ''): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port: Number(server.port), host: '127.0.0.1', method, path: target, headers };
    request(options, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    })
      .once('error', reject)
      .end(body);
  });
}

/** Posts all at once, and asks for something else for as long as any is under way. */
async function attack(): Promise<Figures> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  let isOver = false;
  const posts = Promise.all(
    Array.from({ length: POSTS }, () => send('POST', '/api/saml2/callback', headers, form)),
  ).finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const from = performance.now();
    await send('GET', '/api/v1/me', { authorization: `Bearer ${server.token}` });
    times.push(performance.now() - from);
  }
  const refused = (await posts).filter((status) => status === 429).length;
  const read = (await posts).filter((status) => status === 403).length;
  if (refused === 0 || refused + read !== POSTS) throw new Error(`${refused} were 429, ${read} 403`);
  times.sort((a, b) => a - b);
  return { wall: times[Math.floor(times.length * 0.95)] ?? Number.NaN, cpu: Number.NaN, peak: Number.NaN };
}

export const benches: readonly Bench[] = [
  {
    name: `GET /me while ${POSTS} hostile answers arrive at once, 95 of 100`,
    peerName: '',
    runs: 9,
    ours: attack,
    limits: [{ metric: 'wall', most: 50, compare: 'alone' }],
  },
];
