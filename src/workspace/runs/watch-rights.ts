import type { Execution, ExecutionRegistry } from '../../execution/registry/registry.ts';
import type { Announcement } from '../../identity/context/announcements.ts';
import { toPrincipal } from '../../identity/records/users.ts';
import type { Services } from '../services/services.ts';

/** How often is looked for what other processes have changed, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** What is watched: executions that run, wait or are kept. */
export type Watched = Pick<ExecutionRegistry, 'list' | 'cancelWhere'>;

type Rights = Pick<Services, 'users' | 'accounts' | 'connections'>;

/**
 * Cancels what runs and waits for users who may not have it run any more: they are disabled or gone, their token is
 * deleted, their session has ended, or they may not use the connection (identity 2). What this process withdraws bites
 * at once; for what others withdraw, and for what began while something was withdrawn, it looks once a second. The
 * returned function ends it.
 */
export function watchRights(
  registry: Watched,
  { announcements, readChangeMark, ...rights }: Rights & Pick<Services, 'announcements' | 'readChangeMark'>,
): () => void {
  /** What the last look has seen; without a mark, the next one looks at everything. */
  let seen: { mark: number | undefined; ids: ReadonlySet<string> } = { mark: undefined, ids: new Set() };
  const startCheck = () =>
    createCheck(rights, () => {
      seen.mark = undefined;
    });
  const look = () => {
    const running = registry.list();
    if (running.length === 0) return;
    const before = seen;
    const mark = tryTo(readChangeMark);
    const isUnsure = mark === undefined || mark !== before.mark;
    seen = { mark, ids: new Set(running.map(({ id }) => id)) };
    const mayGoOn = startCheck();
    registry.cancelWhere((execution) => (isUnsure || !before.ids.has(execution.id)) && !mayGoOn(execution));
  };
  const stopListening = announcements.subscribe((announcement) => {
    registry.cancelWhere(toMatch(announcement, startCheck));
  });
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    stopListening();
  };
}

type Check = (execution: Execution) => boolean;

function toMatch(announcement: Announcement, startCheck: () => Check): Check {
  switch (announcement.kind) {
    case 'user-disabled':
      return ({ owner }) => owner === announcement.userId;
    case 'token-revoked':
      return ({ token }) => token === announcement.tokenId;
    case 'session-ended':
      return ({ session }) => session === announcement.sessionId;
    case 'grant-changed': {
      const mayGoOn = startCheck();
      return (execution) => !mayGoOn(execution);
    }
  }
}

/**
 * Whether executions may go on, by the rights of now, which are looked up once for each user. Where they cannot be read
 * they may, and `onTrouble` is called.
 */
function createCheck(rights: Rights, onTrouble: () => void): Check {
  const held = new Map<string, Held | null | undefined>();
  return ({ owner, token, session, connection, behind }) => {
    if (!held.has(owner))
      held.set(
        owner,
        tryTo(() => findHeld(owner, rights)),
      );
    const own = held.get(owner);
    if (own === undefined) {
      onTrouble();
      return true;
    }
    if (own === null) return false;
    const used = [connection, behind].filter((name) => typeof name === 'string');
    if (used.some((name) => !own.connections.has(name))) return false;
    return (token === null || own.tokens.has(token)) && (session === null || own.sessions.has(session));
  };
}

/** What a user has: ids of tokens and sessions, names of connections. */
interface Held {
  readonly tokens: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
  readonly connections: ReadonlySet<string>;
}

/** Null for a user who is disabled or gone. */
function findHeld(userId: string, { users, accounts, connections }: Rights): Held | null {
  const user = users.findById(userId);
  if (user?.active !== true) return null;
  return {
    tokens: new Set(accounts.tokens.listIds(userId)),
    sessions: new Set(accounts.sessions.listIds(userId)),
    connections: new Set(connections.list(toPrincipal(user)).map(({ name }) => name)),
  };
}

/** Undefined when the home cannot be read now. */
function tryTo<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
