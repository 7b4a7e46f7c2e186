import { toTimestamp } from '../../store/values/clock.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import { checkMayManage } from '../context/account-context.ts';
import { grantErrors, mayNotManage } from '../errors.ts';
import { isAtLeast } from '../principal/permissions.ts';
import type { Principal } from '../principal/principal.ts';
import { createGrantStore, type Grant, type GrantStore } from '../records/grant-store.ts';
import type { User } from '../records/users.ts';
import type {
  AccessBody,
  ExplanationBody,
  GrantBody,
  GrantListBody,
  OwnLevelBody,
  RestrictionBody,
} from './grant-body.ts';
import { applyChanges, previewChanges } from './grant-changes.ts';
import type { GrantChangesBody } from './grant-changes-body.ts';
import { type LevelSearch, listLevels } from './grant-levels.ts';
import type { GrantLevelsBody } from './grant-levels-body.ts';
import type { GrantPermissions } from './grant-permissions.ts';
import { findNamed, findSubject } from './grant-subject.ts';
import {
  asReader,
  checkNotPersonal,
  findManagedTarget,
  findRestrictable,
  findViewedItem,
  isByNature,
  isPersonal,
  type ManagedTarget,
  readLevel,
  type TargetContext,
  toChain,
} from './grant-target.ts';
import { type AccessSearch, explainUser, listAccess } from './list-access.ts';
import type { GrantChange } from './plan-changes.ts';
import { printConnectionTarget, printGrant, printSubject } from './print-grant.ts';

/** A grant to create; strings as in `GrantBody`. */
interface NewGrant {
  readonly subject: string;
  readonly level: string;
  readonly target: string;
}

/**
 * The grants of a home, for users who manage the targets (docs/reference/permissions.md#levels). For a target, all
 * calls throw 400 for a string that names no target, 404 for one that does not exist or that the caller may not view,
 * 403 for one that the caller does not manage. For users and groups, they throw 404 for an unknown name; only
 * administrators get a suggestion of a similar name. Each call but `listAccess` and `previewChanges` is one transaction, and each change
 * adds an entry to the audit log.
 */
export interface GrantService {
  /**
   * The grants on one target, of all subjects or of one; without a target, all grants, or those that affect a subject:
   * its grants, those of a user's groups, and those of everyone. Throws 403 without a target, unless the caller is an
   * administrator.
   */
  list(principal: Principal, target?: string, subject?: string): GrantListBody;
  /** Replaces the level that the subject has on the target. Throws 400 for an unknown level, 422 in `@Personal`. */
  set(principal: Principal, fields: NewGrant): GrantBody;
  /** Throws 404 when the subject has no grant on the target. */
  delete(principal: Principal, subject: string, target: string): void;
  /**
   * Restricts an item, or removes the restriction. A caller who would lose MANAGE is granted it on the item. Throws 400
   * for a connection, 422 for a namespace, in `@Personal`, and when an item that is always restricted should be
   * unrestricted.
   */
  restrict(principal: Principal, path: string, isRestricted: boolean): RestrictionBody;
  /**
   * A user's level on a target, with the reasons. In `@Personal`, throws 403 for other users unless the caller is an
   * administrator.
   */
  explain(principal: Principal, userName: string, target: string): ExplanationBody;
  /** The caller's level on an item. Throws 400 and 404. */
  findLevel(principal: Principal, path: string): OwnLevelBody;
  /** See `listAccess`. */
  listAccess(principal: Principal, target: string, search: AccessSearch): Promise<AccessBody>;
  /** See `listLevels`. */
  listLevels(principal: Principal, search: LevelSearch): GrantLevelsBody;
  /** See `applyChanges`. */
  applyChanges(principal: Principal, changes: readonly GrantChange[], ifMatch?: string): GrantChangesBody;
  /** See `previewChanges`. */
  previewChanges(principal: Principal, changes: readonly GrantChange[]): Promise<GrantChangesBody>;
}

export interface GrantServiceOptions extends Omit<TargetContext, 'levelOf'> {
  readonly grants: GrantPermissions;
}

interface GrantContext extends TargetContext {
  readonly store: GrantStore;
  readonly giveManage: GrantPermissions['giveManage'];
}

/** The grants of an open database. */
export function createGrantService({ grants, ...options }: GrantServiceOptions): GrantService {
  const { database } = options;
  const { giveManage, catalog } = grants;
  const store = createGrantStore(database);
  const context: GrantContext = { ...options, store, giveManage, levelOf: catalog.levelOf };
  return {
    list: (principal, target, subject) =>
      database.read(() => {
        if (target !== undefined) return listOn(context, principal, target, subject);
        return subject === undefined ? listAll(context, principal) : listOf(context, principal, subject);
      }),
    set: (principal, grant) => database.write(() => setGrant(context, principal, grant)),
    delete: (principal, subject, target) =>
      database.write(() => deleteGrant(context, principal, subject, target)),
    restrict: (principal, path, isRestricted) =>
      database.write(() => restrict(context, principal, path, isRestricted)),
    explain: (principal, userName, target) =>
      database.read(() => explain(context, principal, userName, target)),
    findLevel: (principal, path) => database.read(() => findLevel(context, principal, path)),
    listAccess: (principal, target, search) => listAccess(context, asReader(principal), target, search),
    listLevels: (principal, search) => database.read(() => listLevels(context, principal, search)),
    applyChanges: (principal, changes, ifMatch) => applyChanges(context, principal, changes, ifMatch),
    previewChanges: (principal, changes) => previewChanges(context, principal, changes),
  };
}

