import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ScimRequestBody } from '../../../src/provider-log/provider-log-body.ts';
import { PATCH } from '../../support/scim.ts';
import { eventually } from '../../support/waiting.ts';
import { createScimWorld, ROOT, type ScimWorld } from '../scim/world.ts';

const REQUESTS = '/api/v1/manage/scim/requests';
const SECRET = 'correct-horse-battery';

/** The entries of the log, newest first, when there are `total`. */
async function waitFor(world: ScimWorld, total: number, query = ''): Promise<readonly ScimRequestBody[]> {
  return eventually(async () => {
    const { status, body } = await world.ask('GET', `${REQUESTS}${query}`);
    expect([status, (body as { total: number }).total]).toEqual([200, total]);
    return (body as { data: ScimRequestBody[] }).data;
  });
}

/** The bytes of the log on disk, with those that are not in the main file yet. */
function readLog({ home }: ScimWorld): string {
  return ['', '-wal'].map((end) => readFileSync(path.join(home, `providers.db${end}`), 'latin1')).join('');
}

describe('the log of SCIM requests', () => {
  it('shows what was sent, by which token, and how it ended', async () => {
    const world = await createScimWorld();
    const ada = { userName: 'ada', password: SECRET };
    expect((await world.ask('POST', `${ROOT}/Users`, { body: ada })).status).toBe(201);
    expect((await world.ask('POST', `${ROOT}/Users`, { body: ada })).status).toBe(409);
    expect((await world.ask('GET', `${ROOT}/Users?filter=userName%20eq%20%22ada%22`)).status).toBe(200);
    expect((await world.ask('GET', `${ROOT}/Unknown`)).status).toBe(404);
    const entries = await waitFor(world, 4);
    expect(entries.map(({ method, path: to, status, outcome }) => [method, to, status, outcome])).toEqual([
      ['GET', '/Unknown', 404, 'failed'],
      ['GET', '/Users?filter=userName%20eq%20%22ada%22', 200, 'done'],
      ['POST', '/Users', 409, 'failed'],
      ['POST', '/Users', 201, 'done'],
    ]);
    expect(entries[2]).toMatchObject({
      token: expect.any(String),
      token_name: 'tests',
      scim_type: 'uniqueness',
      detail: expect.stringContaining('ada'),
      body: '{"userName":"ada","password":"***"}',
      count: 1,
      address: '127.0.0.1',
    });
    expect(await waitFor(world, 2, '?outcome=failed')).toHaveLength(2);
    expect(await waitFor(world, 1, '?outcome=done&q=FILTER&limit=1')).toHaveLength(1);
    const after = entries[1]?.id;
    expect((await waitFor(world, 4, `?after=${after}&limit=1`))[0]?.id).toBe(entries[2]?.id);
  });

  it('has no password and no token, in its answer and on disk, wherever a client has put them', async () => {
    const world = await createScimWorld();
    const { id } = await world.provider.addUser('ada');
    const operations = [
      { op: 'replace', path: 'passWORD', value: SECRET },
      { op: 'add', value: { PASSWORD: SECRET } },
      { op: 'add', path: `emails[password eq "${SECRET}"]`, value: SECRET },
      { op: 'add', path: ['password'], value: { value: SECRET } },
    ];
    for (const operation of operations) {
      const body = { schemas: [PATCH], Operations: [operation] };
      await world.ask('PATCH', `${ROOT}/Users/${id}`, { body });
    }
    const filter = `password eq "${SECRET}"`;
    await world.ask('GET', `${ROOT}/Users?filter=${encodeURIComponent(filter)}`);
    await world.ask('POST', `${ROOT}/Users/.search`, { body: { filter } });
    await world.ask('POST', `${ROOT}/Users`, { body: { userName: 'bob', x: [{ y: { PassWord: SECRET } }] } });
    const entries = await waitFor(world, operations.length + 4);
    expect(JSON.stringify(entries)).not.toContain(SECRET);
    const bytes = readLog(world);
    expect(bytes).toContain('passWORD');
    expect(bytes).not.toContain(SECRET);
    expect(bytes).not.toContain(world.token);
  });

  it('stores 16 KB of a body of 10 MB, and nothing of one that is larger or is not JSON', async () => {
    const world = await createScimWorld();
    const send = (body: string) =>
      world.ask('POST', `${ROOT}/Users`, { body, headers: { 'content-type': 'application/scim+json' } });
    const start = `{"password":"${SECRET}","displayName":"`;
    const limit = 10 * 1024 * 1024;
    const statuses = [
      await send(`${start}${'x'.repeat(limit - start.length - 2)}"}`),
      await send(`${start}${'x'.repeat(limit)}"}`),
      await send(`${start}`),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 413, 400]);
    const [malformed, tooLarge, large] = await waitFor(world, 3);
    expect([malformed?.body, malformed?.scim_type, tooLarge?.body, tooLarge?.status]).toEqual([
      null,
      'invalidSyntax',
      null,
      413,
    ]);
    expect([large?.body_cut, large?.body?.length]).toEqual([true, 16 * 1024]);
    expect(large?.body).toMatch(/^\{"password":"\*\*\*","displayName":"x+$/);
    expect(readLog(world)).not.toContain(SECRET);
  });

  it('counts requests without a valid token in one entry, and reads no body of them', async () => {
    const world = await createScimWorld();
    for (const token of [null, 'wrong', null]) {
      const { status } = await world.ask('POST', `${ROOT}/Users`, { token, body: { userName: SECRET } });
      expect(status).toBe(401);
    }
    await eventually(async () => {
      const [entry, ...others] = await waitFor(world, 1);
      expect(others).toEqual([]);
      expect(entry).toMatchObject({ outcome: 'refused', count: 3, token: null, body: null, status: 401 });
    });
    expect(readLog(world)).not.toContain(SECRET);
  });

  it('shows the refusal of a token without the rights', async () => {
    const world = await createScimWorld();
    const token = await world.createUser('eve', 'EDITOR');
    expect((await world.ask('GET', `${ROOT}/Users`, { token })).status).toBe(403);
    expect(await waitFor(world, 1)).toMatchObject([
      { outcome: 'failed', status: 403, token_name: expect.any(String) },
    ]);
    expect((await world.ask('GET', REQUESTS, { token })).status).toBe(403);
  });

  it('has its limits', async () => {
    const { ask } = await createScimWorld();
    expect((await ask('GET', REQUESTS)).body).toEqual({ data: [], total: 0 });
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'outcome=broken']) {
      expect((await ask('GET', `${REQUESTS}?${query}`)).status, query).toBe(400);
    }
  });
});
