import { describe, expect, it } from 'vitest';
import { createGroupStore } from '../../../src/identity/records/group-store.ts';
import { createSignOnWorld, type SignOnWorld } from './sign-on-world.ts';

const EVE = 'eve@example.org';

function createWorldWith(...groups: string[]): SignOnWorld {
  const world = createSignOnWorld();
  for (const name of groups) world.groups.create(world.owner, name);
  return world;
}

describe('groups at a sign-in', () => {
  it('are replaced by the sent groups each time', () => {
    const world = createWorldWith('analysts');
    const enter = (groups: readonly string[] | null) => {
      world.enter({ groups });
      return world.groupsOf(EVE);
    };
    expect(enter(['analysts', 'new'])).toEqual(['analysts', 'new']);
    expect(enter(['new', 'third'])).toEqual(['new', 'third']);
    expect(enter(null)).toEqual(['new', 'third']);
    expect(enter(['third'])).toEqual(['third']);
    expect(enter([])).toEqual([]);
    expect(world.groups.list(world.owner).map(({ name }) => name)).toEqual(['analysts', 'new', 'third']);
    expect(world.listAudit().filter((line) => line.includes('group.'))).toEqual([
      'admin | group.create | analysts | done',
      `${EVE} | group.create | new | done`,
      `${EVE} | group.add | analysts: ${EVE} | done`,
      `${EVE} | group.add | new: ${EVE} | done`,
      `${EVE} | group.create | third | done`,
      `${EVE} | group.add | third: ${EVE} | done`,
      `${EVE} | group.remove | analysts: ${EVE} | done`,
      `${EVE} | group.remove | new: ${EVE} | done`,
      `${EVE} | group.remove | third: ${EVE} | done`,
    ]);
  });

  it('are compared without case, and added once', () => {
    const world = createWorldWith('Analysts');
    world.enter({ groups: ['ANALYSTS', ' analysts ', 'New', 'NEW'] });
    expect(world.groupsOf(EVE)).toEqual(['Analysts', 'New']);
  });

  it('are not created when the setting is off', () => {
    const world = createWorldWith('analysts');
    world.enter({ groups: ['analysts', 'new'] }, { createGroups: false });
    expect(world.groupsOf(EVE)).toEqual(['analysts']);
    expect(world.groups.list(world.owner)).toHaveLength(1);
  });

  it('are ignored when the name is not valid', () => {
    const world = createSignOnWorld();
    world.enter({ groups: ['', ' ', 'a\nb', '\ud800', 'x'.repeat(256), 'Everyone', 'good'] });
    expect(world.groups.list(world.owner).map(({ name }) => name)).toEqual(['good']);
  });

  it('are at most two hundred; with more, nothing changes', () => {
    const world = createSignOnWorld();
    const names = Array.from({ length: 201 }, (_, i) => `group ${i}`);
    expect(world.refuse({ groups: names })).toBe('groups-limit');
    expect(world.preview({ groups: names })).toContain('201 groups were sent, and the limit is 200');
    expect([world.users.count(), world.groups.list(world.owner).length]).toEqual([3, 0]);
    world.enter({ groups: [...names.slice(1), 'GROUP 1', ''] });
    expect(world.groupsOf(EVE)).toHaveLength(200);
  });

  it('never make the user an administrator, under any name', () => {
    const world = createSignOnWorld();
    const { principal } = world.enter({ groups: ['admin', 'ADMIN', 'superUser', 'administrators'] });
    expect([principal.superUser, world.users.findById(principal.userId)?.role]).toEqual([false, null]);
  });

  it('of other sources stay', () => {
    const world = createWorldWith('local', 'both');
    world.enter({ groups: ['both', 'saml'] });
    for (const name of ['local', 'both']) world.groups.addMembers(world.owner, name, [EVE]);
    world.enter({ groups: [] });
    expect(world.groupsOf(EVE)).toEqual(['both', 'local']);
  });

  it('revoke their grants at once when the user leaves them', () => {
    const world = createSignOnWorld();
    const heard: string[] = [];
    world.announcements.subscribe(({ kind }) => heard.push(kind));
    world.enter({ groups: ['a', 'b'] });
    expect(heard).toEqual([]);
    world.enter({ groups: ['b'] });
    expect(heard).toEqual(['grant-changed']);
  });

  it('get a new version for SCIM', () => {
    const world = createWorldWith('a');
    const readRevision = () => createGroupStore(world.database).findByName('a')!.revision;
    const before = readRevision();
    world.enter({ groups: ['a'] });
    expect(readRevision()).toBe(before + 1);
    world.enter({ groups: ['a'] });
    expect(readRevision()).toBe(before + 1);
    world.enter({ groups: [] });
    expect(readRevision()).toBe(before + 2);
  });
});
