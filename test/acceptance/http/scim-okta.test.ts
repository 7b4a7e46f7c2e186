import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../support/http.ts';
import { expectScimRefusal, GROUP, PATCH, SCIM, USER } from '../../support/scim.ts';
import { shareServer } from '../../support/server.ts';
import { type Conversation, createScimClient, encode, startConversation } from './scim-conversation.ts';

// The requests of Okta: the test suite "Okta SCIM 2.0 SPEC Test", which Okta publishes for Runscope
// (BlazeMeter) at developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-SPEC-Test.json, and the requests
// of Okta's "SCIM 2.0 protocol reference" and "Manage group push".

const shared = shareServer();
const headers = {
  'accept-charset': 'utf-8',
  accept: 'application/scim+json',
  'content-type': 'application/scim+json; charset=utf-8',
  'user-agent': 'OKTA SCIM Integration',
};
let client: Client;
let okta: Conversation;

beforeAll(async () => {
  client = await createScimClient(shared);
  okta = startConversation(client, headers);
  const admin = startConversation(shared.admin, headers);
  // The suite expects that the first user has a name.
  const [first] = (await okta.list('/Users?count=1&startIndex=1')).Resources;
  await admin.patch(`/Users/${first!.id}`, {
    op: 'replace',
    value: { name: { givenName: 'First', familyName: 'User' } },
  });
});

const byName = (userName: string) => `/Users?filter=${encode(`userName eq "${userName}"`)}`;
const newUser = (userName: string, fields: object = {}) => ({
  schemas: [USER],
  userName,
  name: { givenName: 'Isa', familyName: 'Mill' },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: 'Isa Mill',
  active: true,
  ...fields,
});
const error = (status: string) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status,
  detail: expect.stringMatching(/./),
  message: expect.stringMatching(/./),
  code: expect.stringMatching(/^[a-z_]+$/),
  request_id: expect.stringMatching(/./),
});

describe("Okta's specification test", () => {
  it('reads the first user, in a list and by id', async () => {
    const { Resources, itemsPerPage, startIndex } = await okta.list('/Users?count=1&startIndex=1');
    expect([itemsPerPage, startIndex]).toEqual([1, 1]);
    const whole = {
      id: expect.stringMatching(/./),
      name: { familyName: expect.stringMatching(/./), givenName: expect.stringMatching(/./) },
      userName: expect.stringMatching(/./),
      active: true,
      emails: [expect.objectContaining({ value: expect.stringMatching(/./) })],
    };
    expect(Resources).toEqual([expect.objectContaining(whole)]);
    expect(await okta.ask(200, 'GET', `/Users/${Resources[0]!.id}`)).toEqual(Resources[0]);
  });

  it('finds no user that does not exist', async () => {
    expect((await okta.list(byName('abcdefgh@atko.example'))).totalResults).toBe(0);
    expect(await okta.ask(404, 'GET', '/Users/010101001010101011001010101011')).toEqual(error('404'));
    expect(await okta.ask(404, 'GET', '/Users/00919288221112222')).toEqual(error('404'));
  });

  it('creates a user once', async () => {
    const userName = 'runscope300@atko.example';
    expect((await okta.list(byName(userName))).totalResults).toBe(0);
    // This request has the type application/json.
    const json = startConversation(client, {
      accept: 'application/scim+json; charset=utf-8',
      'content-type': 'application/json',
    });
    const made = await json.ask(201, 'POST', '/Users', newUser(userName));
    expect(made).toMatchObject({
      ...newUser(userName),
      schemas: expect.arrayContaining([USER]),
      id: expect.stringMatching(/./),
    });
    expect(await okta.ask(200, 'GET', `/Users/${made.id}`)).toEqual(made);
    expect(await json.ask(409, 'POST', '/Users', newUser(userName))).toEqual({
      ...error('409'),
      scimType: 'uniqueness',
    });
    expect((await okta.list(byName(userName.toUpperCase()))).Resources).toEqual([made]);
  });

  it('reads groups, and is refused without a token', async () => {
    await okta.ask(201, 'POST', '/Groups', { schemas: [GROUP], displayName: 'Spec test', members: [] });
    expect((await okta.list('/Groups')).totalResults).toBeGreaterThan(0);
    const outsider = startConversation(createClient(shared.server.url), {
      ...headers,
      authorization: 'non-token',
    });
    expect(await outsider.ask(401, 'GET', byName('anybody'))).toEqual(error('401'));
  });
});

