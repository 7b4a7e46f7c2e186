import { describe, expect, it } from 'vitest';
import { createClient } from '../../support/http.ts';
import {
  createProvider,
  ENTERPRISE,
  expectScimRefusal,
  GROUP,
  type Resource,
  USER,
} from '../../support/scim.ts';
import { createToken, shareServer } from '../../support/server.ts';
import { covers } from './rows.ts';
import { shareProvider } from './scim-provider.ts';

const shared = shareServer();
const provider = shareProvider(shared);

describe('every request', () => {
  it(covers('scim: error body'), async () => {
    const anonymous = createProvider(createClient(shared.server.url));
    expectScimRefusal(await anonymous.send('GET', '/Users'), 401, null);
    expectScimRefusal(await anonymous.send('GET', '/nothing'), 401, null);
    expectScimRefusal(await provider.send('GET', '/nothing'), 404, null);
    expectScimRefusal(
      await provider.send('GET', '/Users/nobody'),
      404,
      null,
      expect.stringContaining('nobody'),
    );
    expectScimRefusal(await provider.send('PUT', '/Users'), 405, null);
    expectScimRefusal(await provider.send('GET', '/Users/%zz'), 400, null);
    expectScimRefusal(await provider.send('POST', '/Users', { body: '{' }), 400, 'invalidSyntax');
    expectScimRefusal(await provider.send('POST', '/Users', { body: {} }), 400, 'invalidValue');
  });

  it(covers('scim: media type'), async () => {
    for (const type of ['application/json', 'application/scim+json']) {
      const body = { userName: `by ${type}` };
      const headers = { 'content-type': type, accept: type };
      const answer = await provider.send('POST', '/Users', { headers, body });
      expect([answer.status, answer.headers['content-type']]).toEqual([
        201,
        'application/scim+json; charset=utf-8',
      ]);
    }
    const headers = { 'content-type': 'text/plain' };
    expectScimRefusal(await provider.send('POST', '/Users', { headers, body: 'x' }), 415, null);
    expectScimRefusal(await provider.send('GET', '/Users', { headers: { accept: 'text/html' } }), 406, null);
  });

  it(covers('scim: limits of a body'), async () => {
    const body = JSON.stringify({ userName: 'large' }).padEnd(10 * 1024 * 1024 + 1);
    expectScimRefusal(await provider.send('POST', '/Users', { body }), 413, null);
    const anonymous = createProvider(createClient(shared.server.url));
    expectScimRefusal(await anonymous.send('POST', '/Users', { body }), 401, null);
  });

  it(covers('scim: unsupported'), async () => {
    for (const target of ['/Bulk', '/Me']) {
      for (const method of ['GET', 'POST']) {
        expectScimRefusal(await provider.send(method, target), 501, null);
      }
    }
  });
});

describe('a description of the interface', () => {
  it(covers('scim: discovery'), async () => {
    expect((await provider.send('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      etag: { supported: true },
    });
    expect((await provider.send('GET', '/ResourceTypes')).body).toMatchObject({
      totalResults: 2,
      Resources: [
        { id: 'User', endpoint: '/Users', schema: USER, schemaExtensions: [{ schema: ENTERPRISE }] },
        { id: 'Group', endpoint: '/Groups', schema: GROUP },
      ],
    });
    const { body } = await provider.send('GET', '/Schemas');
    const { Resources } = body as { Resources: { id: string; attributes: { name: string }[] }[] };
    expect(Resources.map(({ id }) => id)).toEqual([USER, ENTERPRISE, GROUP]);
    const namesOf = (id: string) =>
      Resources.find((each) => each.id === id)!.attributes.map(({ name }) => name);
    expect(namesOf(USER)).toEqual(expect.arrayContaining(['userName', 'name', 'emails', 'roles', 'groups']));
    expect(namesOf(ENTERPRISE)).toEqual(
      expect.arrayContaining(['organization', 'superUser', 'userStatus', 'external']),
    );
    expect(namesOf(GROUP)).toEqual(
      expect.arrayContaining(['displayName', 'description', 'external', 'members']),
    );
  });
});

describe('changes', () => {
  it(covers('scim: patch'), async () => {
    const { id } = await provider.addUser('parts', { title: 'one' });
    const answer = await provider.patch(
      'Users',
      id,
      { op: 'replace', path: 'title', value: 'two' },
      { op: 'add', path: 'nickName', value: 'x' },
      { op: 'replace', path: 'title', value: 'three' },
      { op: 'remove', path: 'nickName' },
    );
    expect(answer).toMatchObject({ status: 200, body: { title: 'three' } });
    expect(answer.body).not.toHaveProperty('nickName');
    expect(await provider.get('Users', id)).toEqual(answer.body);
  });

  it.each([
    ['Users', 'userName', 200],
    ['Groups', 'displayName', 204],
  ] as const)(`${covers('scim: etags')}: %s`, async (kind, name, deleted) => {
    const body = { [name]: 'tagged' };
    const made = (await provider.send('POST', `/${kind}`, { body })).body as Resource;
    const target = `/${kind}/${made.id}`;
    const read = await provider.send('GET', target, { headers: { 'if-none-match': made.meta.version! } });
    expect([read.status, read.text]).toEqual([304, '']);
    const patched = await provider.patch(kind, made.id, { op: 'add', path: 'externalId', value: 'x' });
    const current = patched.headers.etag!;
    expect(current).not.toBe(made.meta.version);
    const patch = { Operations: [{ op: 'add', path: 'externalId', value: 'y' }] };
    const stale = { 'if-match': made.meta.version! };
    for (const [method, sent] of [
      ['PUT', body],
      ['PATCH', patch],
      ['DELETE', undefined],
    ] as const) {
      const refused = await provider.send(method, target, { headers: stale, body: sent });
      expectScimRefusal(refused, 412, null);
      expect(refused.headers.etag).toBe(current);
    }
    expect(await provider.get(kind, made.id)).toEqual(patched.body);
    const many = { 'if-match': `"x", ${current}` };
    expect((await provider.send('PATCH', target, { headers: many, body: patch })).status).toBe(200);
    expect((await provider.send('PUT', target, { headers: { 'if-match': '*' }, body })).status).toBe(200);
    const latest = (await provider.get(kind, made.id)).meta.version!.replace(/^W\//, '');
    const removed = await provider.send('DELETE', target, { headers: { 'if-match': latest } });
    expect(removed.status).toBe(deleted);
  });

  it(covers('scim: deactivation'), async () => {
    const { cwd, url } = shared.server;
    const userName = 'leaving';
    const { id } = await provider.addUser(userName);
    const client = createClient(url, await createToken(cwd, userName));
    const statusNow = async () => (await client.list('')).status;
    expect(await statusNow()).toBe(200);
    await provider.patch('Users', id, { op: 'Replace', path: 'active', value: 'False' });
    expect(await statusNow()).toBe(401);
    await provider.patch('Users', id, { op: 'replace', value: { active: true } });
    expect(await statusNow()).toBe(200);
    await provider.send('PUT', `/Users/${id}`, { body: { userName, active: false } });
    expect(await statusNow()).toBe(401);
    await provider.send('PUT', `/Users/${id}`, { body: { userName, active: true } });
    expect(await statusNow()).toBe(200);
    await provider.send('DELETE', `/Users/${id}`);
    expect(await statusNow()).toBe(401);
    await provider.addUser(userName);
    expect(await statusNow()).toBe(401);
  });
});
