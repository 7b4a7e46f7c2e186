import { expect, it } from 'vitest';
import { createOwnerPermissions } from '../../src/identity/owner-permissions.ts';
import { isAtLeast } from '../../src/identity/permissions.ts';
import { HUB_ROOT_ID, homeRootId, SHARED_ROOT_ID } from '../../src/store/roots.ts';

const owner = { userId: 'o', userName: 'owner', superUser: true };
const guest = { userId: 'g', userName: 'guest', superUser: false };
const permissions = createOwnerPermissions();

it.each([
  [owner, homeRootId('o'), 'MANAGE'],
  [owner, SHARED_ROOT_ID, 'MANAGE'],
  [owner, HUB_ROOT_ID, 'MANAGE'],
  [guest, homeRootId('g'), 'MANAGE'],
  [guest, homeRootId('o'), 'NONE'],
  [guest, SHARED_ROOT_ID, 'EDIT'],
  [guest, HUB_ROOT_ID, 'NONE'],
])('%j has below %s the level %s', (principal, root, level) => {
  expect(permissions.levelOf(principal, [root])).toBe(level);
  expect(permissions.levelOf(principal, [root, 'a', 'b'])).toBe(level);
  expect([...permissions.levelsOf(principal, [root], ['a', 'b'])]).toEqual([
    ['a', level],
    ['b', level],
  ]);
});

it('gives nothing on an empty chain', () => {
  expect(permissions.levelOf(guest, [])).toBe('NONE');
});

it('orders levels', () => {
  const levels = ['NONE', 'VIEW', 'EDIT', 'MANAGE'] as const;
  expect(levels.map((level) => levels.filter((needed) => isAtLeast(level, needed)).length)).toEqual([
    1, 2, 3, 4,
  ]);
});
