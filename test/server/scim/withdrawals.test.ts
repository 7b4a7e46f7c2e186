import { describe, expect, it } from 'vitest';
import { ENTERPRISE } from '../../support/scim.ts';
import { createScimWorld, type ScimWorld } from './world.ts';

const VISITOR = { address: '127.0.0.1', requestId: 'r' };
const password = 'a mill of two stones';

/** A user with a console session, and whether the session is still valid. */
async function signIn({ provider, instance }: ScimWorld, userName: string, fields: object = {}) {
  const { id } = await provider.addUser(userName, { password, ...fields });
  const { session } = await instance.accounts.signIn.signIn({ login: userName, password }, VISITOR);
  const isOpen = () => instance.accounts.sessions.verify(session.cookieValue, VISITOR) !== null;
  expect(isOpen()).toBe(true);
  return { id, isOpen };
}

describe('a console session', () => {
  it.each([
    ['is deactivated', { op: 'Replace', path: 'active', value: 'False' }],
    ['is deactivated without a path', { op: 'replace', value: { active: false } }],
    ['gets another password', { op: 'replace', path: 'password', value: 'a mill of three stones' }],
  ])('ends when its user %s', async (_what, operation) => {
    const world = await createScimWorld();
    const { id, isOpen } = await signIn(world, 'ada');
    const other = await signIn(world, 'bob');
    expect((await world.provider.patch('Users', id, operation)).status).toBe(200);
    expect([isOpen(), other.isOpen()]).toEqual([false, true]);
    const { text } = await world.ask('GET', '/api/v1/manage/audit');
    expect(text).not.toContain('a mill of');
    expect(JSON.stringify(world.log)).not.toContain('a mill of');
  });

  it('ends when its user is deleted', async () => {
    const world = await createScimWorld();
    const { id, isOpen } = await signIn(world, 'ada');
    expect((await world.provider.send('DELETE', `/Users/${id}`)).status).toBe(200);
    expect(isOpen()).toBe(false);
  });

  it('ends when its user is replaced by an inactive one, or gets another password', async () => {
    const world = await createScimWorld();
    for (const [userName, fields] of [
      ['ada', { active: false }],
      ['bob', { password: 'a mill of three stones' }],
    ] as const) {
      const { id, isOpen } = await signIn(world, userName);
      const body = { userName, ...fields };
      expect((await world.provider.send('PUT', `/Users/${id}`, { body })).status).toBe(200);
      expect(isOpen()).toBe(false);
    }
  });

  it('continues when other attributes of its user change', async () => {
    const world = await createScimWorld();
    const { id, isOpen } = await signIn(world, 'ada');
    await world.provider.patch('Users', id, { op: 'replace', path: 'displayName', value: 'Ada' });
    await world.provider.send('PUT', `/Users/${id}`, { body: { userName: 'ada', active: true } });
    expect(isOpen()).toBe(true);
  });
});

it('a user loses the rights of a role with the next request', async () => {
  const { provider, ask, createUser } = await createScimWorld();
  const token = await createUser('ada', 'ADMIN');
  const { Resources } = await provider.list('Users', '?filter=userName+eq+"ada"');
  const { id } = Resources[0]!;
  const mayManage = async () => (await ask('GET', '/api/v1/manage/users', { token })).status;
  expect(await mayManage()).toBe(200);
  await provider.patch('Users', id, { op: 'replace', path: `${ENTERPRISE}:superUser`, value: 'False' });
  expect(await mayManage()).toBe(403);
  await provider.patch('Users', id, { op: 'replace', path: 'roles', value: [{ value: 'admin' }] });
  expect(await mayManage()).toBe(200);
});

it('a user loses the rights of a group with the next request', async () => {
  const { provider, ask, createUser } = await createScimWorld();
  const token = await createUser('ada');
  const { Resources } = await provider.list('Users', '?filter=userName+eq+"ada"');
  const { id } = Resources[0]!;
  const team = await provider.addGroup('team', [id]);
  await ask('POST', '/api/v1/catalog/folders', { body: { parent_path: '@Shared', name: 'closed' } });
  await ask('POST', '/api/v1/manage/grants/restrict', { body: { target: '@Shared/closed' } });
  const grant = { subject: 'group:team', level: 'VIEW', target: '@Shared/closed' };
  expect((await ask('PUT', '/api/v1/manage/grants', { body: grant })).status).toBe(200);
  const mayLook = async () => (await ask('GET', '/api/v1/catalog/list/@Shared%2Fclosed', { token })).status;
  expect(await mayLook()).toBe(200);
  await provider.patch('Groups', team.id, { op: 'remove', path: `members[value eq "${id}"]` });
  expect(await mayLook()).toBe(403);
  await provider.patch('Groups', team.id, { op: 'add', path: 'members', value: [{ value: id }] });
  expect(await mayLook()).toBe(200);
  await provider.send('DELETE', `/Groups/${team.id}`);
  expect(await mayLook()).toBe(403);
});
