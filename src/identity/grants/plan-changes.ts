import { createHash } from 'node:crypto';
import { fieldErrors } from '../../errors/fields.ts';
import { elementAt, entryOf } from '../../invariants/must.ts';
import { grantErrors } from '../errors.ts';
import { findBarrier } from '../principal/authorize.ts';
import { type GrantedLevel, isAtLeast } from '../principal/permissions.ts';
import type { Principal } from '../principal/principal.ts';
import { type GrantStore, type Subject, toSubjectKey } from '../records/grant-store.ts';
import { createGroupStore } from '../records/group-store.ts';
import { findSubject } from './grant-subject.ts';
import {
  checkNotPersonal,
  findManagedTarget,
  findRestrictable,
  isByNature,
  type ManagedTarget,
  readLevel,
  type TargetContext,
  toChain,
} from './grant-target.ts';
import { printSubject } from './print-grant.ts';

/** The number of changes of one request. */
export const MAX_CHANGES = 500;

/** A level of a subject on a target, NONE for no grant; or whether an item is restricted. */
export interface GrantChange {
  readonly target: string;
  readonly subject?: string | undefined;
  readonly level?: string | undefined;
  readonly restricted?: boolean | undefined;
}

/** A subject with the level that it is granted at a place. */
interface Entry {
  readonly subject: Subject;
  readonly level: GrantedLevel;
}

/** The grants and the restriction of a place. */
interface PlaceState {
  readonly isRestricted: boolean;
  /** By the keys of subjects. */
  readonly entries: ReadonlyMap<string, Entry>;
}

/** The planned changes of a target; `level` null revokes. */
interface TargetPlan {
  readonly target: ManagedTarget;
  restricted: boolean | undefined;
  /** By the keys of subjects. */
  readonly levels: Map<string, { readonly subject: Subject; readonly level: GrantedLevel | null }>;
}

/** Changes of grants and restrictions that were checked, with what is granted before them. */
export interface ChangePlan {
  /** From the namespaces downwards, by the ids of the targets. */
  readonly targets: ReadonlyMap<string, TargetPlan>;
  /** The state of all places that decide about the targets, by their ids. */
  readonly before: ReadonlyMap<string, PlaceState>;
  /** Changes with the grants and restrictions that decide about the targets. */
  readonly etag: string;
}

export interface PlanContext extends TargetContext {
  readonly store: GrantStore;
}

/**
 * Checks changes. Throws 400 for no changes, for more than 500, for one that is incomplete and for two of the same
 * subject or restriction on a target; 409 if the caller would no longer manage a target; else as the single changes do.
 * A caller who would lose MANAGE by a restriction is granted it. The caller holds the transaction.
 */
export function planChanges(
  context: PlanContext,
  principal: Principal,
  changes: readonly GrantChange[],
): ChangePlan {
  if (changes.length === 0) throw fieldErrors.required('Changes');
  if (changes.length > MAX_CHANGES) throw grantErrors.tooManyChanges(MAX_CHANGES);
  const byId = new Map<string, TargetPlan>();
  for (const change of changes) addChange(context, principal, byId, change);
  const targets = new Map([...byId].sort(([, a], [, b]) => depthOf(a.target) - depthOf(b.target)));
  const before = readStates(context, targets);
  const plan = { targets, before, etag: printTag(before) };
  if (!principal.superUser) keepManaging(context, principal, plan);
  return plan;
}

function addChange(
  context: PlanContext,
  principal: Principal,
  byId: Map<string, TargetPlan>,
  { target: text, subject: subjectText, level, restricted }: GrantChange,
): void {
  const isGrant = subjectText !== undefined && level !== undefined;
  if (isGrant === (restricted !== undefined)) throw grantErrors.notAChange(text);
  if (!isGrant) {
    const item = findRestrictable(context, principal, text);
    if (restricted === false && isByNature(item)) throw grantErrors.byNature(item.text);
    const plan = planOf(byId, item);
    if (plan.restricted !== undefined) throw grantErrors.changedTwice('the restriction', item.text);
    plan.restricted = restricted;
    return;
  }
  const target = findManagedTarget(context, principal, text);
  checkNotPersonal(target);
  const granted = level === 'NONE' ? null : readLevel(target, level);
  const subject = findSubject(context, principal, subjectText);
  const { levels } = planOf(byId, target);
  const key = toSubjectKey(subject);
  if (levels.has(key)) throw grantErrors.changedTwice(printSubject(subject), target.text);
  levels.set(key, { subject, level: granted });
}

function planOf(byId: Map<string, TargetPlan>, target: ManagedTarget): TargetPlan {
  const plan = byId.get(target.key.id) ?? { target, restricted: undefined, levels: new Map() };
  byId.set(target.key.id, plan);
  return plan;
}

function depthOf(target: ManagedTarget): number {
  return target.kind === 'item' ? target.places.length : 0;
}

