import type { Projection, ScimQuery } from '../../identity/scim/protocol/scim-api.ts';
import { provisioningErrors } from './errors.ts';

/** Query parameters, or the fields of a search; their names are case-insensitive. */
type ScimParameters = ReadonlyMap<string, unknown>;

/**
 * Parses the query parameters of a list (docs/reference/scim.md#finding; RFC 7644, 3.4.2). Throws 400 `invalidValue`.
 */
export function readScimQuery(query: unknown): ScimQuery {
  return readParameters(toScimParameters(query as object));
}

/** Parses the attributes to return from a URL (RFC 7644, 3.9). Throws 400 `invalidValue`. */
export function readProjection(query: unknown): Projection {
  return projectionOf(toScimParameters(query as object));
}

/** Parses the body of a search (RFC 7644, 3.4.3). Throws 400. */
export function readSearch(body: unknown): ScimQuery {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw provisioningErrors.bodyMustBeObject();
  return readParameters(toScimParameters(body));
}

function toScimParameters(fields: object): ScimParameters {
  return new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value ?? undefined]));
}

function readParameters(parameters: ScimParameters): ScimQuery {
  const filter = parameters.get('filter');
  if (filter !== undefined && typeof filter !== 'string') throw provisioningErrors.mustBeText('filter');
  return {
    filter: filter?.trim() === '' ? undefined : filter,
    startIndex: readNumber(parameters, 'startIndex'),
    count: readNumber(parameters, 'count'),
    ...projectionOf(parameters),
  };
}

function projectionOf(parameters: ScimParameters): Projection {
  return {
    attributes: readNames(parameters, 'attributes'),
    excludedAttributes: readNames(parameters, 'excludedAttributes'),
  };
}

/** The service checks whether a string is a number. */
function readNumber(parameters: ScimParameters, name: string): string | number | undefined {
  const value = parameters.get(name.toLowerCase());
  if (value === undefined || typeof value === 'string' || typeof value === 'number') return value;
  throw provisioningErrors.mustBeNumber(name);
}

function readNames(parameters: ScimParameters, name: string): readonly string[] | undefined {
  const value = parameters.get(name.toLowerCase());
  if (value === undefined) return undefined;
  const texts = [value].flat();
  if (!texts.every((each) => typeof each === 'string')) throw provisioningErrors.mustBeNames(name);
  const names = texts.flatMap((each) => each.split(',')).map((each) => each.trim());
  const named = names.filter((each) => each !== '');
  return named.length === 0 ? undefined : named;
}
