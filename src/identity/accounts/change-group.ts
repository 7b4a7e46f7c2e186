import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { toTimestamp } from '../../store/values/clock.ts';
import { foldCase } from '../../store/values/fold-case.ts';
import { checkName, checkText } from '../check-text.ts';
import type { AccountContext } from '../context/account-context.ts';
import { groupErrors } from '../errors.ts';
import type { Principal } from '../principal/principal.ts';
import type { GroupRow, GroupStore } from '../records/group-store.ts';
import type { AccountOrigin } from '../records/users.ts';

const MAX_GROUPS = 10_000;
const FIRST_REVISION = 1;

/** The name of the built-in group of all users. It is not stored. */
export const EVERYONE = 'everyone';

/** The settings of a group. */
type GroupSettings = Pick<GroupRow, 'name' | 'description' | 'external_id' | 'external'>;

/** A change of a group: omitted settings stay as they are. */
type GroupChange = Partial<GroupSettings & Pick<GroupRow, 'display_name'>>;

/** A group to create. */
export interface NewGroup extends Partial<GroupSettings> {
  readonly name: string;
  readonly displayName?: string;
  readonly origin: AccountOrigin;
}

// All interfaces use these functions. Each is part of the caller's transaction and writes an entry to the audit log.
// The caller checks permissions.

/** Throws 400 for an invalid name, 409 for one that is taken or built in, 422 when there are too many groups. */
export function createGroup(
  { newId, clock, audit }: AccountContext,
  store: GroupStore,
  principal: Principal,
  { displayName = '', ...fields }: NewGroup,
): GroupRow {
  checkText('Display name', displayName, MAX_NAME_LENGTH);
  checkGroupName(store, fields.name);
  if (store.count() >= MAX_GROUPS) throw groupErrors.tooMany(MAX_GROUPS);
  const now = toTimestamp(clock());
  const row: GroupRow = {
    id: newId(),
    description: '',
    external_id: null,
    external: 0,
    ...fields,
    display_name: displayName,
    revision: FIRST_REVISION,
    created_at: now,
    updated_at: now,
  };
  store.insert(row);
  audit.record(principal, { action: 'group.create', object: row.name });
  return row;
}

/** Throws 400 and 409 as `createGroup` does. */
export function changeGroup(
  context: AccountContext,
  store: GroupStore,
  principal: Principal,
  row: GroupRow,
  change: GroupChange,
): GroupRow {
  const { name = row.name, display_name, description, external, external_id } = change;
  if (name !== row.name) checkGroupName(store, name, row.id);
  if (display_name !== undefined) checkText('Display name', display_name, MAX_NAME_LENGTH);
  const isDescribed = (description ?? external ?? external_id) !== undefined;
  const parts = [
    ...(name === row.name ? [] : [`name ${name}`]),
    ...(display_name === undefined ? [] : ['display name']),
    ...(isDescribed ? ['attributes'] : []),
  ];
  context.audit.record(principal, { action: 'group.update', object: `${row.name}: ${parts.join(', ')}` });
  return renewGroup(context, store, { ...row, ...change });
}

/** Records that a group or its members have changed. */
export function renewGroup({ clock }: AccountContext, store: GroupStore, row: GroupRow): GroupRow {
  const renewed = { ...row, revision: row.revision + 1, updated_at: toTimestamp(clock()) };
  store.update(renewed);
  return renewed;
}

/** Deletes a group; its members may lose rights. */
export function deleteGroup(
  { audit, announcements }: AccountContext,
  store: GroupStore,
  principal: Principal,
  { id, name }: GroupRow,
): void {
  store.delete(id);
  audit.record(principal, { action: 'group.delete', object: name });
  announcements.announce({ kind: 'grant-changed' });
}

function checkGroupName(store: GroupStore, name: string, id?: string): void {
  checkName('Group name', name);
  if (foldCase(name) === EVERYONE) throw groupErrors.builtIn(EVERYONE);
  const namesake = store.findByName(name);
  if (namesake !== undefined && namesake.id !== id) throw groupErrors.exists(name);
}
