import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRegistry, type Execution } from '../../../src/execution/registry/registry.ts';
import { toPrincipal } from '../../../src/identity/records/users.ts';
import { watchRights } from '../../../src/workspace/runs/watch-rights.ts';
import { NO_LIMITS } from '../../execution/hosts.ts';
import { createGrantWorld, type GrantWorld, set } from '../../identity/grant-world.ts';

/** Executions of `ada` (with a token and two sessions) and of other users; a second process has the home open. */
function createCast() {
  const world = createGrantWorld();
  const other = createGrantWorld(world.home);
  const { accounts, admin, users, connections } = world;
  const ada = world.add('ada').userId;
  const { body } = accounts.tokens.create(admin, { name: 'nightly', owner: 'ada' });
  const start = () => accounts.sessions.start(users.findByUserName('ada')!).sessionId;
  const [session, session2] = [start(), start()];
  connections.create(admin, { name: 'shop', kind: 'duckdb', options: { file: '/nowhere/shop.duckdb' } });
  set(world, 'user:ada', 'USE', 'connection:shop');
  const registry = createRegistry(NO_LIMITS);
  const watched = { ...world, users: { ...users, findById: vi.fn(users.findById) } };
  const mark = vi.fn(world.readChangeMark);
  const cancelled: string[] = [];
  const enter = async (id: string, given: Partial<Execution>) => {
    const entry = { id, owner: ada, token: null, session: null, connection: 'duckdb', name: 'sql' };
    const cancel = () => cancelled.push(id);
    await registry.enter(
      { ...entry, requestedAt: 'then', ...given },
      {
        outlet: { startedAt: 'now', bytes: 0, isQueuedByDatabase: false, progress: null, targets: [] },
        cancellation: { signal: new AbortController().signal, cancel },
        onTurn: () => undefined,
      },
    );
  };
  const enterAll = async () => {
    await enter('by token', { token: body.id });
    await enter('by session', { session });
    await enter('by other session', { session: session2 });
    await enter('on shop', { connection: 'shop', needsUse: 'shop' });
    await enter('reads shop', { connection: 'shop' });
    await enter('publishes from a model', { connection: 'duckdb', needsUse: 'shop' });
    await enter('of admin', { owner: admin.userId });
    await enter('of admin on shop', { owner: admin.userId, connection: 'shop' });
  };
  onTestFinished(watchRights(registry, { ...watched, readChangeMark: mark }));
  const lookUps = watched.users.findById;
  return {
    ...world,
    other,
    ada,
    tokenId: body.id,
    session,
    registry,
    cancelled,
    enter,
    enterAll,
    lookUps,
    mark,
  };
}

const ADAS = [
  'by token',
  'by session',
  'by other session',
  'on shop',
  'reads shop',
  'publishes from a model',
];

type Change = readonly [string, (world: GrantWorld, session: string) => unknown, readonly string[]];

