import { describe, expect, it } from 'vitest';
import { createClient, send } from '../../support/http.ts';
import { quern } from '../../support/quern.ts';
import { createToken, runQuern, shareServer } from '../../support/server.ts';
import { createUser, setPassword, signIn } from '../console/console.ts';
import { BUSY, runSql, untilListed } from './executing.ts';

const shared = shareServer();

/** A user with two tokens who is signed in at the console; the first token is returned. */
async function makeUser(name: string) {
  const { cwd, url } = shared.server;
  await createUser(cwd, name);
  await setPassword(cwd, name);
  await runQuern(cwd, `grant add user:${name} use connection:duckdb`);
  const visit = await signIn(url, name);
  const token = await createToken(cwd, name);
  await createToken(cwd, name);
  return { client: createClient(url, token), visit };
}

const askAsBrowser = (cookie: string) =>
  send(shared.server.url, 'GET', '/console/api/profile', { headers: { cookie } });

describe('stopping a user', () => {
  it('ends the session, the tokens and the executions, and answers how many', async () => {
    const { admin } = shared;
    const { client, visit } = await makeUser('eve');
    const running = runSql(client, BUSY);
    await untilListed(admin, 1);
    const answer = await admin.send('POST', '/manage/users/EVE/stop');
    expect(answer).toMatchObject({
      status: 200,
      body: { user_name: 'eve', sessions: 1, tokens: 2, executions: 1, ending: [] },
    });
    expect((await running).body).toMatchObject({ code: 'execution_cancelled' });
    expect((await client.send('GET', '/me')).status).toBe(401);
    expect((await askAsBrowser(visit.cookie)).status).toBe(401);
    expect((await admin.send('GET', '/manage/users/eve')).body).toMatchObject({ active: false });
    const audit = await admin.send('GET', '/manage/audit?action=user.stop');
    expect(audit.body).toMatchObject({
      data: [{ actor: 'admin', object: 'eve: sessions 1, tokens 2, invitations 0' }],
    });
    // Nothing is left to end.
    expect((await admin.send('POST', '/manage/users/eve/stop')).body).toMatchObject({
      sessions: 0,
      tokens: 0,
    });
  });

  it('is refused to others, for oneself and for unknown users', async () => {
    const { admin } = shared;
    const { client } = await makeUser('fay');
    expect((await client.send('POST', '/manage/users/admin/stop')).status).toBe(403);
    expect(await admin.send('POST', '/manage/users/admin/stop')).toMatchObject({
      status: 409,
      body: { code: 'own_account' },
    });
    expect((await admin.send('POST', '/manage/users/missing/stop')).status).toBe(404);
    expect((await client.send('GET', '/me')).status).toBe(200);
  });

  it('by a command ends the executions on the server', async () => {
    const { admin, server } = shared;
    const { client } = await makeUser('gus');
    const running = runSql(client, BUSY);
    await untilListed(admin, 1);
    const stopped = await quern(['user', 'stop', 'gus'], { cwd: server.cwd });
    expect(stopped).toMatchObject({
      exitCode: 0,
      stderr: 'disabled gus, and ended 1 session, 2 tokens, 0 invitations, 1 execution\n',
    });
    expect((await running).body).toMatchObject({ code: 'execution_cancelled' });
    expect((await client.send('GET', '/me')).status).toBe(401);
  });
});

