import { beforeAll, describe, expect, it } from 'vitest';
import { expectScimRefusal, GROUP, LIST, type Resource } from '../../support/scim.ts';
import { runQuern, shareServer } from '../../support/server.ts';
import { covers } from './rows.ts';
import { shareProvider } from './scim-provider.ts';

const shared = shareServer();
const provider = shareProvider(shared);
let ada: Resource;
let bob: Resource;
let count = 0;

beforeAll(async () => {
  ada = await provider.addUser('ada', { displayName: 'Ada L.' });
  bob = await provider.addUser('bob');
});

const newName = () => `Group ${++count}`;
const run = (line: string) => runQuern(shared.server.cwd, line.split('|'));
/** The ids of a group's members, sorted. */
const membersOf = async (id: string) =>
  ((await provider.get('Groups', id)).members ?? []).map(({ value }) => value).toSorted();
const ids = (...users: readonly Resource[]) => users.map(({ id }) => id).toSorted();

describe('a group', () => {
  it(
    covers(
      'create a group',
      'read a group',
      'group: schemas',
      'group: id',
      'group: displayName',
      'group: description',
      'group: external',
      'group: members',
      'scim address',
    ),
    async () => {
      const displayName = newName();
      const fields = { externalId: 'Ext-7', description: 'Who mills', external: true };
      const body = { schemas: [GROUP], id: 'mine', displayName, members: [{ value: ada.id }], ...fields };
      const made = await provider.send('POST', '/Groups', { body });
      const group = made.body as Resource;
      const location = `${shared.server.url}/api/v1/scim/v2/Groups/${group.id}`;
      expect(made.status).toBe(201);
      expect(made.headers).toMatchObject({ location, etag: group.meta.version });
      expect(group).toEqual({
        schemas: [GROUP],
        id: expect.not.stringMatching(/^mine$/),
        displayName,
        ...fields,
        members: [{ value: ada.id, display: expect.any(String), $ref: ada.meta.location, type: 'USER' }],
        meta: expect.objectContaining({ resourceType: 'Group', location }),
      });
      expect(await provider.get('Groups', group.id)).toEqual(group);
      const { data } = JSON.parse(await run('group|ls|--json')) as {
        data: { name: string; members: string[] }[];
      };
      expect(data.find(({ name }) => name === displayName)?.members).toEqual(['ada']);
    },
  );

  it(covers('replace a group'), async () => {
    const { id, meta } = await provider.addGroup(newName(), [ada.id], { description: 'x', externalId: 'y' });
    const displayName = newName();
    const body = { id: 'other', displayName, members: [{ value: bob.id }] };
    const answer = await provider.send('PUT', `/Groups/${id}`, { body });
    const group = answer.body as Resource;
    expect(answer).toMatchObject({ status: 200, headers: { etag: group.meta.version } });
    expect(group).toMatchObject({ id, displayName, members: [{ value: bob.id }] });
    expect(group.members).toHaveLength(1);
    for (const name of ['externalId']) expect(group).not.toHaveProperty(name);
    expect(group.description ?? '').toBe('');
    expect(group.meta).toMatchObject({ created: meta.created, location: meta.location });
    expect(group.meta.version).not.toBe(meta.version);
  });

  it(covers('delete a group'), async () => {
    const displayName = newName();
    const { id } = await provider.addGroup(displayName, [ada.id]);
    const deleted = await provider.send('DELETE', `/Groups/${id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expectScimRefusal(await provider.send('GET', `/Groups/${id}`), 404, null, expect.stringContaining(id));
    expectScimRefusal(await provider.send('DELETE', `/Groups/${id}`), 404, null, expect.stringContaining(id));
    expect((await provider.get('Users', ada.id)).groups ?? []).not.toContainEqual(
      expect.objectContaining({ value: id }),
    );
    await provider.addGroup(displayName);
  });

  it(covers('scim: uniqueness'), async () => {
    const displayName = newName();
    await provider.addGroup(displayName);
    const other = await provider.addGroup(newName());
    for (const taken of [displayName, displayName.toUpperCase(), 'Everyone']) {
      const body = { displayName: taken };
      expectScimRefusal(await provider.send('POST', '/Groups', { body }), 409, 'uniqueness');
      expectScimRefusal(await provider.send('PUT', `/Groups/${other.id}`, { body }), 409, 'uniqueness');
      const rename = { op: 'replace', path: 'displayName', value: taken };
      expectScimRefusal(await provider.patch('Groups', other.id, rename), 409, 'uniqueness');
    }
    expect(await provider.get('Groups', other.id)).toEqual(other);
  });
});

describe('members', () => {
  it(covers('scim: no nested groups'), async () => {
    const inner = await provider.addGroup(newName());
    const outer = await provider.addGroup(newName(), [ada.id]);
    const members = [{ value: inner.id, type: 'Group' }];
    for (const answer of [
      await provider.send('POST', '/Groups', { body: { displayName: newName(), members } }),
      await provider.send('PUT', `/Groups/${outer.id}`, { body: { displayName: newName(), members } }),
      await provider.patch('Groups', outer.id, { op: 'add', path: 'members', value: members }),
      await provider.patch('Groups', outer.id, { op: 'add', path: 'members', value: [{ value: 'nobody' }] }),
    ]) {
      expectScimRefusal(answer, 400, 'invalidValue');
    }
    expect(await provider.get('Groups', outer.id)).toEqual(outer);
  });

  it(covers('scim: local members'), async () => {
    const displayName = newName();
    const { id } = await provider.addGroup(displayName, [ada.id]);
    await run(`group|add|${displayName}|bob`);
    expect(await membersOf(id)).toEqual(ids(ada, bob));
    await provider.patch('Groups', id, { op: 'remove', path: 'members' });
    expect(await membersOf(id)).toEqual(ids(bob));
    await provider.patch('Groups', id, { op: 'add', path: 'members', value: [{ value: bob.id }] });
    await run(`group|remove|${displayName}|bob`);
    expect(await membersOf(id)).toEqual(ids(bob));
    const refused = await shared.admin.send(
      'DELETE',
      `/manage/groups/${encodeURIComponent(displayName)}/members/bob`,
    );
    expect(refused.status).toBe(409);
    await provider.patch('Groups', id, { op: 'remove', path: `members[value eq "${bob.id}"]` });
    expect(await membersOf(id)).toEqual([]);
  });

  it('can be 1,500 in one body, and are removed when they are deleted', async () => {
    const users: Resource[] = [];
    for (let made = 0; made < 1_500; made += 50) {
      const some = Array.from({ length: 50 }, (_, index) => provider.addUser(`many${made + index}`));
      users.push(...(await Promise.all(some)));
    }
    const userIds = users.map(({ id }) => id);
    const { id } = await provider.addGroup(newName(), userIds.slice(0, 900));
    const more = userIds.slice(850).map((value) => ({ value }));
    const operations = { Operations: [{ op: 'add', path: 'members', value: more }] };
    const answer = await provider.send('PATCH', `/Groups/${id}`, { body: operations });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.etag).toBe((await provider.get('Groups', id)).meta.version);
    const target = `/Groups/${id}?attributes=members`;
    const asked = await provider.send('PATCH', target, { body: operations });
    expect(asked.status).toBe(200);
    expect((asked.body as Resource).members).toHaveLength(1_500);
    expect(await membersOf(id)).toEqual(userIds.toSorted());
    await provider.send('DELETE', `/Users/${userIds[0]}`);
    expect(await membersOf(id)).toEqual(userIds.slice(1).toSorted());
    const without = await provider.send('GET', `/Groups/${id}?excludedAttributes=members`);
    expect(without.body).not.toHaveProperty('members');
  });
});

describe('lists', () => {
  it(covers('list groups', 'list response', 'scim: order'), async () => {
    const made = [await provider.addGroup(newName()), await provider.addGroup(newName(), [ada.id])];
    const all = await provider.list('Groups', '?count=1000');
    expect(all).toMatchObject({ schemas: [LIST], startIndex: 1, itemsPerPage: all.totalResults });
    expect(all.Resources.slice(-2)).toEqual(made);
    const page = await provider.list('Groups', `?startIndex=${all.totalResults}&count=5`);
    expect(page).toMatchObject({ itemsPerPage: 1, Resources: [made[1]] });
  });

  it(covers('scim: group filter', 'filter'), async () => {
    const externalId = 'Ext "9" \\ é';
    const displayName = 'Quoted "name" \\ é';
    const group = await provider.addGroup(displayName, [bob.id], { externalId });
    const find = (filter: string) =>
      provider.send('GET', `/Groups?count=1000&filter=${encodeURIComponent(filter)}`);
    const quote = JSON.stringify;
    for (const filter of [
      `displayName eq ${quote(displayName)}`,
      `DISPLAYNAME EQ ${quote(displayName.toUpperCase())}`,
      `externalId eq ${quote(externalId)}`,
      `id eq "${group.id}"`,
      `(displayName eq ${quote(displayName)}) and members.value eq "${bob.id}"`,
      `externalId eq ${quote(externalId)} and members[value eq "${bob.id}"]`,
      `${GROUP}:displayName eq ${quote(displayName)}`,
    ]) {
      expect([filter, (await find(filter)).body]).toMatchObject([
        filter,
        { totalResults: 1, Resources: [group] },
      ]);
    }
    for (const filter of [
      `externalId eq ${quote(externalId.toUpperCase())}`,
      `displayName eq "Quoted"`,
      `displayName eq ${quote(displayName)} and members.value eq "${ada.id}"`,
      'members.value eq "nobody"',
      'id eq "x"',
    ]) {
      expect([filter, (await find(filter)).body]).toMatchObject([filter, { totalResults: 0 }]);
    }
    for (const filter of [
      'displayName co "a"',
      'displayName eq "a" or id eq "b"',
      'not (id eq "a")',
      'description eq "a"',
      'displayName eq',
      'displayName',
      '((((',
      'displayName eq "a',
      '('.repeat(5_000),
      `displayName eq "${'x'.repeat(20_000)}"`,
    ]) {
      expectScimRefusal(await find(filter), 400, 'invalidFilter');
    }
  });

  it(covers('scim: projection'), async () => {
    const { id, displayName } = await provider.addGroup(newName(), [ada.id]);
    const read = async (query: string) => (await provider.send('GET', `/Groups/${id}?${query}`)).body;
    expect(await read('attributes=displayName')).toEqual({ schemas: [GROUP], id, displayName });
    expect(await read('attributes=MEMBERS.value')).toEqual({
      schemas: [GROUP],
      id,
      members: [{ value: ada.id }],
    });
    expect(await read('excludedAttributes=members,meta')).not.toHaveProperty('members');
    const { Resources } = await provider.list('Groups', '?count=1000&excludedAttributes=members');
    expect(Resources.every((group) => !('members' in group))).toBe(true);
  });
});
