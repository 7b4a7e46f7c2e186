import { beforeEach, describe, expect, it } from 'vitest';
import { createPlace, type GrantWorld, set } from '../grant-world.ts';

let world: GrantWorld;

beforeEach(() => {
  world = createPlace();
  world.add('ada');
  world.add('bob');
  world.accounts.groups.create(world.admin, 'readers');
  world.accounts.groups.addMembers(world.admin, 'readers', ['ada']);
  set(world, 'user:ada', 'EDIT', '@Shared/x/y');
  set(world, 'user:bob', 'VIEW', '@Shared/x');
  set(world, 'group:readers', 'USE', 'connection:duckdb');
});

const list = (subject: string) =>
  world.grants
    .list(world.admin, undefined, subject)
    .data.map((grant) => `${grant.subject} ${grant.level} ${grant.target}`);

const OF_EVERYONE = ['everyone EDIT @Shared', 'everyone READ connection:duckdb'];

describe('the grants that affect a subject', () => {
  it.each<[string, readonly string[]]>([
    ['user:ADA', ['group:readers USE connection:duckdb', 'user:ada EDIT @Shared/x/y']],
    ['user:bob', ['user:bob VIEW @Shared/x']],
    ['group:Readers', ['group:readers USE connection:duckdb']],
    ['everyone', []],
  ])('are, for %s, its grants, those of its groups, and those of everyone', (subject, grants) => {
    expect(list(subject).sort()).toEqual([...OF_EVERYONE, ...grants].sort());
  });

  it('are refused for an unknown subject, and to others; on a target they are those of the subject', () => {
    const { grants, admin } = world;
    expect(() => list('user:eve')).toThrow('User not found: eve');
    expect(() => list('ada')).toThrow('Subject must be user:NAME, group:NAME or everyone');
    expect(grants.list(admin, '@Shared/x', 'user:bob').data).toHaveLength(1);
    expect(grants.list(admin, '@Shared/x', 'user:ada').data).toEqual([]);
    const manager = world.add('max');
    set(world, 'user:max', 'MANAGE', '@Shared');
    expect(() => grants.list(manager, undefined, 'user:max')).toThrow("You don't have permission");
  });
});
