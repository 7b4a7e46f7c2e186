import type { LoggedAction } from '../../../api/administration/audit.ts';

/** The actions in the past tense, before their objects. */
const VERBS: Readonly<Record<string, string>> = {
  'sign-out': 'signed out',
  'session.end': 'ended sessions of',
  'token.create': 'created the API key',
  'token.delete': 'deleted the API key',
  'user.create': 'created the user',
  'user.update': 'changed the user',
  'user.password': 'set the password of',
  'user.delete': 'deleted the user',
  'user.stop': 'stopped the user',
  'invitation.create': 'invited',
  'invitation.delete': 'revoked the invitation of',
  'invitation.redeem': 'used the invitation of',
  'group.create': 'created the group',
  'group.update': 'changed the group',
  'group.add': 'added to the group',
  'group.remove': 'removed from the group',
  'group.delete': 'deleted the group',
  'grant.set': 'granted',
  'grant.delete': 'revoked',
  'grant.restrict': 'changed the restriction of',
  'connection.change': 'changed the connection',
  'connection.create': 'created the connection',
  'connection.test': 'tested the connection',
  'connection.replace': 'replaced the connection',
  'connection.delete': 'deleted the connection',
  'catalog.restore': 'restored',
  'catalog.purge': 'purged',
  'catalog.undelete': 'restored from the bin',
  'catalog.delete': 'deleted permanently from the bin',
  'backup.create': 'backed up to',
  'backup.download': 'downloaded the backup',
  'backup.delete': 'deleted the backup',
  'execution.pause': 'paused the executions of',
  'sso.settings': 'changed single sign-on with',
  'sso.delete': 'deleted single sign-on with',
  'sso.certificate': 'changed the certificate of',
  'sso.link': 'linked',
  'sso.unlink': 'unlinked',
  'sso.test': 'tested single sign-on with',
};

/** A grant or a revoked grant as an object: the subject, the level and the target. */
const GRANT = /^(.+?) (READ|USE|VIEW|EDIT|MANAGE) (.+)$/;

/** An entry as a sentence: “ana granted EDIT on @Shared to group:analysts”. */
export function printAction({ actor, action, object, result }: LoggedAction): string {
  const name = actor ?? 'An unknown user';
  if (result === 'refused') {
    if (action === 'sign-in') return `A sign-in as ${object ?? 'an unknown user'} was refused`;
    return `${name} was refused: ${action} ${object ?? ''}`.trim();
  }
  if (action === 'sign-in') return `${name} signed in`;
  const [, subject, level, target] = GRANT.exec(object ?? '') ?? [];
  if (action === 'grant.set' && subject !== undefined) {
    return `${name} granted ${level} on ${target} to ${subject}`;
  }
  if (action === 'grant.delete' && subject !== undefined) {
    return `${name} revoked ${level} on ${target} from ${subject}`;
  }
  return `${name} ${VERBS[action] ?? action} ${object ?? ''}`.trim();
}
