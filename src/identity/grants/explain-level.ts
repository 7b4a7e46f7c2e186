import { elementAt } from '../../invariants/must.ts';
import { authorizeConnection, authorizeItem, findBarrier, isOwnHome } from '../principal/authorize.ts';
import type { ConnectionLevel, Level } from '../principal/permissions.ts';
import type { Principal } from '../principal/principal.ts';
import { roleOf } from '../principal/roles.ts';
import type { Fact, Grant } from '../records/grant-store.ts';
import { toPrincipal, type User } from '../records/users.ts';
import type { ExplanationBody, ReasonBody } from './grant-body.ts';
import { isPersonal, type ManagedItem, type ManagedTarget } from './grant-target.ts';
import { printSubject } from './print-grant.ts';

/**
 * Explains the result of `authorizeItem` for a user; `facts` are the grants and restrictions from the root to the item.
 */
export function explainItem(user: User, item: ManagedItem, facts: readonly Fact[]): ExplanationBody {
  const principal = toPrincipal(user);
  const target = { rootId: elementAt(item.places, 0).id, depth: item.places.length - 1, facts: () => facts };
  const level = authorizeItem(principal, target);
  const uncapped = authorizeItem({ ...principal, viewsOnly: false }, target);
  const reasons = findHomeReasons(principal, item) ??
    findAdminReasons(principal) ?? [
      ...listGrantReasons(item, findBarrier(target, facts), facts),
      ...(item.places.length === 1 ? [{ kind: 'namespace' } as const] : []),
    ];
  return toBody(user, item.text, level, [...reasons, ...findRoleReasons(user, level, uncapped)]);
}

/** Explains the result of `authorizeConnection` for a user, from all grants on connections to the user. */
export function explainConnection(
  user: User,
  { key, text }: ManagedTarget,
  grants: readonly Grant[],
): ExplanationBody {
  const principal = toPrincipal(user);
  const here = grants.filter(({ target }) => target.id === key.id);
  const listLevels = () => here.map((grant) => grant.level as ConnectionLevel);
  const level = authorizeConnection(principal, listLevels);
  const uncapped = authorizeConnection({ ...principal, viewsOnly: false }, listLevels);
  const reasons = findAdminReasons(principal) ?? bySubject(here.map((grant) => toReason(grant, text, null)));
  return toBody(user, text, level, [...reasons, ...findRoleReasons(user, level, uncapped)]);
}

function findHomeReasons(principal: Principal, item: ManagedItem): ReasonBody[] | undefined {
  if (!isPersonal(item)) return undefined;
  const isOwn = isOwnHome(principal, elementAt(item.places, 0).id);
  return [isOwn ? { kind: 'own_home', level: 'MANAGE' } : { kind: 'other_home' }];
}

function findAdminReasons({ superUser }: Principal): ReasonBody[] | undefined {
  return superUser ? [{ kind: 'super_user', level: 'MANAGE' }] : undefined;
}

/** From the root downwards. */
function listGrantReasons({ places }: ManagedItem, barrier: number, facts: readonly Fact[]): ReasonBody[] {
  return places.flatMap(({ path }, depth) => {
    const cutOffBy = depth < barrier ? elementAt(places, barrier).path : null;
    const here = facts.filter((fact) => fact.depth === depth);
    return bySubject(
      here.flatMap(({ subject, level }) =>
        subject === null || level === null ? [] : toReason({ subject, level }, path, cutOffBy),
      ),
    );
  });
}

function findRoleReasons(
  user: User,
  level: Level | ConnectionLevel,
  uncapped: Level | ConnectionLevel,
): ReasonBody[] {
  if (level === uncapped || level === 'NONE') return [];
  return [{ kind: 'role', role: roleOf(user), level }];
}

type GrantReason = Extract<ReasonBody, { kind: 'grant' }>;

function toReason(
  { subject, level }: Pick<Grant, 'subject' | 'level'>,
  target: string,
  cutOffBy: string | null,
): GrantReason {
  return { kind: 'grant', subject: printSubject(subject), level, target, cut_off_by: cutOffBy };
}

function bySubject(reasons: GrantReason[]): GrantReason[] {
  return reasons.sort((a, b) => (a.subject < b.subject ? -1 : 1));
}

/** A disabled user has no level, whatever the grants and the role. */
function toBody(
  { userName, active }: User,
  target: string,
  level: Level | ConnectionLevel,
  reasons: readonly ReasonBody[],
): ExplanationBody {
  if (!active) return { user: userName, target, level: 'NONE', reasons: [{ kind: 'disabled' }] };
  return { user: userName, target, level, reasons };
}
