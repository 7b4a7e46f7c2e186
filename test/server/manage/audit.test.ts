import { expect, it } from 'vitest';
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

it('is for administrators only', async () => {
  const { ask, createUser } = await createWorld();
  const token = await createUser('ed');
  expect((await ask('GET', AUDIT, { token })).status).toBe(403);
});