/** The ids of the places whose grants decide about a target, from the namespace's root. */
function listPlaceIds(target: ManagedTarget): readonly string[] {
  return target.kind === 'item' ? toChain(target) : [target.key.id];
}

function readStates(
  { store }: PlanContext,
  targets: ReadonlyMap<string, TargetPlan>,
): ReadonlyMap<string, PlaceState> {
  const states = new Map<string, PlaceState>();
  for (const { target } of targets.values()) {
    for (const id of listPlaceIds(target)) {
      if (states.has(id)) continue;
      const grants = store.list({ kind: target.kind, id });
      const entries = grants.map(
        ({ subject, level }) => [toSubjectKey(subject), { subject, level }] as const,
      );
      const isRestricted = target.kind === 'item' && store.isRestricted(id);
      states.set(id, { isRestricted, entries: new Map(entries) });
    }
  }
  return states;
}

function printTag(states: ReadonlyMap<string, PlaceState>): string {
  const lines = [...states].map(([id, { isRestricted, entries }]) => {
    const levels = [...entries].map(([key, { level }]) => `${key} ${level}`);
    return [id, isRestricted, ...levels.sort()].join('\n');
  });
  return createHash('sha256').update(lines.sort().join('\n\n')).digest('base64url').slice(0, 22);
}

/** The tag of the grants and restrictions after the changes of a plan. */
export function printTagAfter(plan: ChangePlan): string {
  return printTag(new Map([...plan.before.keys()].map((id) => [id, findAfter(plan, id)])));
}

/** The state of a place after the changes. */
function findAfter({ targets, before }: Omit<ChangePlan, 'etag'>, id: string): PlaceState {
  const state = entryOf(before, id);
  const plan = targets.get(id);
  if (plan === undefined) return state;
  const entries = new Map(state.entries);
  for (const [key, { subject, level }] of plan.levels) {
    if (level === null) entries.delete(key);
    else entries.set(key, { subject, level });
  }
  return { isRestricted: plan.restricted ?? state.isRestricted, entries };
}

/** The highest level of each subject that counts on a target, before or after the changes, by the keys of subjects. */
export function listStrongest(
  plan: Omit<ChangePlan, 'etag'>,
  target: ManagedTarget,
  when: 'before' | 'after',
): ReadonlyMap<string, GrantedLevel> {
  const ids = listPlaceIds(target);
  const states = ids.map((id) => (when === 'before' ? entryOf(plan.before, id) : findAfter(plan, id)));
  const facts = states.map(({ isRestricted }, depth) => ({ depth, isRestricted, level: null }));
  const item = { rootId: elementAt(ids, 0), depth: ids.length - 1, facts: () => facts };
  const strongest = new Map<string, GrantedLevel>();
  for (const { entries } of states.slice(findBarrier(item, facts))) {
    for (const [key, { level }] of entries) {
      const known = strongest.get(key);
      if (known === undefined || !isAtLeast(known, level)) strongest.set(key, level);
    }
  }
  return strongest;
}

/**
 * A caller who restricts an item and would lose MANAGE on it gets it, as with a single restriction. Throws 409 if other
 * changes take it.
 */
function keepManaging({ database }: PlanContext, principal: Principal, plan: ChangePlan): void {
  const groups = createGroupStore(database).search({ member: principal.userId }, -1);
  const mine = [principal.userId, 'everyone', ...groups.map(({ id }) => id)];
  for (const { target, restricted, levels } of plan.targets.values()) {
    const strongest = listStrongest(plan, target, 'after');
    if (mine.some((key) => strongest.get(key) === 'MANAGE')) continue;
    if (restricted !== true || levels.has(principal.userId)) throw grantErrors.takesFromSelf(target.text);
    const subject: Subject = { kind: 'user', id: principal.userId, name: principal.userName };
    levels.set(principal.userId, { subject, level: 'MANAGE' });
  }
}

/** A planned change that differs from what is granted already. */
export type EffectiveChange = { readonly target: ManagedTarget } & (
  | { readonly kind: 'restriction'; readonly isRestricted: boolean }
  | {
      readonly kind: 'grant';
      readonly subject: Subject;
      readonly before: GrantedLevel | null;
      readonly level: GrantedLevel | null;
    }
);

/** The changes of a plan that differ from what is granted already. */
export function listEffective({ targets, before }: ChangePlan): readonly EffectiveChange[] {
  return [...targets].flatMap(([id, { target, restricted, levels }]) => {
    const state = entryOf(before, id);
    const changes: EffectiveChange[] = [];
    if (restricted !== undefined && restricted !== state.isRestricted) {
      changes.push({ target, kind: 'restriction', isRestricted: restricted });
    }
    for (const [key, { subject, level }] of levels) {
      const known = state.entries.get(key)?.level ?? null;
      if (known !== level) changes.push({ target, kind: 'grant', subject, before: known, level });
    }
    return changes;
  });
}
