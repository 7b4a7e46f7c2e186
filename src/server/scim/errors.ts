import { ScimError } from '../../errors/scim-error.ts';
import { ServiceError } from '../../errors/service-error.ts';

/** Errors of provisioning before a service is called (docs/reference/scim.md#failures; RFC 7644, 3.12). */
export const provisioningErrors = {
  /** The body is not valid JSON. */
  malformed: ({ code, detail }: ServiceError) => new ScimError(400, 'invalidSyntax', code, detail),
  bodyMustBeObject: () =>
    new ScimError(400, 'invalidSyntax', 'body_not_an_object', 'The body must be a JSON object'),
  mustBeText: (name: string) =>
    new ScimError(400, 'invalidValue', 'field_not_a_string', `${name} must be a single string`),
  mustBeNumber: (name: string) =>
    new ScimError(400, 'invalidValue', 'field_not_a_count', `${name} must be a whole number`),
  mustBeNames: (name: string) =>
    new ScimError(
      400,
      'invalidValue',
      'scim_attributes_invalid',
      `${name} must be attribute names, as a list or comma-separated`,
    ),
  administratorsOnly: () =>
    new ServiceError(
      403,
      'administrator_required',
      'Provisioning needs a token of an administrator; GET /api/v1/me takes any token',
    ),
  noFilterHere: () =>
    new ServiceError(403, 'scim_filter_forbidden', 'Filters are not supported on discovery endpoints'),
  notFound: (kind: string, id: string) =>
    new ServiceError(404, 'resource_not_found', `${kind} not found: ${id}`),
  notSupported: (endpoint: string) => new ServiceError(501, 'not_supported', `${endpoint} is not supported`),
};
