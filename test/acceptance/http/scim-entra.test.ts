import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENTERPRISE, GROUP, type Resource, USER } from '../../support/scim.ts';
import { shareServer } from '../../support/server.ts';
import { type Conversation, createScimClient, startConversation } from './scim-conversation.ts';

// The requests of Microsoft Entra ID, from learn.microsoft.com/entra/identity/app-provisioning: "Develop and
// plan provisioning for a SCIM endpoint" and "Known issues and resolutions with SCIM 2.0 protocol
// compliance". The second describes the dialects with and without the flag `aadOptscim062020`. The answer to
// a deletion is 200 (docs/reference/scim.md#routes).

const shared = shareServer();
let entra: Conversation;

beforeAll(async () => {
  entra = startConversation(await createScimClient(shared), {
    accept: 'application/scim+json',
    'content-type': 'application/scim+json; charset=utf-8',
  });
});

/** A filter in a URL, as Entra encodes it. */
const byName = (attribute: string, value: string) =>
  `filter=${attribute}+eq+%22${encodeURIComponent(value)}%22`;

function newUser(fields: object = {}) {
  const userName = `Test_User_${randomUUID()}`;
  return {
    schemas: [USER, ENTERPRISE],
    externalId: randomUUID(),
    userName,
    active: true,
    emails: [{ primary: true, type: 'work', value: `${userName}@testuser.example` }],
    meta: { resourceType: 'User' },
    name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
    roles: [],
    ...fields,
  };
}

const addUser = (fields: object = {}) => entra.ask(201, 'POST', '/Users', newUser(fields));
const addGroup = (fields: object = {}) =>
  entra.ask(201, 'POST', '/Groups', {
    schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
    externalId: randomUUID(),
    displayName: `Group ${randomUUID()}`,
    meta: { resourceType: 'Group' },
    ...fields,
  });
/** The attributes of a user or group that change with every change. */
const withoutMeta = ({ meta: _meta, ...rest }: Resource) => rest;

describe('the connection test', () => {
  it('finds no user and no group with a random name', async () => {
    for (const target of [
      `/Users?${byName('userName', randomUUID())}`,
      `/Groups?excludedAttributes=members&${byName('displayName', randomUUID())}`,
    ]) {
      expect(await entra.list(target)).toMatchObject({ totalResults: 0, Resources: [], startIndex: 1 });
    }
  });

  it('finds the attributes to map', async () => {
    const { Resources } = await entra.list('/Schemas');
    expect(Resources.map(({ id }) => id)).toEqual([USER, ENTERPRISE, GROUP]);
  });
});

