import type { Execution, ExecutionRegistry } from '../../execution/registry/registry.ts';
import type { Announcement } from '../../identity/context/announcements.ts';
import { type ConnectionLevel, isAtLeast } from '../../identity/principal/permissions.ts';
import { toPrincipal } from '../../identity/records/users.ts';
import type { Services } from '../services/services.ts';

/** The interval of checks for changes by other processes, in milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** The watched executions: running, waiting and kept ones. */
export type Watched = Pick<ExecutionRegistry, 'list' | 'cancelWhere'>;

type Rights = Pick<Services, 'users' | 'accounts' | 'connections'>;

/**
 * Cancels executions whose user has lost the permission: the user is disabled or deleted, the token is revoked, the
 * session has ended, or the level on the connection does not suffice any more
 * (docs/reference/exec.md#running-executions). Changes of
 * this process apply at once. Changes of other processes, and executions that start during a change, are checked once a
 * second. The returned function ends the watch.
 */
export function watchRights(
  registry: Watched,
  { announcements, readChangeMark, ...rights }: Rights & Pick<Services, 'announcements' | 'readChangeMark'>,
): () => void {
  /** The state of the last check; without a mark, the next check covers all executions. */
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
 * Whether executions may continue with the current permissions, which are read once per user. If they cannot be read,
 * executions continue, and `onError` is called.
 */
function createCheck(rights: Rights, onError: () => void): Check {
  const held = new Map<string, Held | null | undefined>();
  return ({ owner, token, session, connection, needsUse }) => {
    if (!held.has(owner))
      held.set(
        owner,
        tryTo(() => findHeld(owner, rights)),
      );
    const ownerRights = held.get(owner);
    if (ownerRights === undefined) {
      onError();
      return true;
    }
    if (ownerRights === null) return false;
    if (!hasLevels(ownerRights, connection, needsUse)) return false;
    return (
      (token === null || ownerRights.tokens.has(token)) &&
      (session === null || ownerRights.sessions.has(session))
    );
  };
}

/** Whether a user may still read a connection, and use another one. */
function hasLevels({ levels }: Held, connection: string | null, needsUse: string | undefined): boolean {
  if (connection !== null && !levels.has(connection)) return false;
  return needsUse === undefined || isAtLeast(levels.get(needsUse) ?? 'NONE', 'USE');
}

/** A user's ids of tokens and sessions, and levels on connections by their names. */
interface Held {
  readonly tokens: ReadonlySet<string>;
  readonly sessions: ReadonlySet<string>;
  readonly levels: ReadonlyMap<string, ConnectionLevel>;
}

/** Null for a disabled or deleted user. */
function findHeld(userId: string, { users, accounts, connections }: Rights): Held | null {
  const user = users.findById(userId);
  if (user?.active !== true) return null;
  return {
    tokens: new Set(accounts.tokens.listIds(userId)),
    sessions: new Set(accounts.sessions.listIds(userId)),
    levels: connections.listLevels(toPrincipal(user)),
  };
}

/** Undefined while the home cannot be read. */
function tryTo<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
