import { ServiceError } from '../../errors/service-error.ts';

/** Errors of the console's routes (docs/reference/sessions.md#requests). */
export const consoleErrors = {
  noSession: () =>
    new ServiceError(401, 'session_required', 'Sign in first: the session does not exist or has ended'),
  /** `known` are the addresses of the console. */
  otherSite: (known: readonly string[]) =>
    new ServiceError(
      403,
      'origin_not_allowed',
      `The request comes from another site; this one is ${known.join(' or ')}`,
    ),
  wrongCsrfToken: () =>
    new ServiceError(
      403,
      'csrf_token_invalid',
      'The X-CSRF-Token header is missing or belongs to another session: reload the page',
    ),
  needsHttps: () =>
    new ServiceError(
      403,
      'https_required',
      'Signing in requires HTTPS, except on the local machine: passwords must not be sent unencrypted',
    ),
  secretRequired: (count: number) =>
    new ServiceError(
      400,
      'one_time_secret_required',
      `The form must have the field secret once, and has it ${count} times`,
    ),
  notUnicode: (field: string) =>
    new ServiceError(400, 'text_not_unicode', `${field} must be well-formed Unicode`),
  tooLong: (field: string, longest: number) =>
    new ServiceError(400, 'text_too_long', `${field} exceeds maximum length of ${longest} characters`),
  notBuilt: () => new ServiceError(404, 'console_not_built', 'The console is not built: run `npm run build`'),
};
