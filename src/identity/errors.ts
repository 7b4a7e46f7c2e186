import { suggest } from '../engine/text/suggest.ts';
import { ScimError } from '../errors/scim-error.ts';
import { ServiceError } from '../errors/service-error.ts';

/** Another user has this user name, perhaps in another case. */
export function userNameTaken(userName: string): ServiceError {
  return new ScimError(409, 'uniqueness', 'user_name_exists', `User name already exists: ${userName}`);
}

/** Another user has this e-mail address, perhaps in another case. */
export function emailTaken(email: string): ServiceError {
  return new ScimError(409, 'uniqueness', 'email_exists', `E-mail already exists: ${email}`);
}

/** Something needs a name, and has none. */
export function required(field: string): ServiceError {
  return new ServiceError(400, 'field_required', `${field} is required`);
}

/** Text with half a surrogate pair could not be stored unchanged. */
export function notUnicode(field: string): ServiceError {
  return new ServiceError(400, 'text_not_unicode', `${field} must be well-formed Unicode`);
}

/** A text of more code points than there may be. */
export function tooLong(field: string, longest: number): ServiceError {
  return new ServiceError(400, 'text_too_long', `${field} exceeds maximum length of ${longest} characters`);
}

/** Names stand in lines of terminals and logs. */
export function controlCharacters(field: string): ServiceError {
  return new ServiceError(400, 'control_characters', `${field} must not have control characters`);
}

/** Not an e-mail address. */
export function notAnEmail(email: string): ServiceError {
  return new ServiceError(400, 'email_invalid', `E-mail is not valid: ${email}`);
}

/** A password that `findPasswordFault` refuses; `fault` is what it says. */
export function passwordRefused(fault: string): ServiceError {
  return new ServiceError(400, 'password_refused', `Password refused: ${fault}`);
}

/** Refusals of passwords. */
export const passwordErrors = {
  /** So many passwords are being hashed that waiting would take too long. */
  busy: () =>
    new ServiceError(
      503,
      'passwords_busy',
      'Too many passwords are being checked. Nothing was changed; try again',
      {
        retryAfter: 5,
      },
    ),
  /** `weakness` is what `findPasswordWeakness` says. */
  weak: (weakness: string) =>
    new ServiceError(400, 'password_too_weak', `Password refused: ${weakness}, and easily guessed`),
  /** Somebody who changes a password does not know it. */
  wrong: () => new ServiceError(400, 'current_password_wrong', 'Current password is wrong'),
};

/** Refusals of sign-ins: the same for users who are there and who are not. */
export const signInErrors = {
  wrong: () => new ServiceError(401, 'sign_in_failed', 'User name or password is wrong'),
  tooMany: (seconds: number) =>
    new ServiceError(429, 'too_many_sign_ins', `Too many failed sign-ins: try again in ${seconds} s`, {
      retryAfter: seconds,
    }),
};

/** Refusals about the audit log and the query log. */
export const logErrors = {
  notATime: () => new ServiceError(400, 'field_not_a_time', 'Since and until must be times'),
};

/** Only administrators manage users, groups, and the tokens of others; with a token that only reads, nobody. */
export function mayNotManage(): ServiceError {
  return new ServiceError(403, 'permission_denied', "You don't have permission to perform the request");
}

/** No user has this name. */
export function userNotFound(name: string, known: readonly string[]): ServiceError {
  return new ServiceError(404, 'user_not_found', `User not found: ${name}`, { hint: printNear(name, known) });
}

/** Nobody could manage the home any more. */
export function lastAdministrator(userName: string): ServiceError {
  return new ServiceError(
    409,
    'last_administrator',
    `${userName} is the last active administrator, and can be neither deleted nor disabled nor given another role`,
  );
}

/** Refusals about groups. */
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
  /** Only a provisioning service, or the identity provider, has put the user in. */
  keptElsewhere: (userName: string, group: string) =>
    new ServiceError(
      409,
      'membership_provisioned',
      `${userName} was put into the group ${group} by the identity provider, and is to be taken out there`,
    ),
  tooMany: (most: number) => new ServiceError(422, 'too_many_groups', `A home has at most ${most} groups`),
};

/** Refusals about tokens. */
export const tokenErrors = {
  notFound: (name: string, known: readonly string[]) =>
    new ServiceError(404, 'token_not_found', `Token not found: ${name}`, { hint: printNear(name, known) }),
  exists: (name: string) => new ServiceError(409, 'token_exists', `Token already exists: ${name}`),
  expired: () => new ServiceError(400, 'expiry_in_the_past', 'Expiry must be in the future'),
  tooMany: (most: number) => new ServiceError(422, 'too_many_tokens', `A user has at most ${most} tokens`),
};

/** Refusals about grants; `target` is a catalog path or `connection:NAME`. */
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
    new ServiceError(
      400,
      'target_not_restrictable',
      `Only what is in the catalog can be restricted: ${target}`,
    ),
  personal: () =>
    new ServiceError(
      422,
      'personal_not_grantable',
      '@Personal belongs to its user alone: nothing in it can be granted or restricted',
    ),
  notToRestrict: (target: string) =>
    new ServiceError(
      422,
      'namespace_not_restrictable',
      `${target} is a namespace: there is nothing above it whose grants could be cut off`,
    ),
  byNature: (target: string) =>
    new ServiceError(
      422,
      'always_restricted',
      `${target} is restricted as all that lies directly below @Project Hub is`,
    ),
};

function printNear(word: string, known: readonly string[]): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
