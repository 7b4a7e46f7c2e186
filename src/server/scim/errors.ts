import { ScimError } from '../../errors/scim-error.ts';
import { ServiceError } from '../../errors/service-error.ts';

/** Refusals of provisioning before a service is asked (interface 4.5; RFC 7644, 3.12). */
export const scimErrors = {
  /** `detail` says what is wrong with the text. */
  malformed: (detail: string) => new ScimError(400, 'invalidSyntax', detail),
  bodyMustBeObject: () => new ScimError(400, 'invalidSyntax', 'The body must be a JSON object'),
  mustBeText: (name: string) => new ScimError(400, 'invalidValue', `${name} must be a text, given once`),
  mustBeNumber: (name: string) => new ScimError(400, 'invalidValue', `${name} must be a whole number`),
  mustBeNames: (name: string) =>
    new ScimError(
      400,
      'invalidValue',
      `${name} must be names of attributes, in a list or with commas between`,
    ),
  noFilterHere: () => new ServiceError(403, 'What the service supports cannot be filtered'),
  notFound: (kind: string, id: string) => new ServiceError(404, `${kind} not found: ${id}`),
  notSupported: (endpoint: string) => new ServiceError(501, `${endpoint} is not supported`),
};
