import { toTimestamp } from '../../store/values/clock.ts';
import { namesTag } from '../../text/names-tag.ts';
import { takeTurn } from '../../turns/take-turn.ts';
import { grantErrors } from '../errors.ts';
import { GRANTED_LEVELS, type GrantedLevel } from '../principal/permissions.ts';
import type { Principal } from '../principal/principal.ts';
import { countCappedUsers, listChangedUsers, type RankChange } from '../records/effect-rows.ts';
import type { GrantChangesBody, GrantEffectsBody } from './grant-changes-body.ts';
import type { ManagedTarget } from './grant-target.ts';
import {
  type ChangePlan,
  type EffectiveChange,
  type GrantChange,
  listEffective,
  listStrongest,
  type PlanContext,
  planChanges,
  printTagAfter,
} from './plan-changes.ts';
import { printGrant } from './print-grant.ts';

/** The number of users that a preview names. */
const MAX_NAMED = 1_000;

/**
 * Applies changes of grants and restrictions, all or none, in one transaction (docs/reference/permissions.md#changing-several-grants).
 * Throws as `planChanges` does, and 412 if the grants have changed since the preview with the tag `ifMatch`.
 */
export function applyChanges(
  context: PlanContext,
  principal: Principal,
  changes: readonly GrantChange[],
  ifMatch: string | undefined,
): GrantChangesBody {
  const { announcements, database } = context;
  return database.write(() => {
    const plan = planChanges(context, principal, changes);
    if (ifMatch !== undefined && !namesTag(ifMatch, plan.etag)) throw grantErrors.outdated(plan.etag);
    const effective = listEffective(plan);
    for (const change of effective) applyChange(context, principal, change);
    if (effective.length > 0) announcements.announce({ kind: 'grant-changed' });
    return { dry_run: false, changed: effective.length, etag: printTagAfter(plan) };
  });
}

function applyChange(
  { store, audit, newId, clock }: PlanContext,
  principal: Principal,
  change: EffectiveChange,
): void {
  const { key, text } = change.target;
  if (change.kind === 'restriction') {
    store.restrict(key.id, change.isRestricted);
    audit.record(principal, { action: 'grant.restrict', object: change.isRestricted ? text : `${text} off` });
    return;
  }
  const { subject, before, level } = change;
  if (level === null) {
    store.delete(key, subject);
    audit.record(principal, { action: 'grant.delete', object: printGrant(subject, before ?? 'NONE', text) });
    return;
  }
  store.set(newId(), { subject, target: key, level, createdAt: toTimestamp(clock()) });
  audit.record(principal, { action: 'grant.set', object: printGrant(subject, level, text) });
}

/**
 * Says who would gain and lose what, and applies nothing. Others than administrators get the names of users whom the
 * changes name, and numbers of all. Other requests run between some targets and the next. Throws as `planChanges` does.
 */
export async function previewChanges(
  context: PlanContext,
  principal: Principal,
  changes: readonly GrantChange[],
): Promise<GrantChangesBody> {
  const { database, users } = context;
  const plan = database.read(() => planChanges(context, principal, changes));
  const viewsByDefault = users.effectiveRoleOf({ superUser: false, role: null }) === 'VIEWER';
  const all = database.read(() => countCappedUsers(database, viewsByDefault));
  const only = principal.superUser ? null : listNamedUsers(plan);
  const targets: GrantEffectsBody['targets'][number][] = [];
  const data: GrantEffectsBody['data'][number][] = [];
  for (const { target } of plan.targets.values()) {
    if (targets.length > 0) await takeTurn();
    const limit = MAX_NAMED - data.length;
    const entries = listRankChanges(plan, target);
    const {
      gains,
      losses,
      users: named,
    } = database.read(() => listChangedUsers(database, entries, { all, viewsByDefault, only, limit }));
    targets.push({ target: target.text, gains, losses });
    const toLevel = (rank: number) => levelOfRank(target, rank);
    for (const { user_name: user, before, after } of named) {
      data.push({ user, target: target.text, before: toLevel(before), after: toLevel(after) });
    }
  }
  const sum = (key: 'gains' | 'losses') => targets.reduce((total, target) => total + target[key], 0);
  const effects = { gains: sum('gains'), losses: sum('losses'), targets, data };
  return { dry_run: true, changed: listEffective(plan).length, etag: plan.etag, effects };
}

/** The ids of the users whom changes name. */
function listNamedUsers({ targets }: ChangePlan): readonly string[] {
  const subjects = targets.values().flatMap(({ levels }) => levels.values().map(({ subject }) => subject));
  return [...new Set(subjects.flatMap((subject) => (subject.kind === 'user' ? [subject.id] : [])))];
}

function listRankChanges(plan: ChangePlan, target: ManagedTarget): readonly RankChange[] {
  const [before, after] = [listStrongest(plan, target, 'before'), listStrongest(plan, target, 'after')];
  const rank = (level: GrantedLevel | undefined) =>
    level === undefined ? 0 : listLevels(target).indexOf(level) + 1;
  return [...new Set([...before.keys(), ...after.keys()])].map((subject) => ({
    subject,
    before: rank(before.get(subject)),
    after: rank(after.get(subject)),
  }));
}

function listLevels({ kind }: ManagedTarget): readonly GrantedLevel[] {
  return GRANTED_LEVELS[kind];
}

function levelOfRank(target: ManagedTarget, rank: number): GrantedLevel | 'NONE' {
  return listLevels(target)[rank - 1] ?? 'NONE';
}
