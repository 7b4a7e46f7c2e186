import { describe, expect, it } from 'vitest';
import type { Announcement } from '../../../src/identity/context/announcements.ts';
import { createGrantWorld, type GrantWorld, refusalOf, set } from '../grant-world.ts';

interface Cast extends GrantWorld {
  readonly announced: Announcement[];
  readonly ada: { readonly userId: string };
  readonly tokenId: string;
  readonly sessionIds: readonly string[];
}

/** A user with a token, two sessions, a group and a connection's grant, and the announcements after their creation. */
async function createCast(): Promise<Cast> {
  const world = createGrantWorld();
  const { accounts, admin, users, connections } = world;
  const ada = world.add('ada');
  const { body } = accounts.tokens.create(admin, { name: 'nightly', owner: 'ada' });
  const start = () => accounts.sessions.start(users.findByUserName('ada')!).sessionId;
  accounts.groups.create(admin, 'team');
  accounts.groups.addMembers(admin, 'team', ['ada']);
  connections.create(admin, { name: 'shop', kind: 'duckdb', options: { file: '/nowhere/shop.duckdb' } });
  set(world, 'user:ada', 'USE', 'connection:shop');
  const announced: Announcement[] = [];
  world.announcements.subscribe((announcement) => announced.push(announcement));
  return { ...world, announced, ada, tokenId: body.id, sessionIds: [start(), start()] };
}

type Case = readonly [string, (cast: Cast) => unknown, (cast: Cast) => readonly Announcement[]];

const LESS = () => [{ kind: 'grant-changed' }] as const;
const disabled = ({ ada }: Cast) => ({ kind: 'user-disabled', userId: ada.userId }) as const;
const ended = ({ sessionIds }: Cast) =>
  sessionIds.map((sessionId) => ({ kind: 'session-ended', sessionId }) as const);

const CASES: readonly Case[] = [
  [
    'a user who is disabled, with the sessions',
    ({ accounts, admin }) => accounts.users.set(admin, 'ada', { active: false }),
    (cast) => [...ended(cast), disabled(cast)],
  ],
  [
    'a user who is deleted',
    ({ accounts, admin }) => accounts.users.delete(admin, 'ada'),
    (cast) => [disabled(cast)],
  ],
  ['a lower role', ({ accounts, admin }) => accounts.users.set(admin, 'ada', { role: 'VIEWER' }), LESS],
  [
    'a token that is deleted',
    ({ accounts, admin }) => accounts.tokens.delete(admin, 'nightly', 'ada'),
    ({ tokenId }) => [{ kind: 'token-revoked', tokenId }],
  ],
  [
    'a session that is ended',
    ({ accounts, admin, sessionIds }) => accounts.signIn.signOut(admin, sessionIds[0]!),
    (cast) => ended(cast).slice(0, 1),
  ],
  [
    'sessions that end with the password',
    ({ accounts, admin }) => accounts.users.set(admin, 'ada', { password: 'correct horse' }),
    ended,
  ],
  [
    'a user who leaves a group',
    ({ accounts, admin }) => accounts.groups.removeMembers(admin, 'team', ['ada']),
    LESS,
  ],
  ['a group that is deleted', ({ accounts, admin }) => accounts.groups.delete(admin, 'team'), LESS],
  ['a grant that is replaced', (cast) => set(cast, 'user:ada', 'MANAGE', 'connection:shop'), LESS],
  [
    'a grant that is deleted',
    ({ grants, admin }) => grants.delete(admin, 'user:ada', 'connection:shop'),
    LESS,
  ],
  [
    'an item that is restricted',
    ({ grants, admin, catalog }) => {
      catalog.createFolder(admin, { parentPath: '@Shared', name: 'x' });
      grants.restrict(admin, '@Shared/x', true);
    },
    LESS,
  ],
  ['a connection that is deleted', ({ connections, admin }) => connections.delete(admin, 'shop'), LESS],
];

const SILENT: readonly (readonly [string, (cast: Cast) => unknown])[] = [
  ['more rights', ({ accounts, admin }) => accounts.groups.addMembers(admin, 'team', ['admin'])],
  ['a grant that stays the same', (cast) => set(cast, 'user:ada', 'USE', 'connection:shop')],
  ['another name', ({ accounts, admin }) => accounts.users.set(admin, 'ada', { displayName: 'Ada' })],
  ['an unknown session', ({ accounts, admin }) => accounts.signIn.signOut(admin, 'none')],
  [
    'a refused change',
    async ({ accounts, admin }) => {
      await refusalOf(() => accounts.users.set(admin, 'admin', { active: false }));
      await refusalOf(() => accounts.groups.removeMembers(admin, 'team', ['ada', 'admin']));
    },
  ],
  [
    'a change that is rolled back',
    ({ database, accounts, admin }) => {
      const undone = () =>
        database.write(() => {
          accounts.tokens.delete(admin, 'nightly', 'ada');
          accounts.users.delete(admin, 'ada');
          throw new Error('no');
        });
      expect(undone).toThrow('no');
    },
  ],
];

describe('announcements', () => {
  it.each(CASES)('report %s', async (_, change, expected) => {
    const cast = await createCast();
    await change(cast);
    expect(new Set(cast.announced)).toEqual(new Set(expected(cast)));
    expect(cast.announced).toHaveLength(expected(cast).length);
  });

  it.each(SILENT)('do not report %s', async (_, change) => {
    const cast = await createCast();
    await change(cast);
    expect(cast.announced).toEqual([]);
  });

  it('are sent after the commit, to current subscribers', async () => {
    const cast = await createCast();
    const seen: unknown[] = [];
    const stop = cast.announcements.subscribe(() => {
      seen.push(cast.accounts.tokens.listIds(cast.ada.userId));
    });
    cast.accounts.tokens.delete(cast.admin, 'nightly', 'ada');
    stop();
    cast.accounts.users.delete(cast.admin, 'ada');
    expect(seen).toEqual([[]]);
  });
});