function listAll(context: GrantContext, principal: Principal): GrantListBody {
  checkMayManage(context, principal);
  const { store, targets } = context;
  const data = printGrants(context, store.list());
  const restricted = store.listRestricted().flatMap((id) => targets.printItem(id) ?? []);
  return { data: sort(data), restricted: restricted.sort() };
}

function listOf(context: GrantContext, principal: Principal, text: string): GrantListBody {
  checkMayManage(context, principal);
  const subject = findSubject(context, principal, text);
  return { data: sort(printGrants(context, context.store.listOf(subject))), restricted: [] };
}

/** Grants as returned, without those in the `@Personal` of a user. */
function printGrants({ targets }: GrantContext, grants: readonly Grant[]): GrantBody[] {
  return grants.flatMap((grant) => {
    const { kind, id } = grant.target;
    const target =
      kind === 'item' ? targets.printItem(id) : printConnectionTarget(targets.printConnection(id));
    return target === null ? [] : toBody(grant, target);
  });
}

function listOn(
  context: GrantContext,
  principal: Principal,
  text: string,
  subjectText: string | undefined,
): GrantListBody {
  const { store } = context;
  const target = findManagedTarget(context, asReader(principal), text);
  const subject = subjectText === undefined ? undefined : findSubject(context, principal, subjectText);
  const only = subject === undefined ? undefined : store.find(target.key, subject);
  const grants = subject === undefined ? store.list(target.key) : only === undefined ? [] : [only];
  const data = grants.map((grant) => toBody(grant, target.text));
  const isRestricted = target.kind === 'item' && store.isRestricted(target.key.id);
  return { data: sort(data), restricted: isRestricted ? [target.text] : [] };
}

function setGrant(context: GrantContext, principal: Principal, fields: NewGrant): GrantBody {
  const { store, audit, announcements, newId, clock } = context;
  const target = findManagedTarget(context, principal, fields.target);
  checkNotPersonal(target);
  const level = readLevel(target, fields.level);
  const subject = findSubject(context, principal, fields.subject);
  const before = store.find(target.key, subject);
  if (before?.level === level) return toBody(before, target.text);
  const grant: Grant = { subject, target: target.key, level, createdAt: toTimestamp(clock()) };
  store.set(newId(), grant);
  audit.record(principal, { action: 'grant.set', object: printGrant(subject, level, target.text) });
  announcements.announce({ kind: 'grant-changed' });
  return toBody(grant, target.text);
}

function deleteGrant(context: GrantContext, principal: Principal, subjectText: string, text: string): void {
  const { store, audit, announcements } = context;
  const target = findManagedTarget(context, principal, text);
  const subject = findSubject(context, principal, subjectText);
  const grant = store.find(target.key, subject);
  if (grant === undefined) throw grantErrors.notFound(printSubject(subject), target.text);
  store.delete(target.key, subject);
  audit.record(principal, { action: 'grant.delete', object: printGrant(subject, grant.level, target.text) });
  announcements.announce({ kind: 'grant-changed' });
}

function restrict(
  context: GrantContext,
  principal: Principal,
  path: string,
  isRestricted: boolean,
): RestrictionBody {
  const { store, audit, announcements, levelOf, giveManage } = context;
  const target = findRestrictable(context, principal, path);
  if (!isRestricted && isByNature(target)) throw grantErrors.byNature(target.text);
  const answer = { target: target.text, restricted: isRestricted };
  if (store.isRestricted(target.key.id) === isRestricted) return answer;
  store.restrict(target.key.id, isRestricted);
  const object = isRestricted ? target.text : `${target.text} off`;
  audit.record(principal, { action: 'grant.restrict', object });
  announcements.announce({ kind: 'grant-changed' });
  if (!isAtLeast(levelOf(principal, toChain(target)), 'MANAGE'))
    giveManage(principal, target.key, target.text);
  return answer;
}

function explain(
  context: GrantContext,
  principal: Principal,
  userName: string,
  text: string,
): ExplanationBody {
  const target = findManagedTarget(context, asReader(principal), text);
  const user = findUser(context, principal, userName, target);
  return explainUser(context, user, target);
}

function findLevel(context: GrantContext, principal: Principal, path: string): OwnLevelBody {
  const item = findViewedItem(context, principal, path);
  return { target: item.text, level: context.levelOf(principal, toChain(item)) };
}

function toBody({ subject, level, createdAt }: Grant, target: ManagedTarget['text']): GrantBody {
  return { subject: printSubject(subject), level, target, created_at: createdAt };
}

function sort(grants: GrantBody[]): GrantBody[] {
  const key = ({ target, subject }: GrantBody) => `${target}\0${subject}`;
  return grants.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/**
 * The user whose rights to a target are requested. Throws 404 for an unknown name. Every user manages their own
 * `@Personal`, and no other user sees its content. There, requests about other users would only serve to guess names:
 * 403.
 */
function findUser(context: TargetContext, principal: Principal, name: string, target: ManagedTarget): User {
  const isOther = foldCase(name) !== foldCase(principal.userName);
  if (isOther && isPersonal(target) && !context.permissions.mayManage(principal)) throw mayNotManage();
  return findNamed(context, principal, name);
}
