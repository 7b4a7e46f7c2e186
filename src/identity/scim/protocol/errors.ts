import { ScimError } from '../../../errors/scim-error.ts';
import { ServiceError } from '../../../errors/service-error.ts';

/** Errors of resources, filters and changes that a SCIM client sends (docs/reference/scim.md#failures). */
export const scimErrors = {
  /** The body does not have the form of a message or resource; `detail` says what it must be. */
  invalidSyntax: (detail: string) => new ScimError(400, 'invalidSyntax', 'scim_syntax_invalid', detail),
  /** `position` is the 1-based character at which reading stopped. */
  malformedFilter: (position: number, detail: string) =>
    new ScimError(
      400,
      'invalidFilter',
      'scim_filter_malformed',
      `Filter is not valid at character ${position}: ${detail}`,
    ),
  /** As `malformedFilter`, for the path of a change. */
  malformedPath: (position: number, detail: string) =>
    new ScimError(
      400,
      'invalidPath',
      'scim_path_malformed',
      `Path is not valid at character ${position}: ${detail}`,
    ),
  /** The syntax of the filter is valid, but the filter is not supported. */
  invalidFilter: (detail: string) =>
    new ScimError(400, 'invalidFilter', 'scim_filter_not_supported', `Filter is not valid: ${detail}`),
  /** The filters of one change need so many comparisons in total that other requests would wait too long. */
  tooManyComparisons: (label: string, max: number) =>
    new ScimError(
      400,
      'tooMany',
      'scim_too_many_comparisons',
      `Filters of ${label} compare more than ${max} times: choose by value eq "…", or send fewer operations at once`,
    ),
  /** `path` is what the client wrote. */
  invalidPath: (path: string, detail: string) =>
    new ScimError(
      400,
      'invalidPath',
      'scim_path_invalid',
      `Path is not valid: ${path.slice(0, 200)}: ${detail}`,
    ),
  /** `label` names the attribute; `predicate` begins with a verb. */
  invalidValue: (label: string, predicate: string) =>
    new ScimError(400, 'invalidValue', 'scim_value_invalid', `${label} ${predicate}`),
  noTarget: (detail: string) => new ScimError(400, 'noTarget', 'scim_no_target', detail),
  /** `label` names an attribute that does not allow this change; `predicate` begins with a verb. */
  mutability: (label: string, predicate: string) =>
    new ScimError(400, 'mutability', 'scim_not_mutable', `${label} ${predicate}`),
  /** The token has the scope `scim`, which does not change this attribute of this user. */
  beyondScope: (attribute: string, userName: string) => createBeyond(`${attribute} of ${userName}`),
  /** As `beyondScope`, for rights of administrators. */
  beyondRights: (attribute: string) => createBeyond(`${attribute} to the rights of an administrator`),
  beyondDeletion: (kind: string, name: string) =>
    new ServiceError(
      403,
      'scim_beyond_scope',
      `A token with the scope scim does not delete the ${kind} ${name}: this needs the scope all`,
    ),
  beyondGroup: (name: string) => createBeyond(`the group ${name}, which has MANAGE`),
  notFound: (id: string) =>
    new ServiceError(404, 'resource_not_found', `Resource not found: ${id.slice(0, 200)}`),
  /** `version` is the current entity tag. */
  stale: (version: string) =>
    new ServiceError(
      412,
      'revision_mismatch',
      `Resource has been modified. Refresh and retry with current ETag: ${version}`,
      { etag: version },
    ),
};

/** `what` completes a sentence. */
function createBeyond(what: string): ServiceError {
  return new ServiceError(
    403,
    'scim_beyond_scope',
    `A token with the scope scim does not change ${what}: this needs the scope all`,
  );
}

/** Converts a 400 of another service into a SCIM error; other errors stay the same. */
export function toScimError(error: unknown): unknown {
  const isPlain = error instanceof ServiceError && !(error instanceof ScimError);
  return isPlain && error.status === 400
    ? new ScimError(400, 'invalidValue', error.code, error.detail)
    : error;
}
