import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

const AUDIT = '/api/v1/manage/audit';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly object: string;
}

it('lists users, their actions and the requests, newest first', async () => {
  const { ask } = await createWorld();
  const names = ['ada', 'bob', 'cy'];
  const requests: string[] = [];
  for (const user_name of names) {
    const { headers } = await ask('POST', '/api/v1/manage/users', { body: { user_name } });
    requests.push(String(headers['x-request-id']));
  }
  const list = async (query: string) =>
    ((await ask('GET', `${AUDIT}?${query}`)).body as { data: Entry[] }).data;
  const entries = await list('action=user.create&actor=ADMIN&limit=3');
  expect(entries).toMatchObject(
    names.toReversed().map((name, index) => ({
      actor: 'admin',
      action: 'user.create',
      object: expect.stringContaining(name),
      result: 'done',
      address: '127.0.0.1',
      request_id: requests.at(-1 - index),
      token: expect.any(String),
    })),
  );
  expect(await list(`action=user.create&before=${entries[1]!.id}&limit=1`)).toEqual([entries[2]]);
  expect(await list('object=BOB')).toEqual([entries[1]]);
  expect(await list(`since=${entries[1]!.at}&action=user.create`)).toEqual(entries.slice(0, 2));
  expect(await list(`until=${entries[1]!.at}&action=user.create&object=ada`)).toEqual([entries[2]]);
  expect(await list('until=2020-01-01')).toEqual([]);
  expect(await list('actor=nobody')).toEqual([]);
});

it.each([
  ['limit=0', 'Limit must be between 1 and 1000'],
  ['limit=1001', 'Limit must be between 1 and 1000'],
  ['limit=ten', 'Limit must be a whole number'],
  ['limit=-1', 'Limit must be a whole number'],
  ['limit=1&limit=2', 'Limit must be a whole number'],
  ['since=yesterday', 'Since must be a date or time of ISO 8601, as 2027-01-31T08:00:00Z'],
  ['until=2026-13-01', 'Until must be a date or time of ISO 8601, as 2027-01-31T08:00:00Z'],
  ['actor=a&actor=b', 'Actor must be a string'],
])('refuses %s', async (query, detail) => {
  const { ask } = await createWorld();
  expectRefusal(await ask('GET', `${AUDIT}?${query}`), 400, detail);
});

it('is searched in the actor, the action, the object and the address', async () => {
  const { ask } = await createWorld();
  for (const user_name of ['ada', 'bob']) await ask('POST', '/api/v1/manage/users', { body: { user_name } });
  const list = async (q: string) => {
    const { body } = await ask('GET', `${AUDIT}?${new URLSearchParams({ q, action: 'user.create' })}`);
    return (body as { data: Entry[] }).data.map(({ object }) => object);
  };
  expect(await list('ADA')).toEqual([expect.stringMatching(/^ada/)]);
  expect((await list('127.0.0')).length).toBe(2);
  expect((await list('user.CR')).length).toBe(3);
  expect(await list('100%')).toEqual([]);
});

it('lists its actions', async () => {
  const { ask } = await createWorld();
  const { body } = await ask('GET', `${AUDIT}/actions`);
  expect((body as { data: string[] }).data).toEqual(expect.arrayContaining(['sign-in', 'invitation.create']));
});

describe('an export', () => {
  it('has all entries, without formulas for a spreadsheet', async () => {
    const { ask } = await createWorld();
    const names = ['=1+1', '"quoted", twice', 'plain'];
    for (const user_name of names) await ask('POST', '/api/v1/manage/users', { body: { user_name } });
    const csv = await ask('GET', `${AUDIT}/export?action=user.create&actor=admin`);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.csv"',
    });
    const [header, ...lines] = csv.text.trimEnd().split('\n');
    expect(header).toBe('id,at,actor,token,action,object,result,address,request_id');
    expect(lines.map((line) => line.replace(/^.*user\.create,(.*),done.*$/, '$1'))).toEqual([
      expect.stringMatching(/^plain/),
      expect.stringMatching(/^"""quoted"", twice/),
      expect.stringMatching(/^'=1\+1/),
      'admin: role ADMIN',
    ]);
    const ndjson = await ask('GET', `${AUDIT}/export?format=ndjson&action=user.create&actor=admin`);
    expect(ndjson.headers['content-type']).toBe('application/x-ndjson');
    const listed = await ask('GET', `${AUDIT}?action=user.create&actor=admin`);
    const exported = ndjson.text.trimEnd().split('\n');
    expect(exported.map((line) => JSON.parse(line) as Entry)).toEqual(
      (listed.body as { data: Entry[] }).data,
    );
    expectRefusal(await ask('GET', `${AUDIT}/export?format=xml`), 400, 'Format must be one of csv, ndjson');
  });

  it('is one at a time, and another one runs after a client has left', async () => {
    const { ask, instance, token } = await createWorld();
    const { audit, tokens } = instance.accounts;
    const { pages, end } = audit.export(tokens.verify(token)!, {});
    const [first] = pages;
    expect(first!.length).toBeGreaterThan(0);
    expect(await ask('GET', `${AUDIT}/export`)).toMatchObject({
      status: 409,
      body: { code: 'export_running' },
    });
    expect((await ask('HEAD', `${AUDIT}/export`)).status).toBe(200);
    end();
    expect((await ask('GET', `${AUDIT}/export`)).status).toBe(200);
    expect((await ask('GET', `${AUDIT}/export`)).status).toBe(200);
  });
});

it('is for administrators only', async () => {
  const { ask, createUser } = await createWorld();
  const token = await createUser('ed');
  for (const path of ['', '/actions', '/export']) {
    expect((await ask('GET', `${AUDIT}${path}`, { token })).status).toBe(403);
  }
});
