import { ScimError } from '../../errors/scim-error.ts';
import { ServiceError } from '../../errors/service-error.ts';

/** Refusals of resources, filters and changes that a client of the provisioning interface sends (identity 3). */
export const scimErrors = {
  /** The body has not the form of a message or resource; `fault` says what it must be. */
  invalidSyntax: (fault: string) => new ScimError(400, 'invalidSyntax', fault),
  /** `place` is the 1-based character at which reading stopped. */
  malformedFilter: (place: number, fault: string) =>
    new ScimError(400, 'invalidFilter', `Filter is not valid at character ${place}: ${fault}`),
  /** As `malformedFilter`, for the path of a change. */
  malformedPath: (place: number, fault: string) =>
    new ScimError(400, 'invalidPath', `Path is not valid at character ${place}: ${fault}`),
  /** The filter can be read, and cannot be answered. */
  invalidFilter: (fault: string) => new ScimError(400, 'invalidFilter', `Filter is not valid: ${fault}`),
  /** The filters of one change have more to look through, in all, than anybody may be kept waiting for. */
  tooManyComparisons: (label: string, most: number) =>
    new ScimError(
      400,
      'tooMany',
      `Filters of ${label} compare more than ${most} times: choose by value eq "…", or send fewer operations at once`,
    ),
  /** `path` is what the client wrote. */
  invalidPath: (path: string, fault: string) =>
    new ScimError(400, 'invalidPath', `Path is not valid: ${path.slice(0, 200)}: ${fault}`),
  /** `label` names the attribute, `fault` begins with a verb. */
  invalidValue: (label: string, fault: string) => new ScimError(400, 'invalidValue', `${label} ${fault}`),
  noTarget: (fault: string) => new ScimError(400, 'noTarget', fault),
  /** `label` names an attribute that cannot be changed so; `fault` begins with a verb. */
  mutability: (label: string, fault: string) => new ScimError(400, 'mutability', `${label} ${fault}`),
  notFound: (id: string) => new ServiceError(404, `Resource not found: ${id.slice(0, 200)}`),
  /** `version` is the entity tag that would do. */
  stale: (version: string) =>
    new ServiceError(412, `Resource has been modified. Refresh and retry with current ETag: ${version}`),
};

/** What a refusal of another service is to a client of the provisioning interface. */
export function toScimError(error: unknown): unknown {
  const isPlain = error instanceof ServiceError && !(error instanceof ScimError);
  return isPlain && error.status === 400 ? new ScimError(400, 'invalidValue', error.detail) : error;
}
