import { MAX_NAME_LENGTH } from '../../errors/fields.ts';
import { nameOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
import type { AssertedUser } from '../asserted-user.ts';

/** The identity of a user, verified by an identity provider (docs/reference/saml-accounts.md). */
export interface ProvenIdentity {
  readonly provider: 'saml';
  /** The entity id of the identity provider. */
  readonly issuer: string;
  /** The identifier of the user at the issuer; for SAML, the NameID. Compared without case. */
  readonly subject: string;
  readonly email: string;
  readonly userName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Null: memberships stay unchanged. */
  readonly groups: readonly string[] | null;
  /** The latest end of the session; null: the session has only the usual limits. */
  readonly sessionEndsAt: Date | null;
  /** JSON with the data for a sign-out at the provider; stored as long as the session. */
  readonly detail: string;
}

/** The settings for accounts and groups at a sign-in. */
export interface SignOnRules {
  /** Whether the first sign-in creates an account. */
  readonly jit: boolean;
  readonly createGroups: boolean;
  /** Whether an administrator's account is linked by its e-mail address. */
  readonly bindSuperUsers: boolean;
}

/** The checks of an account, by their names in the log. */
export type AccountCheck =
  | 'account-conflict'
  | 'account-unknown'
  | 'account-disabled'
  | 'account-administrator'
  | 'account-linked-elsewhere'
  | 'account-name'
  | 'account-email'
  | 'session-end'
  | 'groups-limit';

/** The error of a sign-in that an identity provider has verified, and that Quern refuses. */
export class SignOnError extends Error {
  /** The name of the check that failed, for the log. */
  readonly check: AccountCheck;
  /** For administrators; it contains no secret and no assertion. */
  readonly detail: string;
  /** For the user; null: the user only sees that the sign-in failed. */
  readonly userText: string | null;
  /** The user that the provider has named; set where the identity is known. */
  user: AssertedUser | null = null;

  constructor(check: AccountCheck, detail: string, userText: string | null = null) {
    super(`${check}: ${detail}`);
    this.name = 'SignOnError';
    this.check = check;
    this.detail = detail;
    this.userText = userText;
  }
}

interface LinkedElsewhere {
  readonly userName: string;
  readonly subject: string;
  readonly other: string;
  readonly email: string | null;
}

/** The text for the user is fixed (docs/reference/saml-accounts.md#the-conflict). */
const printConflict = (email: string): string =>
  `User with given email already registered: ${email}. Please contact the system administrator.`;

/** The errors of sign-ins. */
export const accountErrors = {
  conflict: (email: string, userName: string) =>
    new SignOnError(
      'account-conflict',
      `the user \`${userName}\` was created by an administrator and has the e-mail address \`${email}\`: delete the user, let them sign in again, then enable the new user`,
      printConflict(email),
    ),
  unknown: (email: string) =>
    new SignOnError(
      'account-unknown',
      `no user has the e-mail address \`${email}\`, and JIT is off: create the user, or run \`quern sso saml set --jit on\``,
    ),
  disabled: (userName: string) =>
    new SignOnError(
      'account-disabled',
      `the user \`${userName}\` is disabled: enable it with \`quern user set ${userName} --enabled\``,
      'Your account is disabled. Please contact the system administrator.',
    ),
  administrator: (userName: string, subject: string) =>
    new SignOnError(
      'account-administrator',
      `\`${userName}\` is an administrator, and ${nameOf(SETTINGS.bindSuperUsers)} is false: run \`quern sso saml link ${userName} ${subject}\``,
    ),
  /** `email` is that of a user who was created by hand, with JIT: the user sees the text of the conflict; else null. */
  linkedElsewhere: ({ userName, subject, other, email }: LinkedElsewhere) =>
    new SignOnError(
      'account-linked-elsewhere',
      `\`${userName}\` is linked to ${other}, and an e-mail address links a user once: run \`quern sso saml link ${userName} ${subject}\``,
      email === null ? null : printConflict(email),
    ),
  nameTaken: (userName: string) =>
    new SignOnError(
      'account-name',
      `another user has the user name \`${userName}\`: rename that user, or send another user name`,
    ),
  notAnEmail: (email: string) =>
    new SignOnError(
      'account-email',
      `\`${email}\` is not an e-mail address of at most ${MAX_NAME_LENGTH} characters`,
    ),
  sessionEnd: (end: Date) =>
    new SignOnError(
      'session-end',
      `the session at the provider ended at ${end.toISOString()}: check the clocks of both servers`,
    ),
  tooManyGroups: (count: number, max: number) =>
    new SignOnError(
      'groups-limit',
      `${count} groups were sent, and the limit is ${max}: let the provider send only those that Quern needs`,
    ),
  groupNotMade: (name: string, reason: string) =>
    new SignOnError('groups-limit', `the group \`${name}\` cannot be created: ${reason}`),
};
