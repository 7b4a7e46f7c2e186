import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGroupStore } from '../src/identity/records/group-store.ts';
import { toPrincipal } from '../src/identity/records/users.ts';
import { openDatabase } from '../src/store/database.ts';
import { homeAt } from '../src/workspace/home/home.ts';
import { createServices } from '../src/workspace/services/services.ts';
import type { Bench, Figures } from './bench.ts';
import { measureShare, measureWorker } from './measure.ts';
import { type Filled, load, quern, serve, workers } from './served.ts';

// Provisioning of a large organization, over HTTP: 100,000 users, 5,000 groups, one of them with half of the users.
const USERS = 100_000;
const GROUPS = 5_000;
const MEMBERS_OF_LARGE = 50_000;
const MEMBERS_OF_SMALL = 20;
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

const home = mkdtempSync(path.join(tmpdir(), 'quern-bench-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

function toAttributes(number: number): string {
  return JSON.stringify({
    name: { givenName: 'User', familyName: `Number ${number}`, formatted: `User Number ${number}` },
    emails: [{ value: `user${number}@example.org`, type: 'work', primary: true }],
    title: 'Engineer',
    [ENTERPRISE]: { department: 'Development', employeeNumber: `${number}` },
  });
}

/** Fills the home as a provisioning service does; `ids` are those of the users, `large` is that of the large group. */
function fill(): Filled & { readonly ids: readonly string[]; readonly large: string } {
  spawnSync(process.execPath, [quern, 'init', '--empty', '--home', home]);
  const database = openDatabase(home, { clock: () => new Date() });
  const { users, accounts, newId } = createServices(database, homeAt(home));
  const store = createGroupStore(database);
  const ids: string[] = [];
  const groups = Array.from({ length: GROUPS }, () => newId());
  database.write(() => {
    for (let number = 0; number < USERS; number++) {
      const attributes = toAttributes(number);
      const given = { userName: `user${number}@example.org`, displayName: `User ${number}`, attributes };
      ids.push(users.create({ ...given, externalId: `${number}`, origin: 'scim' }).id);
    }
    const now = new Date().toISOString();
    for (const [number, id] of groups.entries()) {
      const texts = { name: `Group ${number}`, display_name: '', description: '', external_id: `${number}` };
      const times = { created_at: now, updated_at: now };
      store.insert({ id, ...texts, external: 0, origin: 'scim', revision: 1, ...times });
      const first = number * MEMBERS_OF_SMALL;
      const members =
        number === 0 ? ids.slice(0, MEMBERS_OF_LARGE) : ids.slice(first, first + MEMBERS_OF_SMALL);
      store.addMembers(id, members, 'scim');
    }
  });
  const { token } = accounts.tokens.create(toPrincipal(users.findOwner()!), { name: 'bench' });
  database.close();
  return { home, token, ids, large: groups[0]! };
}

const { ids, large, ...filled } = fill();
const server = await serve(filled);
const ROOT = '/api/v1/scim/v2';

async function ask(method: string, url: string, body?: unknown): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${ROOT}${url}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/scim+json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}

/** The median of the rounds, in microseconds, which are reported as milliseconds. */
function half(rounds: number, url: string): () => Promise<Figures> {
  return () => measureShare(() => ask('GET', url), 0.5, rounds);
}

/** Adds a thousand members at a time, and removes them again, which is not measured. */
async function addMembers(): Promise<Figures> {
  const members = ids.slice(MEMBERS_OF_LARGE, MEMBERS_OF_LARGE + 1_000).map((value) => ({ value }));
  const patch = (op: string) =>
    ask('PATCH', `/Groups/${large}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op, path: 'members', value: members }],
    });
  const start = performance.now();
  await patch('add');
  const wall = performance.now() - start;
  await patch('remove');
  return { wall, cpu: Number.NaN, peak: Number.NaN };
}

const PAGE = 1_000;

/** Reads all users, page by page; the peak is the growth of the server's memory. */
async function readAll(): Promise<Figures> {
  const [before, start] = [readMemory(), performance.now()];
  let most = before;
  for (let first = 1; first <= USERS; first += PAGE) {
    await ask('GET', `/Users?startIndex=${first}&count=${PAGE}`);
    most = Math.max(most, readMemory());
  }
  return { wall: performance.now() - start, cpu: Number.NaN, peak: most - before };
}

/** The memory of the server, in megabytes. */
function readMemory(): number {
  const [, size] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))!;
  return Number(size) / 1024;
}

const CREATIONS = 1_000;
const PASSWORDS = 100;
const create = (repeat: number, more: object) =>
  load({
    server,
    repeat,
    connections: 4,
    method: 'POST',
    path: `${ROOT}/Users`,
    body: { userName: 'new-#', name: { givenName: 'New', familyName: 'User' }, ...more },
  });

export const benches: readonly Bench[] = [
  {
    name: '1,000 × the first 100 of 100,000 provisioned users, median',
    peerName: '',
    runs: 3,
    ours: half(100, '/Users?count=100'),
    limits: [{ metric: 'wall', most: 15_000, compare: 'alone' }],
  },
  {
    name: '1,000 × the last 100 of them, median',
    peerName: '',
    runs: 3,
    ours: half(100, `/Users?count=100&startIndex=${USERS - 99}`),
    limits: [{ metric: 'wall', most: 15_000, compare: 'alone' }],
  },
  {
    name: '1,000 × one of them by userName, median',
    peerName: '',
    runs: 3,
    ours: half(500, `/Users?filter=${encodeURIComponent('userName eq "USER77777@example.org"')}`),
    limits: [{ metric: 'wall', most: 3_000, compare: 'alone' }],
  },
  {
    name: '1,000 members added to a group of 50,000 by one PATCH',
    peerName: '',
    runs: 7,
    ours: addMembers,
    limits: [{ metric: 'wall', most: 150, compare: 'alone' }],
  },
  {
    name: `${CREATIONS} users provisioned without a password (÷ as many commits of better-sqlite3 alone)`,
    peerName: 'better-sqlite3',
    runs: 5,
    ours: create(CREATIONS, {}),
    peer: () => measureWorker(process.execPath, [path.join(workers, 'commits.ts'), home, String(CREATIONS)]),
    limits: [
      { metric: 'wall', most: 3.33 },
      { metric: 'wall', most: 2_000, compare: 'alone' },
      { metric: 'cpu', most: null, compare: 'alone' },
    ],
  },
  {
    name: `${PASSWORDS} users provisioned with a password ÷ as many hashes of argon2id alone`,
    peerName: 'argon2id',
    runs: 3,
    ours: create(PASSWORDS, { password: 'correct horse #' }),
    peer: () => measureWorker(process.execPath, [path.join(workers, 'hashes.ts'), String(PASSWORDS)]),
    limits: [{ metric: 'wall', most: 1.67 }],
  },
  {
    name: '100,000 users read in pages of 1,000: memory growth of the server',
    peerName: '',
    runs: 3,
    ours: readAll,
    limits: [
      { metric: 'peak', most: 100, compare: 'alone' },
      { metric: 'wall', most: null, compare: 'alone' },
    ],
  },
];
