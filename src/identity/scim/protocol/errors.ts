import { ScimError } from '../../../errors/scim-error.ts';
import { ServiceError } from '../../../errors/service-error.ts';

/** Refusals of resources, filters and changes that a client of the provisioning interface sends (identity 3). */
export const scimErrors = {
  /** The body has not the form of a message or resource; `fault` says what it must be. */
  invalidSyntax: (fault: string) => new ScimError(400, 'invalidSyntax', 'scim_syntax_invalid', fault),
  /** `place` is the 1-based character at which reading stopped. */
  malformedFilter: (place: number, fault: string) =>
    new ScimError(
      400,
      'invalidFilter',
      'scim_filter_malformed',
      `Filter is not valid at character ${place}: ${fault}`,
    ),
  /** As `malformedFilter`, for the path of a change. */
  malformedPath: (place: number, fault: string) =>
    new ScimError(
      400,
      'invalidPath',
      'scim_path_malformed',
      `Path is not valid at character ${place}: ${fault}`,
    ),
  /** The filter can be read, and cannot be answered. */
  invalidFilter: (fault: string) =>
    new ScimError(400, 'invalidFilter', 'scim_filter_not_supported', `Filter is not valid: ${fault}`),
  /** The filters of one change have more to look through, in all, than anybody may be kept waiting for. */
  tooManyComparisons: (label: string, most: number) =>
    new ScimError(
      400,
      'tooMany',
      'scim_too_many_comparisons',
      `Filters of ${label} compare more than ${most} times: choose by value eq "…", or send fewer operations at once`,
    ),
  /** `path` is what the client wrote. */
  invalidPath: (path: string, fault: string) =>
    new ScimError(
      400,
      'invalidPath',
      'scim_path_invalid',
      `Path is not valid: ${path.slice(0, 200)}: ${fault}`,
    ),
  /** `label` names the attribute, `fault` begins with a verb. */
  invalidValue: (label: string, fault: string) =>
    new ScimError(400, 'invalidValue', 'scim_value_invalid', `${label} ${fault}`),
  noTarget: (fault: string) => new ScimError(400, 'noTarget', 'scim_no_target', fault),
  /** `label` names an attribute that cannot be changed so; `fault` begins with a verb. */
  mutability: (label: string, fault: string) =>
    new ScimError(400, 'mutability', 'scim_not_mutable', `${label} ${fault}`),
  notFound: (id: string) =>
    new ServiceError(404, 'resource_not_found', `Resource not found: ${id.slice(0, 200)}`),
  /** `version` is the entity tag that would do. */
  stale: (version: string) =>
    new ServiceError(
      412,
      'revision_mismatch',
      `Resource has been modified. Refresh and retry with current ETag: ${version}`,
      { etag: version },
    ),
};

/** What a refusal of another service is to a client of the provisioning interface. */
export function toScimError(error: unknown): unknown {
  const isPlain = error instanceof ServiceError && !(error instanceof ScimError);
  return isPlain && error.status === 400
    ? new ScimError(400, 'invalidValue', error.code, error.detail)
    : error;
}
