import { expect, it } from 'vitest';
import { expectRefusal } from '../../support/http.ts';
import { createWorld } from '../world.ts';

const GROUPS = '/api/v1/manage/groups';

it('groups are created, filled, emptied and deleted', async () => {
  const { ask, createUser } = await createWorld();
  await createUser('ada');
  await createUser('b/ob');
  const made = await ask('POST', GROUPS, { body: { name: 'Team/1', display_name: 'The team' } });
  expect(made).toMatchObject({
    status: 201,
    headers: { location: `${GROUPS}/Team%2F1` },
    body: { name: 'Team/1', display_name: 'The team', members: [] },
  });
  const url = made.headers.location!;
  const filled = await ask('POST', `${url}/members`, { body: { members: ['ADA', 'b/ob', 'ada'] } });
  expect(filled).toMatchObject({ status: 200, body: { members: ['ada', 'b/ob'] } });
  expect((await ask('GET', url)).body).toEqual(filled.body);
  expect((await ask('GET', GROUPS)).body).toEqual({ data: [filled.body] });
  const found = { data: [{ user_name: 'b/ob' }], total: 1 };
  expect(await ask('GET', `${url}/members?q=B/O`)).toMatchObject({ status: 200, body: found });
  expect((await ask('GET', `${url}/members?q=b&q=o`)).status).toBe(400);
  expect((await ask('DELETE', `${url}/members/b%2Fob`)).status).toBe(204);
  expect((await ask('GET', `${GROUPS}/team%2f1`)).body).toMatchObject({ members: ['ada'] });
  expectRefusal(
    await ask('DELETE', `${url}/members/b%2Fob`),
    404,
    'b/ob is not a member of the group Team/1',
  );
  expect((await ask('DELETE', url, { headers: { 'content-type': 'application/json' } })).status).toBe(204);
  expectRefusal(await ask('GET', url), 404, 'Group not found: Team/1');
});

it('groups accept all given members or none', async () => {
  const { ask, createUser } = await createWorld();
  await createUser('ada');
  await ask('POST', GROUPS, { body: { name: 'team' } });
  const members = ['ada', 'nobody'];
  expectRefusal(
    await ask('POST', `${GROUPS}/team/members`, { body: { members } }),
    404,
    'User not found: nobody',
  );
  expect((await ask('GET', `${GROUPS}/team`)).body).toMatchObject({ members: [] });
});

it.each([
  ['POST', '', {}, 400, 'Group name is required'],
  ['POST', '', { name: 1 }, 400, 'Group name must be a string'],
  ['POST', '', { name: 'x', display_name: 1 }, 400, 'Display name must be a string'],
  ['POST', '', { name: 'TEAM' }, 409, 'Group already exists: TEAM'],
  ['POST', '', { name: 'Everyone' }, 409, 'Group everyone is part of every home: all users are in it'],
  ['POST', '/team/members', {}, 400, 'Members is required'],
  ['POST', '/team/members', { members: [] }, 400, 'Members is required'],
  ['POST', '/team/members', { members: 'ada' }, 400, 'Members must be a list of strings'],
  ['POST', '/team/members', { members: ['ada', 1] }, 400, 'Members must be a list of strings'],
  ['POST', '/nothing/members', { members: ['admin'] }, 404, 'Group not found: nothing'],
])('groups refuse %s %s %j', async (method, path, body, status, detail) => {
  const { ask } = await createWorld();
  await ask('POST', GROUPS, { body: { name: 'team' } });
  expectRefusal(await ask(method, `${GROUPS}${path}`, { body }), status, detail);
});

it('groups are for administrators only', async () => {
  const { ask, createUser } = await createWorld();
  const token = await createUser('ed');
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/x'],
    ['DELETE', '/x'],
    ['POST', '/x/members'],
    ['DELETE', '/x/members/ed'],
  ] as const) {
    expect((await ask(method, `${GROUPS}${path}`, { token })).status).toBe(403);
  }
});