const CHANGES: readonly Change[] = [
  [
    'lowers the level to READ',
    (world) => set(world, 'user:ada', 'READ', 'connection:shop'),
    ['on shop', 'publishes from a model'],
  ],
  ['disables the user', ({ accounts, admin }) => accounts.users.set(admin, 'ada', { active: false }), ADAS],
  ['deletes the user', ({ accounts, admin }) => accounts.users.delete(admin, 'ada'), ADAS],
  [
    'deletes the token',
    ({ accounts, admin }) => accounts.tokens.delete(admin, 'nightly', 'ada'),
    ['by token'],
  ],
  [
    'ends the session',
    ({ accounts, admin }, session) => accounts.signIn.signOut(admin, session),
    ['by session'],
  ],
  [
    'resets the password',
    ({ accounts, admin }) => accounts.users.set(admin, 'ada', { password: 'correct horse' }),
    ['by session', 'by other session'],
  ],
  [
    'deletes the grant',
    ({ grants, admin }) => grants.delete(admin, 'user:ada', 'connection:shop'),
    ['on shop', 'reads shop', 'publishes from a model'],
  ],
  [
    'deletes the connection',
    ({ connections, admin }) => connections.delete(admin, 'shop'),
    ['on shop', 'reads shop', 'publishes from a model', 'of admin on shop'],
  ],
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a running execution', () => {
  it.each(CHANGES)('ends at once when this process %s', async (_, change, ended) => {
    const cast = createCast();
    await cast.enterAll();
    await change(cast, cast.session);
    expect([...new Set(cast.cancelled)].sort()).toEqual([...ended].sort());
  });

  it.each(CHANGES)('ends at the next check when another process %s', async (_, change, ended) => {
    const cast = createCast();
    await cast.enterAll();
    vi.advanceTimersByTime(1_000);
    await change(cast.other, cast.session);
    expect(cast.cancelled).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(cast.cancelled.sort()).toEqual([...ended].sort());
  });

  it('ends when its right was revoked before it was registered', async () => {
    const cast = createCast();
    await cast.enter('of admin', { owner: cast.admin.userId });
    vi.advanceTimersByTime(1_000);
    cast.accounts.tokens.delete(cast.admin, 'nightly', 'ada');
    vi.advanceTimersByTime(1_000);
    await cast.enter('late', { token: cast.tokenId });
    vi.advanceTimersByTime(1_000);
    expect(cast.cancelled).toEqual(['late']);
  });

  it('continues when an administrator becomes an editor with a grant on the connection', async () => {
    const cast = createCast();
    const { accounts, admin, users } = cast;
    await accounts.users.set(admin, 'ada', { role: 'ADMIN' });
    accounts.grants.delete(toPrincipal(users.findById(cast.ada)!), 'everyone', 'connection:duckdb');
    await cast.enter('on duckdb', {});
    await cast.enter('on shop', { connection: 'shop' });
    await accounts.users.set(admin, 'ada', { role: 'EDITOR' });
    expect(cast.cancelled).toEqual(['on duckdb']);
  });
});

describe('a check of the rights', () => {
  it('reads each user once, and no user when nothing has changed', async () => {
    const cast = createCast();
    await cast.enterAll();
    cast.lookUps.mockClear();
    vi.advanceTimersByTime(1_000);
    expect(cast.lookUps.mock.calls.flat().sort()).toEqual([cast.ada, cast.admin.userId].sort());
    vi.advanceTimersByTime(5_000);
    expect(cast.lookUps).toHaveBeenCalledTimes(2);
    cast.other.accounts.groups.create(cast.admin, 'team');
    vi.advanceTimersByTime(1_000);
    expect(cast.lookUps).toHaveBeenCalledTimes(4);
    await cast.enter('new', {});
    vi.advanceTimersByTime(1_000);
    expect(cast.lookUps).toHaveBeenCalledTimes(5);
  });

  it('ends no execution while the home cannot be read, and runs again later', async () => {
    const cast = createCast();
    await cast.enterAll();
    vi.advanceTimersByTime(1_000);
    cast.other.accounts.tokens.delete(cast.admin, 'nightly', 'ada');
    const version = Number(
      cast.database.statement<{ user_version: number }>('PRAGMA user_version').get()!.user_version,
    );
    cast.other.database.statement('PRAGMA user_version = 9999').run();
    vi.advanceTimersByTime(2_000);
    expect(cast.cancelled).toEqual([]);
    cast.other.database.statement(`PRAGMA user_version = ${version}`).run();
    cast.mark.mockReturnValue(cast.mark.mock.results.at(-1)!.value);
    vi.advanceTimersByTime(1_000);
    expect(cast.cancelled).toEqual(['by token']);
  });

  it('does not run without executions', () => {
    const { mark } = createCast();
    vi.advanceTimersByTime(10_000);
    expect(mark).not.toHaveBeenCalled();
  });
});
