import { ServiceError } from '../errors/service-error.ts';

/** Another user has this user name, perhaps in another case. */
export function userNameTaken(userName: string): ServiceError {
  return new ServiceError(409, `User name already exists: ${userName}`);
}

/** Another user has this e-mail address, perhaps in another case. */
export function emailTaken(email: string): ServiceError {
  return new ServiceError(409, `E-mail already exists: ${email}`);
}

/** A user needs a name. */
export function userNameRequired(): ServiceError {
  return new ServiceError(400, 'User name is required');
}

/** Text with half a surrogate pair could not be stored unchanged. */
export function notUnicode(field: string): ServiceError {
  return new ServiceError(400, `${field} must be well-formed Unicode`);
}
