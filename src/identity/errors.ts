import { ScimError } from '../errors/scim-error.ts';
import { ServiceError } from '../errors/service-error.ts';
import { printBaseUrlHint } from '../settings/table.ts';
import { suggest } from '../text/suggest.ts';

/** Another user has this user name, compared without regard to case. */
export function userNameTaken(userName: string): ServiceError {
  return new ScimError(409, 'uniqueness', 'user_name_exists', `User name already exists: ${userName}`);
}

/** Another user has this e-mail address, compared without regard to case. */
export function emailTaken(email: string): ServiceError {
  return new ScimError(409, 'uniqueness', 'email_exists', `E-mail already exists: ${email}`);
}

/** A required name is missing. */
export function required(field: string): ServiceError {
  return new ServiceError(400, 'field_required', `${field} is required`);
}

/** A string with an unpaired surrogate could not be stored unchanged. */
export function notUnicode(field: string): ServiceError {
  return new ServiceError(400, 'text_not_unicode', `${field} must be well-formed Unicode`);
}

/** A string has more code points than allowed. */
export function tooLong(field: string, longest: number): ServiceError {
  return new ServiceError(400, 'text_too_long', `${field} exceeds maximum length of ${longest} characters`);
}

/** Names are printed on lines of terminals and logs, so they must not break a line. */
export function controlCharacters(field: string): ServiceError {
  return new ServiceError(400, 'control_characters', `${field} must not have control characters`);
}

/** A user name that can look like another one (docs/reference/accounts.md#names-and-addresses). */
export const userNameErrors = {
  blankEnd: (name: string) =>
    new ServiceError(400, 'user_name_invalid', `User name must not begin or end with a blank: \`${name}\``),
  formatCharacter: (character: string) =>
    new ServiceError(
      400,
      'user_name_invalid',
      `User name must not have invisible characters: ${printCodePoint(character)}`,
    ),
};

function printCodePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Not an e-mail address. */
export function notAnEmail(email: string): ServiceError {
  return new ServiceError(400, 'email_invalid', `E-mail is not valid: ${email}`);
}

/** The password is invalid; `error` is the result of `findPasswordError`. */
export function passwordRefused(error: string): ServiceError {
  return new ServiceError(400, 'password_refused', `Password refused: ${error}`);
}

/** Errors about passwords. */
export const passwordErrors = {
  /** The queue of passwords to hash is so long that the request would wait too long. */
  busy: () =>
    new ServiceError(
      503,
      'passwords_busy',
      'Too many passwords are being checked. Nothing was changed; try again',
      {
        retryAfter: 5,
      },
    ),
  /** `weakness` is the result of `findPasswordWeakness`. */
  weak: (weakness: string) =>
    new ServiceError(400, 'password_too_weak', `Password refused: ${weakness}, and easily guessed`),
  /** A provisioning service or an identity provider has created the user. */
  external: () =>
    new ServiceError(
      403,
      'password_kept_elsewhere',
      'You sign in with your identity provider, which keeps your password: change it there',
    ),
  /** The user has a password, or has signed in in another way than with `quern ui`. */
  notFirst: () =>
    new ServiceError(
      403,
      'current_password_required',
      'Without the current password, you can set only the first one, after you have signed in with `quern ui`',
    ),
  /** The current password in a request to change the password is wrong. */
  wrong: () => new ServiceError(400, 'current_password_wrong', 'Current password is wrong'),
};

/** Errors of sign-ins. They are the same for known and unknown users. */
export const signInErrors = {
  wrong: () => new ServiceError(401, 'sign_in_failed', 'User name or password is wrong'),
  tooMany: (seconds: number) =>
    new ServiceError(429, 'too_many_sign_ins', `Too many failed sign-ins: try again in ${seconds} s`, {
      retryAfter: seconds,
    }),
};

/** Errors of sign-ins with a one-time secret of `quern ui`. */
export const oneTimeSignInErrors = {
  ended: () =>
    new ServiceError(
      401,
      'one_time_sign_in_ended',
      'This sign-in was used already, or is older than 15 minutes: run `quern ui` again on the machine of this server',
    ),
  notLocal: () =>
    new ServiceError(
      403,
      'one_time_sign_in_not_local',
      '`quern ui` signs in only with its file, in a browser on the machine of this server, without a proxy: run `quern ui` again there',
    ),
  notOwner: () =>
    new ServiceError(
      403,
      'one_time_sign_in_refused',
      'The user is disabled, or no longer an administrator: run `quern ui` again on the machine of this server',
    ),
};