describe('a user', () => {
  it('is created, read, and found by name', async () => {
    const body = newUser();
    const { roles: _roles, meta: _meta, schemas: _schemas, ...attributes } = body;
    const made = await entra.ask(201, 'POST', '/Users', body);
    expect(made).toMatchObject({ ...attributes, meta: { resourceType: 'User' } });
    expect(await entra.ask(200, 'GET', `/Users/${made.id}`)).toEqual(made);
    const found = await entra.list(`/Users?${byName('userName', body.userName)}`);
    expect(found).toMatchObject({ totalResults: 1, startIndex: 1, itemsPerPage: 1 });
    expect(found.Resources).toEqual([made]);
    expect(await entra.ask(404, 'GET', `/Users/${randomUUID()}`)).toMatchObject({ status: '404' });
  });

  it('is changed without the flag', async () => {
    const manager = await addUser();
    const made = await addUser();
    const changed = await entra.patch(
      `/Users/${made.id}`,
      { op: 'Replace', path: 'displayName', value: 'Pvlo' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'TestBcwqnm@test.example' },
      { op: 'Replace', path: 'name.givenName', value: 'Gtfd' },
      { op: 'Replace', path: 'name.familyName', value: 'Pkqf' },
      { op: 'Replace', path: 'externalId', value: 'Eqpj' },
      { op: 'Replace', path: `${ENTERPRISE}:employeeNumber`, value: 'Eqpj' },
      { op: 'Add', path: 'nickName', value: 'Babs' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: manager.id },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      { op: 'Add', path: 'emails[type eq "other"].Value', value: 'other@test.example' },
      { op: 'Add', path: 'addresses[type eq "work"].postalCode', value: '98052' },
      { op: 'Add', path: 'addresses[type eq "work"].streetAddress', value: 'One Way' },
      { op: 'Add', path: 'addresses[type eq "other"].Formatted', value: 'Room 1' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'VIEWER' },
    );
    expect(changed).toMatchObject({
      id: made.id,
      userName: made.userName,
      externalId: 'Eqpj',
      displayName: 'Pvlo',
      nickName: 'Babs',
      name: { givenName: 'Gtfd', familyName: 'Pkqf', formatted: 'givenName familyName' },
      emails: [
        { value: 'TestBcwqnm@test.example', type: 'work', primary: true },
        { value: 'other@test.example', type: 'other' },
      ],
      phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
      addresses: [
        { type: 'work', postalCode: '98052', streetAddress: 'One Way' },
        { type: 'other', formatted: 'Room 1' },
      ],
      roles: [{ primary: true, value: 'VIEWER' }],
      [ENTERPRISE]: { employeeNumber: 'Eqpj', department: 'Sales', manager: { value: manager.id } },
    });
    const less = await entra.patch(
      `/Users/${made.id}`,
      { op: 'Remove', path: `${ENTERPRISE}:manager` },
      { op: 'Remove', path: 'phoneNumbers[type eq "mobile"].value' },
      { op: 'Remove', path: 'nickName' },
    );
    expect(less[ENTERPRISE]).not.toHaveProperty('manager');
    expect(less).not.toHaveProperty('phoneNumbers');
    expect(less).not.toHaveProperty('nickName');
    expect(await entra.ask(200, 'GET', `/Users/${made.id}`)).toEqual(less);
  });

  it('is changed with the flag', async () => {
    const manager = await addUser();
    const made = await addUser();
    const changed = await entra.patch(
      `/Users/${made.id}`,
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'TestMhvaes@test.example' },
      {
        op: 'replace',
        value: {
          displayName: 'Bjfe',
          'name.givenName': 'Kkom',
          'name.familyName': 'Unua',
          [`${ENTERPRISE}:employeeNumber`]: 'Aklq',
          [`${ENTERPRISE}:department`]: 'Sales',
        },
      },
      { op: 'add', path: 'nickName', value: 'Babs' },
      { op: 'add', path: `${ENTERPRISE}:manager`, value: { value: manager.id } },
    );
    expect(changed).toMatchObject({
      displayName: 'Bjfe',
      nickName: 'Babs',
      name: { givenName: 'Kkom', familyName: 'Unua', formatted: 'givenName familyName' },
      emails: [{ value: 'TestMhvaes@test.example', type: 'work', primary: true }],
      [ENTERPRISE]: { employeeNumber: 'Aklq', department: 'Sales', manager: { value: manager.id } },
    });
  });

  it('is renamed, and found by the new name only', async () => {
    const made = await addUser();
    const userName = `${randomUUID()}@testuser.example`;
    const renamed = await entra.patch(`/Users/${made.id}`, {
      op: 'Replace',
      path: 'userName',
      value: userName,
    });
    expect(withoutMeta(renamed)).toEqual({ ...withoutMeta(made), userName });
    expect((await entra.list(`/Users?${byName('userName', userName)}`)).Resources).toEqual([renamed]);
    expect((await entra.list(`/Users?${byName('userName', String(made.userName))}`)).Resources).toEqual([]);
  });

  it.each([
    [
      'without the flag',
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Replace', path: 'active', value: 'True' },
    ],
    [
      'with the flag',
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'active', value: true },
    ],
    [
      'among others',
      { op: 'Replace', value: { active: 'False' } },
      { op: 'Replace', value: { active: 'True' } },
    ],
  ])('is disabled %s, enabled, and deleted permanently', async (_dialect, disable, enable) => {
    const made = await addUser();
    const target = `/Users/${made.id}`;
    expect(await entra.patch(target, disable)).toMatchObject({ id: made.id, active: false });
    // A disabled user is found, so that no user is created twice.
    const { Resources } = await entra.list(`/Users?${byName('userName', String(made.userName))}`);
    expect(Resources).toMatchObject([{ id: made.id, active: false }]);
    expect(withoutMeta(await entra.patch(target, enable))).toEqual(withoutMeta(made));
    await entra.patch(target, disable);
    expect(await entra.ask(200, 'DELETE', target)).toEqual({ status: '200' });
    await entra.ask(404, 'GET', target);
    await entra.ask(404, 'DELETE', target);
    expect((await entra.list(`/Users?${byName('userName', String(made.userName))}`)).Resources).toEqual([]);
  });
});

