import { ScimError } from '../../errors/scim-error.ts';
import { ServiceError } from '../../errors/service-error.ts';

/** Refusals of provisioning before a service is asked (interface 4.5; RFC 7644, 3.12). */
export const scimErrors = {
  /** The text of a body is no JSON. */
  malformed: ({ code, detail }: ServiceError) => new ScimError(400, 'invalidSyntax', code, detail),
  bodyMustBeObject: () =>
    new ScimError(400, 'invalidSyntax', 'body_not_an_object', 'The body must be a JSON object'),
  mustBeText: (name: string) =>
    new ScimError(400, 'invalidValue', 'field_not_a_string', `${name} must be a text, given once`),
  mustBeNumber: (name: string) =>
    new ScimError(400, 'invalidValue', 'field_not_a_count', `${name} must be a whole number`),
  mustBeNames: (name: string) =>
    new ScimError(
      400,
      'invalidValue',
      'scim_attributes_invalid',
      `${name} must be names of attributes, in a list or with commas between`,
    ),
  administratorsOnly: () =>
    new ServiceError(
      403,
      'administrator_required',
      'Provisioning needs a token of an administrator; GET /api/v1/me takes any token',
    ),
  noFilterHere: () =>
    new ServiceError(403, 'scim_filter_forbidden', 'What the service supports cannot be filtered'),
  notFound: (kind: string, id: string) =>
    new ServiceError(404, 'resource_not_found', `${kind} not found: ${id}`),
  notSupported: (endpoint: string) => new ServiceError(501, 'not_supported', `${endpoint} is not supported`),
};
