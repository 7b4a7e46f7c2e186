import { beforeAll, describe, expect, it } from 'vitest';
import { ENTERPRISE, GROUP, USER } from '../../support/scim.ts';
import { shareServer } from '../../support/server.ts';
import { type Conversation, createScimClient, encode, startConversation } from './scim-conversation.ts';

// The requests of JumpCloud when an integration is activated, from jumpcloud.com/support, "Identity
// Management using a Custom SCIM Integration": a test user with a given address and a test group are created,
// read, changed and deleted. Members are added and removed by lists of values.

const shared = shareServer();
let jumpcloud: Conversation;

beforeAll(async () => {
  jumpcloud = startConversation(await createScimClient(shared), {
    accept: 'application/scim+json, application/json',
    'content-type': 'application/scim+json',
  });
});

const EMAIL = 'jumpcloud.test@quern.example';
const USER_BODY = {
  schemas: [USER, ENTERPRISE],
  userName: EMAIL,
  externalId: '6543210fedcba9876543210f',
  name: { givenName: 'Test', familyName: 'User' },
  displayName: 'Test User',
  emails: [{ value: EMAIL, type: 'work', primary: true }],
  active: true,
};
const byUserName = `/Users?filter=${encode(`userName eq "${EMAIL}"`)}`;

describe('the activation of an integration', () => {
  it('creates, reads, changes, deactivates and deletes a test user, repeatedly', async () => {
    for (const _attempt of [1, 2]) {
      expect((await jumpcloud.list('/Users?startIndex=1&count=1')).itemsPerPage).toBe(1);
      expect((await jumpcloud.list(byUserName)).Resources).toEqual([]);
      const made = await jumpcloud.ask(201, 'POST', '/Users', USER_BODY);
      expect(made).toMatchObject({ ...USER_BODY, id: expect.stringMatching(/./) });
      expect((await jumpcloud.list(byUserName)).Resources).toEqual([made]);
      const target = `/Users/${made.id}`;
      const changed = {
        ...USER_BODY,
        id: made.id,
        displayName: 'Test Changed',
        name: { givenName: 'Changed' },
      };
      expect(await jumpcloud.ask(200, 'PUT', target, changed)).toMatchObject({
        id: made.id,
        displayName: 'Test Changed',
        name: { givenName: 'Changed' },
      });
      const inactive = await jumpcloud.ask(200, 'PUT', target, { ...changed, active: false });
      expect(inactive).toMatchObject({ active: false });
      expect(await jumpcloud.ask(200, 'GET', target)).toEqual(inactive);
      expect(await jumpcloud.patch(target, { op: 'replace', path: 'active', value: true })).toMatchObject({
        active: true,
      });
      expect(await jumpcloud.ask(200, 'DELETE', target)).toEqual({ status: '200' });
      expect(await jumpcloud.ask(404, 'GET', target)).toMatchObject({ status: '404' });
    }
  });

  it('creates, reads, changes and deletes a test group with the test user in it, repeatedly', async () => {
    for (const _attempt of [1, 2]) {
      const user = await jumpcloud.ask(201, 'POST', '/Users', USER_BODY);
      const byName = `/Groups?filter=${encode('displayName eq "JumpCloud test group"')}`;
      expect((await jumpcloud.list(byName)).Resources).toEqual([]);
      const body = {
        schemas: [GROUP],
        displayName: 'JumpCloud test group',
        externalId: 'abcdef',
        members: [],
      };
      const made = await jumpcloud.ask(201, 'POST', '/Groups', body);
      expect(made).toMatchObject({ displayName: 'JumpCloud test group', externalId: 'abcdef' });
      expect((await jumpcloud.list(byName)).Resources).toEqual([made]);
      const target = `/Groups/${made.id}`;
      const value = [{ value: user.id }];
      const filled = await jumpcloud.patch(target, { op: 'add', path: 'members', value });
      expect(filled.members).toMatchObject([{ value: user.id, type: 'USER', display: expect.any(String) }]);
      expect(
        await jumpcloud.patch(target, { op: 'replace', value: { displayName: 'Renamed' } }),
      ).toMatchObject({
        displayName: 'Renamed',
        members: filled.members,
      });
      const emptied = await jumpcloud.patch(target, { op: 'remove', path: 'members', value });
      expect(emptied.members ?? []).toEqual([]);
      const put = { ...body, id: made.id, displayName: 'Renamed again', members: value };
      expect(await jumpcloud.ask(200, 'PUT', target, put)).toMatchObject({
        displayName: 'Renamed again',
        members: filled.members,
      });
      await jumpcloud.ask(204, 'DELETE', target);
      expect(await jumpcloud.ask(404, 'GET', target)).toMatchObject({ status: '404' });
      await jumpcloud.ask(200, 'DELETE', `/Users/${user.id}`);
    }
  });
});