/** Errors of a user's own profile and sessions. */
export const profileErrors = {
  keptElsewhere: () =>
    new ServiceError(
      403,
      'profile_kept_elsewhere',
      'Your identity provider keeps your display name: change it there',
    ),
  sessionNotFound: () => new ServiceError(404, 'session_not_found', 'The session has ended already'),
};

/** The row where a page ends no longer exists. */
function createGone(reason: string): ServiceError {
  return new ServiceError(400, 'field_invalid', `After ${reason}. Load the list again`);
}

/** Errors of lists. */
export const searchErrors = {
  noSuchUser: (after: string) => createGone(`names a user who does not exist: ${after}`),
  noSuchToken: (after: string) => createGone(`names a token that does not exist: ${after}`),
};

/** Errors of the access of users (docs/reference/accounts.md#stopping-a-user). */
export const accessErrors = {
  stopsSelf: () =>
    new ServiceError(409, 'own_account', 'You cannot stop yourself: ask another administrator to do it'),
  changesSelf: () =>
    new ServiceError(
      409,
      'own_account',
      'You cannot change yourself together with others: ask another administrator to do it',
    ),
  oneChange: (count: number) =>
    new ServiceError(400, 'field_invalid', `The users need exactly one change, and the request has ${count}`),
};

/** Errors of invitations (docs/reference/invitations.md). */
export const invitationErrors = {
  needsBaseUrl: () =>
    new ServiceError(
      409,
      'base_url_required',
      'The link of an invitation needs the public address of the instance, which is not set',
      { hint: printBaseUrlHint() },
    ),
  oneUser: () =>
    new ServiceError(
      400,
      'field_invalid',
      'An invitation needs either user_name, for a new user, or user, for one who exists',
    ),
  existingUser: () =>
    new ServiceError(
      400,
      'field_invalid',
      'An invitation of a user who exists does not change the user: leave email, role and groups out',
    ),
  external: (userName: string) =>
    new ServiceError(
      409,
      'user_external',
      `${userName} signs in with the identity provider, and cannot be invited to set a password`,
    ),
  disabled: (userName: string) =>
    new ServiceError(409, 'user_disabled', `${userName} is disabled: enable the user first`),
  ssoOnly: () =>
    new ServiceError(
      409,
      'sso_only',
      'Only administrators sign in with passwords here: all other users sign in with the identity provider',
    ),
  administrator: (userName: string) =>
    new ServiceError(
      409,
      'administrator_has_password',
      `${userName} is an administrator with a password, which no invitation replaces`,
      { hint: 'run `quern admin reset-password` on the machine of the server' },
    ),
  notFound: () =>
    new ServiceError(404, 'invitation_not_found', 'The invitation was used or revoked, or never existed'),
  ended: () =>
    new ServiceError(
      401,
      'invitation_ended',
      'This invitation was used, revoked or replaced already, or is older than 7 days: ask an administrator for a new one',
    ),
  signedIn: (userName: string) =>
    new ServiceError(
      409,
      'signed_in_as_other',
      `The invitation is for another user, and ${userName} is signed in in this browser: sign out first`,
    ),
};

/** Errors of the audit log and the query log. */
export const logErrors = {
  exportRunning: () =>
    new ServiceError(409, 'export_running', 'Another export of the audit log is running: try again later', {
      retryAfter: 5,
    }),
  notATime: () => new ServiceError(400, 'field_not_a_time', 'Since and until must be times'),
};

/** Only administrators manage users, groups and the tokens of others. A read-only token does not allow it. */
export function mayNotManage(): ServiceError {
  return new ServiceError(403, 'permission_denied', "You don't have permission to perform the request");
}

export function userNotFound(name: string, known: readonly string[]): ServiceError {
  return new ServiceError(404, 'user_not_found', `User not found: ${name}`, { hint: printNear(name, known) });
}

/** Without this administrator, no user could manage the home. */
export function lastAdministrator(userName: string): ServiceError {
  return new ServiceError(
    409,
    'last_administrator',
    `${userName} is the last active administrator, and cannot be deleted, disabled or given another role`,
  );
}

/** Errors about groups. */
export const groupErrors = {
  notFound: (name: string, known: readonly string[]) =>
    new ServiceError(404, 'group_not_found', `Group not found: ${name}`, { hint: printNear(name, known) }),
  exists: (name: string) => new ScimError(409, 'uniqueness', 'group_exists', `Group already exists: ${name}`),
  builtIn: (name: string) =>
    new ScimError(
      409,
      'uniqueness',
      'group_built_in',
      `Group ${name} is part of every home: all users are in it`,
    ),
  notAMember: (userName: string, group: string) =>
    new ServiceError(404, 'user_not_in_group', `${userName} is not a member of the group ${group}`),
  ownedElsewhere: (group: string) =>
    new ServiceError(
      409,
      'group_provisioned',
      `The identity provider keeps the names of the group ${group}: change them there`,
    ),
  /** The user is a member only through a provisioning service or the identity provider. */
  keptElsewhere: (userName: string, group: string) =>
    new ServiceError(
      409,
      'membership_provisioned',
      `${userName} was put into the group ${group} by the identity provider: remove the user there`,
    ),
  tooMany: (max: number) => new ServiceError(422, 'too_many_groups', `A home has at most ${max} groups`),
};

