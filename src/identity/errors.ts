import { suggest } from '../engine/text/suggest.ts';
import { ServiceError } from '../errors/service-error.ts';

/** Another user has this user name, perhaps in another case. */
export function userNameTaken(userName: string): ServiceError {
  return new ServiceError(409, `User name already exists: ${userName}`);
}

/** Another user has this e-mail address, perhaps in another case. */
export function emailTaken(email: string): ServiceError {
  return new ServiceError(409, `E-mail already exists: ${email}`);
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

/** Only super-users manage users, groups, and the tokens of others. */
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
  exists: (name: string) => new ServiceError(409, `Group already exists: ${name}`),
  builtIn: (name: string) =>
    new ServiceError(409, `Group ${name} is part of every home: all users are in it`),
  notAMember: (userName: string, group: string) =>
    new ServiceError(404, `${userName} is not a member of the group ${group}`),
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

function printNear(word: string, known: readonly string[]): string | undefined {
  const near = suggest(word, known);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
