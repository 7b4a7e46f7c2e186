import { ServiceError } from '../../errors/service-error.ts';
import { createGroup, EVERYONE, renewGroup } from '../accounts/change-group.ts';
import { checkName } from '../check-text.ts';
import type { AccountContext } from '../context/account-context.ts';
import { foldCase } from '../fold-case.ts';
import type { Principal } from '../principal/principal.ts';
import { createGroupStore, type GroupRow, type GroupStore } from '../records/group-store.ts';
import { passes } from './find-account.ts';
import { accountErrors, type ProvenIdentity } from './proven-identity.ts';

/** The maximum number of groups of one sign-in. */
const MAX_GROUPS = 200;

/**
 * The groups that a provider sends, without duplicates; case is ignored. Names that a group cannot have are left out,
 * and the group of all users too. Throws a SignOnError for more than 200 groups.
 */
export function readGroupNames(names: readonly string[]): readonly string[] {
  const trimmed = names.map((name) => name.trim());
  const usable = trimmed.filter(
    (name) => foldCase(name) !== EVERYONE && passes(() => checkName('Group name', name)),
  );
  // The first of several spellings is the name of a new group.
  const distinct = [...new Map(usable.toReversed().map((name) => [foldCase(name), name])).values()].reverse();
  if (distinct.length > MAX_GROUPS) throw accountErrors.tooManyGroups(distinct.length, MAX_GROUPS);
  return distinct;
}

/**
 * Adds a user to these groups, and removes it from all other groups that this provider added it to. Creates groups
 * that do not exist if `creates` is true. The caller holds the transaction; `principal` is the user.
 */
export function syncGroups(
  context: AccountContext,
  principal: Principal,
  source: ProvenIdentity['provider'],
  names: readonly string[],
  creates: boolean,
): void {
  const { database, audit, announcements } = context;
  const store = createGroupStore(database);
  const wanted = names.flatMap((name) => {
    return store.findByName(name) ?? (creates ? make(context, store, principal, source, name) : []);
  });
  const kept = new Set(wanted.map(({ id }) => id));
  const lost = store.listGroupIdsBy(principal.userId, source).filter((id) => !kept.has(id));
  const change = (row: GroupRow, action: 'group.add' | 'group.remove') => {
    renewGroup(context, store, row);
    audit.record(principal, { action, object: `${row.name}: ${principal.userName}` });
  };
  for (const row of wanted) {
    if (store.addMembers(row.id, [principal.userId], source).length > 0) change(row, 'group.add');
  }
  for (const row of lost.flatMap((id) => store.findById(id) ?? [])) {
    store.removeMembers(row.id, [principal.userId], source);
    change(row, 'group.remove');
  }
  if (lost.length > 0) announcements.announce({ kind: 'grant-changed' });
}

function make(
  context: AccountContext,
  store: GroupStore,
  principal: Principal,
  origin: ProvenIdentity['provider'],
  name: string,
): GroupRow {
  try {
    return createGroup(context, store, principal, { name, origin });
  } catch (error) {
    if (error instanceof ServiceError) throw accountErrors.groupNotMade(name, error.detail);
    throw error;
  }
}
