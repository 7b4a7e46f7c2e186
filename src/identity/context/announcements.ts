import type { Database } from '../../store/database.ts';

/**
 * A withdrawal of access: a user is disabled or deleted, a token deleted, or a session ended; or grants may have
 * decreased because a grant, a group, a role or a connection changed or was deleted.
 */
export type Announcement =
  | { readonly kind: 'user-disabled'; readonly userId: string }
  | { readonly kind: 'token-revoked'; readonly tokenId: string }
  | { readonly kind: 'session-ended'; readonly sessionId: string }
  | { readonly kind: 'grant-changed' };

/**
 * Notifies listeners of the access that this process has withdrawn from users
 * (docs/reference/permissions.md#revocations), after the commit.
 */
export interface Announcements {
  /** Called within a write transaction. A rollback discards the announcement. */
  announce(announcement: Announcement): void;
  /**
   * Calls `listen` after each commit, outside of any transaction; it must not throw. Returns a function that
   * unsubscribes.
   */
  subscribe(listen: (announcement: Announcement) => void): () => void;
}

/** The announcements of changes through `database`. */
export function createAnnouncements(database: Pick<Database, 'afterCommit'>): Announcements {
  const listeners = new Set<(announcement: Announcement) => void>();
  return {
    announce: (announcement) =>
      database.afterCommit(() => {
        for (const listen of listeners) listen(announcement);
      }),
    subscribe: (listen) => {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };
}
