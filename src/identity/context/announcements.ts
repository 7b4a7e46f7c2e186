import type { Database } from '../../store/database.ts';

/**
 * Something was withdrawn: a user is disabled or deleted, a token deleted, a session ended; or what users are granted
 * may have become less, by a grant, a group, a role, or a connection that is gone.
 */
export type Announcement =
  | { readonly kind: 'user-disabled'; readonly userId: string }
  | { readonly kind: 'token-revoked'; readonly tokenId: string }
  | { readonly kind: 'session-ended'; readonly sessionId: string }
  | { readonly kind: 'grant-changed' };

/** Tells who listens what this process has withdrawn from users (identity 2), once it is committed. */
export interface Announcements {
  /** Within a write transaction: what is undone is never told. */
  announce(announcement: Announcement): void;
  /** `listen` is called after each commit, outside of any transaction, and must not throw. Returns how to end it. */
  subscribe(listen: (announcement: Announcement) => void): () => void;
}

/** The announcements of what is changed through `database`. */
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
