import type { Database } from '../../store/database.ts';
import { type Clock, toTimestamp } from '../../store/values/clock.ts';
import type { SqlValue } from '../../store/values/statements.ts';
import type { NewId } from '../../store/values/uuid.ts';
import { type Condition, toWhere } from '../../store/values/where.ts';
import type { LogRange } from '../log-range.ts';
import type { Origin, Principal } from '../principal/principal.ts';
import type { AuditEntry } from './entry-body.ts';

/** The actions that the audit log records (docs/reference/audit.md#actions). */
export const AUDIT_ACTIONS = [
  'sign-in',
  'sign-out',
  'session.end',
  'token.create',
  'token.delete',
  'user.create',
  'user.update',
  'user.password',
  'user.delete',
  'user.stop',
  'invitation.create',
  'invitation.delete',
  'invitation.redeem',
  'group.create',
  'group.update',
  'group.add',
  'group.remove',
  'group.delete',
  'grant.set',
  'grant.delete',
  'grant.restrict',
  'connection.change',
  'connection.create',
  'connection.replace',
  'connection.test',
  'connection.delete',
  'catalog.restore',
  'catalog.purge',
  'catalog.undelete',
  'catalog.delete',
  'execution.pause',
  'backup.create',
  'backup.download',
  'backup.delete',
  'sso.settings',
  'sso.delete',
  'sso.certificate',
  'sso.link',
  'sso.unlink',
  'sso.test',
] as const;

type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An action that was done or refused. */
interface AuditEvent {
  readonly action: AuditAction;
  /** The object of the action in readable form: a user's name, a path; never a secret. */
  readonly object: string | null;
  /** `done` when left out. */
  readonly result?: AuditEntry['result'];
}

/** The origin of a request whose user is not known. */
export type Visitor = Pick<Origin, 'address' | 'requestId'>;

/** Conditions on entries; an entry must meet all of them. */
interface AuditCondition extends Pick<LogRange, 'since' | 'until' | 'before'> {
  /** A user name at that time, in any case; or the user with this id. */
  readonly actor?: { readonly name: string; readonly id: string | null } | undefined;
  readonly action?: string | undefined;
  /** A part of the object, without regard to the case of ASCII letters. */
  readonly object?: string | undefined;
  /** A part of the actor, the action, the object or the address, without regard to the case of ASCII letters. */
  readonly q?: string | undefined;
}

/** The append-only log of the actions of users (docs/reference/audit.md#entries). */
export interface AuditLog {
  /** Adds an entry within the current transaction. A rollback removes the entry as well. */
  record(principal: Principal, event: AuditEvent): void;
  /** Like `record`, for an attempt by an unknown user. */
  recordVisitor(visitor: Visitor, event: AuditEvent): void;
  /** The newest `limit` entries of this kind, newest first. The caller checks permissions. */
  find(condition: AuditCondition, limit: number): AuditEntry[];
}

const INSERT = `
  INSERT INTO audit_log (id, at, actor, actor_id, token_id, action, object, result, address, request_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`;

const SELECT = `
  SELECT id, at, actor, token_id AS token, action, object, result, address, request_id FROM audit_log
`;

/** The audit log of `database`. */
export function createAuditLog(database: Database, clock: Clock, newId: NewId): AuditLog {
  function insert(actor: readonly SqlValue[], visitor: Visitor, event: AuditEvent): void {
    const { action, object, result = 'done' } = event;
    const at = toTimestamp(clock());
    database.write(() => {
      database
        .statement(INSERT)
        .run(newId(), at, ...actor, action, object, result, visitor.address, visitor.requestId);
    });
  }

  return {
    record: ({ userId, userName, origin }, event) =>
      insert(
        [userName, userId, origin?.tokenId ?? null],
        origin ?? { address: null, requestId: null },
        event,
      ),
    recordVisitor: (visitor, event) => insert([null, null, null], visitor, event),
    find: (condition, limit) => {
      const { text, values } = toWhere(listConditions(condition));
      return database
        .statement<AuditEntry>(`${SELECT} ${text} ORDER BY id DESC LIMIT ?`)
        .all(...values, limit);
    },
  };
}

const CONTAINS = ['actor', 'action', 'object', 'address'].map(
  (name) => `instr(lower(${name}), lower(?)) > 0`,
);

function listConditions({ actor, action, object, q, since, until, before }: AuditCondition): Condition[] {
  const conditions: Condition[] = [];
  if (actor !== undefined)
    conditions.push(['(lower(actor) = lower(?) OR actor_id = ?)', actor.name, actor.id]);
  if (action !== undefined) conditions.push(['action = ?', action]);
  if (object !== undefined) conditions.push(['instr(lower(object), lower(?)) > 0', object]);
  if (q !== undefined && q !== '') conditions.push([`(${CONTAINS.join(' OR ')})`, q, q, q, q]);
  if (since !== undefined) conditions.push(['at >= ?', toTimestamp(since)]);
  if (until !== undefined) conditions.push(['at < ?', toTimestamp(until)]);
  if (before !== undefined) conditions.push(['id < ?', before]);
  return conditions;
}
