import { describe, expect, it } from 'vitest';
import type { ScimObject } from '../../../../src/identity/scim/protocol/resource.ts';
import { SHARED_ROOT_ID } from '../../../../src/store/values/roots.ts';
import { CHANGE, createScimWorld, ENTERPRISE, makeUser, patchUser, scimRefusalOf } from '../scim-world.ts';

const ORIGIN = { tokenId: 't', scope: 'scim', address: null, requestId: null } as const;
const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const EXTENSION = ENTERPRISE;

/** A world with a provisioning service whose token has the scope `scim`. */
async function createLimited() {
  const world = createScimWorld();
  const boss = await makeUser(world, {
    userName: 'boss',
    emails: [{ value: 'boss@example.org', primary: true }],
    roles: [{ value: 'ADMIN', primary: true }],
  });
  const eve = await makeUser(world, { userName: 'eve' });
  const { users, groups } = world.as({ ...world.owner, origin: ORIGIN });
  const limited = { ...world, scim: { ...world.scim, users, groups } };
  return { world, limited, users, groups, boss, eve };
}

const beyond = (what: string) =>
  `403: A token with the scope scim does not change ${what}: this needs the scope all`;

describe('a token with the scope scim', () => {
  it('creates, changes and deletes users and groups', async () => {
    const { world, limited, users, groups, eve } = await createLimited();
    const { id } = await users.create({ userName: 'new', password: 'correct horse battery' }, {});
    await patchUser(limited, id, { op: 'replace', path: 'displayName', value: 'New' });
    await patchUser(limited, eve, { op: 'replace', path: 'userName', value: 'eva' });
    const group = await groups.create({ displayName: 'team', members: [{ value: eve }] }, {});
    await groups.replace(group.id, { displayName: 'crew' }, CHANGE);
    await groups.delete(group.id, {});
    await users.delete(id, {});
    expect(world.users.findById(eve)?.userName).toBe('eva');
    expect(world.users.findById(id)).toBeUndefined();
  });

  it.each<[string, ScimObject]>([
    ['superUser', { [EXTENSION]: { superUser: true } }],
    ['superUser', { [EXTENSION.toUpperCase()]: { SUPERUSER: 'True' } }],
    ['roles', { roles: ['admin'] }],
    ['roles', { [CORE]: { roles: [{ value: 'ADMIN', primary: true }] } }],
  ])('makes no administrator of a new user or of another one, by %s', async (attribute, body) => {
    const { world, users, eve } = await createLimited();
    const refusal = beyond(`${attribute} to the rights of an administrator`);
    expect(await scimRefusalOf(() => users.create({ userName: 'x', ...body }, {}))).toBe(refusal);
    expect(await scimRefusalOf(() => users.replace(eve, { userName: 'eve', ...body }, CHANGE))).toBe(refusal);
    expect(world.users.findByUserName('x')).toBeUndefined();
    expect(world.users.findById(eve)?.superUser).toBe(false);
  });

  it.each<[string, object]>([
    ['superUser', { op: 'add', path: `${EXTENSION}:superUser`, value: 'True' }],
    ['superUser', { op: 'Add', value: { [`${EXTENSION}:superUser`]: true } }],
    ['roles', { op: 'add', path: 'roles', value: [{ value: 'ADMIN', primary: true }] }],
    ['roles', { op: 'replace', path: 'roles[primary eq "True"].value', value: 'ADMIN' }],
  ])('makes no administrator by PATCH of %s', async (attribute, operation) => {
    const { world, limited, eve } = await createLimited();
    await patchUser({ ...world }, eve, {
      op: 'add',
      path: 'roles',
      value: [{ value: 'EDITOR', primary: true }],
    });
    expect(await scimRefusalOf(() => patchUser(limited, eve, operation))).toBe(
      beyond(`${attribute} to the rights of an administrator`),
    );
    expect(world.users.findById(eve)?.superUser).toBe(false);
  });

  it.each<[string, object]>([
    ['userName', { op: 'replace', path: 'userName', value: 'chief' }],
    ['emails', { op: 'replace', path: 'emails[primary eq true].value', value: 'x@example.org' }],
    ['emails', { op: 'add', path: 'emails', value: [{ value: 'second@example.org', type: 'home' }] }],
    ['password', { op: 'replace', path: 'password', value: 'correct horse battery' }],
    ['roles', { op: 'replace', path: 'roles', value: [{ value: 'EDITOR' }] }],
    ['superUser', { op: 'replace', path: `${EXTENSION}:superUser`, value: false }],
    ['external', { op: 'replace', path: `${EXTENSION}:external`, value: true }],
  ])('does not change %s of an administrator', async (attribute, operation) => {
    const { world, limited, boss } = await createLimited();
    const before = world.users.findById(boss);
    const refusal = await scimRefusalOf(() => patchUser(limited, boss, operation));
    expect([beyond(`${attribute} of boss`), beyond(`roles of boss`)]).toContain(refusal);
    expect(world.users.findById(boss)).toEqual(before);
  });

  it('disables an administrator who leaves, and does not enable or delete one', async () => {
    const { world, limited, users, boss } = await createLimited();
    await patchUser(limited, boss, { op: 'replace', path: 'title', value: 'Dr' });
    await patchUser(limited, boss, { op: 'replace', path: 'active', value: 'False' });
    expect(world.users.findById(boss)?.active).toBe(false);
    const enable = () => patchUser(limited, boss, { op: 'replace', path: 'active', value: 'True' });
    expect(await scimRefusalOf(enable)).toBe(beyond('active of boss'));
    expect(await scimRefusalOf(() => users.delete(boss, {}))).toBe(
      '403: A token with the scope scim does not delete the user boss: this needs the scope all',
    );
    const last = () =>
      patchUser(limited, world.owner.userId, { op: 'replace', path: 'active', value: false });
    expect(await scimRefusalOf(last)).toMatch(/^409/);
  });

  it('sets no password of a user who exists, not even in a PUT that changes nothing else', async () => {
    const { world, users, eve } = await createLimited();
    const { resource } = await users.get(eve, {});
    expect(
      await scimRefusalOf(() => users.replace(eve, { ...resource, password: 'correct horse' }, CHANGE)),
    ).toBe(beyond('password of eve'));
    expect(world.users.readPasswordHash(eve)).toBeNull();
  });

  it('changes no group that has MANAGE on anything', async () => {
    const { world, groups, eve } = await createLimited();
    const { id } = await groups.create({ displayName: 'team' }, {});
    world.database.write(() => {
      world.database
        .statement(
          "INSERT INTO grants (id, group_id, item_id, level, created_at) VALUES ('g', ?, ?, 'MANAGE', 'now')",
        )
        .run(id, SHARED_ROOT_ID);
    });
    const refusal = beyond('the group team, which has MANAGE');
    const members = [{ value: eve }];
    expect(await scimRefusalOf(() => groups.replace(id, { displayName: 'team', members }, CHANGE))).toBe(
      refusal,
    );
    expect(await scimRefusalOf(() => groups.replace(id, { displayName: 'crew' }, CHANGE))).toBe(refusal);
    expect(await scimRefusalOf(() => groups.delete(id, {}))).toBe(refusal);
    await groups.replace(id, { displayName: 'team' }, CHANGE);
    const { resource } = await groups.get(id, {});
    expect(resource).toMatchObject({ displayName: 'team', members: [] });
  });

  it('accepts a PUT and a PATCH of an administrator that keep all values', async () => {
    const { world, limited, users, boss } = await createLimited();
    const { resource } = await users.get(boss, {});
    await users.replace(boss, resource, CHANGE);
    await patchUser(limited, boss, { op: 'replace', path: 'userName', value: 'boss' });
    expect(world.users.findById(boss)).toMatchObject({ revision: 1, superUser: true });
  });
});