describe("Okta's provisioning of a user", () => {
  it('creates, renames, deactivates, activates and reads', async () => {
    const userName = 'test.user@okta.example';
    const page = `${byName(userName)}&startIndex=1&count=100`;
    expect((await okta.list(page)).Resources).toEqual([]);
    const body = newUser(userName, {
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq and more',
    });
    const made = await okta.ask(201, 'POST', '/Users', body);
    expect(made).toMatchObject({ locale: 'en-US', externalId: '00ujl29u0le5T6Aj10h7', active: true });
    expect(JSON.stringify(made)).not.toContain('1mz050nq');
    const target = `/Users/${made.id}`;

    // Attributes as a custom application sends them: read, changed, written back.
    const read = await okta.ask(200, 'GET', target);
    const name = { givenName: 'Another', middleName: 'Excited', familyName: 'User' };
    const renamed = await okta.ask(200, 'PUT', target, { ...read, name, userName: 'renamed@okta.example' });
    expect(renamed).toMatchObject({ id: made.id, name, userName: 'renamed@okta.example', active: true });
    expect((await okta.list(page)).Resources).toEqual([]);

    expect(await okta.ask(200, 'PUT', target, { ...renamed, active: false })).toMatchObject({
      active: false,
    });
    const activated = await okta.patch(target, { op: 'replace', value: { active: true } });
    expect(activated).toMatchObject({ active: true, name });
    expect(await okta.patch(target, { op: 'replace', value: { active: false } })).toMatchObject({
      active: false,
    });
    const password = { op: 'replace', value: { password: 'a new and longer one' } };
    const refused = await client.send('PATCH', `${SCIM}${target}`, {
      headers,
      body: { schemas: [PATCH], Operations: [password] },
    });
    expectScimRefusal(refused, 403, null, expect.stringContaining('password'));
    const changed = await startConversation(shared.admin, headers).patch(target, password);
    expect(JSON.stringify(changed)).not.toContain('longer');
    expect((await okta.list(byName('renamed@okta.example'))).Resources).toEqual([changed]);
  });

  it('imports all, page by page', async () => {
    for (let i = 0; i < 7; i++) await okta.ask(201, 'POST', '/Users', newUser(`import${i}@okta.example`));
    const found: string[] = [];
    for (let startIndex = 1; ; ) {
      const { Resources, totalResults, itemsPerPage } = await okta.list(
        `/Users?startIndex=${startIndex}&count=3`,
      );
      found.push(...Resources.map(({ id }) => id));
      startIndex += itemsPerPage;
      if (startIndex > totalResults) break;
    }
    expect(new Set(found).size).toBe(found.length);
    const all = await okta.list('/Users?startIndex=1&count=100');
    expect(found).toEqual(all.Resources.map(({ id }) => id));
  });
});

describe("Okta's push of a group", () => {
  const displayNameOf = (displayName: string) =>
    `/Groups?filter=${encode(`displayName eq "${displayName}"`)}`;

  it('creates it with members, changes them, renames and deletes it', async () => {
    const users = await Promise.all(
      ['one', 'two', 'three'].map((name) => okta.ask(201, 'POST', '/Users', newUser(`${name}@push.example`))),
    );
    const [one, two, three] = users.map(({ id, userName }) => ({ value: id, display: userName }));
    const membersOf = async (target: string) =>
      (await okta.ask(200, 'GET', target)).members?.map(({ value }) => value).toSorted() ?? [];
    const valuesOf = (...members: readonly ({ value: string } | undefined)[]) =>
      members.map((member) => member!.value).toSorted();

    expect((await okta.list(displayNameOf('Test SCIMv2'))).Resources).toEqual([]);
    const body = { schemas: [GROUP], displayName: 'Test SCIMv2', members: [one] };
    const group = await okta.ask(201, 'POST', '/Groups', body);
    expect(group).toMatchObject({ displayName: 'Test SCIMv2', members: [{ value: one!.value }] });
    const target = `/Groups/${group.id}`;
    expect((await okta.list(`${displayNameOf('Test SCIMv2')}&startIndex=1&count=100`)).Resources).toEqual([
      group,
    ]);

    const renamed = await okta.patch(target, {
      op: 'replace',
      value: { id: group.id, displayName: 'Test SCIMv2 renamed' },
    });
    expect(renamed).toMatchObject({
      id: group.id,
      displayName: 'Test SCIMv2 renamed',
      members: group.members,
    });

    await okta.patch(
      target,
      { op: 'remove', path: `members[value eq "${one!.value}"]` },
      { op: 'add', path: 'members', value: [two, three] },
    );
    expect(await membersOf(target)).toEqual(valuesOf(two, three));
    expect((await okta.ask(200, 'GET', `/Users/${two!.value}`)).groups).toEqual([
      expect.objectContaining({ value: group.id, display: 'Test SCIMv2 renamed' }),
    ]);
    await okta.patch(target, { op: 'replace', path: 'members', value: [one, three] });
    expect(await membersOf(target)).toEqual(valuesOf(one, three));

    // A custom application gets the complete group.
    const whole = { schemas: [GROUP], id: group.id, displayName: 'Test SCIMv2', members: [two] };
    expect(await okta.ask(200, 'PUT', target, whole)).toMatchObject({ displayName: 'Test SCIMv2' });
    expect(await membersOf(target)).toEqual(valuesOf(two));

    await okta.ask(204, 'DELETE', target);
    expect(await okta.ask(404, 'GET', target)).toEqual(error('404'));
    expect(await okta.ask(200, 'GET', `/Users/${two!.value}`)).toMatchObject({ groups: [] });
  });
});
