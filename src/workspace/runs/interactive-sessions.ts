import type { Lasting } from '../../execution/contract/lasting.ts';
import type { Principal } from '../../identity/principal/principal.ts';

/** The maximum of interactive sessions on a home. */
const MAX_SESSIONS = 4;
/** How long a session without a statement lasts, in milliseconds. */
const IDLE_MS = 60 * 60_000;

interface InteractiveSession {
  readonly owner: string;
  readonly over: PromiseWithResolvers<void>;
  running: number;
  timer: NodeJS.Timeout | undefined;
}

/** The interactive sessions of commands whose database sessions a server keeps. */
export interface InteractiveSessions {
  /**
   * Keeps a session of a principal until the caller leaves, or an hour passes without a statement; `onKept` is called
   * first. Resolves with false, without this call, if no further session can be kept.
   */
  keep(principal: Principal, id: string, onKept: () => void, signal: AbortSignal): Promise<boolean>;
  /** Runs a statement in a session, which has no id unless it is kept for this principal. */
  use<T>(
    principal: Principal,
    lasting: Lasting | undefined,
    run: (lasting: Lasting | undefined) => Promise<T>,
  ): Promise<T>;
}

/** `end` ends the database session of an id. */
export function createInteractiveSessions(end: (id: string) => Promise<void>): InteractiveSessions {
  const sessions = new Map<string, InteractiveSession>();

  function watch(session: InteractiveSession): void {
    clearTimeout(session.timer);
    if (session.running > 0) return;
    session.timer = setTimeout(session.over.resolve, IDLE_MS);
    session.timer.unref();
  }

  return {
    async keep({ userId: owner }, id, onKept, signal) {
      if (sessions.size >= MAX_SESSIONS || sessions.has(id)) return false;
      const session: InteractiveSession = {
        owner,
        over: Promise.withResolvers<void>(),
        running: 0,
        timer: undefined,
      };
      sessions.set(id, session);
      watch(session);
      if (signal.aborted) session.over.resolve();
      signal.addEventListener('abort', () => session.over.resolve(), { once: true });
      onKept();
      await session.over.promise;
      clearTimeout(session.timer);
      sessions.delete(id);
      await end(id);
      return true;
    },
    async use({ userId }, lasting, run) {
      const session = lasting?.id == null ? undefined : sessions.get(lasting.id);
      if (lasting === undefined) return run(undefined);
      if (session?.owner !== userId) return run({ ...lasting, id: null });
      session.running += 1;
      watch(session);
      try {
        return await run(lasting);
      } finally {
        session.running -= 1;
        watch(session);
      }
    },
  };
}
