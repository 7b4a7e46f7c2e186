import { ServiceError } from '../../errors/service-error.ts';

/** Refusals of the console's own routes (identity 1). */
export const consoleErrors = {
  noSession: () =>
    new ServiceError(401, 'session_required', 'Sign in first: there is no session, or it has ended'),
  /** `known` are the addresses under which the console can be used. */
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
      'Signing in needs HTTPS, except on this machine itself: passwords must not be sent in the clear',
    ),
  notUnicode: (field: string) =>
    new ServiceError(400, 'text_not_unicode', `${field} must be well-formed Unicode`),
  tooLong: (field: string, longest: number) =>
    new ServiceError(400, 'text_too_long', `${field} exceeds maximum length of ${longest} characters`),
  notAnExpiry: (choices: readonly string[]) =>
    new ServiceError(
      400,
      'expiry_invalid',
      `Expiration must be one of ${choices.join(', ')}, or a date as 2027-01-31`,
    ),
  notBuilt: () => new ServiceError(404, 'console_not_built', 'The console is not built: run `npm run build`'),
};
