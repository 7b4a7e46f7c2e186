import type { GrantEffects, MatrixChange, MatrixLevel } from '../../../api/administration/permissions.ts';
import { printSubject } from '../../catalog/access/print-reason.ts';

/** A change as a sentence without a full stop. */
export function printChange({ target, subject, level, restricted }: MatrixChange): string {
  if (subject === undefined) {
    return restricted === true
      ? `Restrict ${target}: grants on the folders above do not count`
      : `Lift the restriction of ${target}: grants on the folders above count again`;
  }
  const name = printSubject(subject);
  return level === 'NONE'
    ? `Revoke the grant of ${name} on ${target}`
    : `Grant ${level} on ${target} to ${name}`;
}

const RANKS: readonly MatrixLevel[] = ['NONE', 'VIEW', 'READ', 'EDIT', 'USE', 'MANAGE'];

/** A gain or a loss of a user as a sentence without a full stop. */
export function printEffect({ user, target, before, after }: GrantEffects['data'][number]): string {
  if (before === 'NONE') return `${user} gains ${after} on ${target}`;
  if (after === 'NONE') return `${user} loses ${before} on ${target}, and has no access left`;
  const verb = RANKS.indexOf(after) > RANKS.indexOf(before) ? 'gains' : 'keeps only';
  return `${user} ${verb} ${after} on ${target}, instead of ${before}`;
}

const ABILITIES: Readonly<Record<string, string>> = {
  VIEW: 'can see, read and run',
  EDIT: 'can see, run and change',
  MANAGE: 'can do everything with',
  READ: 'can read with',
  USE: 'can run any statement on',
};

/** Whether a user can see a target, as a sentence. */
export function printAnswer(user: string, target: string, level: string): string {
  const ability = ABILITIES[level];
  return ability === undefined
    ? `No, ${user} cannot see ${target}.`
    : `Yes, ${user} ${ability} ${target}: the level is ${level}.`;
}
