import type { Reason } from '../../../api/catalog/catalog-grants.ts';

/** A subject in words: `user:ada` becomes `ada`, `group:analysts` becomes `the group analysts`. */
export function printSubject(subject: string): string {
  if (subject.startsWith('user:')) return subject.slice('user:'.length);
  return subject.startsWith('group:') ? `the group ${subject.slice('group:'.length)}` : subject;
}

/** A reason for a level, as a sentence without a full stop. */
export function printReason(reason: Reason): string {
  const { level = '', subject = '', target = '', cut_off_by: cutOffBy = null, role = '' } = reason;
  const grant = `${printSubject(subject)} has ${level} on ${target}`;
  switch (reason.kind) {
    case 'super_user':
      return 'administrators have MANAGE on everything except the @Personal of other users';
    case 'own_home':
      return 'the item is in the user’s own @Personal';
    case 'other_home':
      return 'the item is in the @Personal of another user';
    case 'namespace':
      return 'everyone can list the namespaces';
    case 'grant':
      return cutOffBy === null ? grant : `${grant}, but it has no effect: ${cutOffBy} is restricted`;
    case 'role':
      return `the role ${role} allows at most ${level}`;
    case 'disabled':
      return 'the user is disabled';
  }
}
