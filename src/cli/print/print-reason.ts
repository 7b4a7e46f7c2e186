import type { ReasonBody } from '../../identity/grants/grant-body.ts';

/** Why a user has a level on a target, in words. */
export function printReason(reason: ReasonBody): string {
  switch (reason.kind) {
    case 'disabled':
      return 'the user is disabled';
    case 'super_user':
      return 'administrators have MANAGE on everything except the @Personal of other users';
    case 'own_home':
      return "it is in the user's own @Personal";
    case 'other_home':
      return 'it is in the @Personal of another user';
    case 'namespace':
      return 'everyone may list and read a namespace itself';
    case 'role':
      return `the role ${reason.role} allows at most ${reason.level}`;
    case 'grant':
      return printGrant(reason);
  }
}

function printGrant({ subject, level, target, cut_off_by }: Extract<ReasonBody, { kind: 'grant' }>): string {
  const text = `${subject} has ${level} on ${target}`;
  return cut_off_by === null ? text : `${text}, but it has no effect: ${cut_off_by} is restricted`;
}
