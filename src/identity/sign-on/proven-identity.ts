import { nameOf } from '../../settings/setting.ts';
import { SETTINGS } from '../../settings/table.ts';
/** Who somebody is, as an identity provider has proven (identity 4). */
export interface ProvenIdentity {
  readonly provider: 'saml';
  /** The entity id of the identity provider. */
  readonly issuer: string;
  /** What the issuer calls its user; for SAML, the NameID. Compared without regard to case. */
  readonly subject: string;
  readonly email: string;
  readonly userName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Null: memberships stay as they are. */
  readonly groups: readonly string[] | null;
  /** When the session ends at the latest; null: as sessions do. */
  readonly sessionEndsAt: Date | null;
  /** What is needed to sign out at the provider, as JSON; kept as long as the session. */
  readonly detail: string;
}

/** What is done with accounts and groups at a sign-in. */
export interface SignOnRules {
  /** Whether accounts are made at the first sign-in. */
  readonly jit: boolean;
  readonly createGroups: boolean;
  /** Whether an administrator's account is linked by its e-mail address. */
  readonly bindSuperUsers: boolean;
}

/** Checks of the account, by the names that logs have. */
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

/** A sign-in that an identity provider has proven, and that is refused nevertheless. */
export class SignOnRefusal extends Error {
  /** The name of what refused, for the log. */
  readonly check: AccountCheck;
  /** For the administrator; no secret, and no assertion. */
  readonly detail: string;
  /** For the user; null: nothing but that it failed. */
  readonly userText: string | null;

  constructor(check: AccountCheck, detail: string, userText: string | null = null) {
    super(`${check}: ${detail}`);
    this.name = 'SignOnRefusal';
    this.check = check;
    this.detail = detail;
    this.userText = userText;
  }
}

/** Refusals of sign-ins. */
export const signOnRefusals = {
  /** The text for the user is that of interface 5.2.11. */
  conflict: (email: string, userName: string) =>
    new SignOnRefusal(
      'account-conflict',
      `the user \`${userName}\` was made by hand and has the e-mail address \`${email}\`: delete the user, let them sign in again, then enable the new user`,
      `User with given email already registered: ${email}. Please contact the system administrator.`,
    ),
  unknown: (email: string) =>
    new SignOnRefusal(
      'account-unknown',
      `no user has the e-mail address \`${email}\`, and JIT is off: create the user, or run \`quern sso saml set --jit on\``,
    ),
  disabled: (userName: string) =>
    new SignOnRefusal(
      'account-disabled',
      `the user \`${userName}\` is disabled: enable it with \`quern user set ${userName} --enable\``,
      'Your account is disabled. Please contact the system administrator.',
    ),
  administrator: (userName: string, subject: string) =>
    new SignOnRefusal(
      'account-administrator',
      `\`${userName}\` is an administrator, and ${nameOf(SETTINGS.bindSuperUsers)} is false: run \`quern sso saml link ${userName} ${subject}\``,
    ),
  linkedElsewhere: (userName: string, provider: string) =>
    new SignOnRefusal(
      'account-linked-elsewhere',
      `\`${userName}\` signs in by ${provider}, and is not linked to another provider by the e-mail address`,
    ),
  nameTaken: (userName: string) =>
    new SignOnRefusal(
      'account-name',
      `another user has the user name \`${userName}\`: rename that user, or send another user name`,
    ),
  notAnEmail: (email: string) =>
    new SignOnRefusal('account-email', `\`${email}\` is no e-mail address of at most 255 characters`),
  sessionEnd: (end: Date) =>
    new SignOnRefusal(
      'session-end',
      `the session at the provider has ended at ${end.toISOString()}: check the clocks`,
    ),
  tooManyGroups: (count: number, most: number) =>
    new SignOnRefusal(
      'groups-limit',
      `${count} groups were sent, and the limit is ${most}: let the provider send only those that Quern needs`,
    ),
  groupNotMade: (name: string, reason: string) =>
    new SignOnRefusal('groups-limit', `the group \`${name}\` cannot be made: ${reason}`),
};
