import { type Clock, toTimestamp } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import type { NewId } from '../store/uuid.ts';
import type { Principal } from './principal.ts';

/** What is worth an entry (identity 1). */
export type AuditAction =
  | 'sign-in'
  | 'sign-out'
  | 'token.create'
  | 'token.delete'
  | 'user.create'
  | 'user.update'
  | 'user.delete'
  | 'group.create'
  | 'group.add'
  | 'group.remove'
  | 'group.delete'
  | 'grant.set'
  | 'grant.delete'
  | 'grant.restrict'
  | 'connection.create'
  | 'connection.replace'
  | 'connection.delete';

/** What was done, or was not to be. */
export interface AuditEvent {
  readonly action: AuditAction;
  /** What it was done to, in the words of who reads it: a user's name, a path; never a secret. */
  readonly object: string | null;
  /** `done` when left out. */
  readonly result?: 'done' | 'refused';
}

/** The append-only log of who did what (identity 1). */
export interface AuditLog {
  /** Adds an entry, within the transaction that is under way: what is undone leaves none. */
  record(principal: Principal, event: AuditEvent): void;
}

const INSERT = `
  INSERT INTO audit_log (id, at, actor, actor_id, token_id, action, object, result, address, request_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

/** The log kept in `database`. */
export function createAuditLog(database: Database, clock: Clock, newId: NewId): AuditLog {
  return {
    record: ({ userId, userName, origin }, { action, object, result = 'done' }) => {
      const { tokenId = null, address = null, requestId = null } = origin ?? {};
      const at = toTimestamp(clock());
      database.write(() => {
        database
          .statement(INSERT)
          .run(newId(), at, userName, userId, tokenId, action, object, result, address, requestId);
      });
    },
  };
}
