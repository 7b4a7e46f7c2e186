import { elementAt, present } from '../../invariants/must.ts';
import { takeTurn } from '../../turns/take-turn.ts';
import { checkPageLimit } from '../log-range.ts';
import { findBarrier } from '../principal/authorize.ts';
import type { Principal } from '../principal/principal.ts';
import type { GrantStore } from '../records/grant-store.ts';
import type { User } from '../records/users.ts';
import { explainConnection, explainItem } from './explain-level.ts';
import type { AccessBody, ExplanationBody } from './grant-body.ts';
import {
  findManagedTarget,
  isByNature,
  isPersonal,
  type ManagedTarget,
  type TargetContext,
  toChain,
} from './grant-target.ts';

/** Which of the users with access a list has. */
export interface AccessSearch {
  /** A part of the user name, the e-mail address or the display name, without regard to case. */
  readonly q?: string | undefined;
  /** At most 1,000; 100 by default. Null: all. */
  readonly limit?: number | null | undefined;
  /** Only users after this one, by user name. */
  readonly after?: string | undefined;
}

interface AccessContext extends TargetContext {
  readonly store: GrantStore;
}

/** The number of users that are explained in one step, which takes some milliseconds. */
const USERS_AT_ONCE = 100;

/**
 * A page of the active users with a level on a target, by user name, with the reasons; in `@Personal`, only the owner.
 * Other requests run between some users and the next. Rejects as `findManagedTarget` throws, and with 400 for an invalid
 * limit.
 */
export async function listAccess(
  context: AccessContext,
  principal: Principal,
  text: string,
  search: AccessSearch,
): Promise<AccessBody> {
  const { database, store } = context;
  const find = () => findManagedTarget(context, principal, text);
  const { answer, candidates } = database.read(() => {
    const target = find();
    const restricted = target.kind === 'item' && (isByNature(target) || store.isRestricted(target.key.id));
    const { users, total } = findCandidates(context, principal, target, search);
    return { answer: { target: target.text, restricted, total }, candidates: users };
  });
  const data: AccessBody['data'][number][] = [];
  for (let at = 0; at < candidates.length; at += USERS_AT_ONCE) {
    if (at > 0) await takeTurn();
    data.push(...database.read(() => explainSome(context, find(), candidates.slice(at, at + USERS_AT_ONCE))));
  }
  return { ...answer, data };
}

/** The users of a page, decided in SQL, and their number on all pages. */
function findCandidates(
  context: AccessContext,
  principal: Principal,
  target: ManagedTarget,
  { q, limit, after }: AccessSearch,
): { readonly users: readonly User[]; readonly total: number } {
  const { users } = context;
  const size = checkPageLimit(limit);
  if (isPersonal(target)) return { users: [present(users.findById(principal.userId))], total: 1 };
  const filter = { q, grantedOn: listCounting(context, target) };
  return users.search(filter, { sort: 'user_name', after, limit: size });
}

/** The ids of the target and of the folders above it whose grants count. */
function listCounting({ store }: AccessContext, target: ManagedTarget): readonly string[] {
  if (target.kind === 'connection') return [target.key.id];
  const chain = toChain(target);
  // The restrictions of a chain are those of every user.
  const facts = store.listFacts('', chain);
  const item = { rootId: elementAt(chain, 0), depth: chain.length - 1, facts: () => facts };
  return chain.slice(findBarrier(item, facts));
}

/** The users with a level on a target. */
function explainSome(context: AccessContext, target: ManagedTarget, some: readonly User[]) {
  return some
    .map((user) => ({ ...explainUser(context, user, target), display_name: user.displayName }))
    .filter(({ level }) => level !== 'NONE');
}

/** The level of a user on a target, with the reasons. */
export function explainUser(
  { store }: Pick<AccessContext, 'store'>,
  user: User,
  target: ManagedTarget,
): ExplanationBody {
  return target.kind === 'item'
    ? explainItem(user, target, store.listFacts(user.id, toChain(target)))
    : explainConnection(user, target, store.listConnectionGrants(user.id));
}