/** Errors about tokens. */
export const tokenErrors = {
  notFound: (name: string, known: readonly string[]) =>
    new ServiceError(404, 'token_not_found', `Token not found: ${name}`, { hint: printNear(name, known) }),
  exists: (name: string) => new ServiceError(409, 'token_exists', `Token already exists: ${name}`),
  expired: () => new ServiceError(400, 'expiry_in_the_past', 'Expiry must be in the future'),
  /** Prescribed (docs/reference/tokens.md#scopes). */
  scopeTooSmall: (scope: string, least: string) =>
    new ServiceError(403, 'scope_too_small', "You don't have permission to perform the request", {
      hint: `this needs a token with the scope \`${least}\`; this one has \`${scope}\``,
    }),
  unknownScope: (scope: string, known: readonly string[]) =>
    new ServiceError(400, 'scope_unknown', `Scope must be one of ${known.join(', ')}: ${scope}`, {
      hint: printNear(scope, known),
    }),
  otherScope: (scope: string) =>
    new ServiceError(
      400,
      'scope_contradicted',
      `Read only contradicts the scope ${scope}: leave one of them out`,
    ),
  scimOwner: (owner: string) =>
    new ServiceError(
      400,
      'scope_needs_administrator',
      `Only administrators may own a token with the scope scim: ${owner}`,
    ),
  tooMany: (max: number) => new ServiceError(422, 'too_many_tokens', `A user has at most ${max} tokens`),
};

/** Errors about grants; `target` is a catalog path or `connection:NAME`. */
export const grantErrors = {
  notFound: (subject: string, target: string) =>
    new ServiceError(404, 'grant_not_found', `Grant not found: ${subject} on ${target}`),
  notASubject: (subject: string) =>
    new ServiceError(400, 'subject_invalid', `Subject must be user:NAME, group:NAME or everyone: ${subject}`),
  notATarget: (target: string) =>
    new ServiceError(
      400,
      'target_invalid',
      `Target must be a catalog path, which begins with @, or connection:NAME: ${target}`,
    ),
  notALevel: (level: string, target: string, levels: readonly string[]) =>
    new ServiceError(
      400,
      'level_invalid',
      `Level on ${target} must be one of ${levels.join(', ')}: ${level}`,
    ),
  notAnItem: (target: string) =>
    new ServiceError(400, 'target_not_restrictable', `Only catalog items can be restricted: ${target}`),
  personal: () =>
    new ServiceError(
      422,
      'personal_not_grantable',
      '@Personal belongs to its user alone: items in it cannot be granted or restricted',
    ),
  notToRestrict: (target: string) =>
    new ServiceError(
      422,
      'namespace_not_restrictable',
      `${target} is a namespace: it has no parent folder whose grants could be cut off`,
    ),
  tooManySubjects: (max: number) =>
    new ServiceError(400, 'field_invalid', `Subject must be given at most ${max} times`),
  notAFolder: (target: string) =>
    new ServiceError(400, 'target_invalid', `Under must be a catalog path or \`connections\`: ${target}`),
  tooManyChanges: (max: number) =>
    new ServiceError(
      400,
      'field_invalid',
      `Changes must be at most ${max}: send the others in another request`,
    ),
  notAChange: (target: string) =>
    new ServiceError(
      400,
      'field_invalid',
      `A change needs either subject and level, or restricted: ${target}`,
    ),
  changedTwice: (what: string, target: string) =>
    new ServiceError(400, 'field_invalid', `Changes have ${what} twice on ${target}: leave one of them out`),
  outdated: (etag: string) =>
    new ServiceError(
      412,
      'grants_changed',
      'The grants have changed since the preview, and nothing was applied: preview the changes again',
      { etag: `"${etag}"` },
    ),
  takesFromSelf: (target: string) =>
    new ServiceError(
      409,
      'own_access',
      `You would no longer manage ${target}, and nothing was applied: leave this change out, or ask an administrator to make it`,
    ),
  byNature: (target: string) =>
    new ServiceError(
      422,
      'always_restricted',
      `${target} is always restricted, because it is directly below @Project Hub`,
    ),
};

function printNear(word: string, known: readonly string[]): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