describe('a group', () => {
  it('is created without members, and found without reading them', async () => {
    const user = await addUser();
    const made = await addGroup();
    const target = `/Groups/${made.id}`;
    await entra.patch(target, { op: 'Add', path: 'members', value: [{ $ref: null, value: user.id }] });
    const read = await entra.ask(200, 'GET', `${target}?excludedAttributes=members`);
    expect(read).toMatchObject({ id: made.id, externalId: made.externalId, displayName: made.displayName });
    expect(read).not.toHaveProperty('members');
    const name = byName('displayName', made.displayName!);
    expect((await entra.list(`/Groups?excludedAttributes=members&${name}`)).Resources).toEqual([read]);
    // Whether a user is a member.
    const isIn = (id: string) =>
      entra.list(`/Groups?filter=id+eq+%22${made.id}%22+and+members+eq+%22${id}%22&attributes=id`);
    expect((await isIn(user.id)).Resources).toEqual([{ schemas: [GROUP], id: made.id }]);
    expect((await isIn(randomUUID())).Resources).toEqual([]);
  });

  it('is renamed', async () => {
    const made = await addGroup();
    const displayName = `${randomUUID()}updatedDisplayName`;
    const operation = { op: 'Replace', path: 'displayName', value: displayName };
    expect(withoutMeta(await entra.patch(`/Groups/${made.id}`, operation))).toEqual({
      ...withoutMeta(made),
      displayName,
    });
  });

  it.each([
    [
      'without the flag',
      (id: string) => ({ op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] }),
    ],
    ['with the flag', (id: string) => ({ op: 'remove', path: `members[value eq "${id}"]` })],
  ])('gets members, loses them %s, and is deleted', async (_dialect, remove) => {
    const users = [await addUser(), await addUser(), await addUser()];
    const [first, second, third] = users.map(({ id }) => id);
    const made = await addGroup();
    const target = `/Groups/${made.id}`;
    const membersOf = async () =>
      (await entra.ask(200, 'GET', target)).members?.map(({ value }) => value) ?? [];
    const add = (id: string | undefined) => ({
      op: 'Add',
      path: 'members',
      value: [{ $ref: null, value: id }],
    });
    await entra.patch(target, add(first));
    await entra.patch(target, add(second), add(third), add(first));
    expect((await membersOf()).toSorted()).toEqual([first, second, third].toSorted());
    await entra.patch(target, remove(second!));
    await entra.patch(target, remove(second!));
    expect((await membersOf()).toSorted()).toEqual([first, third].toSorted());
    await entra.ask(200, 'DELETE', `/Users/${first}`);
    expect(await membersOf()).toEqual([third]);
    await entra.ask(204, 'DELETE', target);
    await entra.ask(404, 'GET', target);
    await entra.ask(200, 'GET', `/Users/${third}`);
  });
});
