import { expect, it } from 'vitest';
import {
  createOwnerConnectionPermissions,
  createOwnerPermissions,
} from '../../src/identity/owner-permissions.ts';
import { isAtLeast } from '../../src/identity/permissions.ts';
import { DEFAULT_CONNECTION_ID } from '../../src/store/default-connection.ts';
import { HUB_ROOT_ID, homeRootId, SHARED_ROOT_ID } from '../../src/store/roots.ts';

const owner = { userId: 'o', userName: 'owner', superUser: true, viewsOnly: false };
const guest = { userId: 'g', userName: 'guest', superUser: false, viewsOnly: false };
const viewer = { userId: 'v', userName: 'viewer', superUser: false, viewsOnly: true };
const permissions = createOwnerPermissions();

it.each([
  [owner, homeRootId('o'), 'MANAGE'],
  [owner, SHARED_ROOT_ID, 'MANAGE'],
  [owner, HUB_ROOT_ID, 'MANAGE'],
  [guest, homeRootId('g'), 'MANAGE'],
  [guest, homeRootId('o'), 'NONE'],
  [guest, SHARED_ROOT_ID, 'EDIT'],
  [guest, HUB_ROOT_ID, 'NONE'],
  [viewer, homeRootId('v'), 'VIEW'],
  [viewer, SHARED_ROOT_ID, 'VIEW'],
  [viewer, HUB_ROOT_ID, 'NONE'],
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

it('lets a super-user manage every connection, its maker manage one, and everybody use duckdb', () => {
  const levelOf = createOwnerConnectionPermissions().levelOf;
  const duckdb = { id: DEFAULT_CONNECTION_ID, creatorId: null };
  const theirs = { id: 'c', creatorId: 'somebody' };
  const own = { id: 'd', creatorId: 'g' };
  expect([duckdb, theirs, own].map((one) => levelOf(owner, one))).toEqual(['MANAGE', 'MANAGE', 'MANAGE']);
  expect([duckdb, theirs, own].map((one) => levelOf(guest, one))).toEqual(['USE', 'NONE', 'MANAGE']);
  const mayCreate = createOwnerConnectionPermissions().mayCreate;
  expect([owner, guest].map(mayCreate)).toEqual([true, false]);
});
