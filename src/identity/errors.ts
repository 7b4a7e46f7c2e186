import { suggest } from '../engine/text/suggest.ts';
import { ScimError } from '../errors/scim-error.ts';
import { ServiceError } from '../errors/service-error.ts';

/** Another user has this user name, perhaps in another case. */
export function userNameTaken(userName: string): ServiceError {
  return new ScimError(409, 'uniqueness', `User name already exists: ${userName}`);
}

/** Another user has this e-mail address, perhaps in another case. */
export function emailTaken(email: string): ServiceError {
  return new ScimError(409, 'uniqueness', `E-mail already exists: ${email}`);
}

/** Something needs a name, and has none. */
export function required(field: string): ServiceError {
  return new ServiceError(400, `${field} is required`);
}

/** Text with half a surrogate pair could not be stored unchanged. */
export function notUnicode(field: string): ServiceError {
  return new ServiceError(400, `${field} must be well-formed Unicode`);
}

/** A text of more code points than there may be. */
export function tooLong(field: string, longest: number): ServiceError {
  return new ServiceError(400, `${field} exceeds maximum length of ${longest} characters`);
}

/** Names stand in lines of terminals and logs. */
export function controlCharacters(field: string): ServiceError {
  return new ServiceError(400, `${field} must not have control characters`);
}

/** Not an e-mail address. */
export function notAnEmail(email: string): ServiceError {
  return new ServiceError(400, `E-mail is not valid: ${email}`);
}

/** A password that `findPasswordFault` refuses; `fault` is what it says. */
export function passwordRefused(fault: string): ServiceError {
  return new ServiceError(400, `Password refused: ${fault}`);
}

/** Refusals of passwords. */
export const passwordErrors = {
  /** So many passwords are being hashed that waiting would take too long. */
  busy: () =>
    new ServiceError(503, 'Too many passwords are being checked. Nothing was changed; try again', {
      retryAfter: 5,
    }),
  /** `weakness` is what `findPasswordWeakness` says. */
  weak: (weakness: string) => new ServiceError(400, `Password refused: ${weakness}, and easily guessed`),
  /** Somebody who changes a password does not know it. */
  wrong: () => new ServiceError(400, 'Current password is wrong'),
};

/** Refusals of sign-ins: the same for users who are there and who are not. */
export const signInErrors = {
  wrong: () => new ServiceError(401, 'User name or password is wrong'),
  tooMany: (seconds: number) =>
    new ServiceError(429, `Too many failed sign-ins: try again in ${seconds} s`, { retryAfter: seconds }),
};

/** Refusals about the audit log and the query log. */
export const logErrors = {
  limit: (most: number) => new ServiceError(400, `Limit must be between 1 and ${most}`),
  notATime: () => new ServiceError(400, 'Since and until must be times'),
};

/** Only super-users manage users, groups, and the tokens of others; with a token that only reads, nobody. */
export function mayNotManage(): ServiceError {
  return new ServiceError(403, "You don't have permission to perform the request");
}

/** No user has this name. */
export function userNotFound(name: string, known: readonly string[]): ServiceError {
  return new ServiceError(404, `User not found: ${name}`, { hint: printNear(name, known) });
}

/** Nobody could manage the home any more. */
export function lastSuperUser(userName: string): ServiceError {
  return new ServiceError(
    409,
    `${userName} is the last active administrator, and can be neither deleted nor disabled nor given another role`,
  );
}

/** Refusals about groups. */
export const groupErrors = {
  notFound: (name: string, known: readonly string[]) =>
    new ServiceError(404, `Group not found: ${name}`, { hint: printNear(name, known) }),
  exists: (name: string) => new ScimError(409, 'uniqueness', `Group already exists: ${name}`),
  builtIn: (name: string) =>
    new ScimError(409, 'uniqueness', `Group ${name} is part of every home: all users are in it`),
  notAMember: (userName: string, group: string) =>
    new ServiceError(404, `${userName} is not a member of the group ${group}`),
  /** Only a provisioning service, or the identity provider, has put the user in. */
  keptElsewhere: (userName: string, group: string) =>
    new ServiceError(
      409,
      `${userName} was put into the group ${group} by the identity provider, and is to be taken out there`,
    ),
  tooMany: (most: number) => new ServiceError(422, `A home has at most ${most} groups`),
};

/** Refusals about tokens. */
export const tokenErrors = {
  notFound: (name: string, known: readonly string[]) =>
    new ServiceError(404, `Token not found: ${name}`, { hint: printNear(name, known) }),
  exists: (name: string) => new ServiceError(409, `Token already exists: ${name}`),
  expired: () => new ServiceError(400, 'Expiry must be in the future'),
  tooMany: (most: number) => new ServiceError(422, `A user has at most ${most} tokens`),
};

/** Refusals about grants; `target` is a catalog path or `connection:NAME`. */
export const grantErrors = {
  notFound: (subject: string, target: string) =>
    new ServiceError(404, `Grant not found: ${subject} on ${target}`),
  notASubject: (subject: string) =>
    new ServiceError(400, `Subject must be user:NAME, group:NAME or everyone: ${subject}`),
  notATarget: (target: string) =>
    new ServiceError(
      400,
      `Target must be a catalog path, which begins with @, or connection:NAME: ${target}`,
    ),
  notALevel: (level: string, target: string, levels: readonly string[]) =>
    new ServiceError(400, `Level on ${target} must be one of ${levels.join(', ')}: ${level}`),
  notAnItem: (target: string) =>
    new ServiceError(400, `Only what is in the catalog can be restricted: ${target}`),
  personal: () =>
    new ServiceError(422, '@Personal belongs to its user alone: nothing in it can be granted or restricted'),
  notToRestrict: (target: string) =>
    new ServiceError(
      422,
      `${target} is a namespace: there is nothing above it whose grants could be cut off`,
    ),
  byNature: (target: string) =>
    new ServiceError(422, `${target} is restricted as all that lies directly below @Project Hub is`),
};

function printNear(word: string, known: readonly string[]): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