describe('the sessions of a user', () => {
  it('are listed and ended one by one or together', async () => {
    const { admin, server } = shared;
    const { visit } = await makeUser('hal');
    const other = await signIn(server.url, 'hal');
    const list = async () => {
      const { body } = await admin.send('GET', '/manage/users/hal/sessions');
      return (body as { data: readonly { id: string; method: string }[] }).data;
    };
    const [newest] = await list();
    expect(await list()).toHaveLength(2);
    expect(newest).toMatchObject({ method: 'password', address: '127.0.0.1' });
    expect((await admin.send('DELETE', `/manage/users/fay/sessions/${newest!.id}`)).status).toBe(404);
    expect((await admin.send('DELETE', `/manage/users/hal/sessions/${newest!.id}`)).status).toBe(204);
    expect((await admin.send('DELETE', `/manage/users/hal/sessions/${newest!.id}`)).status).toBe(404);
    const alive = await Promise.all([visit, other].map(({ cookie }) => askAsBrowser(cookie)));
    expect(alive.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(JSON.parse(await runQuern(server.cwd, 'user sessions hal --json')).data).toHaveLength(1);
    await runQuern(server.cwd, 'user sessions hal --end-all');
    expect(await list()).toEqual([]);
    const both = await quern(['user', 'sessions', 'hal', '--end', 'x', '--end-all'], { cwd: server.cwd });
    expect(both).toMatchObject({ exitCode: 2 });
  });
});

describe('the list of users', () => {
  it('is searched by the server, and says how many there are', async () => {
    const { admin, server } = shared;
    await makeUser('ida');
    await runQuern(server.cwd, 'user set ida --display-name Søren');
    await runQuern(server.cwd, 'group create readers');
    await runQuern(server.cwd, 'group add-member readers ida');
    const { body } = await admin.send('GET', '/manage/users?q=S%C3%98REN&state=active&group=readers&limit=1');
    expect(body).toMatchObject({
      total: 1,
      data: [{ user_name: 'ida', state: 'active', source: 'local', groups: ['readers'], session_count: 1 }],
    });
    expect(await admin.send('GET', '/manage/users?state=gone')).toMatchObject({
      status: 400,
      body: { code: 'field_not_one_of', message: 'State must be one of active, disabled, invited, waiting' },
    });
    expect((await admin.send('GET', '/manage/users?group=none')).status).toBe(404);
    const listed = await runQuern(server.cwd, 'user ls --query søren');
    expect(listed).toMatch(/^ida +EDITOR +Søren$/m);
  });
});

describe('the tokens of all users', () => {
  it('are listed and searched by administrators only', async () => {
    const { admin, server } = shared;
    const { client } = await makeUser('kim');
    const { body } = await admin.send('GET', '/manage/tokens?owner=*&q=KIM&limit=1');
    expect(body).toMatchObject({ total: 2, data: [{ owner: 'kim', scope: 'all' }] });
    expect((await client.send('GET', '/manage/tokens?owner=*')).status).toBe(403);
    expect((await client.send('GET', '/manage/tokens')).body).toMatchObject({ total: 2 });
    const unused = await runQuern(server.cwd, [
      'token',
      'ls',
      '--user',
      '*',
      '--unused-since',
      '0m',
      '--query',
      'kim',
    ]);
    expect(unused.trim().split('\n')).toHaveLength(2);
  });
});

describe('the groups', () => {
  it('are renamed, counted, and list their members with the sources', async () => {
    const { admin, server } = shared;
    await makeUser('jim');
    await runQuern(server.cwd, 'group create makers');
    await runQuern(server.cwd, 'group add-member makers jim');
    const renamed = await admin.send('PUT', '/manage/groups/makers', { body: { name: 'Builders' } });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Builders', members: ['jim'] } });
    expect((await admin.send('PUT', '/manage/groups/builders')).status).toBe(400);
    const members = { data: [{ user_name: 'jim', active: true, sources: ['local'] }], total: 1 };
    expect((await admin.send('GET', '/manage/groups/builders/members')).body).toMatchObject(members);
    const { body } = await admin.send('GET', '/manage/groups?members=count');
    const [group] = (body as { data: readonly { name: string }[] }).data.filter(
      ({ name }) => name === 'Builders',
    );
    expect(group).toMatchObject({ member_count: 1, source: 'local' });
    expect(group).not.toHaveProperty('members');
    expect((await admin.send('GET', '/manage/groups?members=all')).status).toBe(400);
    expect(await runQuern(server.cwd, 'group members builders')).toMatch(/^jim\b/);
  });
});

describe('changing several users', () => {
  const apply = async (body: object) => {
    const answer = await shared.admin.send('POST', '/manage/users/changes', { body });
    if (answer.status !== 200) return `${answer.status} ${(answer.body as { message: string }).message}`;
    const { data } = answer.body as { data: readonly { user_name: string; done: boolean; code: string }[] };
    return data.map(({ user_name, done, code }) => `${user_name} ${done ? 'done' : code}`);
  };

  it('has one outcome for each, as if each were changed alone', async () => {
    const { admin, server } = shared;
    const [one, two] = [await makeUser('sue'), await makeUser('tim')];
    const users = ['SUE', 'tim', 'admin', 'missing'];
    expect(await apply({ users, role: 'viewer' })).toEqual([
      'SUE done',
      'tim done',
      'admin own_account',
      'missing user_not_found',
    ]);
    expect((await admin.send('GET', '/manage/users/sue')).body).toMatchObject({ role: 'VIEWER' });
    await runQuern(server.cwd, 'group create movers');
    const pair = ['sue', 'tim'];
    expect(await apply({ users: pair, add_groups: ['movers', 'none'] })).toEqual([
      'sue group_not_found',
      'tim group_not_found',
    ]);
    expect((await admin.send('GET', '/manage/users/sue')).body).toMatchObject({ groups: [] });
    expect(await apply({ users: pair, add_groups: ['movers'] })).toEqual(['sue done', 'tim done']);
    expect(await apply({ users: ['tim'], remove_groups: ['movers'] })).toEqual(['tim done']);
    expect((await admin.send('GET', '/manage/groups/movers')).body).toMatchObject({ members: ['sue'] });
    expect(await apply({ users: pair, end_sessions: true })).toEqual(['sue done', 'tim done']);
    expect((await askAsBrowser(one.visit.cookie)).status).toBe(401);
    expect((await one.client.send('GET', '/me')).status).toBe(200);
    expect(await apply({ users: ['sue'], revoke_tokens: true })).toEqual(['sue done']);
    expect((await one.client.send('GET', '/me')).status).toBe(401);
    expect(await apply({ users: ['tim'], active: false })).toEqual(['tim done']);
    expect((await two.client.send('GET', '/me')).status).toBe(401);
    expect(await apply({ users: pair, delete: true })).toEqual(['sue done', 'tim done']);
    expect((await admin.send('GET', '/manage/users?q=sue')).body).toMatchObject({ total: 0 });
  });

  it('is refused without a change, with several and for too many users', async () => {
    const none = '400 The users need exactly one change, and the request has';
    expect(await apply({ users: ['admin'] })).toBe(`${none} 0`);
    expect(await apply({ users: ['admin'], delete: false })).toBe(`${none} 0`);
    expect(await apply({ users: ['admin'], add_groups: [] })).toBe(`${none} 0`);
    expect(await apply({ users: ['admin'], active: false, delete: true })).toBe(`${none} 2`);
    expect(await apply({ users: [], active: true })).toBe('400 Users is required');
    const empty = await quern(['user', 'changes', '-', '--enabled'], { cwd: shared.server.cwd, input: '\n' });
    expect(empty).toMatchObject({ exitCode: 2, stderr: 'error: Users is required\n' });
    const many = Array.from({ length: 501 }, (_, n) => `user${n}`);
    expect(await apply({ users: many, active: true })).toBe('400 Users must be at most 500 names');
  });
});
