import { foldCase } from '../../store/values/fold-case.ts';
import { EVERYONE } from '../accounts/change-group.ts';
import { type AccountContext, getUser } from '../context/account-context.ts';
import { grantErrors, groupErrors, userNotFound } from '../errors.ts';
import type { Principal } from '../principal/principal.ts';
import type { Subject } from '../records/grant-store.ts';
import { createGroupStore } from '../records/group-store.ts';
import type { User } from '../records/users.ts';

/**
 * Finds the subject that a string names: `user:NAME`, `group:NAME` or `everyone`. Throws 400 for any other string, 404
 * for an unknown name. A user who shares an item must name others, so the error shows that a name is unknown. Only
 * administrators get suggestions of existing names.
 */
export function findSubject(context: AccountContext, principal: Principal, text: string): Subject {
  if (foldCase(text) === EVERYONE) return { kind: 'everyone' };
  const [, kind, name] = /^(user|group):(.+)$/s.exec(text) ?? [];
  if (name === undefined) throw grantErrors.notASubject(text);
  if (kind === 'user') {
    const { id, userName } = findNamed(context, principal, name);
    return { kind, id, name: userName };
  }
  if (foldCase(name) === EVERYONE) return { kind: 'everyone' };
  const groups = createGroupStore(context.database);
  const group = groups.findByName(name);
  if (group !== undefined) return { kind: 'group', id: group.id, name: group.name };
  throw groupErrors.notFound(
    name,
    context.permissions.mayManage(principal) ? groups.list().map((one) => one.name) : [],
  );
}

/** A user by name. Throws 404; only administrators get a suggestion. */
export function findNamed(context: AccountContext, principal: Principal, name: string): User {
  if (context.permissions.mayManage(principal)) return getUser(context, name);
  const user = context.users.findByUserName(name);
  if (user === undefined) throw userNotFound(name, []);
  return user;
}
